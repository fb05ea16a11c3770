/**
 * Runs the matrix of failures that must not block a stack on the real engine: a failure at a request of each type at once,
 * with each provider type. After the service recovers, refresh, up and destroy must succeed. test/invariants/no-wedge.test.ts
 * has each request of each operation.
 */
import { type RecordKindName } from "../../provider/registry";
import { amount, random, seed } from "../support/amount";
import { changeInPlace, changeThatReplaces, kindCases, operationsOf, recordKind, recordKinds } from "../support/kinds";
import { failures } from "../provider/no-wedge";
import { fronts, type Program, Stack } from "./support/stack";
import { call } from "../support/call";

type Values = Record<string, unknown>;

/** One operation of the engine on a resource of each type, and the failing request of each. */
interface Phase {
  what: string;
  before: (kind: RecordKindName) => Values | undefined;
  after: (kind: RecordKindName) => Values | undefined;
  operation: (kind: RecordKindName) => string | undefined;
  command?: "refresh";
}

const args = (kind: RecordKindName, more: Values = {}): Values => {
  const [inPlace, replacing] = [changeInPlace(kind), changeThatReplaces(kind)];
  const from = { [inPlace.property]: inPlace.from, ...(replacing && { [replacing.property]: replacing.from }) };
  return { ...kindCases[kind].minimal, ...from, ...more };
};
const changed = (kind: RecordKindName): Values => args(kind, { [changeInPlace(kind).property]: changeInPlace(kind).to });
const replaced = (kind: RecordKindName): Values | undefined => {
  const change = changeThatReplaces(kind);
  return change && args(kind, { [change.property]: change.to });
};
const none = (): undefined => undefined;
const at =
  (verb: "create" | "update" | "delete" | "list") =>
  (kind: RecordKindName): string =>
    operationsOf(kind)[verb].id;

const phases: Phase[] = [
  { what: "create", before: none, after: (kind) => args(kind), operation: at("create") },
  {
    what: "create, then update",
    before: none,
    after: (kind) => (recordKind(kind).updateOnly.includes("isEnabled") ? args(kind, { isEnabled: false }) : undefined),
    operation: at("update"),
  },
  { what: "update", before: (kind) => args(kind), after: changed, operation: at("update") },
  { what: "remove", before: (kind) => args(kind), after: none, operation: at("delete") },
  {
    what: "replace",
    before: (kind) => args(kind),
    after: replaced,
    operation: (kind) => (replaced(kind) ? at("create")(kind) : undefined),
  },
  { what: "refresh", before: (kind) => args(kind), after: (kind) => args(kind), operation: at("list"), command: "refresh" },
];

const batches = fronts.flatMap((front) =>
  Object.keys(failures).flatMap((failure) => phases.map((phase) => ({ front, failure, phase }))),
);
/** One batch of each front by default, eight in the long form. TEST_SEED selects others. */
const chosen = fronts.flatMap((front) => {
  const dice = random(seed(1));
  const ofFront = batches.filter((batch) => batch.front === front).map((batch) => ({ batch, at: dice() }));
  return ofFront
    .toSorted((a, b) => a.at - b.at)
    .slice(0, amount(1, 8))
    .map(({ batch }) => batch);
});
const tried: string[] = [];

describe.each(fronts)("failures with %s resources", (front) => {
  let stack: Stack;
  beforeEach(async () => {
    stack = await Stack.startWith(front, { agents: 3 });
    stack.configure({ createOutcomeTimeout: "1", timeout: "5" });
  });
  afterEach(() => stack.end());

  it.each(chosen.filter((batch) => batch.front === front).map((batch) => [batch.phase.what, batch.failure, batch] as const))(
    "refresh, up and destroy succeed after a failure: %s, %s",
    async (what, failure, { phase }) => {
      const [before, after] = [programOf(phase.before), programOf(phase.after)];
      stack.declare(before);
      if (Object.keys(before).length > 0) await stack.up();
      const hit = recordKinds.filter((kind) => kind in before || kind in after);
      for (const kind of hit) {
        const operation = phase.operation(kind);
        if (operation === undefined) continue;
        await control("faults", { ...failures[failure], operation });
        tried.push(`${front} ${what} ${failure} ${kind}`);
      }
      stack.declare(after);
      const words = ["--yes", "--skip-preview", ...(phase.command ? [] : ["--continue-on-error"])];
      const run = await stack.run(phase.command ?? "up", ...words);
      await control("faults/reset");
      // The message of an unanswered create recommends this setting.
      if (run.code !== 0) stack.configure({ adopt: "identical" });
      await stack.refresh();
      await stack.up();
      const state = stack.resources();
      expect(state.map(({ name }) => name).toSorted()).toEqual(Object.keys(after).toSorted());
      expect(await recordIds()).toEqual(state.map(({ id }) => id).toSorted());
      expect(await stack.preview()).toEqual([]);
      await stack.destroy();
      expect([await recordIds(), stack.resources()]).toEqual([[], []]);
    },
  );

  const control = (path: string, body: object = {}): Promise<unknown> =>
    call(stack.emulator.url, "POST", `/_emulator/${path}`, body);

  async function recordIds(): Promise<string[]> {
    const ids = await Promise.all(recordKinds.map((kind) => stack.ids(kindCases[kind].collection)));
    return ids.flat().toSorted();
  }
});

test("a tested failure affects at least three resources on average", () => {
  if (tried.length > 60) console.log(`${tried.length} cells on the engine`);
  expect(tried.length).toBeGreaterThanOrEqual(chosen.length * 3);
});

function programOf(argsOf: (kind: RecordKindName) => Values | undefined): Program {
  const declared = recordKinds.flatMap((kind) => {
    const kindArgs = argsOf(kind);
    return kindArgs === undefined ? [] : [[kind, { kind: kindCases[kind].className, args: kindArgs }] as const];
  });
  return Object.fromEntries(declared);
}
