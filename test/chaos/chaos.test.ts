/** Runs a few cases of each chaos run in `npm run chaos` with fixed seeds. TEST_SEED=N tries other seeds. */
import { amount, seed } from "../support/amount";
import { endAll } from "../support/process";
import { loadRows } from "./rows";
import { growthIn } from "./rows/soak";

jest.setTimeout(60 * 60_000);
afterAll(endAll);

/** Cases of the short run. The default is ten. Rows on the engine take seconds for each case, and some have none. */
const few: Record<string, number> = {
  faults: 44,
  "faults during engine updates": 0,
  // Kills of creating updates have separate suites.
  kills: 1,
  collisions: 1,
  "writes of read-only commands": 1,
  // This row searches the output of the other rows.
  "secrets in outputs": 1,
};

/** Minutes of an on-demand row: long enough to show that it works. */
const moment = 0.05;

const rows = loadRows().map((row) => {
  return { row, name: row.name, count: row.isOnDemand ? moment : amount(few[row.name] ?? 10, row.atLeast) };
});

test.each(rows.filter(({ count }) => count > 0))("the chaos run $name finds no faults", async ({ row, count }) => {
  const { tried, wrong } = await row.run({ seed: seed(1), count, progress: () => undefined });
  expect(wrong).toEqual([]);
  expect(tried).toBeGreaterThan(0);
});

test("the soak test reports a process if its memory grows by more than 10 %", () => {
  const samples = (inUseAt: (at: number) => number) =>
    Array.from({ length: 61 }, (_, n) => ({ at: n / 60, inUse: inUseAt(n / 60), held: 100 + n }));
  // Memory may grow before that, and increase for a moment. Other memory that the process holds does not count.
  expect(growthIn(samples((at) => (at < 1 / 6 ? 50 : at > 0.98 ? 300 : 100)))).toEqual([]);
  expect(growthIn(samples((at) => 100 + 10 * at))).toEqual([]);
  expect(growthIn(samples((at) => 100 + 20 * at))).toEqual([
    "it had 119 MB in use at the end, and 104 MB after a sixth of the time",
  ]);
  expect(growthIn([])).not.toEqual([]);
});
