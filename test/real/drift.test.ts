/** One program contains both provider types, so that an engine operation covers both types. */
import { caseLabels, changeInPlace, kindCases, operationsOf, recordKind, recordKinds } from "../support/kinds";
import { records, type RecordKindName } from "../../provider/registry";
import { door } from "./support/drift";
import {
  type Declared,
  type Diagnostic,
  type Front,
  fronts,
  type Program,
  type Run,
  type StateResource,
  type Step,
  Stack,
} from "./support/stack";

const kinds = Object.values(kindCases);
/** The types that select agents by labels. */
const testKinds = recordKinds.filter((kind) => recordKind(kind).reach?.means === "test").map((kind) => kindCases[kind]);
const tests = testKinds.map(({ className }) => `${className}-by-label`);
/** Returns a fully declared resource of each type for each scenario. Identical records would be duplicates. */
const fullOf = (what: string): Program =>
  Object.fromEntries(
    Object.entries(kindCases).map(([name, { className, full }]) => [
      `${className}${what}`,
      { kind: className, args: { ...full, [records[name as RecordKindName].nameProperty]: `Full${what}` } },
    ]),
  );
const ofFront: Program = {
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
const nameOf = (front: Front, name: string): string => `${front}-${name}`;
const kindOf = Object.fromEntries(
  Object.entries(kindCases).map(([name, { className }]) => [className, name as RecordKindName]),
);
/** Returns a front's resources with separate ids and names, because identical records would be duplicates. */
const of = (front: Front, resources: Program): Program =>
  Object.fromEntries(
    Object.entries(resources).map(([name, { kind, args, ...rest }]): [string, Declared] => {
      const { nameProperty } = records[kindOf[kind] ?? "label"];
      const { [nameProperty]: named } = args as Record<string, unknown>;
      const frontArgs = JSON.parse(
        JSON.stringify({ ...args, ...(typeof named === "string" && { [nameProperty]: `${named} ${front}` }) }).replaceAll(
          /"\$(id|after)":"([\w-]+)"/g,
          (_, key: string, other: string) => `"$${key}":"${nameOf(front, other)}"`,
        ),
      ) as object;
      return [nameOf(front, name), { kind, args: frontArgs, front, ...rest }];
    }),
  );
const ofBoth = (resources: Program): Program => Object.assign({}, ...fronts.map((front) => of(front, resources))) as Program;
const program = ofBoth(ofFront);
const all = Object.keys(ofFront).length;
const both = fronts.length;
const inPlace = (kind: RecordKindName): Record<string, unknown> => {
  const { property, to } = changeInPlace(kind);
  return { [property]: to };
};
/** Changes to a record of each type outside of Pulumi. */
const drift: Record<string, Record<string, unknown>> = {
  ...Object.fromEntries(recordKinds.map((kind) => [kindCases[kind].className, inPlace(kind)])),
  Label: { color: "#000000", name: "Drifted" },
  AgentToServerTest: { interval: 60, isEnabled: true },
  HttpServerTest: { url: "https://drifted.example.com", interval: 60 },
  DynamicTest: { testName: "Drifted", interval: 60 },
};

let stack: Stack;
let before: Record<string, StateResource>;
const idOf = (name: string): string => before[name]?.id ?? "";

beforeAll(async () => {
  stack = await Stack.startWith("native");
});
afterAll(() => stack.end());

describe("preview before the first update", () => {
  let steps: Step[];
  beforeAll(async () => {
    const whole = { ...kindCases.dynamicTest.minimal, agentSelectorType: "agent-labels" };
    const within = { name: "Within", matchType: "and", filters: [{ key: "agent-id", values: [{ $id: "label-a" }] }] };
    stack.declare(
      ofBoth({
        ...ofFront,
        // An Output of a whole list, of a whole property, and a nested value.
        whole: {
          kind: "DynamicTest",
          args: {
            ...whole,
            testName: { $after: "label-a", value: "Whole" },
            endpointAgentLabels: { $after: "label-a", value: ["x"] },
          },
        },
        within: { kind: "Label", args: within },
      }),
    );
    steps = await stack.preview();
  });

  it.each(fronts)("a preview of %s resources accepts unknown label ids and an unknown list of labels", (front) => {
    const frontSteps = steps.filter(({ name }) => name.startsWith(front));
    expect(frontSteps.every(({ op }) => op === "create")).toBe(true);
    expect(frontSteps).toHaveLength(all + 2);
    const unknown = "04da6b54-80e4-46f7-96ec-b56ff0331ba9";
    const inputOf = (name: string) => frontSteps.find((step) => step.name === nameOf(front, name))?.newState?.inputs;
    for (const name of tests) expect(inputOf(name)?.["endpointAgentLabels"]).toEqual([unknown]);
    expect(inputOf("whole")?.["endpointAgentLabels"]).toBe(unknown);
  });
});

test("a refresh sends one list request for each resource type, even for many resources", async () => {
  stack.declare(program);
  await stack.up();
  before = stack.state();
  await stack.requests();
  expect(await stack.refresh()).toEqual({ same: all * both });
  expect(await stack.requests()).toEqual(Object.fromEntries(recordKinds.map((kind) => [operationsOf(kind).list.id, both])));
});

describe("drift after changes outside of Pulumi", () => {
  let refused: Run;
  let shown: Run;
  let refreshed: Record<string, number>;
  let steps: Step[];
  let diagnostics: Diagnostic[];
  let updated: Record<string, number>;
  let after: Record<string, StateResource>;

  beforeAll(async () => {
    for (const front of fronts) {
      for (const kind of recordKinds) {
        const { className, path } = kindCases[kind];
        await stack.change(kind, idOf(nameOf(front, `${className}-changed`)), drift[className] ?? {}, "?aid=1001");
        await stack.api("DELETE", `${path}/${idOf(nameOf(front, `${className}-deleted`))}?aid=1001`);
      }
      for (const name of ["label-a", "stale"]) await stack.api("DELETE", `/v7/endpoint/labels/${idOf(nameOf(front, name))}`);
      await door(stack, "dynamic-tests", idOf(nameOf(front, "remade")), { maxMachines: 7 });
    }
    stack.declare(ofBoth({ ...ofFront, stale: { kind: "Label", args: { ...kindCases.label.full, name: "Other" } } }));
    refused = await stack.run("up", "--yes", "--skip-preview", "--continue-on-error");
    shown = await stack.run("refresh", "--preview-only", "--diff", "--expect-no-changes");
    refreshed = await stack.refresh();
    ({ steps, diagnostics } = await stack.previewed());
    updated = await stack.up();
    after = stack.state();
  });

  it("a refresh shows the drift of each resource type", () => {
    expect(shown.code).not.toBe(0);
    for (const changed of Object.values(drift)) {
      for (const property of Object.keys(changed)) {
        // From each front.
        const lines = shown.text.match(new RegExp(`~ ${property} *:`, "g")) ?? [];
        expect([property, lines.length >= both]).toEqual([property, true]);
      }
    }
    const deleted = kinds.length + 2;
    const changed = kinds.length + 1;
    expect(refreshed).toEqual({
      update: changed * both,
      delete: deleted * both,
      same: (all - changed - deleted) * both,
    });
  });

  it("an update fixes all drift and changes nothing else", () => {
    expect(updated["update"]).toBe(kinds.length * both);
    expect(updated["same"]).toBe(kinds.length * 2 * both);
    expect(updated["create"]).toBe((kinds.length + 2) * both);
    const messages = diagnostics.map(({ message }) => message).join("\n");
    expect(messages.match(/endpointAgentLabels is known only after the update; set only at creation/g)).toHaveLength(
      tests.length * both,
    );
  });

  describe.each(fronts)("drift of %s resources", (front) => {
    const frontName = (name: string): string => nameOf(front, name);
    const namesOf = (op: string): string[] =>
      steps
        .filter((step) => step.op === op && step.name.startsWith(front))
        .map(({ name }) => name)
        .toSorted();

    it("an update of a deleted record fails and recommends a refresh", () => {
      expect(refused.code).not.toBe(0);
      expect(refused.text).toContain(`The label ${idOf(frontName("stale"))} no longer exists`);
      expect(refused.text).toContain("pulumi refresh");
    });

    it("an update fixes the drift of each resource type and changes nothing else", async () => {
      expect(namesOf("update")).toEqual(kinds.map(({ className }) => frontName(`${className}-changed`)).toSorted());
      for (const { className, collection, full } of kinds) {
        const name = frontName(`${className}-changed`);
        expect({ [name]: after[name]?.id }).toEqual({ [name]: idOf(name) });
        const stored = await stack.stored(collection, idOf(name));
        const declared = (program[name]?.args ?? full) as Record<string, unknown>;
        for (const property of Object.keys(drift[className] ?? {})) {
          expect(stored).toHaveProperty(property, declared[property]);
        }
        for (const same of [frontName(`${className}-steady`), frontName(`${className}-minimal`)]) {
          expect(steps.map((step) => step.name)).not.toContain(same);
          expect({ [same]: after[same]?.id }).toEqual({ [same]: idOf(same) });
        }
      }
    });

    it("an update replaces a record to fix drift of a create-only property", () => {
      const name = frontName("remade");
      expect(steps).toContainEqual(expect.objectContaining({ op: "replace", name, replaceReasons: ["maxMachines"] }));
      expect(after[name]?.id).not.toBe(idOf(name));
    });

    it("an update recreates deleted records", () => {
      const created = ["label-a", "stale", ...kinds.map(({ className }) => `${className}-deleted`)].map(frontName);
      expect(namesOf("create")).toEqual(created.toSorted());
      for (const name of created) expect({ [name]: after[name]?.id }).not.toEqual({ [name]: idOf(name) });
    });

    it("preview and update replace the tests that use a recreated label", async () => {
      for (const name of tests.map(frontName)) {
        expect(steps).toContainEqual(expect.objectContaining({ op: "replace", name, replaceReasons: ["endpointAgentLabels"] }));
      }
      for (const { className, collection } of testKinds) {
        const name = frontName(`${className}-by-label`);
        expect({ [name]: after[name]?.id }).not.toEqual({ [name]: idOf(name) });
        expect(await stack.stored(collection, after[name]?.id ?? "")).toMatchObject({
          endpointAgentLabels: [after[frontName("label-a")]?.id],
        });
      }
    });
  });
});

test("destroy succeeds although a user has deleted records", async () => {
  const state = stack.state();
  for (const front of fronts) {
    for (const { className, path } of kinds)
      await stack.api("DELETE", `${path}/${state[nameOf(front, `${className}-steady`)]?.id}?aid=1001`);
  }
  await stack.destroy();
  for (const { collection } of kinds) expect(await stack.ids(collection)).toEqual([]);
});
