/** What a review says where the engine gives no plan: a stand-in for the engine fails as the real one does. */
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { runCommand } from "../support/command";
import { answers, EngineStub } from "../support/engine-stub";

let folder: string;
beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), "review-")));
  writeFileSync(join(folder, "Pulumi.yaml"), "name: test\nruntime: nodejs\n");
});
afterEach(() => rmSync(folder, { recursive: true }));

interface Failing {
  stdout?: string;
  stderr: string;
  config?: unknown;
  env?: Record<string, string>;
}

/** Reviews a stack whose engine prints this instead of a plan. */
async function reviewed({ stdout = "", stderr, config = {}, env = {} }: Failing, ...args: string[]) {
  writeFileSync(join(folder, "out"), stdout);
  writeFileSync(join(folder, "err"), stderr);
  const failing = `case "$1" in preview) cat '${folder}/out'; cat '${folder}/err' >&2; exit 255;; esac`;
  const said = answers({
    "stack ls": [{ name: "dev", current: true }],
    "config --json": config,
    "stack export": { deployment: {} },
  });
  const engine = new EngineStub(folder, `${failing}\n${said}`);
  return runCommand(["review", ...args], { cwd: folder, env: engine.env(env) });
}

function installModules(): void {
  mkdirSync(join(folder, "node_modules/@pulumi/pulumi"), { recursive: true });
  writeFileSync(join(folder, "node_modules/@pulumi/pulumi/package.json"), "{}");
}

test("shows all that the engine wrote to standard error, and what to do where modules are missing", async () => {
  const stderr = [
    "warning: A new version of Pulumi is available",
    "error: failed to discover plugin requirements: It looks like the Pulumi SDK has not been installed.",
    "    Have you run npm install?",
  ].join("\n");
  const { code, stdout, stderr: shown } = await reviewed({ stderr });
  expect([code, stdout]).toEqual([1, ""]);
  expect(shown).toContain(
    "endpoint-monitoring review: The preview failed: failed to discover plugin requirements: It looks like the Pulumi SDK has not been installed.\n" +
      "The engine wrote to standard error:\n" +
      "  warning: A new version of Pulumi is available\n" +
      "      Have you run npm install?\n" +
      `What to do: the program's modules are not installed; run \`npm install\`, or what installs them, in ${folder}.\n`,
  );
});

test("where modules are there, says how to see all of it and what gets plugins", async () => {
  installModules();
  const { stderr } = await reviewed({ stderr: "error: no resource plugin 'pulumi-resource-random' found\n  line two\n" });
  expect(stderr).toContain(
    "found\nThe engine wrote to standard error:\n    line two\nWhat to do: `pulumi preview --stack dev` in ",
  );
  expect(stderr).toContain("`pulumi install` gets plugins and packages that are missing.\n");
});

test("of a program that throws, too, which the engine tells in its JSON", async () => {
  installModules();
  const message = "Running program 'index.ts' failed with an unhandled exception:\nError: boom\n    at main (index.ts:1:7)\n";
  const stdout = JSON.stringify({ config: {}, diagnostics: [{ severity: "error", message }], changeSummary: {} });
  const { code, stderr } = await reviewed({ stdout, stderr: "the program's own words\nerror: preview failed\n" });
  expect(code).toBe(1);
  expect(stderr).toContain("The preview failed: Running program 'index.ts' failed with an unhandled exception: Error: boom\n");
  expect(stderr).toContain("\nThe engine wrote to standard error:\n  the program's own words\nWhat to do: ");
});

test("secrets of the configuration and of the environment are hidden, however they are written", async () => {
  const secrets = { plain: "hunter2 & co", quoted: 'a"b\\c' };
  const config = Object.fromEntries(Object.entries(secrets).map(([key, value]) => [`test:${key}`, { value, secret: true }]));
  const stderr = [
    `url https://x/${encodeURIComponent(secrets.plain)} and ${secrets.plain}`,
    JSON.stringify(secrets.quoted),
    "token t0ken-horse and word shown",
  ].join("\n");
  const run = await reviewed({
    stderr,
    config: { ...config, "test:word": { value: "shown", secret: false } },
    env: { SOME_TOKEN: "t0ken-horse" },
  });
  expect(run.stderr).toContain("  url https://x/[secret] and [secret]\n");
  expect(run.stderr).toContain('  "[secret]"\n');
  expect(run.stderr).toContain("  token [secret] and word shown\n");
  const json = await reviewed({ stderr, config, env: { SOME_TOKEN: "t0ken-horse" } }, "--json");
  expect(JSON.parse(json.stdout).error).toMatchObject({ code: "usage", message: expect.stringContaining("[secret]") });
  expect(run.text + json.text).not.toMatch(/hunter2|t0ken-horse|a\\?"b/);
});

test("what the engine wrote commands no terminal, and of very much the last lines are shown", async () => {
  const lines = Array.from({ length: 100 }, (_, n) => `line ${n}`);
  const { stderr } = await reviewed({ stderr: `\u001b[31mred\u001b[0m\n${lines.join("\n")}\nlast\u0007\u202e\n` });
  for (const character of ["\u001b", "\u0007", "\u202e"]) expect(stderr).not.toContain(character);
  expect(stderr).toContain("  … 62 lines before these\n  line 61\n");
  expect(stderr).toContain("last\\u{7}\\u{202e}\n");
});

test("an answer without steps is no review that says that nothing changes", async () => {
  const stdout = JSON.stringify({ diagnostics: [{ severity: "info#err", message: "The Pulumi SDK is not installed" }] });
  const stderr = "The Pulumi SDK is not installed\n\nerror: failed to load language plugin nodejs: exit status 1\n";
  const { code, stdout: printed, stderr: shown } = await reviewed({ stdout, stderr });
  expect([code, printed]).toEqual([1, ""]);
  expect(shown).toContain(
    "The preview failed: failed to load language plugin nodejs: exit status 1\n" +
      "The engine wrote to standard error:\n  The Pulumi SDK is not installed\nWhat to do: ",
  );
  const silent = await reviewed({ stdout: JSON.stringify({ steps: [], changeSummary: {} }), stderr: "it broke\n" });
  expect([silent.code, silent.stdout]).toEqual([1, ""]);
  expect(silent.stderr).toContain(
    "The preview failed: pulumi ended with 255\nThe engine wrote to standard error:\n  it broke\n",
  );
});

test("says where in the program it threw, not where in a package", async () => {
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

test("a short secret is hidden as a word, and leaves other words whole", async () => {
  const config = { "test:short": { value: "test", secret: true } };
  const { stderr } = await reviewed({ stderr: "the latest test of testing, pin=test\n", config });
  expect(stderr).toContain("  the latest [secret] of testing, pin=[secret]\n");
});
