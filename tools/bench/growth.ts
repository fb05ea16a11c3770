/** How fast an operation grows with its resources, beside how fast the engine itself does: from figures that other rows measured. */
import { writesOnceFrom } from "./project";
import { type Line, type Measured, measured, medianOf, type Results } from "./row";

/**
 * The least size that counts. Below that of a preview, starting the processes outweighs the resources; below that of an up, the engine
 * writes its state after each resource.
 */
const leastSizes = { preview: 100, up: writesOnceFrom };

/** A line for each front and operation that was measured at two sizes, or more. */
export function growthOf(lines: readonly Measured[]): Measured[] {
  return ["dynamic", "native"].flatMap((front) =>
    Object.entries(leastSizes).flatMap(([operation, leastSize]) => {
      const own = lines
        .filter((line) => line.row.startsWith("engine-") && line.front === front && line.operation === operation)
        .filter(({ measure }) => measure === "CPU time")
        .filter(({ size = 0 }) => size >= leastSize)
        .toSorted((a, b) => (a.size ?? 0) - (b.size ?? 0));
      const [small, large] = [own[0], own.at(-1)];
      if (!small || !large || small === large) return [];
      const line: Line = {
        what: `CPU time a resource of ${operation}, from ${small.size} to ${large.size}, ${front} front`,
        against: "resources that do nothing",
        measure: "CPU time",
        front,
        ratios: [grown(small.ours, large.ours) / grown(small.base, large.base)],
        goal: { atMost: 1 },
      };
      return [measured("growth", line)];
    }),
  );
}

/** Adds the lines of growth, in place of those that are there. */
export function withGrowth(results: Results): Results {
  const [rows, lines] = [
    results.rows.filter(({ name }) => name !== "growth"),
    results.lines.filter(({ row }) => row !== "growth"),
  ];
  const growth = growthOf(lines);
  if (growth.length === 0) return { ...results, rows, lines };
  const row = { name: "growth", what: "the figures of the rows above, by size", pairs: 1, seconds: 0 };
  return { ...results, rows: [...rows, row], lines: [...lines, ...growth] };
}

/** Puts rows that were measured again into the results of a whole run, with their day. */
export function withRows(whole: Results, again: Results): Results {
  const fresh = again.rows.filter(({ name }) => name !== "growth").map((row) => ({ ...row, date: again.date }));
  const isOld = (name: string): boolean => !fresh.some((row) => row.name === name);
  // A row that a whole run had stays in its place.
  const replaced = whole.rows.map((row) => fresh.find(({ name }) => name === row.name) ?? row);
  const rows = [...replaced, ...fresh.filter((row) => !replaced.includes(row))];
  const lines = [...whole.lines.filter(({ row }) => isOld(row)), ...again.lines];
  return withGrowth({ ...whole, rows, lines: rows.flatMap(({ name }) => lines.filter(({ row }) => row === name)) });
}

/** By how much the larger figure is more than the smaller: both are of the operation as a whole, and so is their quotient. */
function grown(small: readonly number[] = [], large: readonly number[] = []): number {
  return medianOf(large) / medianOf(small);
}

/** Fits `figure = a * size ** exponent` by least squares of the logarithms. 0 is a figure that does not grow, 1 one that grows as the size. */
export function fittedExponent(sizes: readonly number[], figures: readonly number[]): number {
  const mean = (numbers: readonly number[]): number => numbers.reduce((sum, one) => sum + one, 0) / numbers.length;
  // What is not there at all has no logarithm, and does not grow while it stays so.
  const [x, y] = [sizes, figures.map((figure) => Math.max(figure, 1e-3))].map((numbers) => numbers.map(Math.log)) as [
    number[],
    number[],
  ];
  const [ofX, ofY] = [mean(x), mean(y)];
  const together = x.reduce((sum, one, at) => sum + (one - ofX) * ((y[at] ?? 0) - ofY), 0);
  return together / x.reduce((sum, one) => sum + (one - ofX) ** 2, 0);
}
