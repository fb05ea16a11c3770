/** Runs `verify` with answers in place of the engine, and the emulator as the service. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { writtenProperty } from "../../../../provider/read-lag";
import { AnsweringEngine, answersOf } from "../../../support/answering-engine";
import { runCommand } from "../../../support/command";
import { useEmulator } from "../../../support/emulator";
import { skipIdleTime } from "../../../support/idle-time";
import { temporary } from "../../../support/temporary";
import { created } from "../../drift-support";
import { sessionWith } from "../../review-support";

skipIdleTime();

const service = useEmulator({ agents: 3 });
beforeEach(() => service.reset());

const label = { name: "Nowhere", matchType: "and", filters: [{ key: "hostname", mode: "in", values: ["NOWHERE-*"] }] };

it.each([
  ["reports the lack of agents", "an hour ago", 3_600_000, 'label "Nowhere" selects no agent'],
  ["waits for results", "now", 0, "0 of 1 agents answered within 2 s"],
])("verify %s if the stack wrote the test's label %s", async (_, _when, ageMs, reason) => {
  const folder = temporary();
  writeFileSync(join(folder, "Pulumi.yaml"), "name: test\nruntime: nodejs\n");
  const session = sessionWith(service.url);
  const nowhere = await created(session, "label", "nowhere", label);
  const selector = { agentSelectorType: "agent-labels", endpointAgentLabels: [nowhere.id] };
  const portal = await created(session, "httpServerTest", "portal", {
    testName: "Portal",
    url: "https://www.example.com",
    ...selector,
  });
  await session.client.close();
  const written = new Date(Date.now() - ageMs).toISOString();
  const resources = [{ ...nowhere, outputs: { ...nowhere.outputs, [writtenProperty]: written } }, portal];
  const engine = new AnsweringEngine(
    folder,
    answersOf({
      "stack ls": [{ name: "dev", current: true }],
      "stack export": { deployment: { resources } },
      "stack history": [],
      "stack tag": {},
      "config --json": { "endpoint-monitoring:readLag": { value: "60" } },
    }),
  );
  const env = engine.env({ ...service.env, ENDPOINT_MONITORING_READ_LAG: "60" });
  const { code, stdout } = await runCommand(["verify", "--all", "--timeout", "2", "--json"], { cwd: folder, env });
  engine.end();
  expect({ code, text: stdout }).toEqual({ code: 3, text: expect.stringContaining(JSON.stringify(reason).slice(1, -1)) });
});
