import { z } from "zod";
import { accountGroupQuery, identifier, listParameter, selfLinks } from "./common";
import { matchType } from "./enums";
import { operation } from "./operation";
import { tagObjectType, tagAccessType, tagAssignedObjects, tagType, tagFilter } from "./tag-parts";
import { assignedTag } from "./tag-parts";
import { tagAssignments, bulkTagAssignments } from "./tag-parts";
import { assignedTags } from "./tag-parts";

/**
 * Body of a create or an update. According to the interface all members are optional, but the service requires `accessType`,
 * `objectType` and `value`, and for a tag of endpoint agents also `type`, `matchType` and `filters` (observed). An update
 * replaces the whole record.
 */
export const tagRequest = z.object({
  /** Key of the tag. It may be changed (observed). */
  key: z.string().optional(),
  /** Value of the tag. Key and value together are unique (recorded for updates). */
  value: z.string().optional(),
  /** The type of the tag's objects. It cannot be changed (observed). */
  objectType: tagObjectType.optional(),
  /** `dynamic` for endpoint agents, `static` for other objects. Default: `static` (observed). */
  type: tagType.optional(),
  /** The users who see the tag. The service requires it and accepts only `all` (observed). */
  accessType: tagAccessType.optional(),
  /** Color on the product's pages. Default: `#A7EB10` (observed). */
  color: z.string().optional(),
  /** Icon on the product's pages. Default: `LABEL` (observed). Other icons are not known. */
  icon: z.string().optional(),
  /** Free text. */
  description: z.string().optional(),
  /** `and`: an agent must match all filters. `or`: one matching filter is enough. Static tags have no such member. */
  matchType: matchType.optional(),
  /** Conditions on agents. Static tags have no such member. */
  filters: z.array(tagFilter).optional(),
});

export type TagRequest = z.output<typeof tagRequest>;

/** A tag. */
export const tag = z.looseObject({
  /** Identifier of the tag (UUID). */
  id: identifier,
  /** Key of the tag. */
  key: z.string().optional(),
  /** Value of the tag. */
  value: z.string().optional(),
  /**
   * The type of the tag's objects: `endpoint-agent`, `test`, `dashboard`, `endpoint-test`, `v-agent` or
   * `connected-devices-test`.
   */
  objectType: z.string().optional(),
  /** `static` or `dynamic`. */
  type: z.string().optional(),
  /** `all`, `partner` or `system`. */
  accessType: z.string().optional(),
  /** Account group of the tag. Absent for a built-in tag. */
  aid: identifier.optional().meta({ owned: true }),
  /** Whether the service itself provides the tag. */
  builtIn: z.boolean().optional().meta({ owned: true }),
  /** Color on the product's pages, such as `#A7EB10`. */
  color: z.string().optional(),
  /** Icon on the product's pages, such as `LABEL`. */
  icon: z.string().optional(),
  /** Free text. */
  description: z.string().optional(),
  /** `and`: an agent must match all filters. `or`: one matching filter is enough. */
  matchType: z.string().optional(),
  /** Conditions on agents. It is not known whether lists of tags contain them. */
  filters: z
    .array(
      z.looseObject({
        /** Agent attribute to compare. */
        key: z.string(),
        /** `in` or `not-in`. */
        mode: z.string().optional(),
        /** `default` or `custom`. */
        scope: z.string().optional(),
        /** Values to compare with. */
        values: z.array(z.string()).default([]),
      }),
    )
    .optional(),
  /** Time of creation (RFC 3339, UTC). */
  createDate: z.string().optional(),
  /** Time of the last change (RFC 3339, UTC); absent before the first change. */
  modifiedDate: z.string().optional(),
  /**
   * Number of the tag in the series of label ids, for a tag of endpoint agents. A label with this id may be the same object
   * (inferred). Negative for built-in tags.
   */
  legacyId: z.number().optional(),
  /** Objects that a static tag is assigned to, returned only with `assignments` in `expand`. */
  assignments: tagAssignedObjects,
  /** Links of the record. */
  _links: selfLinks.optional(),
});

