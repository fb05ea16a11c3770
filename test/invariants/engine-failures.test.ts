/** Runs a review if the engine returns no plan. A stand-in fails like the real engine. */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { runCommand } from "../support/command";
import { AnsweringEngine, answersOf } from "../support/answering-engine";
import { temporary } from "../support/temporary";

let folder: string;
beforeEach(() => {
  folder = temporary();
  writeFileSync(join(folder, "Pulumi.yaml"), "name: test\nruntime: nodejs\n");
});

interface Failing {
  stdout?: string;
  stderr: string;
  config?: object;
  env?: NodeJS.ProcessEnv;
}

/** Reviews a stack with this engine output instead of a plan. */
async function reviewed({ stdout = "", stderr, config = {}, env }: Failing, ...args: string[]) {
  const answer = answersOf({
    "stack ls": [{ name: "dev", current: true }],
    "config --json": config,
    "stack export": { deployment: {} },
  });
  const engine = new AnsweringEngine(folder, (call) =>
    call.args[0] === "preview" ? { code: 255, stdout, stderr } : answer(call),
  );
  const run = await runCommand(["review", ...args], { cwd: folder, env: engine.env(env) });
  engine.end();
  return run;
}

function installModules(): void {
  mkdirSync(join(folder, "node_modules/@pulumi/pulumi"), { recursive: true });
  writeFileSync(join(folder, "node_modules/@pulumi/pulumi/package.json"), "{}");
}

test("review reports the command that installs missing packages", async () => {
  const stderr = [
    "warning: A new version of Pulumi is available",
    "error: failed to discover plugin requirements: It looks like the Pulumi SDK has not been installed.",
    "    Have you run npm install?",
  ].join("\n");
  const { code, stdout, stderr: shown } = await reviewed({ stderr });
  expect([code, stdout]).toEqual([1, ""]);
  expect(shown).toContain(
    "endpoint-monitoring review: The preview failed: failed to discover plugin requirements: It looks like the Pulumi SDK has not been installed.\n" +
      `What to do: install the program's modules: run \`npm install\`, or your package manager's command, in ${folder}.\n`,
  );
});

test("review prints the command that shows the engine's whole output", async () => {
  installModules();
  const { stderr } = await reviewed({ stderr: "error: no resource plugin 'pulumi-resource-random' found\n  line two\n" });
  expect(stderr).toContain("found\nWhat to do: `pulumi preview --stack dev` in ");
  expect(stderr).toContain("`pulumi install` installs missing plugins and packages.\n");
});

test("review hides secrets from the configuration and the environment, in every encoding", async () => {
  const secrets = { plain: "hunter2 & co", quoted: 'a"b\\c', short: "abc" };
  const config = Object.fromEntries(Object.entries(secrets).map(([key, value]) => [`test:${key}`, { value, secret: true }]));
  const message = [
    `url https://x/${encodeURIComponent(secrets.plain)} and ${secrets.plain}`,
    JSON.stringify(secrets.quoted),
    "token t0ken-horse, abc, abcd and word shown",
  ].join("\n");
  const failing = {
    stdout: JSON.stringify({ steps: [], diagnostics: [{ severity: "error", message }] }),
    stderr: "",
    config: { ...config, "test:word": { value: "shown", secret: false } },
    env: { SOME_TOKEN: "t0ken-horse" },
  };
  const run = await reviewed(failing);
  expect(run.stderr).toContain(
    'url https://x/[secret] and [secret] "[secret]" token [secret], [secret], abcd and word shown\n',
  );
  const json = await reviewed(failing, "--json");
  expect(JSON.parse(json.stdout).error).toMatchObject({ code: "usage", message: expect.stringContaining("[secret]") });
  expect(run.text + json.text).not.toMatch(/hunter2|t0ken-horse|a\\?"b/);
});

test("review escapes terminal sequences in the engine's error", async () => {
  const { stderr } = await reviewed({ stderr: "error: \u001b[31mred\u001b[0m\u0007\u202e\n" });
  for (const character of ["\u001b", "\u0007", "\u202e"]) expect(stderr).not.toContain(character);
  expect(stderr).toContain("red");
});

test("review fails if the engine returns no steps", async () => {
  const stdout = JSON.stringify({ diagnostics: [{ severity: "info#err", message: "The Pulumi SDK is not installed" }] });
  const stderr = "The Pulumi SDK is not installed\n\nerror: failed to load language plugin nodejs: exit status 1\n";
  const { code, stdout: printed, stderr: shown } = await reviewed({ stdout, stderr });
  expect([code, printed]).toEqual([1, ""]);
  expect(shown).toContain("The preview failed: failed to load language plugin nodejs: exit status 1\nWhat to do: ");
  const silent = await reviewed({ stdout: JSON.stringify({ steps: [], changeSummary: {} }), stderr: "it broke\n" });
  expect([silent.code, silent.stdout]).toEqual([1, ""]);
  expect(silent.stderr).toContain("The preview failed: pulumi exited with code 255: it broke\nWhat to do: ");
});

test("review shows the position of an error in the program, not in a package", async () => {
  installModules();
  const frames = [
    `    at check (${folder}/node_modules/@pulumi/pulumi/check.js:1:2)`,
    `    at \u001b[90m(${folder}/\u001b[39msrc/index.ts:4:7\u001b[90m)\u001b[39m`,
    "    at Module._compile (node:internal/modules/cjs/loader:1929:14)",
  ];
  const message = `Running program failed:\nError: boom\n${frames.join("\n")}\n`;
  const stdout = JSON.stringify({ steps: [], diagnostics: [{ severity: "error", message }] });
  const { stderr } = await reviewed({ stdout, stderr: "" });
  expect(stderr).toContain("The preview failed: Running program failed: Error: boom (src/index.ts:4)\nWhat to do: ");
});
