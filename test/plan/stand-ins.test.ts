/** Compares a review's predictions with the emulator's records after the change. */
import { join } from "node:path";
import fc from "fast-check";
import { compareLoad } from "../../provider/reach/load";
import { keyAfter } from "../../plan/stand-ins";
import { type Emulator, start } from "../../emulator";
import { fleetOf } from "../../emulator/fleet/fleet";
import { settle } from "../../emulator/options";
import { labels as labelRows } from "../../emulator/model/labels";
import { type StoredTest, testCollection } from "../../emulator/model/tests";
import { agentsAssigned, agentsOfLabel, agentsRunning, agentsSelected } from "../../emulator/selection";
import { Store } from "../../emulator/store";
import type { RecordKindName } from "../../provider/registry";
import { type Properties, unknownValue } from "../../provider/values";
import { paths } from "../emulator/support";
import { call } from "../support/call";
import { reviewed, step, urnOf } from "../cli/review-support";
import { amount, seed } from "../support/amount";
import type { EngineStep } from "../../engine/preview-output";
import { idOf, kindCases, recordKind, recordKinds } from "../support/kinds";
import { temporary } from "../support/temporary";

const testKinds = recordKinds.filter((kind) => recordKind(kind).reach?.means === "test");

/** Filters that mostly match agents in the emulator's fleet. */
const filter = fc.oneof(
  fc.subarray(["Windows", "Mac", "Linux"], { minLength: 1 }).map((values) => ({ key: "platform", values })),
  fc.subarray(["LON-*", "NYC-*", "*-M*", "*-L*", "NOWHERE-*"], { minLength: 1 }).map((values) => ({ key: "hostname", values })),
  fc.subarray(["CorpWiFi", "Guest*", "Home-?*"], { minLength: 1 }).map((values) => ({ key: "ssid", values })),
  fc.subarray(["10.0.0.0/8", "192.168.0.0/16"], { minLength: 1 }).map((values) => ({ key: "local-network", values })),
  fc.constantFrom("a*", "e*", "nobody").map((value) => ({ key: "username", values: [value] })),
);
const rule = fc.record({
  matchType: fc.constantFrom("and", "or"),
  filters: fc.array(
    fc.tuple(filter, fc.constantFrom("in", "not-in")).map(([selectedFilter, mode]) => ({ ...selectedFilter, mode })),
    { maxLength: 3 },
  ),
});

/** Inputs of a test; `labels` contains indexes of labels. */
interface Plan {
  kind: RecordKindName;
  selector: "all-agents" | "agent-labels";
  labels: number[];
  maxMachines: number;
  interval: number;
  isPrioritized: boolean;
  isEnabled: boolean;
}
const labelCount = 5;
const plan: fc.Arbitrary<Plan> = fc.record({
  kind: fc.constantFrom(...testKinds),
  selector: fc.constantFrom("all-agents", "agent-labels", "agent-labels"),
  labels: fc.subarray([0, 1, 2, 3, 4], { minLength: 1 }),
  maxMachines: fc.constantFrom(1, 5, 1000, 1000),
  interval: fc.constantFrom(60, 300, 3600),
  isPrioritized: fc.boolean(),
  isEnabled: fc.constantFrom(true, true, true, false),
});

const scenario = fc.record({
  labels: fc.array(fc.record({ now: rule, later: rule, fate: fc.constantFrom("same", "update", "create", "replace") }), {
    minLength: labelCount,
    maxLength: labelCount,
  }),
  tests: fc.array(
    fc.record({ now: plan, later: plan, fate: fc.constantFrom("same", "by hand", "update", "create", "replace", "delete") }),
    { minLength: 20, maxLength: 20 },
  ),
});
type Scenario = typeof scenario extends fc.Arbitrary<infer S> ? S : never;

let folder: string;
beforeAll(() => (folder = temporary()));

let numbers = 0;
test("the review correctly predicts which agents run which tests after an update", async () => {
  const seen = { labels: 0, tests: 0, running: 0, crowdedOut: 0 };
  await fc.assert(
    fc.asyncProperty(scenario, async (generated) => {
      numbers += 1;
      const dataFile = join(folder, `${numbers}.db`);
      const emulator = await start({ rateLimit: "off", agents: 40, dataFile });
      let carriedOut;
      try {
        carriedOut = await carryOut(emulator, generated);
      } finally {
        await emulator.close();
      }
      compare(dataFile, carriedOut, seen);
    }),
    { numRuns: amount(8, 25), seed: seed(20260115) },
  );
  // Without running tests, nothing was compared.
  expect(Object.entries(seen).filter(([, count]) => count < 100)).toEqual([]);
});

