import { chmodSync, copyFileSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { attributesOfLabel } from "../../api/label-match";
import { start } from "../../emulator";
import { fleetOf, prepareFleet } from "../../emulator/fleet/fleet";
import { LabelSets } from "../../emulator/fleet/label-sets";
import { labels } from "../../emulator/model/labels";
import { settle } from "../../emulator/options";
import { Store } from "../../emulator/store";
import { areas, Bench, minimal, paths } from "./support";
import { temporary } from "../support/temporary";

const someLabel = { name: "x", color: "#000000", matchType: "or" as const, filters: [] };

let folder: string;
let dataFile: string;
beforeEach(() => {
  folder = temporary();
  dataFile = join(folder, "records.db");
});

test("records, ids and tokens in a data file survive a restart of the emulator", async () => {
  const first = await Bench.start({ dataFile });
  const made = [];
  for (const area of areas) made.push(await first.call("POST", paths[area], { body: minimal[area] }));
  const form = { grant_type: "client_credentials", client_id: "emulator", client_secret: "emulator-secret" };
  const issued = await first.call("POST", "/v7/oauth2/token", { raw: new URLSearchParams(form), token: null });
  await first.close();
  expect(readdirSync(folder)).toEqual(["records.db"]);

  const second = await Bench.start({ dataFile });
  for (const [at, area] of areas.entries()) {
    const { body } = await second.call("GET", paths[area], { token: issued.body.access_token });
    expect(body.labels ?? body.tests).toHaveLength(1);
    const again = await second.call("POST", paths[area], { body: minimal[area] });
    const id = (record: { id?: string; testId?: string }) => Number(record.id ?? record.testId);
    expect(id(again.body)).toBeGreaterThan(id(made[at]?.body));
  }
  await second.close();
});

test("an emulator without a data file loses its records at a restart", async () => {
  const first = await Bench.start();
  await first.call("POST", paths.label, { body: minimal.label });
  await first.close();
  const second = await Bench.start();
  expect(await second.everything()).toEqual([]);
  await second.close();
});

test("the emulator rejects a data file that another emulator uses", async () => {
  const first = await Bench.start({ dataFile });
  await expect(start({ dataFile })).rejects.toMatchObject({
    code: "STORE_IN_USE",
    message: expect.stringContaining(`${dataFile} is in use by another emulator`),
  });
  expect((await first.call("POST", paths.label, { body: minimal.label })).status).toBe(201);
  await first.close();
  const second = await Bench.start({ dataFile });
  expect(await second.everything()).toHaveLength(1);
  await second.close();
});

/** Files that are not stores, and their error codes. */
const refused: [string, string, () => void][] = [
  ["text", "STORE_CORRUPT", () => writeFileSync(dataFile, "not a database, and longer than a hundred bytes ".repeat(5))],
  [
    "a database of another program",
    "STORE_FOREIGN",
    () => {
      const database = new DatabaseSync(dataFile);
      database.exec("CREATE TABLE birds (name TEXT)");
      database.close();
    },
  ],
];

test.each(refused)("the emulator does not change a rejected data file: %s, error code %s", async (_title, code, make) => {
  make();
  const before = readFileSync(dataFile);
  await expect(start({ dataFile })).rejects.toMatchObject({ code, message: expect.stringContaining(dataFile) });
  expect(readFileSync(dataFile).equals(before)).toBe(true);
  expect(readdirSync(folder)).toEqual(["records.db"]);
});

test.each<[string, string, (file: Buffer) => Buffer]>([
  ["damaged in the middle", "STORE_CORRUPT", (file) => Buffer.from(file).fill(0xff, file.length / 2)],
  ["cut off", "STORE_CORRUPT", (file) => file.subarray(0, file.length / 2)],
])("the emulator does not change a data file %s if it rejects the file with %s", async (_title, code, damage) => {
  const store = new Store(dataFile);
  for (let n = 0; n < 100; n += 1) store.insert(labels, "1001", () => someLabel);
  store.close();
  const damaged = damage(readFileSync(dataFile));
  writeFileSync(dataFile, damaged);
  await expect(start({ dataFile })).rejects.toMatchObject({ code });
  expect(readFileSync(dataFile).equals(damaged)).toBe(true);
});

test("the emulator does not change a data file of a newer version", async () => {
  await (await start({ dataFile })).close();
  const database = new DatabaseSync(dataFile);
  database.exec("PRAGMA user_version = 99");
  database.close();
  const before = readFileSync(dataFile);
  await expect(start({ dataFile })).rejects.toMatchObject({ code: "STORE_NEWER" });
  expect(readFileSync(dataFile).equals(before)).toBe(true);
});

test("the error about a data file in a missing folder names the file", async () => {
  const missing = join(folder, "no", "records.db");
  await expect(start({ dataFile: missing })).rejects.toMatchObject({
    code: "STORE_UNREADABLE",
    message: expect.stringContaining(missing),
  });
  await expect(start({ dataFile: folder })).rejects.toMatchObject({ code: "STORE_UNREADABLE" });
});

test("only the owner can access the data file", async () => {
  const modes = () => readdirSync(folder).map((name) => [name, (statSync(join(folder, name)).mode & 0o777).toString(8)]);
  const first = await Bench.start({ dataFile });
  await first.call("POST", paths.label, { body: minimal.label });
  expect(modes()).toEqual(readdirSync(folder).map((name) => [name, "600"]));
  expect(modes().length).toBeGreaterThan(1);
  await first.close();
  chmodSync(dataFile, 0o644);
  const second = await Bench.start({ dataFile });
  expect(modes()).toEqual(readdirSync(folder).map((name) => [name, "600"]));
  await second.close();
});

/** Returns the labels in a copy of the data file, as after a power failure. */
function labelsOnDisk(): number {
  const copy = join(folder, "copy.db");
  for (const end of ["", "-wal"]) copyFileSync(dataFile + end, copy + end);
  const database = new DatabaseSync(copy);
  const [row] = database.prepare("SELECT count(*) AS n FROM records WHERE collection = 'labels'").all();
  database.close();
  return Number(row?.["n"]);
}

test("the emulator's store commits all changes of an event-loop turn together", async () => {
  const store = new Store(dataFile);
  store.insert(labels, "1001", () => someLabel);
  await store.committed();
  for (let n = 0; n < 3; n += 1) store.insert(labels, "1001", () => someLabel);
  expect([labelsOnDisk(), store.ids("labels").length]).toEqual([1, 4]);
  await store.committed();
  expect(labelsOnDisk()).toBe(4);
  await store.committed();
  store.close();
});

test("a failed transaction does not discard other changes of the same event-loop turn", async () => {
  const store = new Store(dataFile);
  store.insert(labels, "1001", () => someLabel);
  expect(() =>
    store.together(() => {
      store.insert(labels, "1001", () => someLabel);
      throw new Error("no");
    }),
  ).toThrow("no");
  await store.committed();
  expect(labelsOnDisk()).toBe(1);
  store.close();
});

test("close() commits all pending changes", () => {
  const store = new Store(dataFile);
  store.insert(labels, "1001", () => someLabel);
  store.close();
  const again = new Store(dataFile);
  expect(again.ids("labels")).toHaveLength(1);
  again.close();
});

test("the emulator's store adds a missing index to an older data file", () => {
  new Store(dataFile).close();
  const database = new DatabaseSync(dataFile);
  const plan = () =>
    database
      .prepare("EXPLAIN QUERY PLAN SELECT id FROM records WHERE collection = 'x' ORDER BY sequence DESC LIMIT 1")
      .all()
      .map(({ detail }) => detail);
  expect(plan()).toEqual(["SEARCH records USING INDEX records_by_sequence (collection=?)"]);
  database.exec("DROP INDEX records_by_sequence");
  database.close();
  new Store(dataFile).close();
  const again = new DatabaseSync(dataFile);
  expect(again.prepare("SELECT name FROM sqlite_schema WHERE name = 'records_by_sequence'").all()).toHaveLength(1);
  again.close();
});

test("the deletion of a label also deletes the cached set of the label's agents", () => {
  const store = new Store();
  const service = { store, settings: settle({ agents: 5 }) };
  prepareFleet(service);
  const sets = new LabelSets(store, labels, attributesOfLabel);
  const rows = Array.from({ length: 20 }, () => store.insert(labels, "1001", () => someLabel));
  for (const row of rows) sets.of(row, fleetOf(service));
  expect(sets.size).toBe(20);
  for (const { id } of rows) store.delete(labels, id, "1001");
  expect(sets.size).toBe(0);
  store.close();
});
