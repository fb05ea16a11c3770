// `npm run generate` writes this file from the schemas in api/schemas.
import type { SelfLinks } from "./common";
import type { DynamicTestRecord, DynamicTestRequest, DynamicTestUpdate } from "./dynamic-tests";

/** Operations of `client.dynamicTests`. */
export interface DynamicTestsCalls {
  /** `GET /v7/endpoint/tests/dynamic-tests/agent-to-server` */
  readonly list: (request?: {
    query?: {
      /** Account group that the request applies to. Default: the login account group of the token's user. */
      aid?: string;
    };
    signal?: AbortSignal;
  }) => Promise<{
    /** Tests of the account group. The service returns all tests on one page. */
    tests: DynamicTestRecord[];
    /** Links, such as the link to the list itself. */
    _links?: SelfLinks;
  }>;
  /** `POST /v7/endpoint/tests/dynamic-tests/agent-to-server` */
  readonly create: (request: {
    query?: {
      /** Account group that the request applies to. Default: the login account group of the token's user. */
      aid?: string;
    };
    body: DynamicTestRequest;
    signal?: AbortSignal;
  }) => Promise<DynamicTestRecord>;
  /** `GET /v7/endpoint/tests/dynamic-tests/agent-to-server/{testId}` */
  readonly get: (request: {
    path: { testId: string };
    query?: {
      /** Account group that the request applies to. Default: the login account group of the token's user. */
      aid?: string;
    };
    signal?: AbortSignal;
  }) => Promise<DynamicTestRecord>;
  /** `PATCH /v7/endpoint/tests/dynamic-tests/agent-to-server/{testId}` */
  readonly update: (request: {
    path: { testId: string };
    query?: {
      /** Account group that the request applies to. Default: the login account group of the token's user. */
      aid?: string;
    };
    body: DynamicTestUpdate;
    signal?: AbortSignal;
  }) => Promise<DynamicTestRecord>;
  /** `DELETE /v7/endpoint/tests/dynamic-tests/agent-to-server/{testId}` */
  readonly delete: (request: {
    path: { testId: string };
    query?: {
      /** Account group that the request applies to. Default: the login account group of the token's user. */
      aid?: string;
    };
    signal?: AbortSignal;
  }) => Promise<undefined>;
}
