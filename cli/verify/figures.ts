import type { Measurement } from "../../provider/measurement";
import type { Outcome, Verdict } from "./run";

/** The worst that any agent measured of a test. A member that none measured is absent. */
export interface Worst {
  loss?: number;
  latency?: number;
  responseTime?: number;
}

export function worstOf(measured: readonly Measurement[]): Worst {
  const most = (of: (m: Measurement) => number | undefined): number | undefined => {
    const values = measured.map(of).filter((value) => value !== undefined);
    return values.length > 0 ? Math.max(...values) : undefined;
  };
  return { loss: most((m) => m.loss), latency: most((m) => m.avgLatency), responseTime: most((m) => m.responseTime) };
}

/** How often each outcome came about; outcomes that did not are absent. */
export function countOutcomes(verdicts: readonly Verdict[]): Partial<Record<Outcome, number>> {
  const counts: Partial<Record<Outcome, number>> = {};
  for (const { outcome } of verdicts) counts[outcome] = (counts[outcome] ?? 0) + 1;
  return counts;
}

/** Outcomes as people read them, in the order in which they are told. */
export const outcomeWords: Record<Outcome, string> = {
  error: "could not be run",
  failed: "failed",
  late: "without results in time",
  interrupted: "interrupted",
  passed: "passed",
  skipped: "skipped",
};

/** `2 failed, 5 passed, 1 skipped`. */
export function summaryOf(verdicts: readonly Verdict[]): string {
  const counts = countOutcomes(verdicts);
  return Object.entries(outcomeWords)
    .flatMap(([outcome, words]) => {
      const count = counts[outcome as Outcome];
      return count === undefined ? [] : [`${count} ${words}`];
    })
    .join(", ");
}

/** A figure with its unit, rounded to a tenth; a dash where there is none. */
export function figure(value: number | undefined, unit: string): string {
  return value === undefined ? "–" : `${Math.round(value * 10) / 10} ${unit}`;
}
