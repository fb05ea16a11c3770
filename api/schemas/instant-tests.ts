import { z } from "zod";
import { agentToServerTest, agentToServerTestRequest } from "./agent-to-server-tests";
import { accountGroupQuery } from "./common";
import { httpServerTest, httpServerTestRequest } from "./http-server-tests";
import { operation } from "./operation";

/**
 * Request body to run an agent-to-server test once. Unlike the body of a scheduled test, this body has no `interval`,
 * `isPrioritized` or `protocol`.
 */
export const agentToServerInstantTestRequest = agentToServerTestRequest.omit({
  interval: true,
  isPrioritized: true,
  protocol: true,
});
export type AgentToServerInstantTestRequest = z.output<typeof agentToServerInstantTestRequest>;

/**
 * Request body to run an HTTP server test once. Unlike the body of a scheduled test, this body has no `interval` or
 * `isPrioritized`.
 */
export const httpServerInstantTestRequest = httpServerTestRequest.omit({ interval: true, isPrioritized: true });
export type HttpServerInstantTestRequest = z.output<typeof httpServerInstantTestRequest>;

/** Response to a request that runs a test. */
export const runResult = z.looseObject({
  /** A sentence that contains the test's id. */
  message: z.string(),
});
export type RunResult = z.output<typeof runResult>;

const path = "/v7/endpoint/tests/scheduled-tests";
const query = accountGroupQuery;

const permission = "Edit endpoint tests";

/**
 * Operations that run a test once and immediately. Responses contain the test, but not the results. The link
 * `_links.testResults` in the response leads to the results. Each operation also counts against the rate limit of instant
 * tests. A request cannot be repeated safely, because each request starts a run.
 */
export const instantTestOperations = {
  agentToServer: operation({
    id: "tests.agentToServer.instant",
    method: "POST",
    path: `${path}/agent-to-server/instant`,
    query,
    body: agentToServerInstantTestRequest,
    status: 201,
    response: agentToServerTest,
    budget: "instant",
    permission,
  }),
  httpServer: operation({
    id: "tests.httpServer.instant",
    method: "POST",
    path: `${path}/http-server/instant`,
    query,
    body: httpServerInstantTestRequest,
    status: 201,
    response: httpServerTest,
    budget: "instant",
    permission,
  }),
  /**
   * Runs an existing test once. Versions of the documentation disagree about whether the operation accepts scheduled tests
   * (docs/service/requests.md, Versions).
   */
  run: operation({
    id: "tests.run",
    method: "POST",
    path: `${path}/{testId}/run`,
    query,
    status: 200,
    response: runResult,
    budget: "instant",
    permission,
  }),
};
