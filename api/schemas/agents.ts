import { z } from "zod";
import { agentLogs } from "./agent-logs";
import { agent } from "./agent-record";
import { accountGroupQuery, booleanParameter, listParameter, pagedQuery, pageLinks, selfLinks } from "./common";
import { agentExpands, agentSortKey, licenseType, platform } from "./enums";
import { operation, readByPost } from "./operation";
import { anyOf, search, sortBy, thresholds } from "./search";
import { timeRange } from "./time-range";
import { agentTransferRequest, agentTransferBulkRequest, agentTransferBulkResponse } from "./agent-transfers";

/**
 * Request body to update an agent. An update can change only the name and the license tier (docs/service/agents.md, Records).
 */
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
  /** Prefixes of user names. The comparison is case-insensitive. */
  username: anyOf,
  /** Prefixes of login names such as `user@domain`. The comparison is case-insensitive. */
  userPrincipalName: anyOf,
  /** Families of operating systems. */
  platform: z.array(platform).optional(),
  /** Prefixes of operating system versions. The comparison is case-insensitive. */
  osVersion: anyOf,
  /** Exact models of network cards. The comparison is case-sensitive. */
  nicModel: anyOf,
  /** Exact driver versions of network cards. The comparison is case-sensitive. */
  nicDriverVersion: anyOf,
  /**
   * Prefixes of serial numbers. The comparison is case-insensitive. A request may contain at most 50 serial numbers of at most
   * 50 characters each.
   */
  serialNumber: z.array(z.string().max(50)).max(50).optional(),
  /** ISO codes of countries, such as `DE`. */
  locationCountryISO: anyOf,
  /** Codes of first-level regions, such as `ENG`. */
  locationSubdivision1Code: anyOf,
  /** Prefixes of English city names. */
  locationCity: anyOf,
  /** License tiers. */
  licenseType: z.array(licenseType).optional(),
  /** Device identifiers from a secure-client deployment, as in an agent's `externalMetadata`. */
  anyConnectDeviceId: anyOf,
});

export type AgentSearchFilters = z.output<typeof agentSearchFilters>;

/** The only metric of an agent search: milliseconds since the agent last contacted the service. */
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
  /** Total number of agents on all pages. */
  totalAgents: z.number().optional(),
  /** The agents of the page. */
  agents: z.array(agent),
  /** Links, such as the link to the next page. */
  _links: pageLinks.optional(),
});

export type AgentPage = z.output<typeof agentPage>;

/** The connection string of an account group. */
export const connectionString = z.looseObject({
  /** Secret that an agent's installer uses to register the agent in the account group. */
  connectionString: z.string().meta({ sensitive: true }),
  /** Links, such as the link to the record itself. */
  _links: selfLinks.optional(),
});

export type ConnectionString = z.output<typeof connectionString>;

const path = "/v7/endpoint/agents";

const agentPath = "/v7/endpoint/agents/{agentId}";

const expand = {
  /** Optional members to include in the response. */
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
    // A request to enable an enabled agent has no effect.
    repeatable: true,
  }),
  disable: operation({
    id: "agents.disable",
    method: "POST",
    path: `${agentPath}/disable`,
    query: accountGroupQuery,
    status: 200,
    response: agent,
    // A request to disable a disabled agent has no effect.
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
   * Starts an asynchronous transfer. The agent's account group (`aid`) changes when the transfer is complete. The request cannot be
   * repeated, because the service refuses a second transfer of the same agent. If the outcome of the request is unknown, read the agent.
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
  /** Starts several asynchronous transfers, each with its own outcome. As with `agents.transfer`, the request cannot be repeated. */
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
    // `agents.logs` is the only operation with documented limits for `max`.
    query: pagedQuery.extend({
      /** Number of entries per page, 1 to 5000. Default: 1000. */
      max: z.coerce.number().int().min(1).max(5_000).optional(),
      ...timeRange,
    }),
    status: 200,
    response: agentLogs,
  }),
};
