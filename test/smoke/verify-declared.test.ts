/** Runs `verify --agent` on an emulator, before an update and without the engine. */
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { join, resolve } from "node:path";
import { type Emulator, start } from "../../emulator";
import { runCommand } from "../support/command";
import { plainEnv } from "../support/process";
import { temporary } from "../support/temporary";

const root = resolve(__dirname, "../..");
let emulator: Emulator;
let target: Server;
let folder: string;
let here: string;

beforeAll(async () => {
  emulator = await start({ rateLimit: "off" });
  target = createServer((request, response) => response.writeHead(request.url === "/missing" ? 404 : 200).end("here"));
  await new Promise<void>((listening) => target.listen(0, "127.0.0.1", listening));
  // The URL of a server on this port.
  const { port } = target.address() as AddressInfo;
  const page = await (await fetch(`${emulator.url}/agents`, { headers: { accept: "text/html" } })).text();
  here = /\/agents\/([^"]+)"><bdi>[^<]*<\/bdi><\/a>\s*<span class="badge accent">this machine/.exec(page)?.[1] ?? "";
  folder = temporary();
  mkdirSync(join(folder, "node_modules/@pulumi"), { recursive: true });
  symlinkSync(root, join(folder, "node_modules/pulumi-endpoint-monitoring"));
  for (const name of ["@pulumi/pulumi", "typescript"])
    symlinkSync(join(root, "node_modules", name), join(folder, "node_modules", name));
  write("Pulumi.yaml", "name: office\nruntime: nodejs\nmain: index.ts\n");
  write("Pulumi.dev.yaml", `config:\n  endpoint-monitoring:baseUrl: ${emulator.url}\n`);
  write("package.json", '{ "name": "office" }');
  write(
    "index.ts",
    `import * as em from "pulumi-endpoint-monitoring";

const tag = new em.EndpointAgentTag("tag", { key: "site", value: "hq", matchType: "or", filters: [{ key: "hostname", values: ["no-*"] }] });
const selection = { agentSelectorType: "agent-tags" as const, tagIds: [tag.id] };
new em.HttpServerTest("page", { testName: "Page", url: "http://127.0.0.1:${port}/", httpTimeLimit: 2000, ...selection });
new em.HttpServerTest("missing", { testName: "Missing", url: "http://127.0.0.1:${port}/missing", ...selection });
new em.AgentToServerTest("port", { testName: "Port", server: "127.0.0.1", port: ${port}, ...selection });
new em.AgentToServerTest("named", { testName: tag.id, server: "127.0.0.1", port: ${port}, ...selection });
new em.DynamicTest("calls", { testName: "Calls", application: "zoom", ...selection });
`,
  );
});
afterAll(async () => {
  await emulator.close();
  target.close();
});
beforeEach(() => emulator.reset());

const write = (name: string, text: string): void => writeFileSync(join(folder, name), text);
const env = (): NodeJS.ProcessEnv =>
  plainEnv({
    ENDPOINT_MONITORING_TOKEN: "emulator-token",
    // No engine is on the PATH.
    PATH: join(folder, "empty"),
    PULUMI_NODEJS_TRANSPILE_ONLY: "true",
    NODE_COMPILE_CACHE: join(root, "node_modules/.cache/compile"),
  });
const run = (...args: string[]) => runCommand(["verify", ...args], { cwd: folder, env: env() });
const named = (): string[] => Object.keys(emulator.requests());

interface Result {
  data: { tests: { name: string; outcome: string; reasons: string[]; agents: number; measurements: { agentId: string }[] }[] };
}

test("verify --agent runs each declared test on the named agent", async () => {
  const { code, stdout, stderr } = await run("--agent", here, "--wait-for-more", "0.1", "--json");
  expect([code, stderr]).toEqual([2, expect.any(String)]);
  // It prints one object.
  const { data } = JSON.parse(stdout) as Result;
  const outcomes = Object.fromEntries(data.tests.map(({ name, outcome }) => [name, outcome]));
  expect(outcomes).toEqual({ page: "passed", missing: "failed", port: "passed", named: "skipped", calls: "skipped" });
  const reasons = Object.fromEntries(data.tests.map((test) => [test.name, test.reasons.join()]));
  expect(reasons["named"]).toBe("testName is known only after the update");
  expect(reasons["calls"]).toContain("dynamic tests follow the sessions of users");
  expect(data.tests.flatMap(({ measurements }) => measurements.map(({ agentId }) => agentId))).toEqual([here, here, here]);
  expect(named().filter((operation) => /create|update|delete/.test(operation))).toEqual([]);
  expect(emulator.requests()).toMatchObject({
    "agents.list": 1,
    "tests.httpServer.instant": 2,
    "tests.agentToServer.instant": 1,
  });
});

test("verify --agent prints the results of the tests", async () => {
  const passed = await run("--agent", here, "--test", "page", "--wait-for-more", "0.1");
  expect([passed.code, passed.stdout]).toEqual([0, expect.stringContaining("Tests as the program declares them")]);
  expect(passed.stdout).toContain("1 passed.");
  const failed = await run("--agent", here, "--test", "page", "--wait-for-more", "0.1", "--max-response-time", "0.001");
  expect([failed.code, failed.stdout]).toEqual([2, expect.stringContaining("1 failed.")]);
});

test("verify --agent refuses an unknown agent", async () => {
  expect(await run("--agent", here, "--rounds", "2")).toMatchObject({
    code: 1,
    stderr: expect.stringContaining("--agent and --rounds cannot be used together"),
  });
  expect(await run("--agent", "nobody")).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('There is no agent "nobody"'),
  });
  expect(await run("--agent", here, "--test", "none")).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('has no test "none"'),
  });
  expect(named().filter((operation) => operation.endsWith(".instant"))).toEqual([]);
});

test("verify --agent runs no tests if the program has mistakes", async () => {
  write("Pulumi.dev.yaml", `config:\n  endpoint-monitoring:baseUrl: ${emulator.url}\n`);
  const program = join(folder, "wrong.ts");
  writeFileSync(
    program,
    'import * as em from "pulumi-endpoint-monitoring";\nnew em.AgentToServerTest("a", { testName: "A", server: "" });\n',
  );
  write("Pulumi.yaml", "name: office\nruntime: nodejs\nmain: wrong.ts\n");
  expect(await run("--agent", here)).toMatchObject({
    code: 1,
    stderr: expect.stringContaining("has mistakes. `endpoint-monitoring validate` lists them"),
  });
  expect(named().filter((operation) => operation.endsWith(".instant"))).toEqual([]);
});
