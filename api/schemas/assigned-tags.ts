import { z } from "zod";
import { identifier, selfLinks } from "./common";
import { tagAssignedObjects } from "./tag-parts";

/** Assignments of one tag, as answered. The answer has no status of an item, so what was assigned shows only in a later read. */
export const assignedTag = z.looseObject({
  /** Identifier of the tag. */
  tagId: identifier,
  /** Objects of the request. */
  assignments: tagAssignedObjects,
  /** Links of the tag. */
  _links: selfLinks.optional(),
});

export type AssignedTag = z.output<typeof assignedTag>;

/** The same of several tags. */
export const assignedTags = z.looseObject({
  /** Tags, each with its objects. */
  tags: z.array(assignedTag),
  /** Links of the answer. */
  _links: selfLinks.optional(),
});

export type AssignedTags = z.output<typeof assignedTags>;
