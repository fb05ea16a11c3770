import type { AgentsCalls } from "../../api/generated";
import type { AccountGroupArgs, LimitArgs, OneOf, QueryOf, TimeArgs } from "./arguments";
import { fetching, single, outputForm, paged } from "./define";
import type { Fetch, FetchAll, FetchOutput } from "./fetch";
import { checkOneOf, exactlyOne } from "./exactly-one";
import type { AgentLogItem, AgentRecord, AgentSearchFilters, AgentSort, AgentThresholds } from "./records";

interface AgentParts {
  /** Optional details to include for each agent: `clients`, `vpnProfiles`, `networkInterfaceProfiles`. */
  expand?: QueryOf<AgentsCalls["list"]>["expand"];
  /** Whether to include deleted agents. Default: false. */
  includeDeleted?: boolean;
}

/**
 * Arguments of {@link getAgents}. With `searchFilters`, `thresholdFilter` or `searchSort`, the function calls a search
 * operation of the service. The search operation does not support `useAllPermittedAids`.
 */
export interface GetAgentsArgs extends AccountGroupArgs, LimitArgs, AgentParts {
  /** Exact name of the agent. */
  agentName?: string;
  /** Exact host name of the device. */
  computerName?: string;
  /**
   * Whether to include agents of all account groups that the token's user may see. The service's search does not support
   * `useAllPermittedAids`. Default: false.
   */
  useAllPermittedAids?: boolean;
  /**
   * Conditions on attributes, such as `{ platform: ["mac"] }`. An agent meets a condition if its attribute has one of the
   * listed values.
   */
  searchFilters?: AgentSearchFilters;
  /** Conditions on the time since the agent's last check-in, in milliseconds. */
  thresholdFilter?: AgentThresholds;
  /** Sort keys for the agents, the most important key first. */
  searchSort?: AgentSort[];
  /**
   * Number of agents per page, at least 1. The service does not document limits for the page size, and may return smaller or
   * larger pages.
   */
  max?: number;
}

/**
 * Returns the agents of an account group, or only the agents that match the conditions.
 *
 * @example
 * ```ts
 * const macs = await getAgents({ searchFilters: { platform: ["mac"], locationCountryISO: ["DE"] }, expand: ["clients"] });
 *
 * for await (const page of getAgents.pages({ max: 100 })) console.log(page.map((agent) => agent.lastSeen));
 * ```
 */
export const getAgents: FetchAll<GetAgentsArgs, AgentRecord> = paged({
  operation: ({ agents }, args) => (isSearch(args) ? agents.filter : agents.list),
  problems: (args) => {
    if (!isSearch(args)) return [];
    const twice = (["agentName", "computerName"] as const).filter((name) => args[name] && args.searchFilters?.[name]);
    return [
      ...twice.map((name) => `${name}: set it either here or in searchFilters`),
      ...(args.useAllPermittedAids ? ["useAllPermittedAids: a search covers only one account group"] : []),
    ];
  },
  wire: (args) => {
    if (!isSearch(args)) return args;
    const { agentName, computerName, useAllPermittedAids: _, searchFilters, ...rest } = args;
    const names = { ...(agentName && { agentName: [agentName] }), ...(computerName && { computerName: [computerName] }) };
    return { ...rest, searchFilters: { ...searchFilters, ...names } };
  },
  rows: (page) => page.agents,
});

/**
 * Returns the result of {@link getAgents} as an output. The arguments may be outputs of resources.
 *
 * @example
 * ```ts
 * const kiosks = getAgentsOutput({ accountGroupId: branch.aid, searchFilters: { computerName: ["kiosk-01", "kiosk-02"] } });
 * new AgentToServerTest("till", {
 *   testName: "Till",
 *   server: "till.example.com",
 *   agentSelectorType: "specific-agents",
 *   agents: kiosks.apply((agents) => agents.map((agent) => agent.id)),
 * });
 * ```
 */
export const getAgentsOutput: FetchOutput<GetAgentsArgs, AgentRecord[]> = outputForm(getAgents);

function isSearch(args: GetAgentsArgs): boolean {
  return [args.searchFilters, args.thresholdFilter, args.searchSort].some((part) => part !== undefined && part !== null);
}

interface AgentLookup {
  /** Identifier of the agent, a UUID. */
  agentId: string;
  /** Exact name of the agent, which must be unique. */
  agentName: string;
  /** Exact host name of the device, which must match exactly one agent. */
  computerName: string;
}

