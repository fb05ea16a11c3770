import { caseLabels, changeInPlace, kindCases, operationsOf, recordKind, recordKinds } from "../support/kinds";
import { records, type RecordKindName } from "../../provider/registry";
import { door } from "./support/drift";
import { fronts, type Program, type Run, type StateResource, type Step, Stack } from "./support/stack";

const kinds = Object.values(kindCases);
/** The kinds that select agents by labels. */
const testKinds = recordKinds.filter((kind) => recordKind(kind).reach?.means === "test").map((kind) => kindCases[kind]);
const tests = testKinds.map(({ className }) => `${className}-by-label`);
/** A resource of each kind with all that can be declared, for each thing that becomes of one: identical records would be twins. */
const fullOf = (what: string): Program =>
  Object.fromEntries(
    Object.entries(kindCases).map(([name, { className, full }]) => [
      `${className}${what}`,
      { kind: className, args: { ...full, [records[name as RecordKindName].nameProperty]: `Full${what}` } },
    ]),
  );
const program: Program = {
  "label-a": { kind: "Label", args: caseLabels["label-a"] },
  stale: { kind: "Label", args: { ...kindCases.label.full, name: "Stale" } },
  ...fullOf("-changed"),
  ...fullOf("-deleted"),
  ...fullOf("-steady"),
  ...Object.fromEntries(
    kinds.map(({ className, minimal: args }): [string, Program[string]] => [`${className}-minimal`, { kind: className, args }]),
  ),
  remade: { kind: "DynamicTest", args: { ...kindCases.dynamicTest.full, testName: "Remade" } },
  ...Object.fromEntries(
    testKinds.map(({ className, minimal }): [string, Program[string]] => [
      `${className}-by-label`,
      {
        kind: className,
        args: {
          ...minimal,
          testName: "By label",
          agentSelectorType: "agent-labels",
          endpointAgentLabels: [{ $id: "label-a" }],
        },
      },
    ]),
  ),
};
const all = Object.keys(program).length;
const inPlace = (kind: RecordKindName): Record<string, unknown> => {
  const { property, to } = changeInPlace(kind);
  return { [property]: to };
};
/** What becomes of a record of each kind behind Pulumi's back. */
const drift: Record<string, Record<string, unknown>> = {
  ...Object.fromEntries(recordKinds.map((kind) => [kindCases[kind].className, inPlace(kind)])),
  Label: { color: "#000000", name: "Drifted" },
  AgentToServerTest: { interval: 60, isEnabled: true },
  HttpServerTest: { url: "https://drifted.example.com", interval: 60 },
  DynamicTest: { testName: "Drifted", interval: 60 },
};

