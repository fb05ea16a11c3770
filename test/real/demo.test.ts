/** Runs `npm run demo` as a user does with an existing build. */
import { type ChildProcess, spawn } from "node:child_process";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";

const repository = path.resolve(__dirname, "../..");

interface Ended {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
}

let sandbox: string;
/** The folder in which the demo creates its own. */
let temporary: string;
let pulumiHome: string;

beforeEach(() => {
  sandbox = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), "demo-test-")));
  [temporary, pulumiHome] = [path.join(sandbox, "tmp"), path.join(sandbox, "pulumi-home")];
  fs.mkdirSync(temporary);
  fs.mkdirSync(pulumiHome);
  // The home of a user with the engine and nothing else.
  const cache = path.join(process.env["PULUMI_HOME"] ?? path.join(os.homedir(), ".pulumi"), "versions");
  fs.symlinkSync(cache, path.join(pulumiHome, "versions"));
});
afterEach(() => fs.rmSync(sandbox, { recursive: true, force: true }));

/** Starts the demo with environment settings that it must ignore. */
function demo(...args: string[]): { child: ChildProcess; output: () => string; ended: Promise<Ended> } {
  const support = ["transpile-only", "lazy-closures"].map((name) => path.join(__dirname, `support/${name}.cjs`));
  const env = {
    ...process.env,
    // Skipping the compiler halves the programs' cost. test/package compiles the example.
    NODE_OPTIONS: support.map((file) => `--require=${file}`).join(" "),
    NODE_COMPILE_CACHE: path.join(repository, "node_modules/.cache/compile"),
    GOGC: "400",
    TMPDIR: temporary,
    PULUMI_HOME: pulumiHome,
    PULUMI_BACKEND_URL: "file:///nowhere",
    PULUMI_ACCESS_TOKEN: "not-a-token",
    PULUMI_CONFIG_PASSPHRASE: "not-the-passphrase",
    PULUMI_STACK: "other",
    ENDPOINT_MONITORING_BASE_URL: "http://127.0.0.1:1",
    ENDPOINT_MONITORING_CLIENT_ID: "a-user",
  };
  const line = [path.join(repository, "tools/engine/demo.mjs"), ...args];
  const child = spawn(process.execPath, line, { cwd: sandbox, env, stdio: ["ignore", "pipe", "pipe"] });
  let [stdout, stderr] = ["", ""];
  child.stdout.setEncoding("utf8").on("data", (text: string) => (stdout += text));
  child.stderr.setEncoding("utf8").on("data", (text: string) => (stderr += text));
  const ended = new Promise<Ended>((resolve, reject) => {
    child.once("error", reject).once("close", (code, signal) => resolve({ code, signal, stdout, stderr }));
  });
  return { child, output: () => stdout, ended };
}

const emulatorIn = (output: string): string => /^Pulumi engine .* emulator of the service: (\S+)$/m.exec(output)?.[1] ?? "";

/** Returns the example's files with their content. */
function example(): Record<string, string> {
  const folder = path.join(repository, "examples/quickstart");
  return Object.fromEntries(fs.readdirSync(folder).map((name) => [name, fs.readFileSync(path.join(folder, name), "utf8")]));
}

test("the demo completes all steps and leaves no files or processes", async () => {
  const before = example();
  const { code, stdout, stderr } = await demo().ended;
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  expect(stdout.split("\n").flatMap((line) => (line.startsWith("$ ") ? [line.slice(2)] : []))).toEqual([
    "endpoint-monitoring review",
    "pulumi up --yes --skip-preview",
    "pulumi up --yes --skip-preview",
    "endpoint-monitoring review --fail-on replacements",
    "pulumi up --yes --skip-preview",
    "endpoint-monitoring drift",
    "endpoint-monitoring drift --fix",
    "endpoint-monitoring drift --accept",
    "pulumi preview --expect-no-changes",
    "endpoint-monitoring import --match Guests --run",
    "pulumi preview --expect-no-changes",
    "pulumi state unprotect --all --yes",
    "pulumi destroy --yes --skip-preview",
  ]);
  expect(stdout).toMatch(/\+ 9 created\n/);
  expect(stdout).toMatch(/ 9 unchanged\n/);
  expect(stdout).toMatch(/~ 1 updated\n +\+-1 replaced\n +2 changes\. 7 unchanged\n/);
  expect(stdout).toMatch(/ {4}export const guests = new Label\("guests", \{\n/);
  expect(stdout).toMatch(/- 10 deleted\n/);
  expect(stdout).toContain("  ok the service is empty\n");
  expect(stdout).toMatch(/\nDone: 6 steps, 17 checks, \d+ s\.\n/);
  // The last command is the reader's next step.
  expect(stdout.match(/^ {2}\S.*\n/gm)?.at(-1)).toBe("  npx endpoint-monitoring dev\n");
  expect(stdout).not.toContain("correct-horse-battery");
  expect(stdout).not.toContain("\x1b");
  expect(fs.readdirSync(temporary)).toEqual([]);
  expect(fs.readdirSync(pulumiHome)).toEqual(["versions"]);
  expect(example()).toEqual(before);
});

test("Ctrl+C ends the demo's processes and deletes its files", async () => {
  const { child, output, ended } = demo();
  while (!output().includes("$ pulumi up") && child.exitCode === null) await new Promise((resolve) => setTimeout(resolve, 50));
  child.kill("SIGINT");
  expect(await ended).toMatchObject({ signal: "SIGINT", stderr: "\nInterrupted. Stopping the demo's processes\n" });
  expect(fs.readdirSync(temporary)).toEqual([]);
  await expect(fetch(emulatorIn(output()))).rejects.toThrow("fetch failed");
});

test("the demo rejects an argument with exit code 2", async () => {
  const { code, stdout, stderr } = await demo("--keep").ended;
  expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
  expect(stderr).toMatch(/^npm run demo takes no options\. It needs no account, .*\n$/);
});
