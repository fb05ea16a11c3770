/**
 * Runs the matrix of failures that must not block a stack: a sample of its cells by default, and all cells in the long form.
 */
import { random } from "../support/amount";
import { amount, seed } from "../support/amount";
import { allCells, type Cell, runCell } from "../provider/no-wedge";

/** Number of concurrent cells. They mostly wait for retries. */
const parallel = 32;
const few = 60;

test("refresh, up and destroy succeed after any single request has failed", async () => {
  const all = await allCells();
  const cells = shuffled(all, seed(1)).slice(0, amount(few, all.length));
  const wrong: string[] = [];
  const rest = [...cells];
  const work = async (): Promise<void> => {
    for (let cell = rest.pop(); cell; cell = rest.pop()) wrong.push(...(await runCell(cell)));
  };
  await Promise.all(Array.from({ length: parallel }, work));
  if (cells.length === all.length) console.log(`${all.length} cells, ${wrong.length} wrong`);
  expect(wrong.slice(0, 20)).toEqual([]);
  expect(wrong).toHaveLength(0);
  // The run must discover the requests, or it tests nothing.
  expect(all.length).toBeGreaterThan(1_000);
}, 1_800_000);

function shuffled(cells: readonly Cell[], from: number): Cell[] {
  const dice = random(from);
  return cells
    .map((cell) => ({ cell, at: dice() }))
    .toSorted((a, b) => a.at - b.at)
    .map(({ cell }) => cell);
}
