// `npm run generate` writes this file from the schemas in api/schemas.
import type { AssignedTag, AssignedTags, BulkTagAssignments, TagAssignments } from "./tag-parts";
import type { BulkTagRequest, BulkTagResponse, TagList, TagRecord, TagRequest } from "./tags";

/** Operations of `client.tags`. */
export interface TagsCalls {
  /** `GET /v7/tags` */
  readonly list: (request?: {
    query?: {
      /** Account group that the request applies to. Default: the login account group of the token's user. */
      aid?: string;
      /** With `assignments`, the response includes the objects that have a static tag. */
      expand?: "assignments"[];
    };
    signal?: AbortSignal;
  }) => Promise<TagList>;
  /** `POST /v7/tags` */
  readonly create: (request: {
    query?: {
      /** Account group that the request applies to. Default: the login account group of the token's user. */
      aid?: string;
    };
    body: TagRequest;
    signal?: AbortSignal;
  }) => Promise<TagRecord>;
  /** `POST /v7/tags/bulk` */
  readonly createBulk: (request: {
    query?: {
      /** Account group that the request applies to. Default: the login account group of the token's user. */
      aid?: string;
    };
    body: BulkTagRequest;
    signal?: AbortSignal;
  }) => Promise<BulkTagResponse>;
  /** `GET /v7/tags/{id}` */
  readonly get: (request: {
    path: { id: string };
    query?: {
      /** Account group that the request applies to. Default: the login account group of the token's user. */
      aid?: string;
      /** With `assignments`, the response includes the objects that have a static tag. */
      expand?: "assignments"[];
    };
    signal?: AbortSignal;
  }) => Promise<TagRecord>;
  /** `PUT /v7/tags/{id}` */
  readonly update: (request: {
    path: { id: string };
    query?: {
      /** Account group that the request applies to. Default: the login account group of the token's user. */
      aid?: string;
    };
    body: TagRequest;
    signal?: AbortSignal;
  }) => Promise<TagRecord>;
  /** `DELETE /v7/tags/{id}` */
  readonly delete: (request: {
    path: { id: string };
    query?: {
      /** Account group that the request applies to. Default: the login account group of the token's user. */
      aid?: string;
    };
    signal?: AbortSignal;
  }) => Promise<undefined>;
  /** `POST /v7/tags/{id}/assign` */
  readonly assign: (request: {
    path: { id: string };
    query?: {
      /** Account group that the request applies to. Default: the login account group of the token's user. */
      aid?: string;
    };
    body: TagAssignments;
    signal?: AbortSignal;
  }) => Promise<AssignedTag>;
  /** `POST /v7/tags/assign` */
  readonly assignBulk: (request: {
    query?: {
      /** Account group that the request applies to. Default: the login account group of the token's user. */
      aid?: string;
    };
    body: BulkTagAssignments;
    signal?: AbortSignal;
  }) => Promise<AssignedTags>;
  /** `POST /v7/tags/{id}/unassign` */
  readonly unassign: (request: {
    path: { id: string };
    query?: {
      /** Account group that the request applies to. Default: the login account group of the token's user. */
      aid?: string;
    };
    body: TagAssignments;
    signal?: AbortSignal;
  }) => Promise<undefined>;
  /** `POST /v7/tags/unassign` */
  readonly unassignBulk: (request: {
    query?: {
      /** Account group that the request applies to. Default: the login account group of the token's user. */
      aid?: string;
    };
    body: BulkTagAssignments;
    signal?: AbortSignal;
  }) => Promise<AssignedTags>;
}
