import fc from "fast-check";
import { Snapshot } from "../../provider/snapshot";

interface Named {
  id: string;
  name: string;
}

function snapshotOf(records: readonly Named[]) {
  let read = 0;
  const snapshot = new Snapshot({
    idOf: (record) => (record as Named).id,
    titleOf: (record) => {
      read += 1;
      return (record as Named).name;
    },
    list: () => Promise.resolve([...records]),
  });
  return { snapshot, read: () => read };
}

test("the index of record names finds the same records as a full search", async () => {
  const id = fc.constantFrom("1", "2", "3", "4");
  const name = fc.constantFrom("a", "b");
  const record = fc.record({ id, name });
  const step = fc.oneof(
    record.map((put) => ({ put })),
    id.map((drop) => ({ drop })),
  );
  await fc.assert(
    fc.asyncProperty(fc.array(record, { maxLength: 4 }), fc.array(step, { maxLength: 12 }), async (listed, steps) => {
      const { snapshot } = snapshotOf(listed);
      const expected = new Map(listed.map((item) => [item.id, item]));
      const agree = async (): Promise<void> => {
        const records = await snapshot.records();
        expect(new Map(records)).toEqual(expected);
        for (const wanted of ["a", "b", "c"]) {
          const titled = records.titled(wanted) as Named[];
          const sought = [...expected.values()].filter((item) => item.name === wanted);
          expect(new Set(titled)).toEqual(new Set(sought));
          expect(titled).toHaveLength(sought.length);
        }
      };
      await agree();
      for (const change of steps) {
        if ("put" in change) {
          snapshot.put(change.put);
          expected.set(change.put.id, change.put);
        } else {
          snapshot.drop(change.drop);
          expected.delete(change.drop);
        }
        await agree();
      }
    }),
    { numRuns: 300 },
  );
});

test("creating a thousand records reads the name of each record at most twice", async () => {
  const size = 1_000;
  const { snapshot, read } = snapshotOf(Array.from({ length: size }, (_, at) => ({ id: `${at}`, name: `Office ${at}` })));
  for (let at = 0; at < size; at += 1) {
    const record = { id: `new-${at}`, name: `New ${at}` };
    expect((await snapshot.records()).titled(record.name)).toEqual([]);
    snapshot.put(record);
    expect((await snapshot.records()).titled(record.name)).toEqual([record]);
  }
  expect(read()).toBe(2 * size);
});

test("a look-up by id reads no record names", async () => {
  const { snapshot, read } = snapshotOf([{ id: "1", name: "Office" }]);
  expect((await snapshot.records()).get("1")).toBeDefined();
  snapshot.put({ id: "2", name: "Lab" });
  expect((await snapshot.records()).get("2")).toBeDefined();
  expect(read()).toBe(0);
});

test("the provider does not cache a failed list request", async () => {
  let lists = 0;
  const snapshot = new Snapshot({
    idOf: (record) => (record as Named).id,
    titleOf: (record) => (record as Named).name,
    list: async () => {
      lists += 1;
      if (lists === 1) throw new Error("The service is down.");
      return Promise.resolve([{ id: "1", name: "Office" }]);
    },
  });
  const first = await Promise.allSettled([snapshot.records(), snapshot.records()]);
  expect(first.map(({ status }) => status)).toEqual(["rejected", "rejected"]);
  expect([...(await snapshot.records()).keys()]).toEqual(["1"]);
  expect(lists).toBe(2);
});

test("later additions and deletions do not change a copy of the record ids", async () => {
  const { snapshot } = snapshotOf([{ id: "1", name: "a" }]);
  const records = await snapshot.records();
  snapshot.put({ id: "2", name: "b" });
  await snapshot.records();
  const ids = records.idsSoFar();
  snapshot.put({ id: "3", name: "c" });
  snapshot.drop("1");
  await snapshot.records();
  expect(["1", "2", "3", "4"].filter((id) => ids.has(id))).toEqual(["1", "2"]);
});