/** Arguments of {@link getAgent}, with exactly one of `agentId`, `agentName` and `computerName`. */
export type GetAgentArgs = AccountGroupArgs & AgentParts & OneOf<AgentLookup>;

/**
 * Returns one agent with its current values, such as `lastSeen`, `version` and `location`.
 *
 * @throws NotFoundError if no agent has the requested `agentId`
 * @throws LookupError unless exactly one agent has the requested name. The error message lists all agents with the requested
 * name
 *
 * @example
 * ```ts
 * const kiosk = await getAgent({ computerName: "kiosk-01", expand: ["clients"] });
 * ```
 */
export const getAgent: Fetch<GetAgentArgs, AgentRecord> = fetching(async (session, args) => {
  const { agentId, agentName, computerName, ...rest } = args;
  const by = { agentId, agentName, computerName };
  checkOneOf(session, "agents", by);
  const { agents } = session.api.operations;
  if (agentId !== undefined) return session.call(agents.get, { agentId, ...rest });
  const hits: AgentRecord[] = [];
  const pages = session.pages(agents.list, { agentName, computerName, ...rest });
  for await (const page of pages) for (const agent of page.agents) hits.push(agent);
  const show = (agent: AgentRecord) => `${agent.id} (${agent.name ?? "unnamed"} on ${agent.computerName ?? "?"})`;
  return exactlyOne(session, hits, { call: "getAgent", what: "agent", by, id: "agentId", show });
});

/**
 * Returns the result of {@link getAgent} as an output. The arguments may be outputs of resources.
 *
 * @example
 * ```ts
 * export const lastSeen = getAgentOutput({ agentId: kiosk.id }).apply((agent) => agent.lastSeen);
 * ```
 */
export const getAgentOutput: FetchOutput<GetAgentArgs, AgentRecord> = outputForm(getAgent);

/** Arguments of {@link getConnectionString}. */
export interface GetConnectionStringArgs extends AccountGroupArgs {}

/**
 * Returns the connection string that new agents use to register in an account group. **The connection string is a secret**, but
 * Pulumi does not treat the returned text as secret. To pass the connection string to resources or stack outputs, use {@link
 * getConnectionStringOutput}.
 *
 * @example
 * ```ts
 * const connectionString = await getConnectionString({ accountGroupId: "1002" });
 * ```
 */
export const getConnectionString: Fetch<GetConnectionStringArgs, string> = single({
  operation: (operations) => operations.agents.connectionString,
  answer: (response) => response.connectionString,
});

/**
 * Returns the result of {@link getConnectionString} as a secret output, which Pulumi encrypts in the state and never prints.
 *
 * @example
 * ```ts
 * export const connectionString = getConnectionStringOutput();
 * ```
 */
export const getConnectionStringOutput: FetchOutput<GetConnectionStringArgs, string> = outputForm(getConnectionString, {
  secret: true,
});

/** Arguments of {@link getAgentLogs}. */
export interface GetAgentLogsArgs extends AccountGroupArgs, LimitArgs, TimeArgs {
  /** Identifier of the agent, a UUID. An agent's log remains available after the agent is deleted. */
  agentId: string;
  /** Number of entries per page, 1 to 5000. Default: 1000. */
  max?: number;
}

/**
 * Returns the log of an agent, with changes to its online status, state, wireless network and VPN.
 *
 * @throws NotFoundError if the agent is not in the account group
 *
 * @example
 * ```ts
 * const logs = await getAgentLogs({ agentId: kiosk.id, window: "1d" });
 * const roamed = logs.filter((entry) => entry.wifiLogItem?.logItemType === "wifi-change");
 * ```
 */
export const getAgentLogs: FetchAll<GetAgentLogsArgs, AgentLogItem> = paged({
  operation: ({ agents }) => agents.logs,
  rows: (page) => page.logs,
});

/**
 * Returns the result of {@link getAgentLogs} as an output. The arguments may be outputs of resources.
 *
 * @example
 * ```ts
 * export const events = getAgentLogsOutput({ agentId: kiosk.agentId, window: "1h" }).apply((logs) => logs.length);
 * ```
 */
export const getAgentLogsOutput: FetchOutput<GetAgentLogsArgs, AgentLogItem[]> = outputForm(getAgentLogs);
