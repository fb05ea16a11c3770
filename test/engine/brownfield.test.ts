/** A service that was clicked together is taken over; then somebody goes on clicking, and drift names exactly what. */
import { records, type RecordKindName } from "../../provider/registry";
import { kindCases } from "../support/kinds";
import { compilerSays } from "./support/checked";
import { door, report } from "./support/drift";
import { seed, type Fleet } from "./support/fleet";
import { Stack } from "./support/stack";

jest.setTimeout(600_000);

type Values = Record<string, unknown>;

/** One property of one record, changed behind Pulumi's back. */
interface Meddling {
  kind: string;
  property: string;
  id: string;
  /** Properties that drift has to name. */
  expected: string[];
  unseen: boolean;
}

let stack: Stack;
let fleet: Fleet;
const meddled: Meddling[] = [];

beforeAll(async () => {
  stack = await Stack.start({ agents: 50 }, "typescript");
  stack.writeStateOnce();
  fleet = await seed(stack, { labels: 200, tests: 300 });
  const run = await stack.cli("import", "--agents", "--run");
  if (run.code !== 0) throw new Error(run.text);
});
afterAll(() => stack.end());

it("there is nothing to change and no drift right after the import", async () => {
  expect(await stack.run("preview", "--expect-no-changes")).toMatchObject({ code: 0 });
  expect(await stack.cli("drift")).toMatchObject({ code: 0 });
});

it("every property of every kind is changed, each of another record", async () => {
  const ids: Record<RecordKindName, string[]> = { label: fleet.labels, ...fleet.tests };
  // The kinds of the very table that kindCases is typed from.
  for (const kind of Object.keys(kindCases) as RecordKindName[]) {
    const { path, collection, changes } = kindCases[kind];
    const free = new Set(ids[kind]);
    for (const [property, { from = {}, to, together }] of Object.entries(changes)) {
      // A record does not move: out of its account group it has gone.
      if (property === "accountGroupId") continue;
      const values = withIds(to, fleet.labels) as Values;
      const id = await recordFor(kind, collection, free, property, from, values);
      const only = records[kind];
      const viaDoor = (only.createOnly as readonly string[]).includes(property);
      await (viaDoor ? door(stack, collection, id, values) : stack.api("PATCH", `${path}/${id}`, values));
      const unseen = (only.writeOnly as readonly string[]).includes(property);
      meddled.push({ kind, property, id, expected: together ?? [property], unseen });
    }
  }
  const [named = "", licensed = "", switched = ""] = fleet.agents.slice(5);
  await stack.api("PATCH", `/v7/endpoint/agents/${named}`, { name: "renamed by hand" });
  const { licenseType } = (await (await stack.api("GET", `/v7/endpoint/agents/${licensed}`)).json()) as { licenseType: string };
  const other = licenseType === "advantage" ? "essentials" : "advantage";
  await stack.api("PATCH", `/v7/endpoint/agents/${licensed}`, { licenseType: other });
  await stack.api("POST", `/v7/endpoint/agents/${switched}/disable`);
  for (const [id, property] of [
    [named, "agentName"],
    [licensed, "licenseType"],
    [switched, "enabled"],
  ] as const) {
    meddled.push({ kind: "endpointAgent", property, id, expected: [property], unseen: false });
  }
  const properties = Object.values(kindCases).flatMap(({ changes }) => Object.keys(changes));
  expect(meddled).toHaveLength(properties.filter((property) => property !== "accountGroupId").length + 3);
});

it("drift names exactly these properties, and lists what is never returned as unseen", async () => {
  await stack.requests();
  const run = await stack.cli("drift", "--json");
  expect(run.code).toBe(2);
  const { stacks, unmanaged, unseen } = report(run);
  const line = (id: string, properties: string[]): string => `${id} ${properties.toSorted().join(",")}`;
  const found = stacks.flatMap(({ changed }) =>
    changed.map(({ id, properties }) =>
      line(
        id,
        properties.map((p) => p.property),
      ),
    ),
  );
  const seen = meddled.filter((one) => !one.unseen);
  expect(found.toSorted()).toEqual(seen.map(({ id, expected }) => line(id, expected)).toSorted());
  expect([stacks.flatMap(({ missing }) => missing), unmanaged]).toEqual([[], []]);
  expect(meddled.length - seen.length).toBe(2);
  for (const { property } of meddled.filter((one) => one.unseen)) expect(JSON.stringify(unseen)).toContain(`"${property}"`);
  const requests = await stack.requests();
  expect(Object.keys(requests).filter((operation) => operation.endsWith(".get"))).toEqual([]);
});

it("the engine finds as many", async () => {
  const { stdout } = await stack.must("refresh", "--preview-only");
  const seen = meddled.filter((one) => !one.unseen).length;
  expect(stdout).toMatch(new RegExp(`~ ${seen} to update`));
});

it("accepted into the program, it is drift no more", async () => {
  const run = await stack.cli("drift", "--accept", "--json");
  const { accepted, stacks } = report(run);
  const seen = meddled.filter((one) => !one.unseen);
  expect(accepted?.left.map(({ name, reason }) => `${name}: ${reason}`)).toEqual([]);
  expect(accepted?.resources.map(({ id }) => id).toSorted()).toEqual(seen.map(({ id }) => id).toSorted());
  expect([run.code, stacks.flatMap(({ changed }) => changed)]).toEqual([0, []]);
  expect(compilerSays(stack.folder)).toBe("");
  expect(await stack.run("preview", "--expect-no-changes")).toMatchObject({ code: 0 });
  expect(await stack.run("refresh", "--preview-only", "--expect-no-changes")).toMatchObject({ code: 0 });
});

/** `{ $id: name }` as the id of a label: which one does not matter, but each name is another. */
function withIds(value: unknown, labels: readonly string[]): unknown {
  if (Array.isArray(value)) return value.map((item) => withIds(item, labels));
  if (typeof value !== "object" || value === null) return value;
  if ("$id" in value) return labels[value.$id === "label-a" ? 10 : 11];
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, withIds(member, labels)]));
}

/** A record that the change means something to: it has what goes along with the property, and another value. */
async function recordFor(
  kind: RecordKindName,
  collection: string,
  free: Set<string>,
  property: string,
  from: Values,
  to: Values,
): Promise<string> {
  const needed = { agentSelectorType: from["agentSelectorType"] ?? "all-agents" };
  const withUser = ["authType", "username", "password"].includes(property);
  for (const id of free) {
    const stored = await stack.stored(collection, id);
    const fits = kind === "label" || stored["agentSelectorType"] === needed.agentSelectorType;
    const authenticates = !withUser || stored["authType"] === "basic";
    const differs = Object.entries(to).every(([key, value]) => JSON.stringify(stored[key]) !== JSON.stringify(value));
    if (!fits || !authenticates || !differs) continue;
    free.delete(id);
    return id;
  }
  throw new Error(`no ${kind} to change ${property} of`);
}
