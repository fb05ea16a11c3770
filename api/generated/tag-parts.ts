// Written by `npm run generate` from the schemas; change it there.
import type { SelfLinks } from "./common";

/** One condition of a tag of endpoint agents. */
export interface TagFilter {
  /** Agent attribute to compare. With scope `custom`, a key of metadata that agents send at check-in. */
  key: string;
  /** Values to compare with. Wildcards and networks probably mean the same as in labels, but that is not documented. */
  values: string[];
  /** `in`: the attribute has one of the values. `not-in`: it has no value of the list. */
  mode?: "in" | "not-in";
  /** `default`: the key is a documented attribute. `custom`: it is any other key. Default: `default`. */
  scope?: "custom" | "default";
}

/** An object that a static tag is assigned to. */
export interface TagAssignment {
  /** Identifier of the object. */
  id: string;
  /** The type of the object. */
  type: "connected-devices-test" | "dashboard" | "endpoint-test" | "test" | "v-agent";
}

/** Objects to assign to a tag, or to remove from it. */
export interface TagAssignments {
  /** The objects. */
  assignments: TagAssignment[];
}

/** Objects to assign to several tags, or to remove from them. */
export interface BulkTagAssignments {
  /** Tags, each with its objects. */
  tags: {
    /** The objects. */
    assignments: TagAssignment[];
    /** Identifier of the tag. */
    tagId: string;
  }[];
}

/** Assignments of one tag in an answer. The answer has no status of an item, so only a later read shows the assigned objects. */
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

/** Assignments of several tags in an answer. */
export interface AssignedTags {
  /** Tags, each with its objects. */
  tags: AssignedTag[];
  /** Links of the answer. */
  _links?: SelfLinks;
}
