import { z } from "zod";
import { accountGroupQuery, identifier } from "./common";
import { operation } from "./operation";

/** A profile of real user monitoring: the monitored domains and the agents that monitor them. */
export const realUserTest = z.looseObject({
  /** Identifier of the profile. */
  profileId: identifier,
  /** Account group that contains the profile. */
  aid: identifier.optional(),
  /** Name of the profile. */
  name: z.string().optional(),
  /** Domains that agents monitor. */
  includedDomains: z.array(z.string()).optional(),
  /** Domains that agents do not monitor. */
  excludedDomains: z.array(z.string()).optional(),
  /** Agents that use the profile. */
  monitoringSettings: z
    .looseObject({
      /** Identifier of the agent selection. */
      monitoringSettingsId: identifier.optional(),
      /** Type of the agent selection: `all-agents`, `specific-agents`, `agent-labels` or `agent-tags`. */
      monitoringSettingsType: z.string().optional(),
      /** Identifiers of the selected agents, for `specific-agents` only. */
      agentIds: z.array(identifier).optional(),
      /** Identifiers of the selected tags, for `agent-tags` only. */
      tagIds: z.array(identifier).optional(),
      /** Identifiers of the selected labels, for `agent-labels` only. */
      labelIds: z.array(identifier).optional(),
    })
    .optional(),
});
export type RealUserTestProfile = z.output<typeof realUserTest>;

/** The real user monitoring profiles of an account group. */
export const realUserTests = z.looseObject({
  /** The profiles. The service returns all profiles on one page. */
  realUserTests: z.array(realUserTest),
});
export type RealUserTestProfiles = z.output<typeof realUserTests>;

export const realUserTestOperations = {
  list: operation({
    id: "tests.realUser.list",
    method: "GET",
    path: "/v7/endpoint/tests/real-user-tests",
    query: accountGroupQuery,
    status: 200,
    response: realUserTests,
  }),
};
