import type { ManagedResource, Position } from "../../engine/state";
import type { PropertyChange } from "../../plan/changes";

export type AcceptedResource = Pick<
  ManagedResource,
  "stack" | "name" | "kind" | "kindName" | "id" | "inputs" | "secrets" | "position"
>;

/** A property that differs from the program. `after` is the value in the service. */
export type AcceptedChange = Pick<PropertyChange, "property" | "how" | "after" | "secret">;

/** A resource, and the properties in which the service differs from the program. */
export interface ObservedResource {
  resource: AcceptedResource;
  /** Empty for a resource that is as declared. */
  changes: readonly AcceptedChange[];
}

export interface FileEdit {
  /** Path from the project's folder. */
  path: string;
  before: string;
  after: string;
}

/** A property that the program declares after the edits, with its place. */
export interface PlacedEdit {
  resource: AcceptedResource;
  property: string;
  position: Position;
  /** The parts of the edited files that give the property its value. */
  ranges: readonly { file: string; start: number; end: number }[];
}

export interface Unplaced {
  resource: AcceptedResource;
  property: string;
  /** The reason, as text that follows "it": `is computed by an expression`. It holds no value. */
  reason: string;
  /** An imperative. It holds no secret. */
  advice: string;
  /** The place of the obstacle, in the text after the edits. */
  position?: Position;
}

export interface Acceptance {
  /** Files that change; nothing is written yet. */
  edits: FileEdit[];
  placed: PlacedEdit[];
  /** Properties that the program declares already, such as after an earlier accept. */
  same: PlacedEdit[];
  unplaced: Unplaced[];
}
