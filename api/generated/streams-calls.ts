// Written by `npm run generate` from the schemas; change it there.
import type { StreamRecord, StreamRequest } from "./streams";

/** Operations of `client.streams`. */
export interface StreamsCalls {
  /** `GET /v7/streams` */
  readonly list: (request?: {
    query?: {
      /** Account group of the request. Default: the login account group of the token's owner. */
      aid?: string;
      /** Kind of target. */
      type?: "opentelemetry" | "splunk-hec";
    };
    signal?: AbortSignal;
  }) => Promise<StreamRecord[]>;
  /** `POST /v7/streams` */
  readonly create: (request: {
    query?: {
      /** Account group of the request. Default: the login account group of the token's owner. */
      aid?: string;
    };
    body: StreamRequest;
    signal?: AbortSignal;
  }) => Promise<StreamRecord>;
  /** `GET /v7/streams/{id}` */
  readonly get: (request: {
    path: { id: string };
    query?: {
      /** Account group of the request. Default: the login account group of the token's owner. */
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
      /** Account group of the request. Default: the login account group of the token's owner. */
      aid?: string;
    };
    body: StreamRequest;
    signal?: AbortSignal;
  }) => Promise<StreamRecord>;
  /** `DELETE /v7/streams/{id}` */
  readonly delete: (request: {
    path: { id: string };
    query?: {
      /** Account group of the request. Default: the login account group of the token's owner. */
      aid?: string;
    };
    signal?: AbortSignal;
  }) => Promise<undefined>;
}
