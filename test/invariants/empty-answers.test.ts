/**
 * Tests responses without content. An empty account must not block the first update, and a missing id must not block refresh and
 * destroy.
 */
import type { RecordKindName } from "../../provider/registry";
import { kindCases, operationsOf, recordKinds } from "../support/kinds";
import { skipIdleTime } from "../support/idle-time";
import { Bench, withLabels } from "../provider/bench";
import { EngineModel, type Program } from "../provider/engine-model";
import type { Front } from "../provider/engine-processes";

skipIdleTime();

const headers = { "content-type": "application/json" };
/** The service's responses to a list request without records. */
const emptyLists: Record<string, object> = {
  "{}": { status: 200, body: {}, headers },
  null: { status: 200, body: "null", headers },
  "204": { status: 204, body: null },
  "404": { status: 404, body: null },
};
/** The service's responses to a get request for a missing record, including retries. */
const missing: Record<string, object> = {
  "400": { status: 400, n: 1 },
  "500": { status: 500, n: 4 },
  null: { status: 200, body: "null", headers, n: 1 },
  "204": { status: 204, body: null, n: 1 },
};
const fronts: readonly Front[] = ["dynamic", "native"];

let bench: Bench;
let args: (values: object) => object;
beforeEach(async () => {
  bench = await Bench.start({ createOutcomeTimeout: "1" }, { agents: 0 });
  args = (await withLabels(bench)) as typeof args;
});
afterEach(() => bench.end());

const declared = (kind: RecordKindName): Record<string, unknown> => args(kindCases[kind].minimal) as Record<string, unknown>;

describe.each(recordKinds)("empty responses to requests for a %s", (kind) => {
  const list = (answer: object): Promise<void> =>
    bench.fault({ operation: operationsOf(kind).list.id, kind: "status", n: 100, ...answer });

  it.each(Object.keys(emptyLists))(
    "creating a record treats the list response %s as empty, but reads and lists reject the response",
    async (name) => {
      const answer = emptyLists[name] ?? {};
      bench.newSession();
      await list(answer);
      const { id, state } = await bench.create(kind, declared(kind));
      for (const read of [() => bench.life(kind).list(undefined), () => bench.life(kind).read("2", state)]) {
        bench.newSession();
        await expect(read()).rejects.toThrow(/GET .* returned an unexpected response|GET .* answered 404/);
      }
      // After a create with an unknown outcome, such a list does not show whether the record exists.
      bench.newSession();
      await bench.fault({ operation: operationsOf(kind).create.id, kind: "drop-before" });
      const other = { ...declared(kind), ...otherName(kind) };
      await expect(bench.create(kind, other)).rejects.toMatchObject({ code: "unknown-outcome" });
      await bench.door("faults/reset");
      bench.newSession();
      expect((await bench.life(kind).read(id, state))?.id).toBe(id);
    },
  );

  it("a list with an empty next link does not prove that a record was deleted", async () => {
    const { id, state } = await bench.create(kind, declared(kind));
    const open = { [membersOf(kind)]: [], _links: { next: { href: "" } } };
    await list({ status: 200, body: open, headers });
    bench.newSession();
    expect(await bench.life(kind).list(undefined)).toEqual([]);
    expect((await bench.life(kind).read(id, state))?.id).toBe(id);
    bench.newSession();
    await expect(bench.life(kind).read(kind === "endpointAgentTag" ? missingTag : "2", state)).rejects.toThrow(
      /empty link.*pulumi state delete/,
    );
  });

  // Each response meets each resource type on one of the fronts.
  const rows = Object.keys(missing).map(
    (name, at) => [name, fronts[(at + recordKinds.indexOf(kind)) % fronts.length]] as const,
  );

  it.each(rows)(
    "the response %s for a missing record blocks neither refresh nor destroy with %s resources",
    async (name, front) => {
      const engine = new EngineModel(bench);
      const program: Program = {
        left: { kind, front, args: { ...declared(kind), ...otherName(kind) } },
        right: { kind, front, args: declared(kind) },
      };
      await engine.up(program);
      const [gone = ""] = engine.ids();
      await bench.life(kind).delete(gone, {});
      const get = { operation: operationsOf(kind).get.id, kind: "status", ...missing[name] };
      // The provider cannot confirm the deletion while a get of an existing record also fails.
      await bench.fault({ ...get, n: 100 });
      await expect(engine.refresh()).rejects.toThrow(
        front === "native" ? /`pulumi state delete 'urn:[^']*left'`/ : /`pulumi state delete URN`.*::/,
      );
      expect(engine.ids()).toContain(gone);
      await bench.door("faults/reset");
      await bench.fault(get);
      await engine.refresh();
      expect(engine.ids()).toHaveLength(1);
      await engine.up(program);
      const [, again = ""] = engine.ids();
      await bench.life(kind).delete(again, {});
      if (name !== "204") await bench.fault({ operation: operationsOf(kind).delete.id, kind: "status", ...missing[name] });
      await engine.destroy();
      expect(engine.ids()).toEqual([]);
      await bench.door("faults/reset");
    },
  );
});

const missingTag = "00000000-0000-4000-8000-000000000000";

function membersOf(kind: RecordKindName): string {
  return kind === "label" ? "labels" : kind === "endpointAgentTag" ? "tags" : "tests";
}

function otherName(kind: RecordKindName): object {
  const name = kind === "label" ? "name" : kind === "endpointAgentTag" ? "value" : "testName";
  return { [name]: "Another" };
}
