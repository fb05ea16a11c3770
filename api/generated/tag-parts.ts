// Written by `npm run generate` from the schemas; change it there.
import type { SelfLinks } from "./common";

/** One condition of a tag of endpoint agents. */
export interface TagFilter {
  /** Attribute of the agent that is compared; with scope `custom`, a key of metadata that agents check in with. */
  key: string;
  /** Values to compare with. That wildcards and networks mean what they mean in labels is likely, and not stated. */
  values: string[];
  /** `in`: the attribute must be among the values; `not-in`: it must not be. */
  mode?: "in" | "not-in";
  /** `default`: the key is one of the documented attributes; `custom`: any other. Default: `default`. */
  scope?: "custom" | "default";
}

/** An object that a static tag is assigned to. */
export interface TagAssignment {
  /** Identifier of the object. */
  id: string;
  /** The type of the object. */
  type: "connected-devices-test" | "dashboard" | "endpoint-test" | "test" | "v-agent";
}

/** Objects to assign to a tag, or to take from it. */
export interface TagAssignments {
  /** The objects. */
  assignments: TagAssignment[];
}

/** The same for several tags. */
export interface BulkTagAssignments {
  /** Tags, each with its objects. */
  tags: {
    /** The objects. */
    assignments: TagAssignment[];
    /** Identifier of the tag. */
    tagId: string;
  }[];
}

/** Assignments of one tag, as answered. The answer has no status of an item, so what was assigned shows only in a later read. */
export interface AssignedTag {
  /** Identifier of the tag. */
  tagId: string;
  /** Objects of the request. */
  assignments?: {
    /** Identifier of the object. */
    id?: string;
    /** The type of the object. */
    type?: string;
  }[];
  /** Links of the tag. */
  _links?: SelfLinks;
}

/** The same of several tags. */
export interface AssignedTags {
  /** Tags, each with its objects. */
  tags: AssignedTag[];
  /** Links of the answer. */
  _links?: SelfLinks;
}
