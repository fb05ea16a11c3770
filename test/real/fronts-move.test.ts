/** Moves a stack with each type from dynamic resources to the native plugin and back. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { type RecordKindName, registry } from "../../provider/registry";
import { nativeToken, typeToken } from "../../sdk/token";
import { kindCases, recordKinds } from "../support/kinds";
import { type Front, type Program, type StateResource, Stack } from "./support/stack";
import { temporary } from "../support/temporary";

const kiosk = "ccf33e48-2be7-489d-b0c0-ed2313deab9f";
const moved = "3e501051-acff-49da-be91-109819a067c1";
const declared = JSON.parse(readFileSync(join(__dirname, "../fixtures/state/program.json"), "utf8")) as Program;

/** The in-place changes of every second step. Tests on demand change by running again, which is a replacement. */
const changes: Record<string, object> = {
  office: { name: "Offices" },
  emea: { description: "Offices of two regions" },
  gateway: { isEnabled: true },
  portal: { testName: "Portal of the region" },
  minimal: { interval: 900 },
  meetings: { testName: "Calls" },
  "branch-label": { color: "#ff0000" },
  kiosk: { agentName: "Kiosk in the lobby" },
  "to-the-branch": { transfers: [{ agentId: moved, fromAid: "1002", toAid: "1001" }] },
};
/** The changes outside of Pulumi to a record of each type, in addition to an agent. */
const drift: Record<string, [RecordKindName, object]> = {
  office: ["label", { name: "Drifted" }],
  emea: ["endpointAgentTag", { description: "Drifted" }],
  gateway: ["agentToServerTest", { testName: "Drifted" }],
  portal: ["httpServerTest", { testName: "Drifted" }],
  meetings: ["dynamicTest", { testName: "Drifted" }],
};

/** The program at a step, without waits for results, because those contain times and measurements. */
const programAt = (station: number): Program =>
  Object.fromEntries(
    Object.entries(declared).map(([name, resource]) => [
      name,
      { ...resource, args: { ...resource.args, waitForResults: undefined, ...(station % 2 === 0 ? {} : changes[name]) } },
    ]),
  );
const count = Object.keys(declared).length;
const changed = Object.keys(changes).length;
const drifted = Object.keys(drift).length + 1;

let folder: string;
let stack: Stack;
let first: Record<string, StateResource>;
const ids = (): Record<string, string> => Object.fromEntries(Object.entries(stack.state()).map(([name, { id }]) => [name, id]));
const firstIds = (): Record<string, string> => Object.fromEntries(Object.entries(first).map(([name, { id }]) => [name, id]));

beforeAll(async () => {
  folder = temporary();
  stack = await Stack.start({ dataFile: join(folder, "emulator.db"), transferDelayMs: 0 });
  await stack.secret("password", "first-passw0rd");
  stack.declare(programAt(0));
  await stack.up();
  first = stack.state();
});
afterAll(() => stack.end());

test("the test program declares each resource type", () => {
  const classes = Object.values(registry).map(({ name }) => name);
  expect([...new Set(Object.values(declared).map(({ kind }) => kind))].toSorted()).toEqual(classes.toSorted());
  expect(
    Object.values(drift)
      .map(([kind]) => kind)
      .toSorted(),
  ).toEqual(recordKinds.toSorted());
});

async function destroyed(): Promise<void> {
  await stack.destroy();
  expect(stack.resources()).toEqual([]);
  for (const { collection } of Object.values(kindCases))
    expect([collection, await stack.ids(collection)]).toEqual([collection, []]);
  expect(await stack.stored("agents", kiosk)).toMatchObject({ status: "disabled" });
}

/** A move to the plugin, and the move back. Other suites test the first front. */
const stations: [Front, number][] = [
  ["native", 0],
  ["dynamic", 1],
];
describe.each(stations)("a move to %s resources, step %d", (front, station) => {
  it("the first update after the move changes only type tokens", async () => {
    stack.take(front);
    // The previews of both moves are the same.
    expect(station === 0 ? await stack.preview() : []).toEqual([]);
    expect(await stack.up()).toEqual({ same: count });
    const token = front === "native" ? nativeToken : typeToken;
    for (const [name, { kind }] of Object.entries(declared)) expect(stack.state()[name]?.urn).toContain(`::${token(kind)}::`);
    expect(ids()).toEqual(firstIds());
  });

  it("an update after the move changes properties in place", async () => {
    stack.declare(programAt(station + 1));
    expect(await stack.up()).toEqual({ same: count - changed, update: changed });
    expect(ids()).toEqual(firstIds());
  });

  it("an update fixes the drift of each resource type", async () => {
    for (const [name, [kind, properties]] of Object.entries(drift)) {
      await stack.change(kind, stack.state()[name]?.id ?? "", properties as Record<string, unknown>, "?aid=1001");
    }
    await stack.api("PATCH", `/v7/endpoint/agents/${kiosk}?aid=1001`, { name: "Drifted" });
    expect(await stack.refresh()).toEqual({ same: count - drifted, update: drifted });
    expect(await stack.up()).toEqual({ same: count - drifted, update: drifted });
    expect(await stack.refresh()).toEqual({ same: count });
    expect(ids()).toEqual(firstIds());
  });
});

test("destroy deletes all records after a move to the native plugin and back", async () => {
  const before = ids();
  await stack.onCopy(destroyed);
  expect(ids()).toEqual(before);
});

test("destroy deletes all records directly after a move to the native plugin", async () => {
  stack.take("native");
  expect(await stack.up()).toEqual({ same: count });
  await destroyed();
});
