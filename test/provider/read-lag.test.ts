/** Delays the service's reads. A record that the stack has just written must count neither as deleted nor as changed. */
import { setTimeout as sleep } from "node:timers/promises";
import { messageOf } from "../../common/text";
import { readStackDrift } from "../../cli/commands/drift/stack-drift";
import type { IgnoreList } from "../../cli/commands/drift/ignore-list";
import type { StackDrift } from "../../cli/commands/drift/data";
import type { ManagedResource } from "../../engine/state";
import { registry } from "../../provider/registry";
import { amount } from "../support/amount";
import { recordKinds, changeInPlace, kindCases } from "../support/kinds";
import { skipIdleTime } from "../support/idle-time";
import { Bench, opened, withLabels } from "./bench";
import { EngineModel, type Program } from "./engine-model";
import type { Front } from "./engine-processes";

skipIdleTime();

const readLag = "120";
/** Lags below the time that the emulator's clients wait for a create, and above it. */
const lags = [5, 45, 90];
const fronts: readonly Front[] = ["dynamic", "native"];

let bench: Bench;
let engine: EngineModel;
let program: Program;
afterEach(() => bench.end());

async function start(as: readonly string[], front: Front, settings: Record<string, string> = {}): Promise<void> {
  bench = await Bench.start({ readLag, ...settings }, { agents: 0, as });
  engine = new EngineModel(bench, { readLag, ...settings });
  const args = await withLabels(bench);
  const declared = (kind: (typeof recordKinds)[number]): Program[string] => ({
    kind,
    front,
    args: args(kindCases[kind].full),
    deleteBeforeReplace: true,
  });
  program = Object.fromEntries(recordKinds.map((kind) => [kind, declared(kind)]));
  // The labels of tests are not part of the program, and are old enough.
  await sleep(200_000);
}

/** Ids of all records, except the labels of tests. */
async function recordIds(): Promise<string[]> {
  const collections = [...new Set(recordKinds.map((kind) => kindCases[kind].collection))];
  const ids = (await Promise.all(collections.map((name) => bench.ids(name)))).flat();
  return ids.filter((id) => !around.has(id)).toSorted();
}

let around = new Set<string>();
beforeEach(() => (around = new Set()));

function changed(): Program {
  return Object.fromEntries(
    recordKinds.map((kind) => {
      const { property, to } = changeInPlace(kind);
      const resource = program[kind];
      if (!resource) throw new Error(kind);
      return [kind, { ...resource, args: { ...resource.args, [property]: to } }];
    }),
  );
}

/** Checks the resources of the engine's state as `drift` does. */
function drift(): Promise<StackDrift> {
  const resources = [...engine.state.values()].map((entry): ManagedResource => ({
    ...entry,
    inputs: opened(entry.inputs),
    outputs: opened(entry.outputs),
    written: String(entry.outputs["__written"]),
    stack: "dev",
    kindName: entry.kind,
    kind: registry[entry.kind],
    secrets: new Set(),
    protect: false,
    ignoreChanges: [],
  }));
  return readStackDrift("dev", resources, bench.newSession(), { entriesFor: () => [] } as unknown as IgnoreList);
}

const sorted = (ids: readonly string[]): string[] => ids.toSorted();

/** Each operation directly after an update. It must leave the update's records or their replacements, and no others. */
const operations: Record<string, () => Promise<void>> = {
  refresh: () => engine.refresh(),
  up: async () => {
    await engine.up(changed(), { refresh: true });
    program = changed();
    await engine.up(program);
    expect(engine.calls.filter((call) => /create|update|delete/.test(call))).toEqual([]);
  },
  destroy: async () => {
    await engine.destroy();
    expect([await recordIds(), engine.ids()]).toEqual([[], []]);
    await sleep(200_000);
    await engine.up(program);
  },
  replacement: async () => {
    const before = engine.ids();
    await engine.up(program, { replace: Object.keys(program) });
    expect(engine.ids().filter((id) => before.includes(id))).toEqual([]);
  },
  import: async () => {
    const managed = new Set(engine.ids());
    bench.newSession();
    for (const kind of recordKinds) {
      const listed = (await bench.life(kind).list(undefined)) ?? [];
      const offered = listed.filter(({ id }) => !managed.has(id) && !around.has(id));
      expect(offered).toEqual([]);
    }
  },
  drift: async () => {
    expect(await drift()).toMatchObject({ changed: [], missing: [] });
    await engine.up(changed());
    program = changed();
    expect(await drift()).toMatchObject({ changed: [], missing: [] });
  },
};

