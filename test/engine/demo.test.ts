/** `npm run demo` as a user runs it, except that the build is there already: a process, what it prints, what it leaves. */
import { type ChildProcess, spawn } from "node:child_process";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { amount } from "../support/amount";

const repository = path.resolve(__dirname, "../..");
const demoSource = fs.readFileSync(path.join(repository, "tools/engine/demo.mjs"), "utf8");
const workspaceSource = fs.readFileSync(path.join(repository, "tools/engine/demo/workspace.mjs"), "utf8");

interface Ended {
  code: number | null;
  signal: NodeJS.Signals | null;
  stdout: string;
  stderr: string;
}

/**
 * Whether the demo runs all of its steps again where the last ones are not what is tested, and checks the types of what it edits: each
 * operation then takes seconds of CPU time more, and test/package compiles the example.
 */
const inFull = amount(0, 1) === 1;

let sandbox: string;
/** Where the demo makes its folder. */
let temporary: string;
let pulumiHome: string;

beforeEach(() => {
  sandbox = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), "demo-test-")));
  temporary = path.join(sandbox, "tmp");
  pulumiHome = path.join(sandbox, "pulumi-home");
  fs.mkdirSync(temporary);
  fs.mkdirSync(pulumiHome);
  // A home of a user who has the engine, and nothing else.
  const cache = path.join(process.env["PULUMI_HOME"] ?? path.join(os.homedir(), ".pulumi"), "versions");
  fs.symlinkSync(cache, path.join(pulumiHome, "versions"));
});
afterEach(() => fs.rmSync(sandbox, { recursive: true, force: true }));

/** Starts a program with settings around it that would lead the demo astray if it heeded them. */
function start(command: string, args: string[]): { child: ChildProcess; output: () => string; ended: Promise<Ended> } {
  const env = {
    ...process.env,
    // Half of what the programs cost, and nothing of what they do.
    NODE_OPTIONS: [...(inFull ? [] : ["transpile-only"]), "lazy-closures"]
      .map((name) => `--require=${path.join(__dirname, `support/${name}.cjs`)}`)
      .join(" "),
    NODE_COMPILE_CACHE: path.join(repository, "node_modules/.cache/compile"),
    GOGC: "400",
    TMPDIR: temporary,
    PULUMI_HOME: pulumiHome,
    PULUMI_BACKEND_URL: "file:///nowhere",
    PULUMI_ACCESS_TOKEN: "not-a-token",
    PULUMI_CONFIG_PASSPHRASE: "not-the-passphrase",
    PULUMI_STACK: "other",
    ENDPOINT_MONITORING_BASE_URL: "http://127.0.0.1:1",
    ENDPOINT_MONITORING_CLIENT_ID: "somebody",
  };
  const child = spawn(command, args, { cwd: sandbox, env, stdio: ["ignore", "pipe", "pipe"] });
  let [stdout, stderr] = ["", ""];
  child.stdout.setEncoding("utf8").on("data", (text: string) => (stdout += text));
  child.stderr.setEncoding("utf8").on("data", (text: string) => (stderr += text));
  const ended = new Promise<Ended>((resolve, reject) => {
    child.once("error", reject).once("close", (code, signal) => resolve({ code, signal, stdout, stderr }));
  });
  return { child, output: () => stdout, ended };
}

const demo = (...args: string[]) => start(process.execPath, [path.join(repository, "tools/engine/demo.mjs"), ...args]);

const fewSteps = inFull ? [] : ["--import", path.join(__dirname, "support/few-steps.mjs")];
const shortDemo = (...args: string[]) =>
  start(process.execPath, [...fewSteps, path.join(repository, "tools/engine/demo.mjs"), ...args]);

/** A value that the demo's source gives to a variable. */
function valueOf(source: string, name: string): string {
  const value = new RegExp(`${name}: "([^"]+)"`).exec(source)?.[1];
  if (value === undefined) throw new Error(`No ${name}`);
  return value;
}

/** The commands that were printed, ids left out. */
function commandsOf(output: string): string[] {
  const lines = output.split("\n").filter((line) => line.startsWith("$ "));
  return lines.map((line) =>
    line
      .slice(2)
      .replace(temporary, "TMP")
      .replace(/demo-\w+/, "demo-X"),
  );
}

