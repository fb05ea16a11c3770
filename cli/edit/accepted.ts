import type { PropertyChange } from "../report/changes";
import type { ManagedResource, Position } from "../engine/state";

/** What accepting has to know of a resource of ours. A `ManagedResource` is one. */
export type AcceptedResource = Pick<
  ManagedResource,
  "stack" | "name" | "kind" | "kindName" | "id" | "inputs" | "secrets" | "position"
>;

/** A property that differs from what the program says: `after` is what the service holds. */
export type AcceptedChange = Pick<PropertyChange, "property" | "how" | "after" | "secret">;

/** A resource, and where reality differs from what the program says of it. */
export interface Reality {
  resource: AcceptedResource;
  /** Empty for a resource that is as declared. */
  changes: readonly AcceptedChange[];
}

/** What a program file becomes. */
export interface FileEdit {
  /** Path from the project's folder. */
  path: string;
  before: string;
  after: string;
}

/** A property that the program says now, or says already, and where: in the text after the edits. */
export interface Placed {
  resource: AcceptedResource;
  property: string;
  position: Position;
  /** The parts of the edited files that give the property its value. */
  ranges: readonly { file: string; start: number; end: number }[];
}

/** A property that the program goes on saying otherwise. */
export interface Unplaced {
  resource: AcceptedResource;
  property: string;
  /** Why, after "it": `is worked out by an expression`. It never holds a value. */
  reason: string;
  /** What a person does about it: an imperative. It never holds a secret. */
  advice: string;
  /** What stands in the way, in the text after the edits. */
  position?: Position;
}

export interface Acceptance {
  /** Files that change; nothing is written yet. */
  edits: FileEdit[];
  /** What the edits say. */
  placed: Placed[];
  /** What the program says already, such as after accepting the same before. */
  same: Placed[];
  unplaced: Unplaced[];
}
