/** A few cases of each row of `npm run chaos`, with fixed seeds; TEST_SEED=N tries others. */
import { amount, seed } from "../support/amount";
import { endAll } from "../support/process";
import { loadRows } from "./rows";

jest.setTimeout(60 * 60_000);
afterAll(endAll);

/** Cases of the short run; a row that is not named has ten. Those on the engine cost seconds each, and some have none. */
const few: Record<string, number> = {
  faults: 44,
  "faults on the engine": 0,
  // Kills of an update that creates have suites of their own.
  kills: 1,
  collisions: 1,
  "writes sent by what only reads": 1,
  // What the other rows put out is there to be looked through.
  "secrets in outputs": 1,
};

const rows = loadRows().map((row) => ({ row, name: row.name, count: amount(few[row.name] ?? 10, row.atLeast) }));

test.each(rows.filter(({ count }) => count > 0))("$name", async ({ row, count }) => {
  const { tried, wrong } = await row.run({ seed: seed(1), count, progress: () => undefined });
  expect(wrong).toEqual([]);
  expect(tried).toBeGreaterThan(0);
});
