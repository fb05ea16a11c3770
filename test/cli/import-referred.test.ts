/** Comments with names next to ids in an imported program. The service lists the names. */
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Emulator, start } from "../../emulator";
import { runCommand } from "../support/command";
import { otherAreas } from "../support/kinds";
import { plainEnv } from "../support/process";

const headers = { authorization: "Bearer emulator-token", "content-type": "application/json" };
let folder: string;
let emulator: Emulator;
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), "import-referred-"));
  emulator = await start({ rateLimit: "off", agents: 5 });
});
afterEach(async () => {
  await emulator.close();
  rmSync(folder, { recursive: true });
});

async function post(path: string, body: object): Promise<Record<string, string>> {
  const answer = await fetch(emulator.url + path, { method: "POST", headers, body: JSON.stringify(body) });
  return (await answer.json()) as Record<string, string>;
}

async function importTests(...more: string[]): Promise<{ program: string; requests: Record<string, number | undefined> }> {
  const env = plainEnv({ ENDPOINT_MONITORING_BASE_URL: emulator.url, ENDPOINT_MONITORING_TOKEN: "emulator-token" });
  const run = await runCommand(["import", "--only", "tests", "--json", ...more], { cwd: folder, env });
  expect(run.code).toBe(0);
  return {
    program: readFileSync(join(folder, "agent-to-server-tests.ts"), "utf8"),
    requests: emulator.requests(),
  };
}

const tests = "/v7/endpoint/tests/scheduled-tests/agent-to-server";

test("a comment names each agent of a test", async () => {
  const answer = await fetch(`${emulator.url}/v7/endpoint/agents`, { headers });
  const { agents } = (await answer.json()) as { agents: { id: string; name: string }[] };
  const [one, other] = agents;
  const body = { testName: "VPN", server: "vpn.example.com", agentSelectorType: "specific-agents" };
  await post(tests, { ...body, agents: [one?.id, other?.id] });
  const { program } = await importTests();
  for (const agent of [one, other]) expect(program).toContain(`    "${agent?.id}", // ${agent?.name}\n`);
});

test("a comment names each label that is not imported", async () => {
  const filters = [{ key: "platform", values: ["Windows"] }];
  const { id } = await post("/v7/endpoint/labels", { name: "Main office", matchType: "or", filters });
  const body = { testName: "VPN", server: "vpn.example.com", agentSelectorType: "agent-labels" };
  await post(tests, { ...body, endpointAgentLabels: [id] });
  const { program } = await importTests();
  expect(program).toContain(`    "${id}", // Main office\n`);
});

test("writes alert rules and streams in a comment if requested", async () => {
  const { testId } = await post(tests, { testName: "VPN", server: "vpn.example.com" });
  await post(tests, { testName: "Gateway", server: "gateway.example.com" });
  const { alertRules, streams } = otherAreas;
  const { ruleId } = await post(alertRules.path, { ...alertRules.body, ruleName: "Line\nbreak", testIds: [testId] });
  const { id } = await post(streams.path, { name: "siem", testMatch: [{ id: testId, domain: "endpoint" }] });
  expect((await importTests()).program).not.toContain("Named by");
  for (const file of readdirSync(folder)) rmSync(join(folder, file));
  const { program } = await importTests("--references");
  const lines = program.split("\n");
  const at = lines.findIndex((line) => line.includes('new AgentToServerTest("vpn"'));
  expect(lines.slice(at - 2, at)).toEqual([
    `// Named by alert rule Line\\nbreak (${ruleId})`,
    `// Named by stream siem (${id})`,
  ]);
  expect(lines.filter((line) => line.includes("Named by"))).toHaveLength(2);
});

test("requests no names if no record refers to another", async () => {
  await post(tests, { testName: "VPN", server: "vpn.example.com" });
  const { program, requests } = await importTests();
  expect(program).not.toContain(" // ");
  expect([requests["agents.list"], requests["labels.list"]]).toEqual([undefined, undefined]);
});
