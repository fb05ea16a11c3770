/** One program contains both provider types, so that an engine operation covers both types. */
import { titleOf } from "../../provider/identity";
import { records } from "../../provider/registry";

import { caseLabels, kindCases, type KindCase } from "../support/kinds";
import { type Diagnostic, type Front, fronts, type Program, Stack, type StateResource, type Step } from "./support/stack";

/** One resource for each property, so that one update of one stack changes each property separately. */
interface Case {
  front: Front;
  name: string;
  property: string;
  of: KindCase;
  kind: (typeof records)[keyof typeof records];
  from: object;
  to: object;
  expected: string[];
}

const labels: Program = Object.fromEntries(Object.entries(caseLabels).map(([name, args]) => [name, { kind: "Label", args }]));

const allCases: Case[] = fronts.flatMap((front) =>
  Object.entries(kindCases).flatMap(([kindName, of]) =>
    Object.entries(of.changes).map(([property, change]) => {
      const name = `${front}-${kindName}-${property}`;
      // Records are named after their case, because identical ones would be duplicates.
      const kind = records[kindName as keyof typeof records];
      const from = { ...of.full, [kind.nameProperty]: name, ...change.from };
      // A renaming keeps the new name.
      const { [kind.nameProperty]: renamed } = change.to as Record<string, string | undefined>;
      const to = {
        ...from,
        ...change.to,
        ...(renamed !== undefined && { [kind.nameProperty]: `${renamed} ${front}` }),
      };
      return { front, name, property, of, kind, from, to, expected: change.together ?? [property] };
    }),
  ),
);
const replaces = ({ kind, property }: Case): boolean => kind.createOnly.includes(property);

const programOf = (side: "from" | "to"): Program => ({
  ...labels,
  ...Object.fromEntries(
    allCases.map((changeCase) => [
      changeCase.name,
      { kind: changeCase.of.className, front: changeCase.front, args: changeCase[side] },
    ]),
  ),
});

/** Returns the members of a stored record that differ, except those that each change or creation touches. */
function differing(before: Record<string, unknown>, after: Record<string, unknown>): string[] {
  const volatile = new Set(["testId", "id", "legacyId", "createdDate", "createDate", "modifiedDate"]);
  return [...new Set([...Object.keys(before), ...Object.keys(after)])].filter(
    (member) => !volatile.has(member) && JSON.stringify(before[member]) !== JSON.stringify(after[member]),
  );
}

let stack: Stack;
let before: Record<string, StateResource>;
let steps: Step[];
let diagnostics: Diagnostic[];
let changed: Record<string, number>;
let after: Record<string, StateResource>;
let again: Record<string, number>;
/** Requests of the preview, and of an update without changes. */
const sent: Record<string, number>[] = [];
const storedBefore: Record<string, Record<string, unknown>> = {};

beforeAll(async () => {
  stack = await Stack.startWith("native");
  stack.declare(programOf("from"));
  await stack.up();
  before = stack.state();
  for (const changeCase of allCases)
    storedBefore[changeCase.name] = await stack.stored(changeCase.of.collection, before[changeCase.name]?.id ?? "");
  stack.declare(programOf("to"));
  await stack.requests();
  ({ steps, diagnostics } = await stack.previewed());
  sent.push(await stack.requests());
  changed = await stack.up();
  after = stack.state();
  await stack.requests();
  again = await stack.up();
  sent.push(await stack.requests());
});
afterAll(() => stack.end());

test("a preview and an update without changes send no requests", () => expect(sent).toEqual([{}, {}]));

test("an update makes every declared change", () => {
  const replaced = allCases.filter(replaces).length;
  expect(changed["update"]).toBe(allCases.length - replaced);
  expect(changed["replace"] ?? changed["create-replacement"]).toBe(replaced);
  expect(again).toEqual({ same: allCases.length + Object.keys(labels).length });
});

describe.each(fronts)("changes to each property with %s resources", (front) => {
  const cases = allCases.filter((changeCase) => changeCase.front === front);
  const updates = cases.filter((changeCase) => !replaces(changeCase));
  const replacements = cases.filter(replaces);

  it("the test cases change each property of each resource type", () => {
    for (const [name, kind] of Object.entries(records)) {
      const properties = Object.keys(kind.schema.shape).filter((property) => !kind.providerOptions.includes(property));
      expect(Object.keys(kindCases[name as keyof typeof records].changes).toSorted()).toEqual(properties.toSorted());
    }
    expect(updates.length).toBeGreaterThanOrEqual(4 + 7 + 6 + 6);
    expect(replacements.length).toBeGreaterThanOrEqual(7 * 3 + 10);
  });

  it("the preview shows an update or a replacement for each changed property, with the reason", () => {
    const of = (name: string) => steps.find((step) => step.name === name && ["update", "replace"].includes(step.op));
    for (const changeCase of updates)
      expect({ [changeCase.name]: of(changeCase.name)?.op }).toEqual({ [changeCase.name]: "update" });
    for (const replacement of replacements) {
      const step = of(replacement.name);
      expect({ name: replacement.name, op: step?.op, why: step?.replaceReasons.toSorted() }).toEqual({
        name: replacement.name,
        op: "replace",
        why: replacement.expected.toSorted(),
      });
    }
    for (const replacement of replacements) {
      const title = titleOf(replacement.kind, { ...replacement.from });
      // The engine prints the plugin's lines under their resource.
      const line = diagnostics.find(({ name, message }) =>
        front === "native" ? name === replacement.name : message.includes(`"${title}"`),
      )?.message;
      expect(line).toContain(
        front === "native"
          ? "replaced because "
          : `replace ${replacement.kind.noun} "${title}" (${before[replacement.name]?.id}): `,
      );
      for (const property of replacement.expected) expect(line).toContain(property);
    }
  });

  it("the update applies each changed property and keeps all unchanged properties", async () => {
    for (const changeCase of cases) {
      const id = after[changeCase.name]?.id ?? "";
      const kept = id === before[changeCase.name]?.id;
      const stored = await stack.stored(changeCase.of.collection, id);
      const differs = differing(storedBefore[changeCase.name] ?? {}, stored);
      expect({ [changeCase.name]: kept }).toEqual({ [changeCase.name]: !replaces(changeCase) });
      // The account group is not a member of the stored body.
      const members = changeCase.expected.filter((property) => property !== "accountGroupId");
      expect({ [changeCase.name]: differs.toSorted() }).toEqual({ [changeCase.name]: members.toSorted() });
    }
  });

  it("the update moves records to another account group", () => {
    for (const changeCase of cases.filter(({ property }) => property === "accountGroupId")) {
      expect(after[changeCase.name]?.outputs["accountGroupId"]).toBe("1002");
    }
  });

  it("the serialized provider takes fewer than 150 bytes in the state", () => {
    for (const { name } of cases) {
      const resource = after[name];
      if (!resource) throw new Error(`${name} is not in the state`);
      for (const side of [resource.inputs, resource.outputs]) {
        expect(Buffer.byteLength(String(side["__provider"]))).toBeLessThan(150);
      }
    }
  });
});
