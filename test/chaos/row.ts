import { AsyncLocalStorage } from "node:async_hooks";
import { Random as FleetRandom } from "../../emulator/fleet/random";

/** What a row of the chaos table is made of: each module in `rows/` exports one. */
export interface Row {
  name: string;
  /** Cases of a whole run. */
  atLeast: number;
  /** What is done, and what has to come of it, in a sentence. */
  what?: string;
  /** Cases between two looks at the time. @defaultValue a twentieth of a whole run */
  batch?: number;
  /** Its part of the time, where that is limited. @defaultValue 1 */
  weight?: number;
  /** Whether it looks at what all other rows did, and so comes last. */
  last?: boolean;
  /** Whether it runs only where somebody names it. */
  isOnDemand?: boolean;
  run(order: Order): Promise<Outcome>;
}

/** Cases to run: the case `i` has the seed `seed + i`, so that a failure is repeated by its seed alone, with a count of 1. */
export interface Order {
  seed: number;
  count: number;
  /** Called with the number of cases that are done. */
  progress: (done: number) => void;
}

export interface Finding {
  /** The seed that repeats it. */
  seed: number;
  what: string;
}

export interface Outcome {
  tried: number;
  /** Of these, the cases in which somebody was told what went wrong. */
  told: number;
  wrong: Finding[];
  /** What was measured, in sentences. */
  notes?: readonly string[];
}

/** Numbers of a seed, those of the emulator's fleet: the same seed gives the same ones. */
export class Random extends FleetRandom {
  constructor(readonly seed: number) {
    super(seed);
  }

  /** A whole number from 0 to below `end`. */
  below(end: number): number {
    return this.between(0, end - 1);
  }

  override chance(share = 0.5): boolean {
    return super.chance(share);
  }

  /** Whether it is one case of so many. */
  isOne(of: number): boolean {
    return this.below(of) === 0;
  }

  /** One of a list that is not empty. */
  of<T>(list: readonly T[]): T {
    return list[this.below(list.length)] as T;
  }
}

/** What one case came to: whether somebody was told, and what is wrong. */
export interface CaseResult {
  told: boolean;
  wrong: string[];
}

/** The same of one that may not come about. */
export type CaseOutcome = CaseResult | undefined;

const running = new AsyncLocalStorage<number>();

/** Seed of the case that calls this; undefined outside one. */
export function caseSeed(): number | undefined {
  return running.getStore();
}

/** Runs cases side by side. */
export async function runCases(
  { seed, count, progress }: Order,
  parallel: number,
  one: (seed: number) => Promise<CaseOutcome>,
): Promise<Outcome> {
  const outcome: Outcome = { tried: 0, told: 0, wrong: [] };
  let next = 0;
  let done = 0;
  const work = async (): Promise<void> => {
    while (next < count) {
      const own = seed + next;
      next += 1;
      const came = await running.run(own, one, own).catch((error: unknown) => ({
        told: false,
        wrong: [`the case itself failed: ${String(error)}`],
      }));
      if (came) {
        outcome.tried += 1;
        if (came.told) outcome.told += 1;
        outcome.wrong.push(...came.wrong.map((what) => ({ seed: own, what })));
      }
      progress((done += 1));
    }
  };
  await Promise.all(Array.from({ length: Math.min(parallel, count) }, work));
  return outcome;
}
