import { identifier, selfLinks } from "./common";
import { z } from "zod";
import { filterKeys, filterMode } from "./enums";

/** Agent attributes that a tag filter with scope `default` compares: the attributes of labels, and six more. */
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

/** `default`: the key is an attribute of the agent. `custom`: the key belongs to metadata that agents send at check-in. */
export const tagFilterScope = z.enum(["default", "custom"]);

/** The type of a tag's objects. `v-agent` is a cloud or enterprise agent (inferred). Case-sensitive (observed). */
export const tagObjectType = z.enum([
  "test",
  "dashboard",
  "endpoint-test",
  "v-agent",
  "connected-devices-test",
  "endpoint-agent",
]);

/**
 * The users who see a tag. Only `all` is accepted (observed): `partner` needs a partner's identifier, and `system` belongs to
 * the vendor.
 */
export const tagAccessType = z.enum(["all", "partner", "system"]);

/** `static`: objects are assigned to the tag. `dynamic`: filters decide. Tags of endpoint agents are dynamic, others static. */
export const tagType = z.enum(["static", "dynamic"]);

/** Types of the objects that a static tag can be assigned to. */
export const tagAssignmentType = z.enum(["test", "v-agent", "endpoint-test", "dashboard", "connected-devices-test"]);

/** One condition of a tag of endpoint agents. */
export const tagFilter = z.object({
  /** Agent attribute to compare. With scope `custom`, a key of metadata that agents send at check-in. */
  key: z.string().min(1),
  /** Values to compare with. Wildcards and networks probably mean the same as in labels, but that is not documented. */
  values: z.array(z.string()),
  /** `in` matches agents with one of the values. `not-in` matches all other agents. */
  mode: filterMode.optional(),
  /** `default`: the key is a documented attribute. `custom`: it is any other key. Default: `default`. */
  scope: tagFilterScope.optional(),
});

export type TagFilter = z.output<typeof tagFilter>;

/** An object that a static tag is assigned to. */
export const tagAssignment = z.object({
  /** Identifier of the object. */
  id: z.string().min(1),
  /** The type of the object. */
  type: tagAssignmentType,
});

export type TagAssignment = z.output<typeof tagAssignment>;

/** Objects to assign to a tag, or to remove from it. */
export const tagAssignments = z.object({
  /** The objects. */
  assignments: z.array(tagAssignment),
});

export type TagAssignments = z.output<typeof tagAssignments>;

/** Objects to assign to several tags, or to remove from them. */
export const bulkTagAssignments = z.object({
  /** Tags, each with its objects. */
  tags: z.array(
    tagAssignments.extend({
      /** Identifier of the tag. */
      tagId: z.string().min(1),
    }),
  ),
});

export type BulkTagAssignments = z.output<typeof bulkTagAssignments>;

/** The objects that a static tag is assigned to. */
export const tagAssignedObjects = z
  .array(
    z.looseObject({
      /** Identifier of the object. */
      id: identifier.optional(),
      /** The type of the object. */
      type: z.string().optional(),
    }),
  )
  .optional();

/**
 * Assignments of one tag in an answer. The answer has no status of an item, so only a later read shows the assigned objects.
 */
export const assignedTag = z.looseObject({
  /** Identifier of the tag. */
  tagId: identifier,
  /** Objects of the request. */
  assignments: tagAssignedObjects,
  /** Links of the tag. */
  _links: selfLinks.optional(),
});

export type AssignedTag = z.output<typeof assignedTag>;

/** Assignments of several tags in an answer. */
export const assignedTags = z.looseObject({
  /** Tags, each with its objects. */
  tags: z.array(assignedTag),
  /** Links of the answer. */
  _links: selfLinks.optional(),
});

export type AssignedTags = z.output<typeof assignedTags>;
