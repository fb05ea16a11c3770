/** How fast an operation grows with its resources, beside how fast the engine itself does: from figures that other rows measured. */
import { writesOnceFrom } from "./project";
import { type Line, type Measured, measured, medianOf } from "./row";

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

/** By how much the larger figure is more than the smaller: both are of the operation as a whole, and so is their quotient. */
function grown(small: readonly number[] = [], large: readonly number[] = []): number {
  return medianOf(large) / medianOf(small);
}
