// `npm run generate` writes this file from the schemas in api/schemas.
import type { StreamRecord, StreamRequest } from "./streams";

/** Operations of `client.streams`. */
export interface StreamsCalls {
  /** `GET /v7/streams` */
  readonly list: (request?: {
    query?: {
      /** Account group that the request applies to. Default: the login account group of the token's user. */
      aid?: string;
      /** Type of the stream's target. */
      type?: "opentelemetry" | "splunk-hec";
    };
    signal?: AbortSignal;
  }) => Promise<StreamRecord[]>;
  /** `POST /v7/streams` */
  readonly create: (request: {
    query?: {
      /** Account group that the request applies to. Default: the login account group of the token's user. */
      aid?: string;
    };
    body: StreamRequest;
    signal?: AbortSignal;
  }) => Promise<StreamRecord>;
  /** `GET /v7/streams/{id}` */
  readonly get: (request: {
    path: { id: string };
    query?: {
      /** Account group that the request applies to. Default: the login account group of the token's user. */
      aid?: string;
      /** Type of the stream's target. */
      type?: "opentelemetry" | "splunk-hec";
    };
    signal?: AbortSignal;
  }) => Promise<StreamRecord>;
  /** `PUT /v7/streams/{id}` */
  readonly update: (request: {
    path: { id: string };
    query?: {
      /** Account group that the request applies to. Default: the login account group of the token's user. */
      aid?: string;
    };
    body: StreamRequest;
    signal?: AbortSignal;
  }) => Promise<StreamRecord>;
  /** `DELETE /v7/streams/{id}` */
  readonly delete: (request: {
    path: { id: string };
    query?: {
      /** Account group that the request applies to. Default: the login account group of the token's user. */
      aid?: string;
    };
    signal?: AbortSignal;
  }) => Promise<undefined>;
}
