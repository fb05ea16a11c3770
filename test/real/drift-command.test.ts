import { readFileSync } from "node:fs";
import { join } from "node:path";
import { records, type RecordKindName } from "../../provider/registry";
import { caseLabels, kindCases, recordKind, type KindCase } from "../support/kinds";
import { door, report, resolved } from "./support/drift";
import { oneListAKind } from "./support/fleet";
import { frontsWithinTime, type Program, Stack, type StateResource } from "./support/stack";

/** One resource for each property, each changed separately. */
interface Case {
  name: string;
  property: string;
  of: KindCase;
  kindName: RecordKindName;
  kind: (typeof records)[RecordKindName];
  from: Record<string, unknown>;
  /** Members to change outside of Pulumi. */
  to: Record<string, unknown>;
  expected: string[];
}

const labels: Program = Object.fromEntries(Object.entries(caseLabels).map(([name, args]) => [name, { kind: "Label", args }]));

const cases: Case[] = Object.entries(kindCases).flatMap(([key, of]) =>
  Object.entries(of.changes)
    // A record cannot move. In another account group, it counts as missing.
    .filter(([property]) => property !== "accountGroupId")
    .map(([property, wanted]) => {
      const kindName = key as RecordKindName;
      const name = `${kindName}-${property}`;
      const from = { ...of.full, [records[kindName].nameProperty]: name, ...wanted.from };
      return {
        name,
        property,
        of,
        kindName,
        kind: records[kindName],
        from,
        to: wanted.to,
        expected: wanted.together ?? [property],
      };
    }),
);
const isUnseen = ({ kind, property }: Case): boolean => kind.writeOnly.includes(property);
const replaces = ({ kind, property }: Case): boolean => kind.createOnly.includes(property);
const seen = cases.filter((driftCase) => !isUnseen(driftCase));

const program: Program = {
  ...labels,
  ...Object.fromEntries(cases.map(({ name, of, from }) => [name, { kind: of.className, args: from }])),
};

/** Changes the stored record: through the API if PATCH accepts the property, otherwise through the control API. */
async function change(
  stack: Stack,
  { of, kindName, property, to }: Case,
  id: string,
  viaDoor: boolean,
  state: Record<string, StateResource>,
) {
  const values = resolved(to, state) as object;
  if (viaDoor) return door(stack, of.collection, id, values);
  // An update of a test sends all its properties. This request sends only the changed ones.
  expect(Object.keys(values)).toEqual([property]);
  await stack.change(kindName, id, values as Record<string, unknown>, "?aid=1001");
}

