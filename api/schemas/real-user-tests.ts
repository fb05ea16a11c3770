import { z } from "zod";
import { accountGroupQuery, identifier } from "./common";
import { operation } from "./operation";

/** A profile of real user monitoring: the watched domains, and the agents. */
export const realUserTest = z.looseObject({
  /** Identifier of the profile. */
  profileId: identifier,
  /** Account group that the profile belongs to. */
  aid: identifier.optional(),
  /** Name of the profile. */
  name: z.string().optional(),
  /** Watched domains. */
  includedDomains: z.array(z.string()).optional(),
  /** Domains that are not watched. */
  excludedDomains: z.array(z.string()).optional(),
  /** Agents of the profile. */
  monitoringSettings: z
    .looseObject({
      /** Identifier of the selection. */
      monitoringSettingsId: identifier.optional(),
      /** Selector of the agents: `all-agents`, `specific-agents`, `agent-labels` or `agent-tags`. */
      monitoringSettingsType: z.string().optional(),
      /** Identifiers of the agents, with `specific-agents`. */
      agentIds: z.array(identifier).optional(),
      /** Identifiers of the tags, with `agent-tags`. */
      tagIds: z.array(identifier).optional(),
      /** Identifiers of the labels, with `agent-labels`. */
      labelIds: z.array(identifier).optional(),
    })
    .optional(),
});
export type RealUserTestProfile = z.output<typeof realUserTest>;

/** The real user monitoring profiles of an account group. */
export const realUserTests = z.looseObject({
  /** The profiles, all on one page. */
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
