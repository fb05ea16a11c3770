import type { Order } from "./measure";

/** A table of the page. */
export interface Table {
  readonly head: readonly string[];
  readonly rows: readonly (readonly string[])[];
}

/** Measurements that belong together: a section of docs/performance.md. */
export interface Row {
  /** The name on the command line. */
  readonly name: string;
  /** The heading of the section. */
  readonly title: string;
  /** What is measured, and whether the figures are ratios. */
  readonly about: string;
  /** How many pairs fit into a run of half an hour. */
  readonly pairs: number;
  run(order: Order): Promise<Table>;
}
