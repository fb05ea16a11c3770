import { z } from "zod";
import { accountGroupQuery, identifier } from "./common";
import { operation } from "./operation";

/** A profile of real user monitoring: which domains are watched, and on which agents. */
export const realUserTest = z.looseObject({
  profileId: identifier,
  aid: identifier.optional(),
  name: z.string().optional(),
  includedDomains: z.array(z.string()).optional(),
  excludedDomains: z.array(z.string()).optional(),
  monitoringSettings: z
    .looseObject({
      monitoringSettingsId: identifier.optional(),
      /** How agents are chosen; the values of `agentSelectorType`. */
      monitoringSettingsType: z.string().optional(),
      agentIds: z.array(identifier).optional(),
      tagIds: z.array(identifier).optional(),
      labelIds: z.array(identifier).optional(),
    })
    .optional(),
});
export type RealUserTestRecord = z.output<typeof realUserTest>;

export const realUserTestOperations = {
  list: operation({
    id: "tests.realUser.list",
    method: "GET",
    path: "/v7/endpoint/tests/real-user-tests",
    query: accountGroupQuery,
    status: 200,
    response: z.looseObject({ realUserTests: z.array(realUserTest) }),
  }),
};
