import { z } from "zod";
import { agentToServerTest } from "./agent-to-server-tests";
import { accountGroupQuery, selfLinks } from "./common";
import { httpServerTest } from "./http-server-tests";
import { operation } from "./operation";

/** A scheduled test of any type. The member `type` contains the test type. */
export const scheduledTest = agentToServerTest.extend(httpServerTest.shape);
export type ScheduledTestRecord = z.output<typeof scheduledTest>;

export const scheduledTestOperations = {
  /** Lists tests of all types. The service returns all tests on one page. */
  list: operation({
    id: "tests.list",
    method: "GET",
    path: "/v7/endpoint/tests/scheduled-tests",
    query: accountGroupQuery,
    status: 200,
    response: z.looseObject({
      /** Tests of the account group. The service returns all tests on one page. */
      tests: z.array(scheduledTest),
      /** Links, such as the link to the list itself. */
      _links: selfLinks.optional(),
    }),
  }),
};
