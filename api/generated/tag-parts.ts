// `npm run generate` writes this file from the schemas in api/schemas.
import type { SelfLinks } from "./common";

/** One condition of a tag for endpoint agents. */
export interface TagFilter {
  /**
   * Agent attribute that the filter compares. With scope `custom`, the key is the name of metadata that agents send to the
   * service.
   */
  key: string;
  /**
   * Values that the filter compares with the attribute. Wildcards and networks probably work as in labels, but are not
   * documented.
   */
  values: string[];
  /** `in` matches agents with one of the values. `not-in` matches agents without any of the values. */
  mode?: "in" | "not-in";
  /**
   * With scope `default`, the key is a documented attribute. With scope `custom`, the key is the name of metadata that agents send.
   * Default: `default`.
   */
  scope?: "custom" | "default";
}

/** An object that has a static tag. */
export interface TagAssignment {
  /** Identifier of the object. */
  id: string;
  /** Type of the object. */
  type: "connected-devices-test" | "dashboard" | "endpoint-test" | "test" | "v-agent";
}

/** Objects that a request assigns to a tag or removes from a tag. */
export interface TagAssignments {
  /** The objects. */
  assignments: TagAssignment[];
}

/** Objects that a request assigns to several tags or removes from several tags. */
export interface BulkTagAssignments {
  /** The tags, each with the objects to assign or remove. */
  tags: {
    /** The objects. */
    assignments: TagAssignment[];
    /** Identifier of the tag. */
    tagId: string;
  }[];
}

/**
 * The assignments of one tag, as returned in a response. The response does not report whether each assignment succeeded. To check the
 * assignments, read the tag.
 */
export interface AssignedTag {
  /** Identifier of the tag. */
  tagId: string;
  /** The objects in the request. */
  assignments?: {
    /** Identifier of the object. */
    id?: string;
    /** Type of the object. */
    type?: string;
  }[];
  /** Links, such as the link to the tag itself. */
  _links?: SelfLinks;
}

/** The assignments of several tags, as returned in a response. */
export interface AssignedTags {
  /** The tags, each with the objects from the request. */
  tags: AssignedTag[];
  /** Links, such as the link to the requested resource itself. */
  _links?: SelfLinks;
}
