import type { Order } from "./measure";

export interface Table {
  readonly head: readonly string[];
  readonly rows: readonly (readonly string[])[];
}

/** Measurements that belong together: a section of docs/performance.md. */
export interface Row {
  /** Name of the benchmark on the command line. */
  readonly name: string;
  readonly title: string;
  /** Description of the measurements, and whether the numbers are ratios. */
  readonly about: string;
  /** Number of pairs that a run of half an hour can measure. */
  readonly pairs: number;
  run(order: Order): Promise<Table>;
}
