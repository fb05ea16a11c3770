import { AsyncLocalStorage } from "node:async_hooks";
import { Random as FleetRandom } from "../../emulator/fleet/random";

/** A row of the chaos table. Each module in `rows/` exports a row, and docs/reliability.md describes it. */
export interface Row {
  name: string;
  /** Cases of a complete run. */
  atLeast: number;
  /** Cases between two checks of the time. @defaultValue a twentieth of a complete run */
  batch?: number;
  /** Its share of limited time. @defaultValue 1 */
  weight?: number;
  /** Whether it evaluates the other rows, and so comes last. */
  last?: boolean;
  /** Whether it runs only by name. */
  isOnDemand?: boolean;
  run(order: Order): Promise<Outcome>;
}

/** Cases to run. The case `i` has the seed `seed + i`, so that its seed with a count of 1 repeats a failure. */
export interface Order {
  seed: number;
  count: number;
  /** Called with the number of finished cases. */
  progress: (done: number) => void;
}

export interface Finding {
  /** The seed that repeats it. */
  seed: number;
  what: string;
}

export interface Outcome {
  tried: number;
  /** The number of these cases that reported the fault to the user. */
  reported: number;
  wrong: Finding[];
  /** Measurements as sentences. */
  notes?: readonly string[];
}

/** Random numbers as in the emulator's fleet: the same seed gives the same numbers. */
export class Random extends FleetRandom {
  constructor(readonly seed: number) {
    super(seed);
  }

  /** Returns an integer from 0 to below `end`. */
  below(end: number): number {
    return this.between(0, end - 1);
  }

  override chance(share = 0.5): boolean {
    return super.chance(share);
  }

  /** Returns true in one of `of` cases. */
  isOne(of: number): boolean {
    return this.below(of) === 0;
  }

  /** Returns an item of a list that is not empty. */
  of<T>(list: readonly T[]): T {
    return list[this.below(list.length)] as T;
  }
}

/** Result of a case: whether the fault was reported, and what is wrong. */
export interface CaseResult {
  reported: boolean;
  wrong: string[];
}

/** Result of a case, or undefined if the case did not happen. */
export type CaseOutcome = CaseResult | undefined;

const running = new AsyncLocalStorage<number>();

/** Returns the seed of the calling case, or undefined outside of a case. */
export function caseSeed(): number | undefined {
  return running.getStore();
}

/** Runs cases concurrently. */
export async function runCases(
  { seed, count, progress }: Order,
  parallel: number,
  runCase: (seed: number) => Promise<CaseOutcome>,
): Promise<Outcome> {
  const outcome: Outcome = { tried: 0, reported: 0, wrong: [] };
  let next = 0;
  let done = 0;
  const work = async (): Promise<void> => {
    while (next < count) {
      const caseNumber = seed + next;
      next += 1;
      const came = await running.run(caseNumber, runCase, caseNumber).catch((error: unknown) => ({
        reported: false,
        wrong: [`the case itself failed: ${String(error)}`],
      }));
      if (came) {
        outcome.tried += 1;
        if (came.reported) outcome.reported += 1;
        outcome.wrong.push(...came.wrong.map((what) => ({ seed: caseNumber, what })));
      }
      progress((done += 1));
    }
  };
  await Promise.all(Array.from({ length: Math.min(parallel, count) }, work));
  return outcome;
}

/** Returns the ids that the other list does not contain. */
export function without(ids: readonly string[], others: readonly string[]): string[] {
  return ids.filter((id) => !others.includes(id));
}
