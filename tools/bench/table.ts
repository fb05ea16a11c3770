import { reasonFor } from "./reasons";
import type { Goal, Measured } from "./row";

/** The table as text, its columns aligned; below it, why goals were missed. */
export function tableOf(lines: readonly Measured[]): string {
  const head = ["what", "against", "of", "ratio", "from", "to", "goal", ""];
  const cells = lines.map(({ what, against, measure, median, least, most, goal, met }) => [
    what,
    against,
    measure,
    ratioText(median),
    ratioText(least),
    ratioText(most),
    goal ? goalText(goal) : "",
    met === undefined ? "" : met ? "met" : "missed",
  ]);
  const widths = head.map((_, column) => Math.max(...[head, ...cells].map((row) => row[column]?.length ?? 0)));
  const isFigure = (column: number): boolean => column >= 3 && column <= 6;
  const text = (row: readonly string[]): string =>
    row
      .map((one, column) => (isFigure(column) ? one.padStart(widths[column] ?? 0) : one.padEnd(widths[column] ?? 0)))
      .join("  ")
      .trimEnd();
  const reasons = lines
    .filter(({ met }) => met === false)
    .map((line) => `${line.what}: ${reasonFor(line, lines) ?? "not known yet"}`);
  return [head, ...cells].map(text).concat(reasons).join("\n");
}

export function ratioText(ratio: number): string {
  return ratio >= 100 ? ratio.toFixed(0) : ratio.toFixed(2);
}

export function goalText(goal: Goal): string {
  return "atMost" in goal ? `<= ${goal.atMost}` : `>= ${goal.atLeast}`;
}
