import type { Position } from "../common/position";
import type { RefusedEdit, SourceEdit } from "./source-edit";
import type { Change } from "../provider/compare";
import type { Kind } from "../provider/kind";
import type { KindName } from "../provider/registry";
import type { Properties } from "../provider/values";

/** A resource of a stack, with its inputs and its source position at the last update. */
export interface AcceptedResource {
  readonly stack: string;
  readonly name: string;
  readonly kindName: KindName;
  readonly kind: Kind;
  readonly id: string;
  readonly inputs: Properties;
  /** Properties that contain a secret at any depth. */
  readonly secrets: ReadonlySet<string>;
  readonly position?: Position;
}

/** A property with different values in the service and in the program. `after` is the value in the service, unless the value is secret. */
export interface AcceptedChange extends Pick<Change, "property" | "how"> {
  readonly after?: unknown;
  readonly secret?: true;
}

export interface ObservedResource {
  resource: AcceptedResource;
  changes: readonly AcceptedChange[];
}

export interface PlacedEdit {
  resource: AcceptedResource;
  property: string;
  position: Position;
  /** Ranges in the edited files that determine the value of the property. */
  ranges: readonly { file: string; start: number; end: number }[];
}

export interface RefusedProperty extends RefusedEdit {
  readonly resource: AcceptedResource;
  readonly property: string;
}

export interface Acceptance {
  /** Edits that are not written to their files yet. */
  edits: SourceEdit[];
  placed: PlacedEdit[];
  /** Properties with a declared value that already equals the service's value, for example after an earlier `--accept`. */
  same: PlacedEdit[];
  refused: RefusedProperty[];
}
