import { z } from "zod";
import { agentToServerTest } from "./agent-to-server-tests";
import { accountGroupQuery, selfLinks } from "./common";
import { httpServerTest } from "./http-server-tests";
import { operation } from "./operation";

/** A scheduled test of either kind, told apart by `type`; kinds not known today still parse. */
export const scheduledTest = agentToServerTest.extend(httpServerTest.shape);
export type ScheduledTestRecord = z.output<typeof scheduledTest>;

export const scheduledTestOperations = {
  /** Tests of all kinds. Like other lists of tests it is not paged. */
  list: operation({
    id: "tests.list",
    method: "GET",
    path: "/v7/endpoint/tests/scheduled-tests",
    query: accountGroupQuery,
    status: 200,
    response: z.looseObject({ tests: z.array(scheduledTest), _links: selfLinks.optional() }),
  }),
};