/** A row of the table of requests. */
function row(output: string, name: string): string[] {
  const line = output.split("\n").find((text) => text.trimStart().startsWith(`${name}  `)) ?? "";
  return line.trim().split(/ {2,}/).slice(1);
}

/** Files of the example with their content. */
function example(): Record<string, string> {
  const folder = path.join(repository, "examples/quickstart");
  return Object.fromEntries(fs.readdirSync(folder).map((name) => [name, fs.readFileSync(path.join(folder, name), "utf8")]));
}

function expectNoSecret(text: string): void {
  const secrets = [
    valueOf(demoSource, "PROBE_PASSWORD"),
    valueOf(workspaceSource, "PULUMI_CONFIG_PASSPHRASE"),
    "emulator-token",
    "emulator-secret",
  ];
  for (const secret of secrets) expect(text).not.toContain(secret);
}

const untilCreated = [
  "cd TMP/endpoint-monitoring-demo-X/quickstart",
  "pulumi stack init dev",
  'pulumi config set endpoint-monitoring:baseUrl "$URL"',
  'pulumi config set --secret endpoint-monitoring:token "$TOKEN"',
  'pulumi config set --secret quickstart:probePassword "$PROBE_PASSWORD"',
  "pulumi preview",
  "pulumi up --yes --skip-preview",
];
const untilDrift = [
  ...untilCreated,
  "pulumi up --yes",
  "pulumi preview",
  "endpoint-monitoring review --fail-on replacements",
  "pulumi up --yes --skip-preview",
  expect.stringMatching(/^curl -X PATCH -H "Authorization: Bearer \$TOKEN" /),
  "pulumi refresh --preview-only --diff --expect-no-changes",
  "endpoint-monitoring drift",
  "endpoint-monitoring drift --mend",
];
const untilImported = [
  ...untilDrift,
  expect.stringMatching(/^curl -X PATCH -H "Authorization: Bearer \$TOKEN" /),
  "endpoint-monitoring drift --accept",
  "pulumi preview",
  expect.stringMatching(/^curl -X POST -H "Authorization: Bearer \$TOKEN" /),
  "endpoint-monitoring import --match 'Guests' --run",
  "pulumi preview",
];

test("shows create, no change, change, drift, what accepts it, import and destroy, and leaves nothing behind", async () => {
  const before = example();
  const { code, stdout, stderr } = await demo("--requests").ended;
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });

  expect(commandsOf(stdout)).toEqual([...untilImported, "pulumi state unprotect --all --yes", "pulumi destroy --yes"]);
  expect(stdout).toMatch(/\+ 9 to create\n.*\n {2}ok /);
  expect(stdout).toMatch(/\+ 9 created\n/);
  expect(stdout).toMatch(/ 9 unchanged\n/);
  expect(stdout).toMatch(/~ 1 to update\n +\+-1 to replace\n +2 changes\. 7 unchanged\n/);
  expect(stdout).toMatch(/ replace HTTP-server test "Intranet" \(\d+\): httpTimeLimit 3000 -> 4000; /);
  expect(stdout).toMatch(/::vpn-gateway\]\n +~ interval +: 120 => 600\n/);
  expect(stdout).toMatch(/ {3}\(exit code 2, [\d.]+ s, \d+ requests\)\n {2}Exit code 2: --fail-on found /);
  expect(stdout).toContain("    interval: 600,\n");
  expect(stdout).toMatch(/ {4}export const guests = new Label\("guests", \{\n/);
  expect(stdout).toMatch(/- 10 deleted\n/);
  expect(stdout).toContain("ok the service is empty\n");
  expect(stdout).toMatch(/\nDone: 7 steps, \d+ checks, \d+ s\.\nRequests of each step:\n/);
  // The last command is what a reader types next.
  expect(stdout.match(/^ {2}\S.*\n/gm)?.at(-1)).toBe("  npx endpoint-monitoring dev\n");

  expect(row(stdout, "Requests")).toEqual(["create", "no change", "change", "drift", "accept", "import", "destroy", "total"]);
  expect(row(stdout, "labels.create")).toEqual(["3", "-", "-", "-", "-", "-", "-", "3"]);
  expect(row(stdout, "tests.agentToServer.update")).toEqual(["-", "-", "1", "1", "-", "-", "-", "2"]);
  expect(row(stdout, "tests.httpServer.delete")).toEqual(["-", "-", "1", "-", "-", "-", "2", "3"]);
  expect(row(stdout, "total")).toEqual([
    expect.any(String),
    "0",
    expect.any(String),
    expect.any(String),
    expect.any(String),
    expect.any(String),
    // Two of them ask who names what is deleted: a list of rules and one of streams.
    "11",
    expect.any(String),
  ]);

  expectNoSecret(stdout);
  // Off a terminal there is no color.
  expect(stdout).not.toContain("\x1b");
  expect(fs.readdirSync(temporary)).toEqual([]);
  expect(fs.readdirSync(pulumiHome)).toEqual(["versions"]);
  expect(example()).toEqual(before);
}, 240_000);