export type TagRecord = z.output<typeof tag>;

/** The tags of an account group, all on one page: all types, including built-in tags. */
export const tags = z.looseObject({
  /** The tags. */
  tags: z.array(tag),
  /** Links of the list. */
  _links: selfLinks.optional(),
});

export type TagList = z.output<typeof tags>;

/** Tags to create. */
export const bulkTagRequest = z.object({
  /** The tags. */
  tags: z.array(tagRequest),
});

export type BulkTagRequest = z.output<typeof bulkTagRequest>;

/** Outcome of a create of several tags. */
export const bulkTagResponse = z
  .looseObject({
    /** Created tags. */
    tags: z.array(tag).optional(),
    /** Failures, one for each tag that was not created. */
    errors: z
      .array(
        z.looseObject({
          /** The requested tag. The name of this member in the answer is not known. */
          tag: z.record(z.string(), z.unknown()).optional(),
          /** Status of this tag's create. */
          responseCode: z.number().optional(),
          /** The error. */
          message: z.string().optional(),
        }),
      )
      .optional(),
    /** Links of the answer. */
    _links: selfLinks.optional(),
  })
  .refine(({ tags: created, errors }) => created !== undefined || errors !== undefined, "neither tags nor errors");

export type BulkTagResponse = z.output<typeof bulkTagResponse>;

const query = accountGroupQuery;

const reading = query.extend({
  /** `assignments` includes the objects that static tags are assigned to. */
  expand: listParameter(["assignments"]),
});

const path = "/v7/tags";

const tagPath = "/v7/tags/{id}";

const editing = "Edit tags";

// The names of the permissions for personal data are not documented.
const permission = `${editing}. A tag of endpoint agents also requires every permission to view personal data of endpoint agents`;

// Operations on several tags and on assignments were never recorded. They follow the vendor's client models.
export const tagOperations = {
  list: operation({
    id: "tags.list",
    method: "GET",
    path,
    query: reading,
    permission: "View tags",
    status: 200,
    response: tags,
  }),
  create: operation({
    id: "tags.create",
    method: "POST",
    path,
    query,
    body: tagRequest,
    permission,
    status: 201,
    response: tag,
  }),
  createBulk: operation({
    id: "tags.createBulk",
    method: "POST",
    path: "/v7/tags/bulk",
    query,
    body: bulkTagRequest,
    permission,
    status: 207,
    response: bulkTagResponse,
  }),
  get: operation({
    id: "tags.get",
    method: "GET",
    path: tagPath,
    query: reading,
    permission: "View tags",
    status: 200,
    response: tag,
  }),
  update: operation({
    id: "tags.update",
    method: "PUT",
    path: tagPath,
    query,
    body: tagRequest,
    permission,
    status: 200,
    response: tag,
  }),
  delete: operation({ id: "tags.delete", method: "DELETE", path: tagPath, query, permission: editing, status: 204 }),
  assign: operation({
    id: "tags.assign",
    method: "POST",
    path: "/v7/tags/{id}/assign",
    query,
    body: tagAssignments,
    permission: editing,
    status: 207,
    response: assignedTag,
  }),
  assignBulk: operation({
    id: "tags.assignBulk",
    method: "POST",
    path: "/v7/tags/assign",
    query,
    body: bulkTagAssignments,
    permission: editing,
    status: 207,
    response: assignedTags,
  }),
  unassign: operation({
    id: "tags.unassign",
    method: "POST",
    path: "/v7/tags/{id}/unassign",
    query,
    body: tagAssignments,
    permission: editing,
    status: 204,
  }),
  unassignBulk: operation({
    id: "tags.unassignBulk",
    method: "POST",
    path: "/v7/tags/unassign",
    query,
    body: bulkTagAssignments,
    permission: editing,
    status: 207,
    response: assignedTags,
  }),
};
