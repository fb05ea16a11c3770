import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { start } from "../../emulator";
import { areas, Bench, minimal, paths } from "./support";

let folder: string;
let dataFile: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "emulator-"));
  dataFile = join(folder, "records.db");
});
afterEach(() => rmSync(folder, { recursive: true }));

test("records and ids outlast a restart; a token too", async () => {
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

test("without a file nothing is kept", async () => {
  const first = await Bench.start();
  await first.call("POST", paths.label, { body: minimal.label });
  await first.close();
  const second = await Bench.start();
  expect(await second.everything()).toEqual([]);
  await second.close();
});

test("a file in use is refused, and free again after close", async () => {
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

/** Files that are no store of ours, and what they are called. */
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

test.each(refused)("%s is %s and stays as it is", async (_title, code, make) => {
  make();
  const before = readFileSync(dataFile);
  await expect(start({ dataFile })).rejects.toMatchObject({ code, message: expect.stringContaining(dataFile) });
  expect(readFileSync(dataFile).equals(before)).toBe(true);
  expect(readdirSync(folder)).toEqual(["records.db"]);
});

test.each<[string, string, (file: Buffer) => Buffer]>([
  ["damaged in the middle", "STORE_CORRUPT", (file) => Buffer.from(file).fill(0xff, file.length / 2)],
  ["cut off", "STORE_CORRUPT", (file) => file.subarray(0, file.length / 2)],
])("a store %s is %s and stays as it is", async (_title, code, damage) => {
  const bench = await Bench.start({ dataFile });
  for (let n = 0; n < 100; n += 1) await bench.call("POST", paths.label, { body: minimal.label });
  await bench.close();
  const damaged = damage(readFileSync(dataFile));
  writeFileSync(dataFile, damaged);
  await expect(start({ dataFile })).rejects.toMatchObject({ code });
  expect(readFileSync(dataFile).equals(damaged)).toBe(true);
});

test("a store of a newer version is refused and stays as it is", async () => {
  await (await start({ dataFile })).close();
  const database = new DatabaseSync(dataFile);
  database.exec("PRAGMA user_version = 99");
  database.close();
  const before = readFileSync(dataFile);
  await expect(start({ dataFile })).rejects.toMatchObject({ code: "STORE_NEWER" });
  expect(readFileSync(dataFile).equals(before)).toBe(true);
});

test("a folder that is not there is named", async () => {
  const missing = join(folder, "no", "records.db");
  await expect(start({ dataFile: missing })).rejects.toMatchObject({
    code: "STORE_UNREADABLE",
    message: expect.stringContaining(missing),
  });
  await expect(start({ dataFile: folder })).rejects.toMatchObject({ code: "STORE_UNREADABLE" });
});
