/** The no-wedge matrix: some cells of it by default, all of them in the long form. */
import { random } from "../support/amount";
import { amount, seed } from "../support/amount";
import { allCells, type Cell, runCell } from "./no-wedge";

/** Cells at once: they mostly wait before they try again. */
const parallel = 32;
const few = 60;

test("after a failure at any request of any operation, refresh, up and destroy succeed", async () => {
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
  // Where the requests of a life are not found, nothing is tried.
  expect(all.length).toBeGreaterThan(1_000);
}, 1_800_000);

function shuffled(cells: readonly Cell[], from: number): Cell[] {
  const dice = random(from);
  return cells
    .map((cell) => ({ cell, at: dice() }))
    .toSorted((a, b) => a.at - b.at)
    .map(({ cell }) => cell);
}