test("--keep leaves emulator and stack up, says how to look at them, and how to end it", async () => {
  const { code, stdout, stderr } = await shortDemo("--keep").ended;
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  expect(commandsOf(stdout)).toEqual(inFull ? untilImported : untilCreated);
  expect(stdout).not.toContain("Requests of each step");
  expectNoSecret(stdout);

  const said = (pattern: RegExp): string => pattern.exec(stdout)?.[1] ?? "";
  const stop = said(/^ {2}(sh \S+)$/m);
  try {
    const look = [
      said(/^ {2}(\. \S+)$/m),
      said(/^ {2}(cd \S+)$/m),
      "pulumi stack ls",
      "pulumi refresh --yes --expect-no-changes",
    ];
    const { code: looked, stdout: seen } = await start("sh", ["-ec", look.join("\n")]).ended;
    expect({ looked, seen }).toEqual({ looked: 0, seen: expect.stringMatching(/^dev\*.* 10\n[^]* 9 unchanged\n/m) });
  } finally {
    expect(await start("sh", ["-ec", stop]).ended).toMatchObject({ code: 0, stderr: "" });
  }
  expect(fs.readdirSync(temporary)).toEqual([]);
  await expect(fetch(said(/emulator at (\S+) \(/))).rejects.toThrow("fetch failed");
}, 240_000);

test("ended half-way, it ends what it started and removes what it made", async () => {
  const { child, output, ended } = demo();
  // Emulator and folder are there, and an engine is at work.
  while (!output().includes("$ pulumi stack init dev\n")) await new Promise((resolve) => setTimeout(resolve, 50));
  const [folder] = fs.readdirSync(temporary);
  expect(folder).toMatch(/^endpoint-monitoring-demo-/);
  child.kill("SIGINT");
  expect(await ended).toMatchObject({ signal: "SIGINT", stderr: "\nInterrupted: ending what was started\n" });
  expect(fs.readdirSync(temporary)).toEqual([]);
  const url = /emulator\) at (\S+)\.\n/.exec(output())?.[1] ?? "";
  await expect(fetch(url)).rejects.toThrow("fetch failed");
}, 60_000);

test.each([
  ["built", " Before that, building the Pulumi engine took 480 s: it is in the cache now."],
  ["download", " Before that, downloading the Pulumi engine took 480 s: it is in the cache now."],
  ["cache", ""],
  ["path", ""],
])("what an engine that is %s took is counted apart", async (source, text) => {
  const report = path.join(repository, "tools/engine/demo/report.mjs");
  const script = `import(${JSON.stringify(report)}).then((m) => process.stdout.write(m.engineTime({ source: "${source}" }, 480)))`;
  expect(await start(process.execPath, ["-e", script]).ended).toMatchObject({ code: 0, stdout: text, stderr: "" });
});

test("--help explains; a wrong option is told in a line, with exit code 2", async () => {
  expect(await demo("--help").ended).toMatchObject({ code: 0, stdout: expect.stringContaining("--keep"), stderr: "" });
  expect(await demo("--kep").ended).toEqual({
    code: 2,
    signal: null,
    stdout: "",
    stderr: `demo: Unknown option '--kep'. Try "npm run demo -- --help".\n`,
  });
});
