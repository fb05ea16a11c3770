// Written by `npm run generate` from the schemas; change it there.
import type { AgentToServerTestRecord } from "./agent-to-server-tests";
import type { HttpServerTestRecord } from "./http-server-tests";
import type { AgentToServerInstantTestRequest, HttpServerInstantTestRequest, RunResult } from "./instant-tests";

/** Operations of `client.instantTests`. */
export interface InstantTestsCalls {
  /** `POST /v7/endpoint/tests/scheduled-tests/agent-to-server/instant` */
  readonly agentToServer: (request: {
    query?: {
      /** Account group to ask. Default: the one that the token's owner logs in to. */
      aid?: string;
    };
    body: AgentToServerInstantTestRequest;
    signal?: AbortSignal;
  }) => Promise<AgentToServerTestRecord>;
  /** `POST /v7/endpoint/tests/scheduled-tests/http-server/instant` */
  readonly httpServer: (request: {
    query?: {
      /** Account group to ask. Default: the one that the token's owner logs in to. */
      aid?: string;
    };
    body: HttpServerInstantTestRequest;
    signal?: AbortSignal;
  }) => Promise<HttpServerTestRecord>;
  /**
   * `POST /v7/endpoint/tests/scheduled-tests/{testId}/run`
   *
   * Runs a test that exists. Any scheduled test, says one source, an instant one, says another
   * (docs/service/requests.md, Versions).
   */
  readonly run: (request: {
    path: { testId: string };
    query?: {
      /** Account group to ask. Default: the one that the token's owner logs in to. */
      aid?: string;
    };
    signal?: AbortSignal;
  }) => Promise<RunResult>;
}
