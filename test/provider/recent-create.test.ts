/** Reads that lag behind creates: a record that the stack created a moment ago is looked for twice before it counts as deleted. */
import { setTimeout as sleep } from "node:timers/promises";
import type { Wait } from "../../api";
import type { Properties } from "../../provider/values";
import { Session } from "../../provider/session";
import { Bench } from "./bench";
import { skipIdleTime } from "../support/idle-time";

skipIdleTime();

/** A second look follows after a twelfth. */
const settings = { createOutcomeTimeout: "4" };
const filters = [{ key: "hostname", values: ["nobody"] }];

let bench: Bench;
afterEach(() => bench.end());

async function started(as: readonly string[] = [], createOutcomeTimeout = settings.createOutcomeTimeout): Promise<void> {
  bench = await Bench.start({ createOutcomeTimeout }, { agents: 0, as });
}

const create = (name = "Office"): Promise<{ id: string; state: Properties }> =>
  bench.create("label", { name, matchType: "or", filters });

/** Reads as a refresh does: in a process of its own. Returns the ids that were found, and what the process printed. */
async function refresh(
  records: readonly { id: string; state: Properties }[],
): Promise<{ found: (string | undefined)[]; waits: Wait[] }> {
  const waits: Wait[] = [];
  const { settings: read } = bench.newSession();
  bench.session = new Session({ ...read, client: { ...read.client, onWait: (wait) => waits.push(wait) } });
  const reads = records.map(({ id, state }) => bench.life("label").read(id, state));
  return { found: (await Promise.all(reads)).map((one) => one?.id), waits };
}

test("a record that is not shown yet is found by the second look, and a message names it and the wait", async () => {
  // A busy machine has a second and a half from the create to the first look, and the record half a second until the second one.
  await started(["new-lag=1500ms"], "24");
  const record = await create();
  const { found, waits } = await refresh([record]);
  expect(found).toEqual([record.id]);
  expect(waits).toEqual([{ operation: "refresh", reason: expect.any(String), ms: 24_000 / 12 }]);
  expect(waits[0]?.reason).toContain(`the service does not show the label ${record.id}, which was written`);
});

test("new records that were deleted share one wait, and are gone after it", async () => {
  await started();
  const records = await Promise.all([create("Office"), create("Branch"), create("Yard")]);
  for (const { id, state } of records) await bench.life("label").delete(id, state);
  const { found, waits } = await refresh(records);
  expect(found).toEqual([undefined, undefined, undefined]);
  expect(waits).toHaveLength(1);
});

test.each([
  ["is old", (state: Properties) => ({ ...state, __written: "2026-01-01T00:00:00.000Z" })],
  ["an earlier release created", ({ __written: _created, ...state }: Properties) => state],
  ["has a damaged time", (state: Properties) => ({ ...state, __written: "soon" })],
])("a deleted record that %s is gone at once", async (_, aged) => {
  await started();
  const { id, state } = await create();
  await bench.life("label").delete(id, state);
  expect(await refresh([{ id, state: aged(state) }])).toEqual({ found: [undefined], waits: [] });
});

test("a read keeps the time of the last write, and an update sets it", async () => {
  await started();
  const { id, state } = await create();
  const writtenAt = Date.parse(String(state["__written"]));
  const read = await bench.life("label").read(id, state);
  expect(read?.state["__written"]).toBe(state["__written"]);
  expect(read?.inputs).not.toHaveProperty("__written");
  await sleep(5_000);
  const { inputs } = bench.life("label").check({ name: "Branch", matchType: "or", filters });
  const updated = await bench.life("label").update(id, state, inputs);
  expect(Date.parse(String(updated["__written"])) - writtenAt).toBeGreaterThan(3_000);
});

test("the state of an agent has the time of the last write, and that of an instant test has none", async () => {
  bench = await Bench.start();
  const agent = await bench.create("endpointAgent", { agentId: (await bench.ids("agents"))[0] });
  const instant = await bench.create("agentToServerInstantTest", { testName: "Now", server: "www.example.com" });
  expect([agent.state["__written"], instant.state["__written"]]).toEqual([expect.any(String), undefined]);
});
