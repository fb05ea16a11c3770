/** Why goals were missed: from the figures of the same run where they say it, else from a profile, which has its date. */
import type { Measured } from "./row";

/** Why the goal of a line was missed; undefined where nobody knows yet. */
export function reasonFor(_line: Measured, _all: readonly Measured[]): string | undefined {
  return undefined;
}
