import { z } from "zod";
import { agentLogs } from "./agent-logs";
import { agent } from "./agent-record";
import { accountGroupQuery, booleanParameter, identifier, listParameter, pagedQuery, pageLinks, selfLinks } from "./common";
import { agentExpands, agentSortKey, licenseType, platform } from "./enums";
import { operation, readByPost } from "./operation";
import { anyOf, searchSort, thresholdFilter } from "./search";
import { timeRange } from "./time-range";

/** Body of an agent update: the only two members that may change (shared/api/README.md, Agents and transfer). */
export const agentUpdate = z.object({ name: z.string().min(1).optional(), licenseType: licenseType.optional() });

/** What agents are searched by: each list holds the values that will do. How several lists are joined is not documented. */
export const agentSearchFilters = z.object({
  /** Exact, like the two after it. */
  id: anyOf,
  agentName: anyOf,
  computerName: anyOf,
  /** Beginning of the name, whatever its case; likewise `userPrincipalName`, `osVersion` and `serialNumber`. */
  username: anyOf,
  userPrincipalName: anyOf,
  platform: z.array(platform).optional(),
  osVersion: anyOf,
  /** Exact, in the same case. */
  nicModel: anyOf,
  nicDriverVersion: anyOf,
  serialNumber: z.array(z.string().max(50)).max(50).optional(),
  locationCountryISO: anyOf,
  /** First-level region, such as `ENG`. */
  locationSubdivision1Code: anyOf,
  /** Beginning of the English name. */
  locationCity: anyOf,
  licenseType: z.array(licenseType).optional(),
  /** Device of the secure-client deployment; an agent shows it in `externalMetadata`. */
  anyConnectDeviceId: anyOf,
});
export type AgentSearchFilters = z.output<typeof agentSearchFilters>;

/** Milliseconds since the last check-in, the only number that agents can be searched by. */
export const agentThreshold = z.enum(["last-seen-ms"]);

export const agentSearchRequest = z.object({
  searchFilters: agentSearchFilters.optional(),
  thresholdFilter: thresholdFilter(agentThreshold),
  searchSort: searchSort(agentSortKey),
});

/** Account group that the agent is to go to; `aid` of the query names the one it is in. */
export const agentTransferRequest = z.object({ toAid: z.string().min(1) });

/** One move of many. Nothing in it is required: each move is judged, and answered, for itself. */
export const agentTransfer = z.object({
  agentId: z.string().optional(),
  fromAid: z.string().optional(),
  toAid: z.string().optional(),
});
export type AgentTransfer = z.output<typeof agentTransfer>;

export const agentTransferBulkRequest = z.object({ transfers: z.array(agentTransfer) });
/** First line of a bulk transfer as CSV; the columns are the members of a transfer. */
export const agentTransferCsvHeader = "agent_id,from_aid,to_aid";

/** Outcomes of a bulk transfer, one a move: `status` is like that of an HTTP answer. */
export const agentTransferBulkResponse = z.looseObject({
  items: z.array(
    z.looseObject({
      type: z.string().optional(),
      title: z.string().optional(),
      status: z.number().optional(),
      detail: z.string().optional(),
      instance: z.string().optional(),
      request: z
        .looseObject({ agentId: identifier.optional(), fromAid: identifier.optional(), toAid: identifier.optional() })
        .optional(),
    }),
  ),
});

/** A page of agents; `totalAgents` counts those of all pages. */
export const agentPage = z.looseObject({
  totalAgents: z.number().optional(),
  agents: z.array(agent),
  _links: pageLinks.optional(),
});

export const connectionString = z.looseObject({
  /** Secret of the account group, which the installer of an agent needs. */
  connectionString: z.string().meta({ sensitive: true }),
  _links: selfLinks.optional(),
});

const path = "/v7/endpoint/agents";
const one = "/v7/endpoint/agents/{agentId}";
const expand = { expand: listParameter(agentExpands) };
const includeDeleted = { includeDeleted: booleanParameter };

export const agentOperations = {
  list: operation({
    id: "agents.list",
    method: "GET",
    path,
    query: pagedQuery.extend({
      ...expand,
      ...includeDeleted,
      /** Agents of every account group that the caller may see. */
      useAllPermittedAids: booleanParameter,
      agentName: z.string().optional(),
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
    path: one,
    query: accountGroupQuery.extend({ ...expand, ...includeDeleted }),
    status: 200,
    response: agent,
  }),
  update: operation({
    id: "agents.update",
    method: "PATCH",
    path: one,
    query: accountGroupQuery.extend(expand),
    body: agentUpdate,
    status: 200,
    response: agent,
  }),
  delete: operation({
    id: "agents.delete",
    method: "DELETE",
    path: one,
    query: accountGroupQuery.extend(expand),
    status: 204,
  }),
  enable: operation({
    id: "agents.enable",
    method: "POST",
    path: `${one}/enable`,
    query: accountGroupQuery,
    status: 200,
    response: agent,
    // No effect on an agent that is enabled already.
    repeatable: true,
  }),
  disable: operation({
    id: "agents.disable",
    method: "POST",
    path: `${one}/disable`,
    query: accountGroupQuery,
    status: 200,
    response: agent,
    // No effect on an agent that is disabled already.
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
   * Asynchronous: the agent's `aid` changes later. Not repeatable: once the first request has moved the agent, a second one
   * is refused, for the agent has left `aid`. Whoever does not know the outcome reads the agent (Agents and transfer).
   */
  transfer: operation({
    id: "agents.transfer",
    method: "POST",
    path: `${one}/transfer`,
    query: accountGroupQuery,
    body: agentTransferRequest,
    permission: "write access to the source and the target account group",
    status: 202,
  }),
  /** Asynchronous and not atomic; not repeatable, like `transfer`. */
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
    path: `${one}/logs`,
    // The only operation whose bounds of `max` are stated; without it the service takes 1000.
    query: pagedQuery.extend({ max: z.coerce.number().int().min(1).max(5_000).optional(), ...timeRange }),
    status: 200,
    response: agentLogs,
  }),
};