/** Each operation with each lag, and with each provider type at least once. Long tests run all combinations. */
const cells = Object.keys(operations).flatMap((operation, row) =>
  lags.flatMap((lag, column) => {
    const first = (row + column) % 2;
    return fronts.slice(amount(first, 0), amount(first + 1, 2)).map((front) => [operation, lag, front] as const);
  }),
);

it.each(cells)(
  "operations lose or duplicate no record: %s, with reads that lag %i s behind writes, for %s resources",
  async (operation, lag, front) => {
    await start([`lag=${lag}s`], front);
    around = new Set(await recordIds());
    await engine.up(program);
    expect(await recordIds()).toEqual(sorted(engine.ids()));
    await operations[operation]?.();
    expect(engine.ids()).toHaveLength(recordKinds.length);
    expect(await recordIds()).toEqual(sorted(engine.ids()));
    const ids = engine.ids();
    await engine.refresh();
    await engine.up(program);
    expect(engine.ids()).toEqual(ids);
    await sleep(200_000);
    await engine.refresh();
    expect(engine.ids()).toEqual(ids);
    expect(await drift()).toMatchObject({ changed: [], missing: [] });
    await engine.destroy();
    expect([await recordIds(), engine.ids()]).toEqual([[], []]);
  },
);

describe.each(fronts)("%s resources with readLag 120", (front) => {
  it.each([
    ["deleted", 100, 1],
    ["deleted", 125, 0],
  ])("a deletion by a user counts as drift only after readLag (%s): %i s after the update", async (_, seconds, kept) => {
    await start([], front);
    program = { label: program["label"] as Program[string] };
    await engine.up(program);
    const [id = ""] = engine.ids();
    await bench.session.client.labels.delete({ path: { id } });
    await sleep(seconds * 1_000);
    const { missing, recent = [] } = await drift();
    expect([missing.length, recent.map(({ reason }) => reason)]).toEqual([
      1 - kept,
      Array.from({ length: kept }, () => expect.stringContaining("the service does not show the record")),
    ]);
    engine.printed.length = 0;
    await engine.refresh();
    expect(engine.ids()).toHaveLength(kept);
    expect(engine.printed.filter((line) => line.includes(id))).toHaveLength(kept);
  });

  it.each([
    [100, "Office"],
    [125, "Renamed"],
  ])("a user's change counts as drift only after readLag: %i s after the update", async (seconds, name) => {
    await start([], front);
    const label = { kind: "label", front, args: { ...kindCases.label.full, name: "Office" } } as const;
    await engine.up({ label });
    const [id = ""] = engine.ids();
    await bench.session.client.labels.update({ path: { id }, body: { name: "Renamed" } });
    await sleep(seconds * 1_000);
    const { changed: differing, recent = [] } = await drift();
    expect([differing.length, recent.length]).toEqual(name === "Office" ? [0, 1] : [1, 0]);
    await engine.refresh();
    expect([...engine.state.values()].map(({ outputs }) => outputs["name"])).toEqual([name]);
  });

  it.each(["PATCH", "DELETE"])("the provider repeats a %s request after status 404 within readLag", async (method) => {
    await start(["new-lag=60s"], front);
    around = new Set(await recordIds());
    await engine.up(program);
    const methods = method === "PATCH" ? ["PATCH", "PUT"] : ["DELETE"];
    for (const each of methods) await bench.fault({ method: each, kind: "status", status: 404, body: null, n: 3 });
    if (method === "PATCH") await engine.up(changed());
    else await engine.destroy();
    expect(await recordIds()).toEqual(sorted(engine.ids()));
    expect(engine.ids()).toHaveLength(method === "PATCH" ? recordKinds.length : 0);
  });

  it("the provider does not adopt a deleted record that an outdated list still contains", async () => {
    await start(["list-lag=45s"], front, { adopt: "identical" });
    around = new Set(await recordIds());
    await engine.up(program);
    const before = engine.ids();
    await sleep(200_000);
    await engine.destroy();
    await engine.up(program);
    expect(engine.ids().filter((id) => before.includes(id))).toEqual([]);
    expect(await recordIds()).toEqual(sorted(engine.ids()));
  });
});

