// Written by `npm run generate` from the schemas; change it there.
import type { LabelPage, LabelRecord, LabelRequest, LabelUpdate } from "./labels";

/** Operations of `client.labels`. */
export interface LabelsCalls {
  /** `GET /v7/endpoint/labels` */
  readonly list: (request?: {
    query?: {
      /** Account group to ask. Default: the one that the token's owner logs in to. */
      aid?: string;
      /** Where the page begins: opaque text from `_links.next.href` of the page before. */
      cursor?: string;
      /** Rows on a page, 1 or more. The service may take another number; its bounds are not stated. */
      max?: number;
      /** `filters`, to include the filters of labels. */
      expand?: "filters"[];
    };
    signal?: AbortSignal;
  }) => Promise<LabelPage>;
  /** `POST /v7/endpoint/labels` */
  readonly create: (request: {
    query?: {
      /** Account group to ask. Default: the one that the token's owner logs in to. */
      aid?: string;
    };
    body: LabelRequest;
    signal?: AbortSignal;
  }) => Promise<LabelRecord>;
  /** `GET /v7/endpoint/labels/{id}` */
  readonly get: (request: {
    path: { id: string };
    query?: {
      /** Account group to ask. Default: the one that the token's owner logs in to. */
      aid?: string;
      /** `filters`, to include the filters of labels. */
      expand?: "filters"[];
    };
    signal?: AbortSignal;
  }) => Promise<LabelRecord>;
  /** `PATCH /v7/endpoint/labels/{id}` */
  readonly update: (request: {
    path: { id: string };
    query?: {
      /** Account group to ask. Default: the one that the token's owner logs in to. */
      aid?: string;
    };
    body: LabelUpdate;
    signal?: AbortSignal;
  }) => Promise<LabelRecord>;
  /** `DELETE /v7/endpoint/labels/{id}` */
  readonly delete: (request: {
    path: { id: string };
    query?: {
      /** Account group to ask. Default: the one that the token's owner logs in to. */
      aid?: string;
    };
    signal?: AbortSignal;
  }) => Promise<undefined>;
}
