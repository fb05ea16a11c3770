import { z } from "zod";
import { accountGroupQuery } from "./common";
import { operation } from "./operation";

/** A profile of real user monitoring: which domains are watched, and on which agents. */
export const realUserTest = z.looseObject({
  profileId: z.string(),
  aid: z.string().optional(),
  name: z.string().optional(),
  includedDomains: z.array(z.string()).optional(),
  excludedDomains: z.array(z.string()).optional(),
  monitoringSettings: z
    .looseObject({
      monitoringSettingsId: z.string().optional(),
      /** How agents are chosen; the values of `agentSelectorType`. */
      monitoringSettingsType: z.string().optional(),
      agentIds: z.array(z.string()).optional(),
      tagIds: z.array(z.string()).optional(),
      labelIds: z.array(z.string()).optional(),
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
    response: z.looseObject({ realUserTests: z.array(realUserTest).default([]) }),
  }),
};