describe.each(frontsWithinTime)("changes outside of Pulumi with %s resources", (front) => {
  let stack: Stack;
  let state: Record<string, StateResource>;
  const before = new Map<string, Record<string, unknown>>();

  beforeAll(async () => {
    stack = await Stack.startWith(front);
    stack.declare(program);
    await stack.up();
    state = stack.state();
    for (const { name, of } of cases) before.set(name, await stack.stored(of.collection, state[name]?.id ?? ""));
  });
  afterAll(() => stack.end());

  it("`drift` reports no drift before the first change", async () => {
    await stack.requests();
    const http = cases.filter(({ kindName }) => kindName === "httpServerTest");
    const run = await stack.cli("drift", "--json");
    expect(run).toMatchObject({ code: 0 });
    expect(await stack.requests()).toEqual(oneListAKind);
    expect(report(run)).toEqual({
      drift: false,
      stacks: [{ stack: "dev", resources: Object.keys(program).length, changed: [], missing: [], notes: [] }],
      unmanaged: [],
      unseen: [
        { kind: "httpServerTest", property: "password", resources: http.filter(({ from }) => from.password).length },
        { kind: "httpServerTest", property: "targetResponseTime", resources: http.length },
      ],
      failures: [],
    });
  });

  it("the test program changes each property except the account group", () => {
    for (const [name, kind] of Object.entries(records)) {
      const properties = Object.keys(kind.schema.shape).filter((property) => !["adopt", "accountGroupId"].includes(property));
      const covered = cases.filter(({ kindName }) => kindName === name).map(({ property }) => property);
      expect(covered.toSorted()).toEqual(properties.toSorted());
    }
    expect(seen.length).toBeGreaterThanOrEqual(45);
  });

  it("drift names only the changed property with its declared and actual value", async () => {
    for (const driftCase of cases) {
      await change(stack, driftCase, state[driftCase.name]?.id ?? "", replaces(driftCase) || isUnseen(driftCase), state);
    }
    const run = await stack.cli("drift", "--json", "--no-unmanaged");
    expect(run.code).toBe(2);
    const [stackReport] = report(run).stacks;
    expect(stackReport?.missing).toEqual([]);
    expect(stackReport?.notes).toEqual([]);
    expect(stackReport?.changed.map(({ name }) => name).toSorted()).toEqual(seen.map(({ name }) => name).toSorted());
    for (const seenCase of seen) {
      const resource = stackReport?.changed.find(({ name }) => name === seenCase.name);
      const properties = resource?.properties.map(({ property }) => property);
      expect({ [seenCase.name]: properties?.toSorted() }).toEqual({ [seenCase.name]: seenCase.expected.toSorted() });
      expect(resource).toMatchObject({
        kind: seenCase.kindName,
        id: state[seenCase.name]?.id,
        position: { file: "index.js", line: 34 },
      });
      const drift = resource?.properties.find(({ property }) => property === seenCase.property);
      expect({ [seenCase.name]: drift?.before }).toEqual({
        [seenCase.name]: resolved(seenCase.from[seenCase.property], state),
      });
      // The service adds the port to a URL.
      const after =
        seenCase.property === "url" ? "https://www.example.net:443/" : resolved(seenCase.to[seenCase.property], state);
      expect({ [seenCase.name]: drift?.after }).toEqual({ [seenCase.name]: after });
      expect({ [seenCase.name]: drift?.owner }).toEqual({ [seenCase.name]: "program" });
      expect({ [seenCase.name]: drift?.replaces === true }).toEqual({ [seenCase.name]: replaces(seenCase) });
      expect(resource?.replacementCost === undefined).toBe(!replaces(seenCase));
      // Records of tests contain the date of their last change.
      const dated = recordKind(seenCase.kindName).modifiedAt({ modifiedDate: "2026-01-01T00:00:00Z" }) !== undefined;
      expect(resource?.modified !== undefined).toBe(dated);
    }
    const filters = stackReport?.changed.find(({ name }) => name === "label-filters")?.properties[0];
    expect(filters?.lost).toEqual(kindCases.label.full["filters"]);
    expect(filters?.gained).toEqual([{ key: "asn", mode: "in", values: ["64512"] }]);
    // Changes to never-returned properties are not found, and the report lists the properties.
    const unseen = report(run).unseen.map(({ kind, property }) => `${kind}-${property}`);
    expect(unseen.toSorted()).toEqual(
      cases
        .filter(isUnseen)
        .map(({ name }) => name)
        .toSorted(),
    );
  });

  it("drift shows the changes on the terminal and in Markdown, without secrets", async () => {
    const run = await stack.cli("drift", "--no-unmanaged", "--markdown", "drift.md");
    expect(run.code).toBe(2);
    const markdown = readFileSync(join(stack.folder, "drift.md"), "utf8");
    for (const text of [run.stdout, markdown]) {
      expect(text).toContain(`Drift: ${seen.length} changed`);
      for (const driftCase of seen) for (const property of driftCase.expected) expect(text).toContain(property);
      expect(text).toContain("password, targetResponseTime of");
    }
    const label = state["label-b"]?.id ?? "";
    expect(run.stdout).toContain(`+ endpointAgentLabels: ${label} (label-b)`);
    expect((await stack.cli("drift", "--no-unmanaged", "--markdown", "-")).stdout).toBe(markdown);
    for (const secret of ["first-passw0rd", "second-passw0rd", "emulator-token"]) expect(stack.output).not.toContain(secret);
  });

  it("drift --fix fixes all drift and changes nothing else", async () => {
    const run = await stack.cli("drift", "--json", "--no-unmanaged", "--fix");
    expect({ code: run.code, stderr: run.stderr }).toMatchObject({ code: 0 });
    const { fixed, stacks, drift } = report(run);
    expect(drift).toBe(false);
    expect(stacks[0]).toMatchObject({ changed: [], missing: [] });
    expect(fixed).toMatchObject({ left: [], pending: [], failures: [] });
    expect(fixed?.resources.map(({ name, how }) => `${name} ${how}`).toSorted()).toEqual(
      seen.map((driftCase) => `${driftCase.name} ${replaces(driftCase) ? "replaced" : "changed"}`).toSorted(),
    );
    const after = stack.state();
    for (const seenCase of seen) {
      const id = after[seenCase.name]?.id ?? "";
      expect({ [seenCase.name]: id === state[seenCase.name]?.id }).toEqual({ [seenCase.name]: !replaces(seenCase) });
      const { createdDate: _c, modifiedDate: _m, ...stored } = await stack.stored(seenCase.of.collection, id);
      const { createdDate: _created, modifiedDate: _modified, ...former } = before.get(seenCase.name) ?? {};
      expect(stored).toEqual(former);
    }
    expect(await stack.preview()).toEqual([]);
  });
});
