import type { Position } from "../common/position";
import type { Change } from "../provider/compare";
import type { Kind } from "../provider/kind";
import type { KindName } from "../provider/registry";
import type { Properties } from "../provider/values";

/** A resource of a stack, with its inputs and position in the program of the last update. */
export interface AcceptedResource {
  readonly stack: string;
  readonly name: string;
  readonly kindName: KindName;
  readonly kind: Kind;
  readonly id: string;
  readonly inputs: Properties;
  /** Properties with a secret at any depth. */
  readonly secrets: ReadonlySet<string>;
  readonly position?: Position;
}

/** A property that differs from the program. `after` is the value in the service, and absent for a secret. */
export interface AcceptedChange extends Pick<Change, "property" | "how"> {
  readonly after?: unknown;
  readonly secret?: true;
}

/** A resource, and its properties that differ between service and program. */
export interface ObservedResource {
  resource: AcceptedResource;
  /** Empty if the resource is as declared. */
  changes: readonly AcceptedChange[];
}

export interface FileEdit {
  /** Path from the project's folder. */
  path: string;
  before: string;
  after: string;
}

/** A property that the program declares after the edits, with its position. */
export interface PlacedEdit {
  resource: AcceptedResource;
  property: string;
  position: Position;
  /** Ranges in the edited files that determine the value of the property. */
  ranges: readonly { file: string; start: number; end: number }[];
}

export interface Unplaced {
  resource: AcceptedResource;
  property: string;
  /** The reason, as text that follows "it": `is computed by an expression`. It contains no value of a property. */
  reason: string;
  /** An imperative without secrets. */
  advice: string;
  /** Position of the obstacle, in the text after the edits. */
  position?: Position;
}

export interface Acceptance {
  /** Changed files. Nothing is written yet. */
  edits: FileEdit[];
  placed: PlacedEdit[];
  /** Properties that the program declares already, such as after an earlier `--accept`. */
  same: PlacedEdit[];
  unplaced: Unplaced[];
}
