// `npm run generate` writes this file from the schemas in api/schemas.
import type { SelfLinks } from "./common";
import type { HttpServerTestRecord, HttpServerTestRequest, HttpServerTestUpdate } from "./http-server-tests";

/** Operations of `client.httpServerTests`. */
export interface HttpServerTestsCalls {
  /** `GET /v7/endpoint/tests/scheduled-tests/http-server` */
  readonly list: (request?: {
    query?: {
      /** Account group that the request applies to. Default: the login account group of the token's user. */
      aid?: string;
    };
    signal?: AbortSignal;
  }) => Promise<{
    /** Tests of the account group. The service returns all tests on one page. */
    tests: HttpServerTestRecord[];
    /** Links, such as the link to the list itself. */
    _links?: SelfLinks;
  }>;
  /** `POST /v7/endpoint/tests/scheduled-tests/http-server` */
  readonly create: (request: {
    query?: {
      /** Account group that the request applies to. Default: the login account group of the token's user. */
      aid?: string;
    };
    body: HttpServerTestRequest;
    signal?: AbortSignal;
  }) => Promise<HttpServerTestRecord>;
  /** `GET /v7/endpoint/tests/scheduled-tests/http-server/{testId}` */
  readonly get: (request: {
    path: { testId: string };
    query?: {
      /** Account group that the request applies to. Default: the login account group of the token's user. */
      aid?: string;
    };
    signal?: AbortSignal;
  }) => Promise<HttpServerTestRecord>;
  /** `PATCH /v7/endpoint/tests/scheduled-tests/http-server/{testId}` */
  readonly update: (request: {
    path: { testId: string };
    query?: {
      /** Account group that the request applies to. Default: the login account group of the token's user. */
      aid?: string;
    };
    body: HttpServerTestUpdate;
    signal?: AbortSignal;
  }) => Promise<HttpServerTestRecord>;
  /** `DELETE /v7/endpoint/tests/scheduled-tests/http-server/{testId}` */
  readonly delete: (request: {
    path: { testId: string };
    query?: {
      /** Account group that the request applies to. Default: the login account group of the token's user. */
      aid?: string;
    };
    signal?: AbortSignal;
  }) => Promise<undefined>;
}
