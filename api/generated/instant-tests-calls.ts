// `npm run generate` writes this file from the schemas in api/schemas.
import type { AgentToServerTestRecord } from "./agent-to-server-tests";
import type { HttpServerTestRecord } from "./http-server-tests";
import type { AgentToServerInstantTestRequest, HttpServerInstantTestRequest, RunResult } from "./instant-tests";

/** Operations of `client.instantTests`. */
export interface InstantTestsCalls {
  /** `POST /v7/endpoint/tests/scheduled-tests/agent-to-server/instant` */
  readonly agentToServer: (request: {
    query?: {
      /** Account group that the request applies to. Default: the login account group of the token's user. */
      aid?: string;
    };
    body: AgentToServerInstantTestRequest;
    signal?: AbortSignal;
  }) => Promise<AgentToServerTestRecord>;
  /** `POST /v7/endpoint/tests/scheduled-tests/http-server/instant` */
  readonly httpServer: (request: {
    query?: {
      /** Account group that the request applies to. Default: the login account group of the token's user. */
      aid?: string;
    };
    body: HttpServerInstantTestRequest;
    signal?: AbortSignal;
  }) => Promise<HttpServerTestRecord>;
  /**
   * `POST /v7/endpoint/tests/scheduled-tests/{testId}/run`
   *
   * Runs an existing test once. Versions of the documentation disagree about whether the operation accepts scheduled tests
   * (docs/service/requests.md, Versions).
   */
  readonly run: (request: {
    path: { testId: string };
    query?: {
      /** Account group that the request applies to. Default: the login account group of the token's user. */
      aid?: string;
    };
    signal?: AbortSignal;
  }) => Promise<RunResult>;
}
