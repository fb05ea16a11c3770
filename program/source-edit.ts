import type { Position } from "../common/position";

/** A change of a file in the program's folder. The file is not written yet. */
export interface SourceEdit {
  /** Path from the project's folder. */
  path: string;
  before: string;
  after: string;
}

/** The reason why an edit is refused, and the edit that the user has to make instead. */
export interface RefusedEdit {
  /** Text that follows "it": `is computed by an expression`. The text never contains property values. */
  readonly reason: string;
  /** An imperative sentence without secrets. */
  readonly advice: string;
  /** Position of the obstacle in the edited file, or otherwise of the declaration. */
  readonly position?: Position | undefined;
}
