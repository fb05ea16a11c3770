// Written by `npm run generate` from the schemas; change it there.
import type { StreamRecord, StreamRequest } from "./streams";

/** Operations of `client.streams`. */
export interface StreamsCalls {
  /** `GET /v7/streams` */
  readonly list: (request?: {
    query?: {
      /** Account group to ask. Default: the one that the token's owner logs in to. */
      aid?: string;
      /** Kind of target. */
      type?: "opentelemetry" | "splunk-hec";
    };
    signal?: AbortSignal;
  }) => Promise<StreamRecord[]>;
  /** `POST /v7/streams` */
  readonly create: (request: {
    query?: {
      /** Account group to ask. Default: the one that the token's owner logs in to. */
      aid?: string;
    };
    body: StreamRequest;
    signal?: AbortSignal;
  }) => Promise<StreamRecord>;
  /** `GET /v7/streams/{id}` */
  readonly get: (request: {
    path: { id: string };
    query?: {
      /** Account group to ask. Default: the one that the token's owner logs in to. */
      aid?: string;
      /** Kind of target. */
      type?: "opentelemetry" | "splunk-hec";
    };
    signal?: AbortSignal;
  }) => Promise<StreamRecord>;
  /** `PUT /v7/streams/{id}` */
  readonly update: (request: {
    path: { id: string };
    query?: {
      /** Account group to ask. Default: the one that the token's owner logs in to. */
      aid?: string;
    };
    body: StreamRequest;
    signal?: AbortSignal;
  }) => Promise<StreamRecord>;
  /** `DELETE /v7/streams/{id}` */
  readonly delete: (request: {
    path: { id: string };
    query?: {
      /** Account group to ask. Default: the one that the token's owner logs in to. */
      aid?: string;
    };
    signal?: AbortSignal;
  }) => Promise<undefined>;
}
