import { z } from "zod";
import { accountGroupQuery, identifier, listParameter, selfLinks } from "./common";
import { matchType } from "./enums";
import { operation } from "./operation";
import { tagObjectType, tagAccessType, tagAssignedObjects, tagType, tagFilter } from "./tag-parts";
import { assignedTag } from "./tag-parts";
import { tagAssignments, bulkTagAssignments } from "./tag-parts";
import { assignedTags } from "./tag-parts";

/**
 * Request body to create or update a tag. The documentation describes all members of the body as optional. The service requires
 * `accessType`, `objectType` and `value` (observed). For tags of endpoint agents, the service also requires `type`, `matchType`
 * and `filters` (observed). An update replaces the whole tag.
 */
export const tagRequest = z.object({
  /** Key of the tag. An update can change the key (observed). */
  key: z.string().optional(),
  /** Value of the tag. Each combination of key and value must be unique (observed for updates). */
  value: z.string().optional(),
  /** Type of the objects that can have the tag. An update cannot change the type (observed). */
  objectType: tagObjectType.optional(),
  /** Type of the tag: `dynamic` for tags of endpoint agents, `static` for all other tags. Default: `static` (observed). */
  type: tagType.optional(),
  /** The users who see the tag. The service requires `accessType` and accepts only `all` (observed). */
  accessType: tagAccessType.optional(),
  /** Color of the tag in the service's UI. Default: `#A7EB10` (observed). */
  color: z.string().optional(),
  /** Icon of the tag in the service's UI. Default: `LABEL` (observed). `LABEL` is the only known icon. */
  icon: z.string().optional(),
  /** Free text. */
  description: z.string().optional(),
  /** With `and`, an agent must match all filters. With `or`, one matching filter is enough. Static tags have no `matchType`. */
  matchType: matchType.optional(),
  /** Conditions that agents must match. Static tags have no filters. */
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
   * Type of the objects that can have the tag: `endpoint-agent`, `test`, `dashboard`, `endpoint-test`, `v-agent` or
   * `connected-devices-test`.
   */
  objectType: z.string().optional(),
  /** `static` or `dynamic`. */
  type: z.string().optional(),
  /** `all`, `partner` or `system`. */
  accessType: z.string().optional(),
  /** Account group of the tag. Built-in tags have no account group. */
  aid: identifier.optional().meta({ owned: true }),
  /** Whether the service itself provides the tag. */
  builtIn: z.boolean().optional().meta({ owned: true }),
  /** Color of the tag in the service's UI, such as `#A7EB10`. */
  color: z.string().optional(),
  /** Icon of the tag in the service's UI, such as `LABEL`. */
  icon: z.string().optional(),
  /** Free text. */
  description: z.string().optional(),
  /** With `and`, an agent must match all filters. With `or`, an agent must match at least one filter. */
  matchType: z.string().optional(),
  /** Conditions that agents must match. The service does not document whether lists of tags contain filters. */
  filters: z
    .array(
      z.looseObject({
        /** Agent attribute that the filter compares. */
        key: z.string(),
        /** `in` or `not-in`. */
        mode: z.string().optional(),
        /** `default` or `custom`. */
        scope: z.string().optional(),
        /** Values that the filter compares with the attribute. */
        values: z.array(z.string()).default([]),
      }),
    )
    .optional(),
  /** Time of creation (RFC 3339, UTC). */
  createDate: z.string().optional(),
  /** Time of the last change (RFC 3339, UTC), absent until the first change. */
  modifiedDate: z.string().optional(),
  /**
   * Numeric id of the tag, in the same range as label ids. Built-in tags have negative ids. A label with the same id is
   * probably the same object as the tag.
   */
  legacyId: z.number().optional(),
  /** Objects that have the static tag. The service returns the objects only if `expand` contains `assignments`. */
  assignments: tagAssignedObjects,
  /** Links, such as the link to the record itself. */
  _links: selfLinks.optional(),
});

export type TagRecord = z.output<typeof tag>;

/** The tags of an account group, including built-in tags. The service returns all tags on one page. */
export const tags = z.looseObject({
  /** The tags. */
  tags: z.array(tag),
  /** Links, such as the link to the list itself. */
  _links: selfLinks.optional(),
});

export type TagList = z.output<typeof tags>;

/** Tags to create. */
export const bulkTagRequest = z.object({
  /** The tags. */
  tags: z.array(tagRequest),
});

export type BulkTagRequest = z.output<typeof bulkTagRequest>;

/** Result of a request that creates several tags. */
export const bulkTagResponse = z
  .looseObject({
    /** Created tags. */
    tags: z.array(tag).optional(),
    /** The failures, one for each tag that was not created. */
    errors: z
      .array(
        z.looseObject({
          /** The requested tag. The member name `tag` is an assumption, because responses with failures were never observed. */
          tag: z.record(z.string(), z.unknown()).optional(),
          /** HTTP status for the tag that was not created. */
          responseCode: z.number().optional(),
          /** Description of the failure. */
          message: z.string().optional(),
        }),
      )
      .optional(),
    /** Links, such as the link to the requested resource itself. */
    _links: selfLinks.optional(),
  })
  .refine(({ tags: created, errors }) => created !== undefined || errors !== undefined, "neither tags nor errors");

export type BulkTagResponse = z.output<typeof bulkTagResponse>;

const query = accountGroupQuery;

const reading = query.extend({
  /** With `assignments`, the response includes the objects that have a static tag. */
  expand: listParameter(["assignments"]),
});

const path = "/v7/tags";

const tagPath = "/v7/tags/{id}";

const editing = "Edit tags";

// The service does not document the names of the permissions for personal data.
const permission = `${editing}. If the tag is for endpoint agents, the user also needs every permission to view personal data of endpoint agents`;

// Responses to bulk operations and to assignments were never observed. The schemas follow the vendor's client models.
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
