import { z } from "zod";
import { agentToServerTest, agentToServerTestRequest } from "./agent-to-server-tests";
import { accountGroupQuery } from "./common";
import { httpServerTest, httpServerTestRequest } from "./http-server-tests";
import { operation } from "./operation";

/** Body of an agent-to-server instant test: what a scheduled one takes, without what concerns its rounds. */
export const agentToServerInstantTestRequest = agentToServerTestRequest.omit({
  interval: true,
  isPrioritized: true,
  protocol: true,
});
export type AgentToServerInstantTestRequest = z.output<typeof agentToServerInstantTestRequest>;

/** Body of an HTTP-server instant test, likewise. */
export const httpServerInstantTestRequest = httpServerTestRequest.omit({ interval: true, isPrioritized: true });
export type HttpServerInstantTestRequest = z.output<typeof httpServerInstantTestRequest>;

/** Answer to the run of a test. */
export const runResult = z.looseObject({
  /** A sentence that holds the id of the test. */
  message: z.string(),
});
export type RunResult = z.output<typeof runResult>;

const path = "/v7/endpoint/tests/scheduled-tests";
const query = accountGroupQuery;

const permission = "Edit endpoint tests";

/**
 * Tests that run once, at once. Answers hold the test, never its results: `_links.testResults` leads to those.
 * All three have a rate limit of their own, and none may be repeated: each request that arrives is a run.
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
   * Runs a test that exists. Any scheduled test, says one source, an instant one, says another
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
