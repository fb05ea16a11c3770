/** A few cases of each row of `npm run chaos`, with fixed seeds; TEST_SEED=N tries others. */
import { amount, seed } from "../support/amount";
import { endAll } from "../support/process";
import { loadRows } from "./rows";
import { growthIn } from "./rows/soak";

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

/** Minutes of a row that somebody has to ask for: long enough to see that it works. */
const moment = 0.05;

const rows = loadRows().map((row) => {
  return { row, name: row.name, count: row.isOnDemand ? moment : amount(few[row.name] ?? 10, row.atLeast) };
});

test.each(rows.filter(({ count }) => count > 0))("$name", async ({ row, count }) => {
  const { tried, wrong } = await row.run({ seed: seed(1), count, progress: () => undefined });
  expect(wrong).toEqual([]);
  expect(tried).toBeGreaterThan(0);
});

test("a process that has more than 1.1 of the memory in use after a sixth of the time is found", () => {
  const samples = (held: (at: number) => number) =>
    Array.from({ length: 61 }, (_, n) => ({ at: n / 60, inUse: held(n / 60), held: 100 + n }));
  // Before that it may grow, and for a moment it may have more in use. What it holds beside that does not count.
  expect(growthIn(samples((at) => (at < 1 / 6 ? 50 : at > 0.98 ? 300 : 100)))).toEqual([]);
  expect(growthIn(samples((at) => 100 + 10 * at))).toEqual([]);
  expect(growthIn(samples((at) => 100 + 20 * at))).toEqual([
    "it had 119 MB in use at the end, and 104 MB after a sixth of the time",
  ]);
  expect(growthIn([])).not.toEqual([]);
});
