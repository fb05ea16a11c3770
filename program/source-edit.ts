import type { Position } from "../common/position";

/** A planned change to a file in the program's folder. */
export interface SourceEdit {
  /** Path relative to the project's folder. */
  path: string;
  before: string;
  after: string;
}

/** The reason why an edit is refused, and the edit that the user can make instead. */
export interface RefusedEdit {
  /** Reason as a predicate, such as `is computed by an expression`. The reason contains no property values. */
  readonly reason: string;
  /** Advice in the imperative. The advice contains no secrets. */
  readonly advice: string;
  /** Position of the code that prevents the edit. If that code has no position, `position` is the position of the declaration. */
  readonly position?: Position | undefined;
}