describe.each(fronts)("a tag that is missing from outdated lists, with %s resources", (front) => {
  const office = (rest: object = {}): Program[string] => ({
    kind: "endpointAgentTag",
    front,
    args: { ...kindCases.endpointAgentTag.minimal, ...rest },
  });

  it.each([
    ["an update adopts the tag if adopt is true", { adopt: true }, /^$/],
    ["an update reports the tag and keeps it if adopt is false", {}, /^An identical record exists already/],
  ])("a renamed resource does not lose its tag: %s", async (_, rest, problem) => {
    await start(["lag=50s"], front);
    await engine.up({ office: office() });
    const ids = engine.ids();
    const renamed = engine.up({ lobby: office(rest) }, { continueOnError: true });
    expect(await renamed.then(() => "", messageOf)).toMatch(problem);
    expect(engine.ids()).toEqual(ids);
    expect(await bench.ids("tags")).toEqual(ids);
  });
});

describe("an unanswered create request while reads lag behind writes", () => {
  const office = (rest: object, adopt = false): Program[string] => ({
    kind: "label",
    args: { ...kindCases.label.full, ...(adopt && { adopt }) },
    ...rest,
  });

  it("the provider does not adopt a record that a refresh has just reported", async () => {
    await start(["lag=50s"], "dynamic");
    around = new Set(await recordIds());
    await engine.up({ office: office({}) });
    const [first = ""] = engine.ids();
    await bench.fault({ operation: "labels.create", kind: "drop-after" });
    await engine.up({ lobby: office({}, true) }, { refresh: true, killedBeforeDeletes: true });
    expect(engine.ids()).toHaveLength(2);
    expect(engine.ids()).toContain(first);
    expect(await recordIds()).toEqual(sorted(engine.ids()));
  });

  it("the provider does not adopt a record that another resource manages through a different host name", async () => {
    await start(["lag=50s"], "dynamic");
    around = new Set(await recordIds());
    engine.providers["west"] = { baseUrl: bench.emulator.url.replace("127.0.0.1", "localhost") };
    const managed = { office: office({}) };
    await engine.up(managed);
    await bench.fault({ operation: "labels.create", kind: "drop-after" });
    await engine.up({ ...managed, lobby: office({ provider: "west" }) });
    expect(engine.ids()).toHaveLength(2);
    expect(await recordIds()).toEqual(sorted(engine.ids()));
  });
});

test("a wrong local clock does not affect the calculated age of a write", async () => {
  await start([], "dynamic");
  await engine.up({ label: program["label"] as Program[string] });
  const [id = ""] = engine.ids();
  await bench.session.client.labels.delete({ path: { id } });
  const { Date: right } = globalThis;
  for (const hours of [-24, 24]) {
    const now = (): number => right.now() + hours * 3_600_000;
    globalThis.Date = new Proxy(right, { get: (date, key) => (key === "now" ? now : (Reflect.get(date, key) as unknown)) });
    await engine.refresh().finally(() => (globalThis.Date = right));
    expect(engine.ids()).toEqual([id]);
  }
});

test.each([
  ["is old", "2026-01-01T00:00:00.000Z"],
  ["has no time of a write", undefined],
  ["has a damaged time", "soon"],
])("a deleted record counts as deleted immediately if its state %s", async (_, written) => {
  await start([], "dynamic");
  const { id, state } = await bench.create("label", kindCases.label.full);
  await bench.session.client.labels.delete({ path: { id } });
  bench.newSession();
  expect(await bench.life("label").read(id, { ...state, __written: written })).toBeUndefined();
});

test("only an update changes the stored time of the last write", async () => {
  await start([], "dynamic");
  const { id, state, inputs } = await bench.create("label", kindCases.label.full);
  const writtenAt = Date.parse(String(state["__written"]));
  const read = await bench.life("label").read(id, state);
  expect(read?.state["__written"]).toBe(state["__written"]);
  expect(read?.inputs).not.toHaveProperty("__written");
  await sleep(5_000);
  const updated = await bench.life("label").update(id, state, { ...inputs, name: "Branch" });
  expect(Date.parse(String(updated["__written"])) - writtenAt).toBeGreaterThan(3_000);
});

test("the state of an agent contains the time of the last write", async () => {
  bench = await Bench.start();
  const agent = await bench.create("endpointAgent", { agentId: (await bench.ids("agents"))[0] });
  const instant = await bench.create("agentToServerInstantTest", { testName: "Now", server: "www.example.com" });
  expect([agent.state["__written"], instant.state["__written"]]).toEqual([expect.any(String), undefined]);
});
