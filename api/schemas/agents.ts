import { z } from "zod";
import { agentLogs } from "./agent-logs";
import { agent } from "./agent-record";
import { accountGroupQuery, booleanParameter, listParameter, pagedQuery, pageLinks, selfLinks } from "./common";
import { agentExpands, agentSortKey, licenseType, platform } from "./enums";
import { operation, readByPost } from "./operation";
import { anyOf, search, sortBy, thresholds } from "./search";
import { timeRange } from "./time-range";
import { agentTransferRequest, agentTransferBulkRequest, agentTransferBulkResponse } from "./agent-transfers";

/** Body of an agent update. Other properties of an agent cannot be changed. */
// Documented: docs/service/agents.md, Records.
export const agentUpdate = z.object({
  /** New display name. */
  name: z.string().min(1).optional(),
  /** New license tier. */
  licenseType: licenseType.optional(),
});

export type AgentUpdate = z.output<typeof agentUpdate>;

/**
 * Filters of a search for agents. An agent matches a list if its attribute has one of the values. The combination of several
 * lists is not documented.
 */
export const agentSearchFilters = z.object({
  /** Identifiers of agents, exact. */
  id: anyOf,
  /** Names of agents, exact. */
  agentName: anyOf,
  /** Host names of devices, exact. */
  computerName: anyOf,
  /** Beginnings of user names; case does not matter. */
  username: anyOf,
  /** Beginnings of login names (`user@domain`); case does not matter. */
  userPrincipalName: anyOf,
  /** Families of operating systems. */
  platform: z.array(platform).optional(),
  /** Beginnings of operating system versions; case does not matter. */
  osVersion: anyOf,
  /** Models of network cards, exact and case-sensitive. */
  nicModel: anyOf,
  /** Driver versions of network cards, exact and case-sensitive. */
  nicDriverVersion: anyOf,
  /** Beginnings of serial numbers; case does not matter. At most 50, with at most 50 characters each. */
  serialNumber: z.array(z.string().max(50)).max(50).optional(),
  /** Countries by their ISO codes, such as `DE`. */
  locationCountryISO: anyOf,
  /** First-level regions by their codes, such as `ENG`. */
  locationSubdivision1Code: anyOf,
  /** Beginnings of English city names. */
  locationCity: anyOf,
  /** License tiers. */
  licenseType: z.array(licenseType).optional(),
  /** Device identifiers of the secure-client deployment. Agents have them in `externalMetadata`. */
  anyConnectDeviceId: anyOf,
});

export type AgentSearchFilters = z.output<typeof agentSearchFilters>;

/** Milliseconds since the last check-in, the only number that the agent search accepts. */
export const agentThreshold = z.enum(["last-seen-ms"]);

/** Conditions on the time since the last check-in. */
export const agentThresholds = thresholds(agentThreshold);

export type AgentThresholds = z.output<typeof agentThresholds>;

/** A sort key for agents. */
export const agentSort = sortBy(agentSortKey);

export type AgentSort = z.output<typeof agentSort>;

/** Body of a search for agents. */
export const agentSearchRequest = z.object(search(agentSort, agentThresholds, agentSearchFilters));

export type AgentSearchRequest = z.output<typeof agentSearchRequest>;

/** A page of agents. */
export const agentPage = z.looseObject({
  /** Number of agents on all pages. */
  totalAgents: z.number().optional(),
  /** The agents of the page. */
  agents: z.array(agent),
  /** Links of the page. */
  _links: pageLinks.optional(),
});

export type AgentPage = z.output<typeof agentPage>;

/** The connection string of an account group. */
export const connectionString = z.looseObject({
  /** Text with which an agent's installer registers the agent in the account group. It is a secret. */
  connectionString: z.string().meta({ sensitive: true }),
  /** Links of the record. */
  _links: selfLinks.optional(),
});

export type ConnectionString = z.output<typeof connectionString>;

const path = "/v7/endpoint/agents";

const agentPath = "/v7/endpoint/agents/{agentId}";

const expand = {
  /** Optional parts to include. */
  expand: listParameter(agentExpands),
};

const includeDeleted = {
  /** Whether deleted agents are included. Default: false. */
  includeDeleted: booleanParameter,
};

export const agentOperations = {
  list: operation({
    id: "agents.list",
    method: "GET",
    path,
    query: pagedQuery.extend({
      ...expand,
      ...includeDeleted,
      /** Whether to include agents of all account groups that the token's user may see. Default: false. */
      useAllPermittedAids: booleanParameter,
      /** Exact name of the agent. */
      agentName: z.string().optional(),
      /** Exact host name of the device. */
      computerName: z.string().optional(),
    }),
    status: 200,
    response: agentPage,
  }),
  filter: operation({
    ...readByPost,
    id: "agents.filter",
    path: `${path}/filter`,
    query: pagedQuery.extend({ ...expand, ...includeDeleted }),
    body: agentSearchRequest,
    response: agentPage,
  }),
  get: operation({
    id: "agents.get",
    method: "GET",
    path: agentPath,
    query: accountGroupQuery.extend({ ...expand, ...includeDeleted }),
    status: 200,
    response: agent,
  }),
  update: operation({
    id: "agents.update",
    method: "PATCH",
    path: agentPath,
    query: accountGroupQuery.extend(expand),
    body: agentUpdate,
    status: 200,
    response: agent,
  }),
  delete: operation({
    id: "agents.delete",
    method: "DELETE",
    path: agentPath,
    query: accountGroupQuery.extend(expand),
    status: 204,
  }),
  enable: operation({
    id: "agents.enable",
    method: "POST",
    path: `${agentPath}/enable`,
    query: accountGroupQuery,
    status: 200,
    response: agent,
    // Enabling an enabled agent has no effect.
    repeatable: true,
  }),
  disable: operation({
    id: "agents.disable",
    method: "POST",
    path: `${agentPath}/disable`,
    query: accountGroupQuery,
    status: 200,
    response: agent,
    // Disabling a disabled agent has no effect.
    repeatable: true,
  }),
  connectionString: operation({
    id: "agents.connectionString",
    method: "GET",
    path: `${path}/connection-string`,
    query: accountGroupQuery,
    status: 200,
    response: connectionString,
  }),
  /**
   * Asynchronous: the agent's `aid` changes later. Not repeatable: once the first request has moved the agent, a second one is
   * refused, because the agent has left `aid`. If the outcome is unknown, a read of the agent decides (Agents and transfer).
   */
  transfer: operation({
    id: "agents.transfer",
    method: "POST",
    path: `${agentPath}/transfer`,
    query: accountGroupQuery,
    body: agentTransferRequest,
    permission: "write access to the source and the target account group",
    status: 202,
  }),
  /** Asynchronous and not atomic. Not repeatable, like `transfer`. */
  transferBulk: operation({
    id: "agents.transferBulk",
    method: "POST",
    path: `${path}/transfer/bulk`,
    query: accountGroupQuery,
    body: agentTransferBulkRequest,
    bodyTypes: ["application/json", "text/csv", "text/plain"],
    permission: "write access to the source and the target account group of every item",
    status: 207,
    response: agentTransferBulkResponse,
  }),
  logs: operation({
    id: "agents.logs",
    method: "GET",
    path: `${agentPath}/logs`,
    // Only for this operation, the limits of `max` are documented.
    query: pagedQuery.extend({
      /** Entries on a page, 1 to 5000. Default: 1000. */
      max: z.coerce.number().int().min(1).max(5_000).optional(),
      ...timeRange,
    }),
    status: 200,
    response: agentLogs,
  }),
};