type CarriedOut = Awaited<ReturnType<typeof carryOut>>;

/** Creates the initial records, reviews the change, and applies it. */
async function carryOut({ url }: Emulator, { labels, tests }: Scenario) {
  const create = async (kind: RecordKindName, body: Properties): Promise<string> => {
    const { isEnabled, ...sent } = body;
    const made = await call(url, "POST", `${kindCases[kind].path}?aid=1001`, sent);
    const id = idOf(kind, made);
    if (isEnabled === false) await call(url, "PATCH", `${kindCases[kind].path}/${id}?aid=1001`, { isEnabled });
    return id;
  };
  const labelBody = (n: number, { matchType, filters }: Scenario["labels"][number]["now"]): Properties => ({
    name: `label ${n}`,
    matchType,
    filters,
  });
  const testBody = (n: number, { kind, selector, labels: chosen, ...rest }: Plan, ids: string[]): Properties => ({
    ...kindCases[kind].minimal,
    testName: `test ${n}`,
    ...rest,
    agentSelectorType: selector,
    ...(selector === "agent-labels" && { endpointAgentLabels: chosen.flatMap((label) => ids[label] ?? []) }),
  });

  const labelIds: string[] = [];
  for (const [n, { now, fate }] of labels.entries()) {
    labelIds.push(fate === "create" ? "" : await create("label", labelBody(n, now)));
  }
  const usable = (candidate: Plan): Plan => {
    const chosen = candidate.labels.filter((label) => labelIds[label] !== "");
    return chosen.length > 0 ? { ...candidate, labels: chosen } : { ...candidate, selector: "all-agents" };
  };
  const planned: { fate: string; id: string; now: Plan; later: Plan; n: number }[] = [];
  for (const [n, { now, later, fate }] of tests.entries()) {
    const before = usable(now);
    const recreated = labels.map((label) => label.fate === "create" || label.fate === "replace");
    // An update in place keeps the selection. A test of a recreated label is replaced with the label.
    const inPlace = { ...before, interval: later.interval, isEnabled: later.isEnabled };
    const drawn = before.selector === "agent-labels" && before.labels.some((label) => recreated[label]);
    const settled = (fate === "same" || fate === "update") && drawn ? "replace" : fate;
    const after =
      settled === "replace" && (fate === "same" || fate === "update") ? inPlace : fate === "update" ? inPlace : later;
    const id = fate === "create" ? "" : await create(before.kind, testBody(n, before, labelIds));
    planned.push({ fate: settled, id, now: before, later: { ...after, kind: before.kind }, n });
  }

  // The id of a new label is unknown.
  const idsThen = labels.map(({ fate }, n) => (fate === "same" || fate === "update" ? (labelIds[n] ?? "") : unknownValue));
  const steps: EngineStep[] = labels.map(({ now, later, fate }, n) =>
    step(fate, "label", `label-${n}`, {
      ...(fate !== "create" && { id: labelIds[n], before: labelBody(n, now) }),
      after: labelBody(n, fate === "same" ? now : later),
    }),
  );
  for (const { fate, id, now, later, n } of planned) {
    if (fate === "by hand") continue;
    const sources = later.labels.map((label): ["label", string] => ["label", `label-${label}`]);
    steps.push(
      step(fate, now.kind, `test-${n}`, {
        ...(fate !== "create" && { id, before: testBody(n, now, labelIds) }),
        ...(fate !== "delete" && { after: testBody(n, fate === "same" ? now : later, idsThen) }),
        ...(later.selector === "agent-labels" && { dependencies: { endpointAgentLabels: sources } }),
      }),
    );
  }
  const analysis = await reviewed(url, steps);

  const made = new Map<string, string>();
  const idsAfter = await Promise.all(
    labels.map(async ({ later, fate }, n) => {
      if (fate === "same") return labelIds[n] ?? "";
      if (fate === "update") {
        await call(url, "PATCH", `${paths.label}/${labelIds[n]}?aid=1001`, labelBody(n, later));
        return labelIds[n] ?? "";
      }
      const id = await create("label", labelBody(n, later));
      made.set(urnOf("label", `label-${n}`), id);
      return id;
    }),
  );
  for (const change of analysis.changes) {
    const test = planned.find(({ n }) => change.name === `test-${n}`);
    if (!test || change.kindName === "label") continue;
    const { path } = kindCases[test.now.kind];
    const { interval, isEnabled } = test.later;
    if (change.op === "update") await call(url, "PATCH", `${path}/${test.id}?aid=1001`, { interval, isEnabled });
    if (change.op === "delete" || change.op === "replace") await call(url, "DELETE", `${path}/${test.id}?aid=1001`);
    if (change.op === "create" || change.op === "replace") {
      made.set(change.urn, await create(test.now.kind, testBody(test.n, test.later, idsAfter)));
    }
  }
  for (const [n, { fate }] of labels.entries()) {
    if (fate === "replace") await call(url, "DELETE", `${paths.label}/${labelIds[n]}?aid=1001`);
  }
  return { analysis, made };
}

