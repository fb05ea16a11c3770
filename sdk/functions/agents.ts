import type { AgentsCalls } from "../../api/generated";
import type { AccountGroupArgs, LimitArgs, OneOf, QueryOf, TimeArgs } from "./arguments";
import { fetching, single, outputForm, paged } from "./define";
import type { Fetch, FetchAll, FetchOutput } from "./fetch";
import { checkOneOf, exactlyOne } from "./exactly-one";
import type { AgentLogItem, AgentRecord, AgentSearchFilters, AgentSort, AgentThresholds } from "./records";

interface AgentParts {
  /** Parts to include that are left out otherwise: `clients`, `vpnProfiles`, `networkInterfaceProfiles`. */
  expand?: QueryOf<AgentsCalls["list"]>["expand"];
  /** Whether deleted agents are included. Default: false. */
  includeDeleted?: boolean;
}

/**
 * Arguments of {@link getAgents}. With `searchFilters`, `thresholdFilter` or `searchSort` the service searches, else it lists; the
 * other arguments go with both, but for `useAllPermittedAids`.
 */
export interface GetAgentsArgs extends AccountGroupArgs, LimitArgs, AgentParts {
  /** Exact name of the agent. */
  agentName?: string;
  /** Exact host name of the device. */
  computerName?: string;
  /** Agents of every account group that the token's user may see. Not with a search. Default: false. */
  useAllPermittedAids?: boolean;
  /** Conditions on attributes: each list holds values of which one must fit, such as `{ platform: ["mac"] }`. */
  searchFilters?: AgentSearchFilters;
  /** Conditions on the milliseconds since the last check-in. */
  thresholdFilter?: AgentThresholds;
  /** Order of the agents: the first key counts most. */
  searchSort?: AgentSort[];
  /** Agents on a page, 1 or more. The service may take another number; its bounds are not stated. */
  max?: number;
}

/**
 * Gives the agents of an account group, all of them or those that fit.
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
      ...twice.map((name) => `${name}: give it here or in searchFilters, not in both`),
      ...(args.useAllPermittedAids ? ["useAllPermittedAids: a search is of one account group"] : []),
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
 * {@link getAgents} as an output, of arguments that may be outputs.
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
  /** Exact name of the agent; it must be that of one agent only. */
  agentName: string;
  /** Exact host name of the device; it must be that of one agent only. */
  computerName: string;
}

/** Arguments of {@link getAgent}: exactly one of `agentId`, `agentName` and `computerName`. */
export type GetAgentArgs = AccountGroupArgs & AgentParts & OneOf<AgentLookup>;

/**
 * Gives one agent as it is now, with what changes by itself: `lastSeen`, `version`, `location`.
 *
 * @throws NotFoundError for an `agentId` that is not there
 * @throws LookupError for a name that no agent has, or several, which it lists
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
 * {@link getAgent} as an output, of arguments that may be outputs.
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
 * Gives the connection string of an account group, with which new agents register there. **It is a secret**, and as a plain
 * string nothing marks it: use {@link getConnectionStringOutput} for whatever goes into a resource or an output of the stack.
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
 * {@link getConnectionString} as an output that is secret: encrypted in state, and never printed.
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
  /** Identifier of the agent, a UUID. A deleted agent keeps its log. */
  agentId: string;
  /** Entries on a page, 1 to 5000. Default: 1000. */
  max?: number;
}

/**
 * Gives the log of an agent: when it went online and offline, changed its state, its wireless network or its VPN.
 *
 * @throws NotFoundError for an agent that is not in the account group
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
 * {@link getAgentLogs} as an output, of arguments that may be outputs.
 *
 * @example
 * ```ts
 * export const events = getAgentLogsOutput({ agentId: kiosk.agentId, window: "1h" }).apply((logs) => logs.length);
 * ```
 */
export const getAgentLogsOutput: FetchOutput<GetAgentLogsArgs, AgentLogItem[]> = outputForm(getAgentLogs);
