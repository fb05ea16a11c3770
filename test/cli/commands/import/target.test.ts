/** Tests the comments with names next to ids in an imported program. The service lists the names. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { runCommand } from "../../../support/command";
import { plainEnv } from "../../../support/process";
import { temporary } from "../../../support/temporary";
import { useEmulator } from "../../../support/emulator";

const service = useEmulator({ agents: 5 });
let folder: string;
beforeEach(async () => {
  folder = temporary();
  service.reset();
  await service.call("POST", "/_emulator/requests/reset");
});

async function importTests(): Promise<{ program: string; requests: Record<string, number | undefined> }> {
  const run = await runCommand(["import", "--only", "tests", "--json"], { cwd: folder, env: plainEnv(service.env) });
  expect(run.code).toBe(0);
  return {
    program: readFileSync(join(folder, "agent-to-server-tests.ts"), "utf8"),
    requests: service.emulator.requests(),
  };
}

const tests = "/v7/endpoint/tests/scheduled-tests/agent-to-server";

test("`import` adds a comment with the name of each agent that a test selects", async () => {
  const { agents } = (await service.call("GET", "/v7/endpoint/agents")) as { agents: { id: string; name: string }[] };
  const [first, other] = agents;
  const body = { testName: "VPN", server: "vpn.example.com", agentSelectorType: "specific-agents" };
  await service.create(tests, { ...body, agents: [first?.id, other?.id] });
  const { program } = await importTests();
  for (const agent of [first, other]) expect(program).toContain(`    "${agent?.id}", // ${agent?.name}\n`);
});

test("`import` adds a comment with the name of each label that it does not import", async () => {
  const filters = [{ key: "platform", values: ["Windows"] }];
  const id = await service.create("/v7/endpoint/labels", { name: "Main office", matchType: "or", filters });
  const body = { testName: "VPN", server: "vpn.example.com", agentSelectorType: "agent-labels" };
  await service.create(tests, { ...body, endpointAgentLabels: [id] });
  const { program } = await importTests();
  expect(program).toContain(`    "${id}", // Main office\n`);
});

test("`import` requests no names if no record refers to another record", async () => {
  await service.create(tests, { testName: "VPN", server: "vpn.example.com" });
  const { program, requests } = await importTests();
  expect(program).not.toContain(" // ");
  expect([requests["agents.list"], requests["labels.list"]]).toEqual([undefined, undefined]);
});