describe.each(fronts)("the world changes behind Pulumi's back, %s front", (front) => {
  let stack: Stack;
  let before: Record<string, StateResource>;
  const idOf = (name: string): string => before[name]?.id ?? "";

  beforeAll(async () => {
    stack = await Stack.startWith(front);
  }, 300_000);
  afterAll(() => stack.end());

  it("an id is unknown at preview, at any depth, and tests may refer to it", async () => {
    const whole = { ...kindCases.dynamicTest.minimal, agentSelectorType: "agent-labels" };
    const within = { name: "Within", matchType: "and", filters: [{ key: "agent-id", values: [{ $id: "label-a" }] }] };
    stack.declare({
      ...program,
      // An Output of a whole list, of a whole property, and a value deep inside.
      whole: {
        kind: "DynamicTest",
        args: {
          ...whole,
          testName: { $after: "label-a", value: "Whole" },
          endpointAgentLabels: { $after: "label-a", value: ["x"] },
        },
      },
      within: { kind: "Label", args: within },
    });
    const steps = await stack.preview();
    expect(steps.every(({ op }) => op === "create")).toBe(true);
    expect(steps).toHaveLength(all + 2);
    const unknown = "04da6b54-80e4-46f7-96ec-b56ff0331ba9";
    for (const name of tests) {
      expect(steps.find((step) => step.name === name)?.newState?.inputs["endpointAgentLabels"]).toEqual([unknown]);
    }
    expect(steps.find((step) => step.name === "whole")?.newState?.inputs["endpointAgentLabels"]).toBe(unknown);
  }, 300_000);

  it("refreshes many resources with one list a kind, and finds nothing", async () => {
    stack.declare(program);
    await stack.up();
    before = stack.state();
    await stack.requests();
    expect(await stack.refresh()).toEqual({ same: all });
    expect(await stack.requests()).toEqual(Object.fromEntries(recordKinds.map((kind) => [operationsOf(kind).list.id, 1])));
  }, 300_000);

  describe("records are changed and deleted", () => {
    let refused: Run;
    let shown: Run;
    let refreshed: Record<string, number>;
    let steps: Step[];
    let told: string;
    let updated: Record<string, number>;
    let after: Record<string, StateResource>;
    const namesOf = (op: string): string[] =>
      steps
        .filter((step) => step.op === op)
        .map(({ name }) => name)
        .toSorted();

    beforeAll(async () => {
      for (const kind of recordKinds) {
        const { className, path } = kindCases[kind];
        await stack.change(kind, idOf(`${className}-changed`), drift[className] ?? {}, "?aid=1001");
        await stack.api("DELETE", `${path}/${idOf(`${className}-deleted`)}?aid=1001`);
      }
      for (const name of ["label-a", "stale"]) await stack.api("DELETE", `/v7/endpoint/labels/${idOf(name)}`);
      await door(stack, "dynamic-tests", idOf("remade"), { maxMachines: 7 });
      stack.declare({ ...program, stale: { kind: "Label", args: { ...kindCases.label.full, name: "Other" } } });
      refused = await stack.run("up", "--yes", "--skip-preview");
      shown = await stack.run("refresh", "--preview-only", "--diff", "--expect-no-changes");
      refreshed = await stack.refresh();
      steps = await stack.preview();
      const { stdout } = await stack.must("preview");
      told = stdout.slice(stdout.indexOf("Diagnostics:"));
      updated = await stack.up();
      after = stack.state();
    }, 300_000);

    it("tells what to do when an update meets a record that has gone", () => {
      expect(refused.code).not.toBe(0);
      expect(refused.text).toContain(`The label ${idOf("stale")} no longer exists`);
      expect(refused.text).toContain("pulumi refresh");
    });

    it("shows drift of each kind in refresh", () => {
      expect(shown.code).not.toBe(0);
      for (const changed of Object.values(drift))
        for (const property of Object.keys(changed)) expect(shown.text).toMatch(new RegExp(`~ ${property} *:`));
      const deleted = kinds.length + 2;
      const changed = kinds.length + 1;
      expect(refreshed).toEqual({ update: changed, delete: deleted, same: all - changed - deleted });
    });

    it("mends drift of each kind by an update, and touches nothing else", async () => {
      expect(namesOf("update")).toEqual(kinds.map(({ className }) => `${className}-changed`).toSorted());
      expect(updated["update"]).toBe(kinds.length);
      for (const { className, collection, full } of kinds) {
        const name = `${className}-changed`;
        expect({ [name]: after[name]?.id }).toEqual({ [name]: idOf(name) });
        const stored = await stack.stored(collection, idOf(name));
        const declared = (program[name]?.args ?? full) as Record<string, unknown>;
        for (const property of Object.keys(drift[className] ?? {})) {
          expect(stored).toHaveProperty(property, declared[property]);
        }
        for (const same of [`${className}-steady`, `${className}-minimal`]) {
          expect(steps.map((step) => step.name)).not.toContain(same);
          expect({ [same]: after[same]?.id }).toEqual({ [same]: idOf(same) });
        }
      }
      expect(updated["same"]).toBe(kinds.length * 2);
    });

    it("mends by a replacement what only that mends", () => {
      expect(steps).toContainEqual(expect.objectContaining({ op: "replace", name: "remade", replaceReasons: ["maxMachines"] }));
      expect(after["remade"]?.id).not.toBe(idOf("remade"));
    });

    it("creates again what was deleted", () => {
      const created = ["label-a", "stale", ...kinds.map(({ className }) => `${className}-deleted`)];
      expect(namesOf("create")).toEqual(created.toSorted());
      expect(updated["create"]).toBe(created.length);
      for (const name of created) expect({ [name]: after[name]?.id }).not.toEqual({ [name]: idOf(name) });
    });

    it("replaces the tests of a label that is created again, and preview says so", async () => {
      for (const name of tests) {
        expect(steps).toContainEqual(expect.objectContaining({ op: "replace", name, replaceReasons: ["endpointAgentLabels"] }));
      }
      expect(told.match(/endpointAgentLabels is known after the update only; set at creation only/g)).toHaveLength(
        tests.length,
      );
      for (const { className, collection } of testKinds) {
        const name = `${className}-by-label`;
        expect({ [name]: after[name]?.id }).not.toEqual({ [name]: idOf(name) });
        expect(await stack.stored(collection, after[name]?.id ?? "")).toMatchObject({
          endpointAgentLabels: [after["label-a"]?.id],
        });
      }
    });
  });

  it("deletes what is gone already", async () => {
    const state = stack.state();
    for (const { className, path } of kinds) await stack.api("DELETE", `${path}/${state[`${className}-steady`]?.id}?aid=1001`);
    await stack.destroy();
    for (const { collection } of kinds) expect(await stack.ids(collection)).toEqual([]);
  }, 300_000);
});
