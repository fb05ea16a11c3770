// Written by `npm run generate` from the schemas; change it there.
import type { LabelPage, LabelRecord, LabelRequest, LabelUpdate } from "./labels";

/** Operations of `client.labels`. */
export interface LabelsCalls {
  /** `GET /v7/endpoint/labels` */
  readonly list: (request?: {
    query?: {
      /** Account group of the request. Default: the login account group of the token's owner. */
      aid?: string;
      /** Beginning of the page: opaque text from `_links.next.href` of the previous page. */
      cursor?: string;
      /** Rows on a page, 1 or more. The service may use another number; it does not document the limits. */
      max?: number;
      /** `filters` includes the filters of labels. */
      expand?: "filters"[];
    };
    signal?: AbortSignal;
  }) => Promise<LabelPage>;
  /** `POST /v7/endpoint/labels` */
  readonly create: (request: {
    query?: {
      /** Account group of the request. Default: the login account group of the token's owner. */
      aid?: string;
    };
    body: LabelRequest;
    signal?: AbortSignal;
  }) => Promise<LabelRecord>;
  /** `GET /v7/endpoint/labels/{id}` */
  readonly get: (request: {
    path: { id: string };
    query?: {
      /** Account group of the request. Default: the login account group of the token's owner. */
      aid?: string;
      /** `filters` includes the filters of labels. */
      expand?: "filters"[];
    };
    signal?: AbortSignal;
  }) => Promise<LabelRecord>;
  /** `PATCH /v7/endpoint/labels/{id}` */
  readonly update: (request: {
    path: { id: string };
    query?: {
      /** Account group of the request. Default: the login account group of the token's owner. */
      aid?: string;
    };
    body: LabelUpdate;
    signal?: AbortSignal;
  }) => Promise<LabelRecord>;
  /** `DELETE /v7/endpoint/labels/{id}` */
  readonly delete: (request: {
    path: { id: string };
    query?: {
      /** Account group of the request. Default: the login account group of the token's owner. */
      aid?: string;
    };
    signal?: AbortSignal;
  }) => Promise<undefined>;
}
