import type { Role } from "./processes";

/** A group of measurements that belong together: each module in `rows/` exports some. */
export interface Row {
  /** The name for `--only`. */
  readonly name: string;
  /** The work, in a sentence. */
  readonly what: string;
  /** Pairs that are measured where none are asked for: fewer where one takes minutes. @defaultValue 5 */
  readonly pairs?: number;
  /** It mostly waits for the limit on requests, so all rows that do run at the same time, before the others. */
  readonly waits?: boolean;
  /** Measures, and says what came of it. The build and the engine are there. */
  run(order: Order): Promise<Line[]>;
}

export interface Order {
  readonly pairs: number;
  /** Called with what is done now. */
  readonly progress: (text: string) => void;
}

/** The measured quantity. */
export type Measure = "CPU time" | "time" | "memory" | "size" | "requests" | "share" | "rate";

/** The least or most that a ratio may be. */
export type Goal = { readonly atMost: number } | { readonly atLeast: number };

/** One line of the table: ours, divided by what it is compared with, once for each pair. */
export interface Line {
  readonly what: string;
  readonly against: string;
  readonly measure: Measure;
  /** Of each pair; where nothing varies, one. */
  readonly ratios: readonly number[];
  /** The same figures before the division, in the unit that is named, for who asks how much that is. */
  readonly ours?: readonly number[];
  readonly base?: readonly number[];
  readonly unit?: "s" | "ms" | "MB" | "kB" | "requests" | "requests a second";
  /** Resources, records or agents of the case. */
  readonly size?: number;
  /** The operation, and which of our fronts ran it, for the plots. */
  readonly operation?: string;
  readonly front?: string;
  /** The process that the line is about, where it is not the whole operation. */
  readonly role?: Role;
  readonly goal?: Goal;
}

/** A line that has been measured. */
export interface Measured extends Line {
  readonly row: string;
  readonly median: number;
  readonly least: number;
  readonly most: number;
  /** Absent where there is no goal. */
  readonly met?: boolean;
}

/** A row that has been measured. */
export interface Ran {
  readonly name: string;
  readonly what: string;
  readonly pairs: number;
  readonly seconds: number;
  /** The day, of a row that was measured again after the run as a whole. */
  readonly date?: string;
}

export interface Results {
  readonly machine: string;
  readonly versions: Readonly<Record<string, string>>;
  readonly date: string;
  readonly seconds: number;
  readonly rows: readonly Ran[];
  readonly lines: readonly Measured[];
}

export function measured(row: string, line: Line): Measured {
  const median = medianOf(line.ratios);
  const met = line.goal && ("atMost" in line.goal ? median <= line.goal.atMost : median >= line.goal.atLeast);
  return {
    row,
    ...line,
    median,
    least: Math.min(...line.ratios),
    most: Math.max(...line.ratios),
    ...(met !== undefined && { met }),
  };
}

export function medianOf(numbers: readonly number[]): number {
  if (numbers.length === 0) throw new Error("There is no median of nothing.");
  const sorted = numbers.toSorted((a, b) => a - b);
  const [low, high] = [sorted[Math.floor((sorted.length - 1) / 2)], sorted[Math.floor(sorted.length / 2)]];
  return ((low ?? 0) + (high ?? 0)) / 2;
}