/** Compares every prediction with the emulator's database. */
function compare(dataFile: string, { analysis, made }: CarriedOut, seen: Record<string, number>): void {
  const service = { store: new Store(dataFile), settings: settle({ agents: 40 }) };
  try {
    const { worlds, service: view } = analysis;
    if (!worlds) throw new Error("no worlds");
    const idAfter = (key: string): string => made.get(key) ?? key;
    for (const key of worlds.after.groups.keys()) {
      const row = service.store.get(labelRows, idAfter(key));
      if (!row) throw new Error(`no label ${key}`);
      const expected = agentsOfLabel(service, row).map(({ id }) => id);
      expect(worlds.after.selectedBy(key)?.value?.agents.map(({ id }) => id)).toEqual(expected);
      seen["labels"] = (seen["labels"] ?? 0) + expected.length;
    }
    const load = compareLoad(worlds, view.accountGroupIds).after;
    const assigned = new Map<string, number>();
    let [rounds, roundsRun] = [0, 0];
    for (const key of worlds.after.tests.keys()) {
      const row = rowOf(service.store, idAfter(key));
      const selected = worlds.after.selectedBy(key)?.value;
      expect(selected?.agents.map(({ id }) => id)).toEqual(agentsSelected(service, row).map(({ id }) => id));
      const chosen = agentsAssigned(service, row);
      expect(selected?.count).toBe(chosen.length);
      seen["tests"] = (seen["tests"] ?? 0) + chosen.length;
      if (!row.body.isEnabled) continue;
      for (const { id } of chosen) assigned.set(id, (assigned.get(id) ?? 0) + 1);
      const running = agentsRunning(service, row).length;
      expect([key, load.crowdedOut.get(key) ?? 0]).toEqual([key, chosen.length - running]);
      rounds += (3600 / row.body.interval) * chosen.length;
      roundsRun += (3600 / row.body.interval) * running;
      seen["running"] = (seen["running"] ?? 0) + running;
      seen["crowdedOut"] = (seen["crowdedOut"] ?? 0) + chosen.length - running;
    }
    expect([load.rounds, load.roundsRun]).toEqual([rounds, roundsRun]);
    expect(new Map(load.assigned)).toEqual(assigned);
    // The update kept every other record and left no deleted record.
    const there = testKinds.flatMap((kind) => service.store.ids(kindCases[kind].collection).map(({ id }) => id));
    expect([...worlds.after.tests.keys()].map(idAfter).toSorted()).toEqual(there.toSorted());
    expect(fleetOf(service).list("1001").length).toBeGreaterThan(10);
    // Every changed resource is in the database afterwards.
    for (const planned of analysis.changes) {
      const key = keyAfter(planned);
      expect(key === undefined || worlds.after.selectedBy(key) !== undefined).toBe(true);
    }
  } finally {
    service.store.close();
  }
}

function rowOf(store: Store, id: string) {
  for (const kind of testKinds) {
    const row = store.get(testCollection<StoredTest>(kindCases[kind].collection), id);
    if (row) return row;
  }
  throw new Error(`no test ${id}`);
}
