import { Mirror } from "../../emulator/mirror";
import { type Collection, Store } from "../../emulator/store";

const birds: Collection<string> = { name: "birds", series: "birds", firstId: 1 };

let store: Store;
let mirror: Mirror<string>;
beforeEach(() => {
  store = new Store();
  mirror = new Mirror(store, birds, (row) => row);
});
afterEach(() => store.close());

const bodies = (aid?: string) => mirror.list(aid).map(({ body }) => body);

test("each change of a record also changes the record's in-memory copy", () => {
  store.insert(birds, "1", () => "owl");
  expect(bodies()).toEqual(["owl"]);
  const { id } = store.insert(birds, "2", () => "emu");
  store.put(birds, "own", "1", "jay");
  expect([bodies(), bodies("1"), bodies("2")]).toEqual([["owl", "emu", "jay"], ["owl", "jay"], ["emu"]]);
  store.replace(birds, id, "tit");
  store.put(birds, "own", "2", "jay");
  expect([bodies(), bodies("2"), mirror.get(id)?.body]).toEqual([["owl", "tit", "jay"], ["tit", "jay"], "tit"]);
  store.delete(birds, id, "2");
  expect([bodies(), mirror.get(id)]).toEqual([["owl", "jay"], undefined]);
  store.clear();
  expect(bodies()).toEqual([]);
});

test("the in-memory copy of the records lists the ids that changed after a given version", () => {
  const first = mirror.version;
  expect(mirror.changedSince(first)).toEqual([]);
  const { id } = store.insert(birds, "1", () => "owl");
  const second = mirror.version;
  store.put(birds, "own", "1", "jay");
  expect([mirror.changedSince(first), mirror.changedSince(second)]).toEqual([[id, "own"], ["own"]]);
  store.clear();
  for (const version of [first, second]) expect(mirror.changedSince(version)).toBeUndefined();
  const third = mirror.version;
  expect(mirror.changedSince(third)).toEqual([]);
  for (let n = 0; n <= 10_000; n += 1) store.put(birds, "own", "1", String(n));
  expect(mirror.changedSince(third)).toBeUndefined();
  expect(bodies()).toEqual(["10000"]);
  expect(mirror.version).toBeGreaterThan(third);
});

test("a failed transaction changes nothing in the in-memory copy of the records", () => {
  store.insert(birds, "1", () => "owl");
  const change = () =>
    store.together(() => {
      store.put(birds, "own", "1", "jay");
      store.insert(birds, "1", () => "emu");
      expect(bodies()).toEqual(["owl", "jay", "emu"]);
      throw new Error("no");
    });
  expect(change).toThrow("no");
  expect(bodies()).toEqual(["owl"]);
  expect(store.all(birds)).toHaveLength(1);
  expect(store.insert(birds, "1", () => "tit").id).toBe("2");
});
