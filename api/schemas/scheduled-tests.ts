import { z } from "zod";
import { agentToServerTest } from "./agent-to-server-tests";
import { accountGroupQuery, selfLinks } from "./common";
import { httpServerTest } from "./http-server-tests";
import { operation } from "./operation";

/** A scheduled test of any kind, according to `type`. */
export const scheduledTest = agentToServerTest.extend(httpServerTest.shape);
export type ScheduledTestRecord = z.output<typeof scheduledTest>;

export const scheduledTestOperations = {
  /** Lists tests of all kinds. Like other lists of tests, it has no pages. */
  list: operation({
    id: "tests.list",
    method: "GET",
    path: "/v7/endpoint/tests/scheduled-tests",
    query: accountGroupQuery,
    status: 200,
    response: z.looseObject({
      /** Tests of the account group, all on one page. */
      tests: z.array(scheduledTest),
      /** Links of the list. */
      _links: selfLinks.optional(),
    }),
  }),
};
