/** Runs `validate` on a program with mistakes. Each line with mistakes ends with their expected number (`//= 2`). */
import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { runCommand } from "../support/command";
import { builtCommand, endAll, plainEnv, startProcess } from "../support/process";
import { junitFaults, sarifFaults } from "../support/report-schemas";
import { temporary } from "../support/temporary";

const root = resolve(__dirname, "../..");
let folder: string;
beforeEach(() => {
  folder = temporary();
  mkdirSync(join(folder, "node_modules/@pulumi"), { recursive: true });
  symlinkSync(root, join(folder, "node_modules/pulumi-endpoint-monitoring"));
  for (const name of ["@pulumi/pulumi", "typescript"])
    symlinkSync(join(root, "node_modules", name), join(folder, "node_modules", name));
  write("Pulumi.yaml", "name: office\nruntime: nodejs\nmain: index.ts\n");
  write("Pulumi.dev.yaml", "config:\n  office:interval: 61\n  office:password:\n    secure: AAABAJ\n");
  write("package.json", '{ "name": "office" }');
});
afterEach(() => endAll());

const write = (name: string, text: string): void => writeFileSync(join(folder, name), text);
/** Without a service and an engine. */
const env = (): NodeJS.ProcessEnv =>
  plainEnv({
    ENDPOINT_MONITORING_BASE_URL: "http://127.0.0.1:1",
    PATH: join(folder, "empty"),
    // The mistakes are not type errors, and a type check takes seconds of CPU time.
    PULUMI_NODEJS_TRANSPILE_ONLY: "true",
    NODE_COMPILE_CACHE: join(root, "node_modules/.cache/compile"),
  });
const validate = (...args: string[]) => runCommand(["validate", ...args], { cwd: folder, env: env() });

const program = `import * as pulumi from "@pulumi/pulumi";
import * as em from "pulumi-endpoint-monitoring";

const config = new pulumi.Config();
const office = new em.Label("office", {
  name: "", //= 1
  matchType: "or",
  filters: [
    { key: "", values: ["*"] }, //= 1
    { key: "bssid", values: ["00-1B"], mode: "inn" }, //= 2
  ],
} as any);
new em.Label("fine", { name: pulumi.interpolate\`\${office.id}-x\`, matchType: "and", filters: [] });
new em.Label("fine", { name: "Again", matchType: "and", filters: [] }); //= 1
const portal = new em.HttpServerTest("portal", {
  testName: "Portal",
  url: "ftp://portal", //= 1
  interval: config.requireNumber("interval"), //= 1
  agentSelectorType: "agent-labels",
  endpointAgentLabels: [office.id],
  authType: "basic",
  username: "u",
  password: config.requireSecret("password"),
  sslVersionId: "8", //= 1
} as any);
for (const name of ["a", "b"])
  new em.AgentToServerTest(name, {
    testName: name,
    server: name + ":80", //= 2
    port: 70000, //= 2
    protocol: "udp" as any, //= 2
    interval: undefined,
  });
new em.DynamicTest("nothing", {} as any); //= 2
class Team extends pulumi.ComponentResource {
  constructor(name: string) {
    super("office:index:Team", name);
    new em.TestRun(name, { testId: portal.testId, waitForResults: { minAgents: 0 }, expect: { maxLoss: 101 } }, { parent: this }); //= 2
  }
}
new Team("sales");
`;

/** The expected number of mistakes on each line, from its comment. */
function planted(text: string): Record<number, number> {
  const lines = text.split("\n").map((line, i) => [i + 1, Number(/\/\/= (\d+)$/.exec(line)?.[1] ?? 0)] as const);
  return Object.fromEntries(lines.filter(([, count]) => count > 0));
}

