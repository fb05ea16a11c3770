// `npm run generate` writes this file from the schemas in api/schemas.
import type { LabelPage, LabelRecord, LabelRequest, LabelUpdate } from "./labels";

/** Operations of `client.labels`. */
export interface LabelsCalls {
  /** `GET /v7/endpoint/labels` */
  readonly list: (request?: {
    query?: {
      /** Account group that the request applies to. Default: the login account group of the token's user. */
      aid?: string;
      /** Cursor of the requested page, from `_links.next.href` of the previous page. */
      cursor?: string;
      /** Requested number of items per page, at least 1. The service may return a different number of items. */
      max?: number;
      /** With `filters`, the response includes the labels' filters. */
      expand?: "filters"[];
    };
    signal?: AbortSignal;
  }) => Promise<LabelPage>;
  /** `POST /v7/endpoint/labels` */
  readonly create: (request: {
    query?: {
      /** Account group that the request applies to. Default: the login account group of the token's user. */
      aid?: string;
    };
    body: LabelRequest;
    signal?: AbortSignal;
  }) => Promise<LabelRecord>;
  /** `GET /v7/endpoint/labels/{id}` */
  readonly get: (request: {
    path: { id: string };
    query?: {
      /** Account group that the request applies to. Default: the login account group of the token's user. */
      aid?: string;
      /** With `filters`, the response includes the labels' filters. */
      expand?: "filters"[];
    };
    signal?: AbortSignal;
  }) => Promise<LabelRecord>;
  /** `PATCH /v7/endpoint/labels/{id}` */
  readonly update: (request: {
    path: { id: string };
    query?: {
      /** Account group that the request applies to. Default: the login account group of the token's user. */
      aid?: string;
    };
    body: LabelUpdate;
    signal?: AbortSignal;
  }) => Promise<LabelRecord>;
  /** `DELETE /v7/endpoint/labels/{id}` */
  readonly delete: (request: {
    path: { id: string };
    query?: {
      /** Account group that the request applies to. Default: the login account group of the token's user. */
      aid?: string;
    };
    signal?: AbortSignal;
  }) => Promise<undefined>;
}
