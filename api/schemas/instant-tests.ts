import { z } from "zod";
import { agentToServerTest, agentToServerTestRequest } from "./agent-to-server-tests";
import { accountGroupQuery } from "./common";
import { httpServerTest, httpServerTestRequest } from "./http-server-tests";
import { operation } from "./operation";

/** Body of an agent-to-server instant test: that of a scheduled test without the members about rounds. */
export const agentToServerInstantTestRequest = agentToServerTestRequest.omit({
  interval: true,
  isPrioritized: true,
  protocol: true,
});
export type AgentToServerInstantTestRequest = z.output<typeof agentToServerInstantTestRequest>;

/** Body of an HTTP server instant test: that of a scheduled test without the members about rounds. */
export const httpServerInstantTestRequest = httpServerTestRequest.omit({ interval: true, isPrioritized: true });
export type HttpServerInstantTestRequest = z.output<typeof httpServerInstantTestRequest>;

/** Answer to the run of a test. */
export const runResult = z.looseObject({
  /** A sentence that contains the test's id. */
  message: z.string(),
});
export type RunResult = z.output<typeof runResult>;

const path = "/v7/endpoint/tests/scheduled-tests";
const query = accountGroupQuery;

const permission = "Edit endpoint tests";

/**
 * Tests that run once, immediately. Answers contain the test, but not its results. `_links.testResults` leads to them. All
 * three operations count against the rate limit of instant tests. They cannot be repeated, because each request starts a run.
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
   * Runs an existing test. According to one source it may be any scheduled test, according to another an instant test
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