test("`validate` reports each of the 18 mistakes in 8 resources with its line, in each format", async () => {
  write("index.ts", program);
  const files = ["mistakes.sarif", "mistakes.xml", "mistakes.md"];
  const run = await validate("--json", ...["--sarif", "--junit", "--markdown"].flatMap((flag, at) => [flag, files[at] ?? ""]));
  expect(run.stderr).toBe("Stack dev (the only one)\n");
  expect(run.code).toBe(2);
  const { data } = JSON.parse(run.stdout) as { data: { resources: number; findings: { file: string; line: number }[] } };
  const [sarif = "", junit = "", markdown = ""] = files.map((file) => readFileSync(join(folder, file), "utf8"));
  expect([sarifFaults(sarif), junitFaults(junit)]).toEqual([[], []]);
  expect(sarif.match(/"startLine"/g)).toHaveLength(18);
  expect(junit.match(/<failure type="error" [^>]*>index\.ts:\d+\n/g)).toHaveLength(18);
  expect(markdown).toMatch(
    /^- index\.ts:6 {2}Label "office": name must not be empty\n(?:- .*\n){17}\n18 mistakes in 7 of 8 resources\.\n/,
  );
  const counts = Object.fromEntries([...Map.groupBy(data.findings, ({ line }) => line)].map(([line, at]) => [line, at.length]));
  expect(counts).toEqual(planted(program));
  expect(data.resources).toBe(8);
  expect(data.findings).toHaveLength(18);
  expect(new Set(data.findings.map(({ file }) => file))).toEqual(new Set(["index.ts"]));
});

test.each([
  ["a CommonJS program with dynamic resources", "commonjs", 'const em = require("pulumi-endpoint-monitoring")'],
  ["a module with native resources", "module", 'import * as em from "pulumi-endpoint-monitoring/native"'],
])("`validate` accepts %s, and references to a record that the program only reads", async (_, type, load) => {
  const plugin =
    "plugins:\n  providers:\n    - name: endpoint-monitoring\n      path: ./node_modules/pulumi-endpoint-monitoring/plugin\n";
  write("Pulumi.yaml", `name: office\nruntime: nodejs\nmain: index.js\n${plugin}`);
  write("package.json", JSON.stringify({ name: "office", type }));
  const test =
    '{ testName: "Office", url: "https://example.com", agentSelectorType: "agent-labels", endpointAgentLabels: [office.id] }';
  write(
    "index.js",
    `${load};\nconst office = em.Label.get("office", "400000000000001");\nnew em.HttpServerTest("office", ${test});\n`,
  );
  // Only progress, if it takes time.
  const stderr = expect.stringMatching(/^Stack dev \(the only one\)\n(?:Running the program of office[^\n]*, \d+ s\n)*$/);
  expect(await validate()).toEqual(
    expect.objectContaining({ code: 0, stdout: "1 resource checked: no mistake found.\n", stderr }),
  );
});

test("`validate` reports a program's error and the preceding mistakes without sending requests", async () => {
  const lines = [
    'import * as em from "pulumi-endpoint-monitoring";',
    'new em.Label("office", {} as any);',
    'new em.Label("fine", { name: em.getAgentsOutput().apply((agents) => agents[0]!.id), matchType: "or", filters: [] });',
    "void em.getAgents().catch((error) => { throw new Error(`boom: ${error.message}`); });",
  ];
  write("index.ts", lines.join("\n"));
  const run = await validate();
  expect(run).toMatchObject({ code: 1, stdout: "" });
  expect(run.stderr).toContain('index.ts:2  Label "office": name is required');
  expect(run.stderr).not.toContain("index.ts:3");
  expect(run.stderr).toContain("The program failed, so later declarations were not checked");
  expect(run.stderr).toMatch(/Error: boom: .* sends no requests, so a function that returns a promise cannot get its result/);
  expect(run.stderr).not.toContain("node_modules");
  expect(run.stderr).not.toContain("ECONNREFUSED");
});

test("Ctrl+C ends the validate command and the Pulumi program that the command runs", async () => {
  write("Pulumi.yaml", "name: office\nruntime: nodejs\nmain: index.js\n");
  write("index.js", 'require("fs").writeFileSync("pid", String(process.pid));\nsetInterval(() => undefined, 1_000);\n');
  const started = startProcess(process.execPath, [builtCommand, "validate"], { cwd: folder, env: env() });
  const pidFile = join(folder, "pid");
  for (let i = 0; i < 400 && !(existsSync(pidFile) && readFileSync(pidFile, "utf8")); i += 1) {
    await sleep(50);
  }
  const pid = Number(readFileSync(pidFile, "utf8"));
  started.kill("SIGINT");
  expect(await started.ended).toMatchObject({ code: 130, stdout: "", stderr: expect.stringMatching(/Interrupted/) });
  for (let i = 0; i < 100 && isAlive(pid); i += 1) await sleep(50);
  expect(isAlive(pid)).toBe(false);
});

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
