/** Runs `validate` on a program with mistakes. Each line with mistakes ends with their expected number (`//= 2`). */
import { existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { runCommand } from "../support/command";
import { builtCommand, endAll, plainEnv, startProcess } from "../support/process";
import { junitFaults, sarifFaults } from "../support/report-schemas";
import { temporary } from "../support/temporary";

jest.setTimeout(60_000);

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

interface Result {
  data: {
    resources: number;
    findings: { file: string; line: number; property?: string; text: string }[];
  };
}

const program = `import * as pulumi from "@pulumi/pulumi";
import * as em from "pulumi-endpoint-monitoring";

const config = new pulumi.Config();
const office = new em.Label("office", {
  name: "", //= 1
  matchType: "nand", //= 1
  color: "red", //= 1
  filters: [
    { key: "", values: ["*"] }, //= 1
    { key: "bssid", values: ["00-1B"], mode: "inn" }, //= 2
    { key: "local-network", values: ["10.0.0.0/33", "10.0.0.0/8", ""] }, //= 2
  ],
} as any);
new em.Label("long", { name: "x".repeat(65), matchType: "or", filters: [] });
new em.Label("typo", { name: "Typo", matchType: "or", filters: [], colr: "#ffffff" } as any); //= 1
new em.Label("fine", { name: pulumi.interpolate\`\${office.id}-x\`, matchType: "and", filters: [] });
new em.Label("fine", { name: "Again", matchType: "and", filters: [] }); //= 1
new em.AgentToServerInstantTest("gate", {
  testName: "Gate",
  server: "x",
  waitForResults: { settle: -1 }, //= 1
  expect: { maxResponseTime: 5 }, //= 1
});

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
  httpTimeLimit: 0, //= 1
  maxMachines: 150_001, //= 1
} as any);
new em.HttpServerTest("secret", { testName: "S", url: "https://x", password: "p" } as any); //= 2
new em.HttpServerTest("list", { testName: "L", url: "https://x", agentSelectorType: "agent-labels" } as any); //= 1
new em.HttpServerTest("both", { testName: "B", url: "https://x", agents: ["1"], tagIds: [] } as any); //= 4

for (const name of ["a", "b"])
  new em.AgentToServerTest(name, {
    testName: name,
    server: name + ":80", //= 2
    port: 70000, //= 2
    protocol: "udp" as any, //= 2
    interval: undefined,
  });

new em.DynamicTest("teams", { testName: "Teams", application: "" } as any); //= 1
new em.DynamicTest("nothing", {} as any); //= 2
new em.EndpointAgent("nobody", { enabled: true } as any); //= 1
new em.EndpointAgent("kiosk", { agentId: "1", onDestroy: "remove", transferTimeout: -1 } as any); //= 3
new em.AgentTransfer("moves", {
  transfers: [
    { agentId: "NYC-X00003", fromAid: "2", toAid: "2" }, //= 2
    { agentId: "0a3b9998-dc3a-4ff2-b50d-ac4a7cd986e1", fromAid: "2", toAid: "3" },
    { agentId: "0a3b9998-dc3a-4ff2-b50d-ac4a7cd986e1", fromAid: "2", toAid: "3" }, //= 1
  ],
});
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

test("validate reports each of the 42 mistakes in 18 resources with its line", async () => {
  write("index.ts", program);
  const run = await validate("--json", "--sarif", "mistakes.sarif", "--junit", "mistakes.xml");
  expect(run.stderr).toBe("Stack dev (the only one)\n");
  expect(run.code).toBe(2);
  const { data } = JSON.parse(run.stdout) as Result;
  const [sarif, junit] = ["mistakes.sarif", "mistakes.xml"].map((file) => readFileSync(join(folder, file), "utf8"));
  expect([sarifFaults(sarif ?? ""), junitFaults(junit ?? "")]).toEqual([[], []]);
  expect(sarif?.match(/"startLine"/g)).toHaveLength(42);
  expect(junit?.match(/<failure type="error" [^>]*>index\.ts:\d+\n/g)).toHaveLength(42);
  const found = Object.fromEntries([...Map.groupBy(data.findings, ({ line }) => line)].map(([line, at]) => [line, at.length]));
  expect(found).toEqual(planted(program));
  expect(data.resources).toBe(18);
  expect(data.findings).toHaveLength(42);
  expect(new Set(data.findings.map(({ file }) => file))).toEqual(new Set(["index.ts"]));
  // Values may be secrets.
  expect(run.stdout).not.toContain("00-1B");
});

/** Each line has one mistake of a different kind or place. */
const mistakes = [
  ...[
    "https://vpn.example.com/",
    "a b c",
    "vpn.example.com/x",
    "vpn..example.com",
    "-vpn.example.com",
    "192.0.2",
    "1.2.3.256",
    "[::1",
    "user@host",
    "vpn.example.com:443",
    " vpn.example.com",
    "vpn_.example.com?",
    "*.example.com",
  ].map((server) => `new em.AgentToServerTest("a$", { testName: "T$", server: ${JSON.stringify(server)} });`),
  ...[
    "ftp://x.example",
    "https://",
    "https://a b/",
    "https://u:p@x.example/",
    "https://x.example:0/",
    "https://x.example:65536/",
    "https://x.example:/",
    "mailto:x@y",
    "https://x..example/",
    "https://x.example/a b",
    "//x.example",
    "http://1.2.3.4.5/",
  ].map((url) => `new em.HttpServerTest("h$", { testName: "T$", url: ${JSON.stringify(url)} });`),
  ...["0", "-1", "65536", "443.5"].map(
    (port) => `new em.AgentToServerTest("p$", { testName: "T$", server: "x.example", port: ${port} });`,
  ),
  ...['"NYC-X00003"', '"0a3b9998"', '"281474976710656"', '""'].map(
    (id) =>
      `new em.AgentToServerTest("s$", { testName: "T$", server: "x.example", agentSelectorType: "specific-agents", agents: [${id}] });`,
  ),
  ...['"Office"', '"Head office"', '"office:1"'].map(
    (id) =>
      `new em.DynamicTest("l$", { testName: "T$", application: "webex", agentSelectorType: "agent-labels", endpointAgentLabels: [${id}] });`,
  ),
  ...['"team"', '"567"'].map(
    (id) =>
      `new em.DynamicTest("t$", { testName: "T$", application: "webex", agentSelectorType: "agent-tags", tagIds: [${id}] });`,
  ),
  // A name in the form of an id. Only the program shows that it is a name.
  'new em.DynamicTest("n$", { testName: "T$", application: "webex", agentSelectorType: "agent-labels", endpointAgentLabels: ["Floor3"] });',
  'new em.EndpointAgent("e$", { agentId: "kiosk" });',
  'new em.EndpointAgent("e$", { agentId: "0A3B9998-dc3a-4ff2-b50d" });',
  'new em.AgentTransfer("m$", { transfers: [{ agentId: "kiosk", fromAid: "1", toAid: "2" }] });',
  'new em.TestRun("r$", { testId: "Portal" });',
  'new em.TestRun("r$", { testId: "281474976710656x" });',
  'new em.HttpServerTest("v$", { testName: "T$", url: "https://x.example", sslVersionId: "2" as any });',
  'new em.HttpServerTest("v$", { testName: "T$", url: "https://x.example", authType: "basic" } as any);',
  'new em.Label("twin$", { name: "Twin", matchType: "or", filters: [{ key: "hostname", values: ["b", "a"] }] });',
  'new em.AgentToServerTest("twin$", { testName: "Twin", server: "twin.example" });',
  'new em.HttpServerTest("i$", { testName: "T$", url: "https://x.example", interval: 90 as any });',
  'new em.AgentToServerInstantTest("g$", { testName: "T$", server: "https://x.example" });',
  'new em.HttpServerInstantTest("g$", { testName: "T$", url: "x.example:99999" });',
  'new em.AgentToServerInstantTest("g$", { testName: "T$", server: "x.example", expect: { maxLoss: -1 } });',
  'new em.TestRun("r$", { testId: "5", waitForResults: { minAgents: 1.5 } });',
  'new em.Label("f$", { name: "F$", matchType: "or", filters: [{ key: "asn", values: ["AS1"] }] });',
  'new em.Label("f$", { name: "F$", matchType: "or", filters: [{ key: "gateway", values: ["10.0.0.0/8"] }] });',
  'new em.Label("f$", { name: "F$", matchType: "or", filters: [{ key: "platform", values: ["linux*"] }] });',
  'new em.EndpointAgentTag("k$", { key: "", value: "v", matchType: "or", filters: [{ key: "hostname", values: ["a"] }] });',
  'new em.EndpointAgentTag("k$", { key: "k$", value: "v", matchType: "or", filters: [] });',
  'new em.AgentToServerTest("x$", { testName: "T$", server: "x.example", maxMachines: 0 });',
  'new em.AgentToServerTest("x$", { testName: "", server: "x.example" });',
];

const heading = `import * as pulumi from "@pulumi/pulumi";
import * as em from "pulumi-endpoint-monitoring";
new em.Label("floor", { name: "Floor3", matchType: "or", filters: [] });
new em.Label("twin", { name: "Twin", matchType: "or", filters: [{ key: "hostname", values: ["b", "a"] }] });
new em.AgentToServerTest("twin", { testName: "Twin", server: "twin.example" });
`;

test("validate reports the mistake in each of at least 60 declarations", async () => {
  write("index.ts", heading + mistakes.map((line, at) => line.replaceAll("$", String(at))).join("\n"));
  const run = await validate("--json");
  expect(run.stdout).toContain('"data"');
  const { data } = JSON.parse(run.stdout) as Result;
  const first = heading.split("\n").length;
  expect(mistakes.length).toBeGreaterThanOrEqual(60);
  expect(data.findings.map(({ line }) => line)).toEqual(mistakes.map((_, at) => first + at));
});

/** Valid, although unusual. */
const odd = [
  ...[
    "localhost",
    "192.0.2.1",
    "2001:db8::1",
    "[2001:db8::1]",
    "xn--bcher-kva.example",
    "bücher.example",
    "_sip.example.com",
    "VPN.EXAMPLE.COM",
    "vpn.example.com.",
    "a",
    "1and1.example",
    `${"x".repeat(64)}.invalid`,
  ].map((server) => `new em.AgentToServerTest("a$", { testName: "T$", server: ${JSON.stringify(server)}, port: 1 });`),
  ...[
    "x.example",
    "HTTP://X.example",
    "https://x.example:8443/a?b=c#d",
    "http://[2001:db8::1]:80/",
    "x.example:8080/health",
    "https://x.example/%20",
    "https://bücher.example/ä",
    "https://192.0.2.1/",
  ].map((url) => `new em.HttpServerTest("h$", { testName: "T$", url: ${JSON.stringify(url)} });`),
  'new em.HttpServerTest("u$", { testName: "T$", url: "https://x.example", authType: "ntlm", username: "D\\\\u" });',
  'new em.HttpServerTest("v$", { testName: "T$", url: "https://x.example", sslVersionId: "7" });',
  'new em.HttpServerTest("w$", { testName: "T$", url: "https://x.example", username: "u" });',
  'new em.DynamicTest("l$", { testName: "T$", application: "webex", agentSelectorType: "agent-labels", endpointAgentLabels: ["567", "abc-123-def"] });',
  'new em.DynamicTest("l$", { testName: "T$", application: "webex", agentSelectorType: "agent-labels", endpointAgentLabels: [floor.id] });',
  'new em.DynamicTest("s$", { testName: "T$", application: "zoom", agentSelectorType: "specific-agents", agents: ["0A3B9998-DC3A-4FF2-B50D-AC4A7CD986E1"], maxMachines: 1 });',
  'new em.DynamicTest("t$", { testName: "T$", application: "zoom", agentSelectorType: "agent-tags", tagIds: ["c6b78e57-81a2-4c5f-a11a-d96c3c664d55"], maxMachines: 150000 });',
  'new em.Label("d$", { name: "Twin", matchType: "and", filters: [{ key: "hostname", values: ["b", "a"] }] });',
  'new em.Label("d$", { name: "Twin", matchType: "or", filters: [{ key: "hostname", values: ["b", "a"] }], accountGroupId: "1002" });',
  'new em.Label("d$", { name: "Twin", matchType: "or", filters: [{ key: "hostname", values: ["b", "a"] }], adopt: true });',
  'new em.Label("d$", { name: "😀".repeat(40), matchType: "or", filters: [] });',
  'new em.AgentToServerTest("d$", { testName: "Twin", server: "twin.example", port: 8443 });',
  'new em.EndpointAgent("e$", { lookup: { agentName: "NYC-X00003" } });',
  'new em.TestRun("r$", { testId: "281474976710656", expect: { minAvailability: 0 } });',
  'new em.AgentToServerInstantTest("g$", { testName: "Twin", server: "twin.example" });',
  'new em.AgentToServerInstantTest("g$", { testName: "Twin", server: "twin.example" });',
];

test("validate accepts at least 30 unusual declarations", async () => {
  const text = heading.replace("new em.Label", "const floor = new em.Label");
  write("index.ts", text + odd.map((line, at) => line.replaceAll("$", String(at))).join("\n"));
  const run = await validate("--json");
  expect(odd.length).toBeGreaterThanOrEqual(30);
  const { data, warnings } = JSON.parse(run.stdout) as Result & { warnings: string[] };
  expect(data.findings).toEqual([]);
  expect(run.code).toBe(0);
  expect(warnings).toEqual([
    expect.stringContaining("username has no effect without authType basic or ntlm"),
    expect.stringContaining("name has more than 64 characters, which the ThousandEyes UI does not accept"),
  ]);
});

test("validate prints one line for each mistake", async () => {
  write("index.ts", program);
  const { stdout } = await validate();
  const lines = stdout.trimEnd().split("\n");
  expect(lines).toHaveLength(44);
  expect(lines[0]).toMatch(/^ {2}index\.ts:6 {2}Label "office": name must not be empty$/);
  expect(lines.at(-1)).toBe("42 mistakes in 16 of 18 resources.");
});

test("validate exits with code 0 for a valid program", async () => {
  const body = 'new em.Label("office", { name: "Office", matchType: "or", filters: [] });\n';
  write("index.ts", `import * as em from "pulumi-endpoint-monitoring";\n${body}`);
  // Only progress, if it takes time.
  const stderr = expect.stringMatching(/^Stack dev \(the only one\)\n(?:Running the program of office[^\n]*, \d+ s\n)*$/);
  expect(await validate()).toMatchObject({ code: 0, stdout: "1 resource checked: no mistake found.\n", stderr });
  write("Pulumi.yaml", "name: office\nruntime: nodejs\nmain: index.js\n");
  write("index.js", `const em = require("pulumi-endpoint-monitoring");\n${body}${body}`);
  const twice = await validate();
  expect(twice.stdout).toContain('index.js:3  Label "office": has the name of another resource of its type');
  write("package.json", '{ "name": "office", "type": "module" }');
  write("index.js", `import * as em from "pulumi-endpoint-monitoring";\n${body}`);
  expect(await validate()).toMatchObject({ code: 0, stdout: "1 resource checked: no mistake found.\n" });
});

test("validate accepts references to a record that the program only reads", async () => {
  const test =
    '{ testName: "Office", url: "https://example.com", agentSelectorType: "agent-labels", endpointAgentLabels: [office.id] }';
  for (const entry of ["", "/native"]) {
    const lines = [
      `const { Label, HttpServerTest } = require("pulumi-endpoint-monitoring${entry}");`,
      `const office = Label.get("office", "400000000000001");`,
      `new HttpServerTest("office", ${test});`,
    ];
    write("index.js", lines.join("\n"));
    const plugin =
      "plugins:\n  providers:\n    - name: endpoint-monitoring\n      path: ./node_modules/pulumi-endpoint-monitoring/plugin\n";
    write("Pulumi.yaml", `name: office\nruntime: nodejs\nmain: index.js\n${plugin}`);
    const run = await validate("--json");
    expect({ ...run, stdout: JSON.parse(run.stdout) as Result }).toMatchObject({
      code: 0,
      stdout: { data: { resources: 1, findings: [] } },
    });
  }
});

test("validate reports a program's error and the mistakes before the error", async () => {
  write(
    "index.ts",
    `import { Label } from "pulumi-endpoint-monitoring";\nnew Label("office", {} as any);\nthrow new Error("boom");\n`,
  );
  const run = await validate();
  expect(run).toMatchObject({ code: 1, stdout: "" });
  expect(run.stderr).toContain('index.ts:2  Label "office": name is required');
  expect(run.stderr).toContain("The program failed, so later declarations were not checked");
  expect(run.stderr).toContain("Error: boom");
  expect(run.stderr).not.toContain("node_modules");
});

test("validate requires --stack in a project with several stacks", async () => {
  write("index.ts", "export {};\n");
  write("Pulumi.production.yaml", "config: {}\n");
  const several = await validate();
  expect(several).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/use --stack NAME\. Existing stacks: dev, production/),
  });
  expect(await validate("--stack", "production")).toMatchObject({ code: 0 });
  expect(await validate("--stack", "prd")).toMatchObject({
    code: 1,
    stderr: expect.stringContaining("has no settings for stack prd (Pulumi.prd.yaml). Stacks with settings: dev, production"),
  });
  rmSync(join(folder, "Pulumi.yaml"));
  expect(await validate()).toMatchObject({ code: 1, stderr: expect.stringMatching(/no Pulumi\.yaml/) });
});

test("functions send no requests during validate", async () => {
  const label = `new em.Label("office", { name: em.getAgentsOutput().apply((agents) => agents[0]!.id), matchType: "or", filters: [] });`;
  write("index.ts", `import * as em from "pulumi-endpoint-monitoring";\n${label}\n`);
  expect(await validate()).toMatchObject({ code: 0, stdout: "1 resource checked: no mistake found.\n" });
  write(
    "index.ts",
    `import * as em from "pulumi-endpoint-monitoring";\n${label}\nvoid em.getAgents().then(() => undefined);\n`,
  );
  const run = await validate();
  expect(run.code).toBe(1);
  expect(run.stderr).toContain("sends no requests, and this function returns a promise");
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
