import { titleOf } from "../../provider/identity";
import { records } from "../../provider/registry";

import { caseLabels, kindCases, type KindCase } from "../support/kinds";
import { fronts, type Program, Stack, type StateResource } from "./support/stack";

/** One resource a property, so that one update of one stack changes each property alone. */
interface Case {
  name: string;
  property: string;
  of: KindCase;
  kind: (typeof records)[keyof typeof records];
  from: object;
  to: object;
  expected: string[];
}

const labels: Program = Object.fromEntries(Object.entries(caseLabels).map(([name, args]) => [name, { kind: "Label", args }]));

const cases: Case[] = Object.entries(kindCases).flatMap(([kindName, of]) =>
  Object.entries(of.changes).map(([property, change]) => {
    const name = `${kindName}-${property}`;
    // Records are named after their case: identical ones would be twins.
    const kind = records[kindName as keyof typeof records];
    const from = { ...of.full, [kind.nameProperty]: name, ...change.from };
    // A renaming keeps the new name.
    const to = { ...from, ...change.to };
    return { name, property, of, kind, from, to, expected: change.together ?? [property] };
  }),
);
const replaces = ({ kind, property }: Case): boolean => kind.createOnly.includes(property);
const updates = cases.filter((one) => !replaces(one));
const replacements = cases.filter(replaces);

const programOf = (side: "from" | "to"): Program => ({
  ...labels,
  ...Object.fromEntries(cases.map((one) => [one.name, { kind: one.of.className, args: one[side] }])),
});

/** Members of a stored record that differ, but for those that every change or creation touches. */
function differing(before: Record<string, unknown>, after: Record<string, unknown>): string[] {
  const volatile = new Set(["testId", "id", "legacyId", "createdDate", "createDate", "modifiedDate"]);
  return [...new Set([...Object.keys(before), ...Object.keys(after)])].filter(
    (member) => !volatile.has(member) && JSON.stringify(before[member]) !== JSON.stringify(after[member]),
  );
}

describe.each(fronts)("changing one property of every kind, on the engine, %s front", (front) => {
  let stack: Stack;
  let before: Record<string, StateResource>;
  let after: Record<string, StateResource>;
  const storedBefore: Record<string, Record<string, unknown>> = {};

  beforeAll(async () => {
    stack = await Stack.startWith(front);
    stack.declare(programOf("from"));
    await stack.up();
    before = stack.state();
    for (const one of cases) storedBefore[one.name] = await stack.stored(one.of.collection, before[one.name]?.id ?? "");
    stack.declare(programOf("to"));
  }, 300_000);
  afterAll(() => stack.end());

  it("has a case for every property of every kind", () => {
    for (const [name, kind] of Object.entries(records)) {
      const properties = Object.keys(kind.schema.shape).filter((property) => !kind.providerOptions.includes(property));
      expect(Object.keys(kindCases[name as keyof typeof records].changes).toSorted()).toEqual(properties.toSorted());
    }
    expect(updates.length).toBeGreaterThanOrEqual(4 + 7 + 6 + 6);
    expect(replacements.length).toBeGreaterThanOrEqual(7 * 3 + 10);
  });

  it("previews an update or a replacement for each, and says why", async () => {
    await stack.requests();
    const steps = await stack.preview();
    const of = (name: string) => steps.find((step) => step.name === name && ["update", "replace"].includes(step.op));
    for (const one of updates) expect({ [one.name]: of(one.name)?.op }).toEqual({ [one.name]: "update" });
    for (const one of replacements) {
      const step = of(one.name);
      expect({ name: one.name, op: step?.op, why: step?.replaceReasons.toSorted() }).toEqual({
        name: one.name,
        op: "replace",
        why: one.expected.toSorted(),
      });
    }
    const { stdout } = await stack.must("preview");
    for (const one of replacements) {
      const title = titleOf(one.kind, { ...one.from });
      // The engine prints the lines of the plugin under their resource.
      const heading = `endpoint-monitoring:index:${one.of.className} (${one.name}):\n`;
      const under = stdout.split(heading)[1];
      const line = front === "native" ? under?.split("\n")[0] : stdout.split("\n").find((text) => text.includes(`"${title}"`));
      expect(line).toContain(
        front === "native" ? "replaced because " : `replace ${one.kind.noun} "${title}" (${before[one.name]?.id}): `,
      );
      for (const property of one.expected) expect(line).toContain(property);
    }
    expect(await stack.requests()).toEqual({});
  }, 300_000);

  it("carries each out, with its neighbours unchanged", async () => {
    const changes = await stack.up();
    expect(changes["update"]).toBe(updates.length);
    expect(changes["replace"] ?? changes["create-replacement"]).toBe(replacements.length);
    after = stack.state();
    for (const one of cases) {
      const id = after[one.name]?.id ?? "";
      const kept = id === before[one.name]?.id;
      const stored = await stack.stored(one.of.collection, id);
      const changed = differing(storedBefore[one.name] ?? {}, stored);
      expect({ [one.name]: kept }).toEqual({ [one.name]: !replaces(one) });
      // The account group is no member of the stored body.
      const members = one.expected.filter((property) => property !== "accountGroupId");
      expect({ [one.name]: changed.toSorted() }).toEqual({ [one.name]: members.toSorted() });
    }
  }, 300_000);

  it("moves what is to live in another account group", () => {
    for (const one of cases.filter(({ property }) => property === "accountGroupId")) {
      expect(after[one.name]?.outputs["accountGroupId"]).toBe("1002");
    }
  });

  it("then has nothing more to do, and asks nothing", async () => {
    await stack.requests();
    expect(await stack.up()).toEqual({ same: cases.length + Object.keys(labels).length });
    expect(await stack.requests()).toEqual({});
  }, 300_000);

  it("keeps in state a provider string under 150 bytes", () => {
    for (const resource of Object.values(after)) {
      for (const side of [resource.inputs, resource.outputs]) {
        expect(Buffer.byteLength(String(side["__provider"]))).toBeLessThan(150);
      }
    }
  });

  it("destroys all of it", async () => {
    await stack.destroy();
    for (const one of Object.values(kindCases)) expect(await stack.ids(one.collection)).toEqual([]);
  }, 300_000);
});
