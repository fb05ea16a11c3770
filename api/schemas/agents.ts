import { z } from "zod";
import { agentLogs } from "./agent-logs";
import { agent } from "./agent-record";
import { accountGroupQuery, booleanParameter, listParameter, pagedQuery, pageLinks, selfLinks } from "./common";
import { agentExpands, agentSortKey, licenseType, platform } from "./enums";
import { operation, readByPost } from "./operation";
import { anyOf, search, sortBy, thresholds } from "./search";
import { timeRange } from "./time-range";
import { agentTransferRequest, agentTransferBulkRequest, agentTransferBulkResponse } from "./agent-transfers";

/** Request body to update an agent. Other properties of an agent cannot change (docs/service/agents.md, Records). */
export const agentUpdate = z.object({
  /** New display name. */
  name: z.string().min(1).optional(),
  /** New license tier. */
  licenseType: licenseType.optional(),
});

export type AgentUpdate = z.output<typeof agentUpdate>;

/**
 * Filters for an agent search. An agent matches a filter if its attribute has one of the filter's values. The service does not
 * document how several filters combine.
 */
export const agentSearchFilters = z.object({
  /** Exact identifiers of agents. */
  id: anyOf,
  /** Exact names of agents. */
  agentName: anyOf,
  /** Exact host names of devices. */
  computerName: anyOf,
  /** Beginnings of user names. Case does not matter. */
  username: anyOf,
  /** Beginnings of login names such as `user@domain`. Case does not matter. */
  userPrincipalName: anyOf,
  /** Families of operating systems. */
  platform: z.array(platform).optional(),
  /** Beginnings of operating system versions. Case does not matter. */
  osVersion: anyOf,
  /** Exact models of network cards. Case matters. */
  nicModel: anyOf,
  /** Exact driver versions of network cards. Case matters. */
  nicDriverVersion: anyOf,
  /** Beginnings of serial numbers. Case does not matter. The limits are 50 serial numbers with 50 characters each. */
  serialNumber: z.array(z.string().max(50)).max(50).optional(),
  /** ISO codes of countries, such as `DE`. */
  locationCountryISO: anyOf,
  /** Codes of first-level regions, such as `ENG`. */
  locationSubdivision1Code: anyOf,
  /** Beginnings of English city names. */
  locationCity: anyOf,
  /** License tiers. */
  licenseType: z.array(licenseType).optional(),
  /** Device identifiers from a secure-client deployment, which `externalMetadata` of an agent contains. */
  anyConnectDeviceId: anyOf,
});

export type AgentSearchFilters = z.output<typeof agentSearchFilters>;

/** The only number that the agent search can compare: milliseconds since the agent last contacted the service. */
export const agentThreshold = z.enum(["last-seen-ms"]);

/** Conditions on the time since an agent last contacted the service. */
export const agentThresholds = thresholds(agentThreshold);

export type AgentThresholds = z.output<typeof agentThresholds>;

/** A sort key for agents. */
export const agentSort = sortBy(agentSortKey);

export type AgentSort = z.output<typeof agentSort>;

/** Request body of an agent search. */
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
  /** Secret text with which an agent's installer registers the agent in the account group. */
  connectionString: z.string().meta({ sensitive: true }),
  /** Links of the record. */
  _links: selfLinks.optional(),
});

export type ConnectionString = z.output<typeof connectionString>;

const path = "/v7/endpoint/agents";

const agentPath = "/v7/endpoint/agents/{agentId}";

const expand = {
  /** Optional members to include in the answer. */
  expand: listParameter(agentExpands),
};

const includeDeleted = {
  /** Whether the list includes deleted agents. Default: false. */
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
      /** Whether the search includes agents of all account groups that the token's user can access. Default: false. */
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
   * Starts a transfer that ends later: the agent's `aid` changes at the end. The request cannot be repeated, because the
   * service refuses to transfer an agent twice. If the outcome of the request is unknown, read the agent.
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
  /** Starts several transfers that end later and may end differently. Like `transfer`, the request cannot be repeated. */
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
    // The service documents the limits of `max` for this operation only.
    query: pagedQuery.extend({
      /** Number of entries per page, 1 to 5000. Default: 1000. */
      max: z.coerce.number().int().min(1).max(5_000).optional(),
      ...timeRange,
    }),
    status: 200,
    response: agentLogs,
  }),
};
