import { identifier, selfLinks } from "./common";
import { z } from "zod";
import { filterKeys, filterMode } from "./enums";

/** Agent attributes that tag filters with scope `default` compare: the attributes of label filters, and six more. */
export const tagFilterKeys = [
  ...filterKeys,
  "location",
  "serial-number",
  "nic-model",
  "nic-driver-version",
  "proxy-target",
  "vpn-target",
] as const;

export const tagFilterKey = z.enum(tagFilterKeys);

export type TagFilterKey = z.output<typeof tagFilterKey>;

/**
 * With scope `default`, a tag filter compares an attribute of the agent. With scope `custom`, it compares metadata that agents send to the
 * service.
 */
export const tagFilterScope = z.enum(["default", "custom"]);

/**
 * Type of the objects that can have the tag. `v-agent` probably means a cloud or enterprise agent. The type names are
 * case-sensitive (observed).
 */
export const tagObjectType = z.enum([
  "test",
  "dashboard",
  "endpoint-test",
  "v-agent",
  "connected-devices-test",
  "endpoint-agent",
]);

/**
 * The users who see a tag. The service accepts only `all` (observed). `partner` requires a partner's identifier, and `system`
 * is reserved for the vendor.
 */
export const tagAccessType = z.enum(["all", "partner", "system"]);

/**
 * Requests assign a `static` tag to objects. Filters decide which agents have a `dynamic` tag. Only tags of endpoint agents are
 * dynamic.
 */
export const tagType = z.enum(["static", "dynamic"]);

/** Types of the objects that can have a static tag. */
export const tagAssignmentType = z.enum(["test", "v-agent", "endpoint-test", "dashboard", "connected-devices-test"]);

/** One condition of a tag for endpoint agents. */
export const tagFilter = z.object({
  /**
   * Agent attribute that the filter compares. With scope `custom`, the key is the name of metadata that agents send to the
   * service.
   */
  key: z.string().min(1),
  /**
   * Values that the filter compares with the attribute. Wildcards and networks probably work as in labels, but are not
   * documented.
   */
  values: z.array(z.string()),
  /** `in` matches agents with one of the values. `not-in` matches agents without any of the values. */
  mode: filterMode.optional(),
  /**
   * With scope `default`, the key is a documented attribute. With scope `custom`, the key is the name of metadata that agents send.
   * Default: `default`.
   */
  scope: tagFilterScope.optional(),
});

export type TagFilter = z.output<typeof tagFilter>;

/** An object that has a static tag. */
export const tagAssignment = z.object({
  /** Identifier of the object. */
  id: z.string().min(1),
  /** Type of the object. */
  type: tagAssignmentType,
});

export type TagAssignment = z.output<typeof tagAssignment>;

/** Objects that a request assigns to a tag or removes from a tag. */
export const tagAssignments = z.object({
  /** The objects. */
  assignments: z.array(tagAssignment),
});

export type TagAssignments = z.output<typeof tagAssignments>;

/** Objects that a request assigns to several tags or removes from several tags. */
export const bulkTagAssignments = z.object({
  /** The tags, each with the objects to assign or remove. */
  tags: z.array(
    tagAssignments.extend({
      /** Identifier of the tag. */
      tagId: z.string().min(1),
    }),
  ),
});

export type BulkTagAssignments = z.output<typeof bulkTagAssignments>;

/** Objects that have a static tag. */
export const tagAssignedObjects = z
  .array(
    z.looseObject({
      /** Identifier of the object. */
      id: identifier.optional(),
      /** Type of the object. */
      type: z.string().optional(),
    }),
  )
  .optional();

/**
 * The assignments of one tag, as returned in a response. The response does not report whether each assignment succeeded. To check the
 * assignments, read the tag.
 */
export const assignedTag = z.looseObject({
  /** Identifier of the tag. */
  tagId: identifier,
  /** The objects in the request. */
  assignments: tagAssignedObjects,
  /** Links, such as the link to the tag itself. */
  _links: selfLinks.optional(),
});

export type AssignedTag = z.output<typeof assignedTag>;

/** The assignments of several tags, as returned in a response. */
export const assignedTags = z.looseObject({
  /** The tags, each with the objects from the request. */
  tags: z.array(assignedTag),
  /** Links, such as the link to the requested resource itself. */
  _links: selfLinks.optional(),
});

export type AssignedTags = z.output<typeof assignedTags>;
