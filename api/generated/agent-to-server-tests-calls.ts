// `npm run generate` writes this file from the schemas in api/schemas.
import type { AgentToServerTestRecord, AgentToServerTestRequest, AgentToServerTestUpdate } from "./agent-to-server-tests";
import type { SelfLinks } from "./common";

/** Operations of `client.agentToServerTests`. */
export interface AgentToServerTestsCalls {
  /** `GET /v7/endpoint/tests/scheduled-tests/agent-to-server` */
  readonly list: (request?: {
    query?: {
      /** Account group that the request applies to. Default: the login account group of the token's user. */
      aid?: string;
    };
    signal?: AbortSignal;
  }) => Promise<{
    /** Tests of the account group. The service returns all tests on one page. */
    tests: AgentToServerTestRecord[];
    /** Links, such as the link to the list itself. */
    _links?: SelfLinks;
  }>;
  /** `POST /v7/endpoint/tests/scheduled-tests/agent-to-server` */
  readonly create: (request: {
    query?: {
      /** Account group that the request applies to. Default: the login account group of the token's user. */
      aid?: string;
    };
    body: AgentToServerTestRequest;
    signal?: AbortSignal;
  }) => Promise<AgentToServerTestRecord>;
  /** `GET /v7/endpoint/tests/scheduled-tests/agent-to-server/{testId}` */
  readonly get: (request: {
    path: { testId: string };
    query?: {
      /** Account group that the request applies to. Default: the login account group of the token's user. */
      aid?: string;
    };
    signal?: AbortSignal;
  }) => Promise<AgentToServerTestRecord>;
  /** `PATCH /v7/endpoint/tests/scheduled-tests/agent-to-server/{testId}` */
  readonly update: (request: {
    path: { testId: string };
    query?: {
      /** Account group that the request applies to. Default: the login account group of the token's user. */
      aid?: string;
    };
    body: AgentToServerTestUpdate;
    signal?: AbortSignal;
  }) => Promise<AgentToServerTestRecord>;
  /** `DELETE /v7/endpoint/tests/scheduled-tests/agent-to-server/{testId}` */
  readonly delete: (request: {
    path: { testId: string };
    query?: {
      /** Account group that the request applies to. Default: the login account group of the token's user. */
      aid?: string;
    };
    signal?: AbortSignal;
  }) => Promise<undefined>;
}
