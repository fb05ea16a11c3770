// Written by `npm run generate` from the dynamic front; change it there.
import type {
  AccountGroup,
  AgentLogItem,
  AgentRecord,
  DynamicNetworkResult,
  DynamicPathDetail,
  DynamicPathResult,
  GetAgentArgs,
  GetAgentLogsArgs,
  GetAgentsArgs,
  GetConnectionStringArgs,
  GetDynamicNetworkResultsArgs,
  GetHttpServerResultsArgs,
  GetHttpServerResultsOfTestsArgs,
  GetLabelArgs,
  GetLabelsArgs,
  GetLocalNetworkTopologiesArgs,
  GetLocalNetworkTopologyArgs,
  GetLocalNetworksArgs,
  GetNetworkResultsArgs,
  GetNetworkResultsOfTestsArgs,
  GetPathVisualizationArgs,
  GetPathVisualizationsArgs,
  GetProxiesArgs,
  GetRealUserTestArgs,
  GetRealUserTestPageArgs,
  GetRealUserTestProfilesArgs,
  GetRealUserTestsArgs,
  GetTagArgs,
  GetTagsArgs,
  GetTestArgs,
  GetTestsArgs,
  HttpServerResult,
  LabelRecord,
  LocalNetwork,
  NetworkResult,
  PathDetail,
  PathResult,
  ProxyRecord,
  RealUserDetail,
  RealUserNetwork,
  RealUserResult,
  RealUserTestProfile,
  TagRecord,
  TestRecord,
  Topology,
  TopologyDetail,
  VisitedPageDetail,
  VisitedPageResult,
} from "../index";
import { plainTest } from "../functions/of-test";
import { invoking, invokingAll, invokingOutput, type NativeFetch, type NativeFetchAll, type NativeFetchOutput } from "./invoke";

/**
 * Gives the account groups that the token's user may see.
 *
 * @example
 * ```ts
 * const groups = await getAccountGroups();
 * const branch = groups.find((group) => group.accountGroupName === "Branch offices");
 * ```
 */
export const getAccountGroups: NativeFetch<object, AccountGroup[]> = invoking("getAccountGroups");

/**
 * {@link getAccountGroups} as an output.
 *
 * @example
 * ```ts
 * export const groups = getAccountGroupsOutput().apply((found) => found.map((group) => group.aid));
 * ```
 */
export const getAccountGroupsOutput: NativeFetchOutput<object, AccountGroup[]> = invokingOutput("getAccountGroups");

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
export const getAgents: NativeFetchAll<GetAgentsArgs, AgentRecord> = invokingAll("getAgents");

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
export const getAgentsOutput: NativeFetchOutput<GetAgentsArgs, AgentRecord[]> = invokingOutput("getAgents");

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
export const getAgent: NativeFetch<GetAgentArgs, AgentRecord> = invoking("getAgent");

/**
 * {@link getAgent} as an output, of arguments that may be outputs.
 *
 * @example
 * ```ts
 * export const lastSeen = getAgentOutput({ agentId: kiosk.id }).apply((agent) => agent.lastSeen);
 * ```
 */
export const getAgentOutput: NativeFetchOutput<GetAgentArgs, AgentRecord> = invokingOutput("getAgent");

/**
 * Gives the connection string of an account group, with which new agents register there. **It is a secret**, and as a plain
 * string nothing marks it: use {@link getConnectionStringOutput} for whatever goes into a resource or an output of the stack.
 *
 * @example
 * ```ts
 * const connectionString = await getConnectionString({ accountGroupId: "1002" });
 * ```
 */
export const getConnectionString: NativeFetch<GetConnectionStringArgs, string> = invoking("getConnectionString");

/**
 * {@link getConnectionString} as an output that is secret: encrypted in state, and never printed.
 *
 * @example
 * ```ts
 * export const connectionString = getConnectionStringOutput();
 * ```
 */
export const getConnectionStringOutput: NativeFetchOutput<GetConnectionStringArgs, string> = invokingOutput(
  "getConnectionString",
  { secret: true },
);

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
export const getAgentLogs: NativeFetchAll<GetAgentLogsArgs, AgentLogItem> = invokingAll("getAgentLogs");

/**
 * {@link getAgentLogs} as an output, of arguments that may be outputs.
 *
 * @example
 * ```ts
 * export const events = getAgentLogsOutput({ agentId: kiosk.agentId, window: "1h" }).apply((logs) => logs.length);
 * ```
 */
export const getAgentLogsOutput: NativeFetchOutput<GetAgentLogsArgs, AgentLogItem[]> = invokingOutput("getAgentLogs");

/**
 * Gives the results of an HTTP-server test, a row for each agent and round: response code, times by phase.
 *
 * @example
 * ```ts
 * const portal = await getTest({ testName: "Portal" });
 * for await (const page of getHttpServerResults.pages({ test: portal, window: "1d" })) {
 *   console.log(page.filter((result) => result.responseCode !== 200));
 * }
 * ```
 */
export const getHttpServerResults: NativeFetchAll<GetHttpServerResultsArgs, HttpServerResult> =
  invokingAll("getHttpServerResults");

/**
 * {@link getHttpServerResults} as an output, of arguments that may be outputs; `test` may be a test resource.
 *
 * @example
 * ```ts
 * export const latest = getHttpServerResultsOutput({ test: portal, window: "10m", limit: 20 });
 * ```
 */
export const getHttpServerResultsOutput: NativeFetchOutput<GetHttpServerResultsArgs, HttpServerResult[]> = invokingOutput(
  "getHttpServerResults",
  { plain: plainTest },
);

/**
 * Gives the results of many HTTP-server tests at once.
 *
 * @example
 * ```ts
 * const slow = await getHttpServerResultsOfTests({
 *   window: "1h",
 *   thresholdFilter: { filters: [{ name: "response-time", operator: "gte", value: 2_000 }] },
 * });
 * ```
 */
export const getHttpServerResultsOfTests: NativeFetchAll<GetHttpServerResultsOfTestsArgs, HttpServerResult> =
  invokingAll("getHttpServerResultsOfTests");

/**
 * {@link getHttpServerResultsOfTests} as an output, of arguments that may be outputs.
 *
 * @example
 * ```ts
 * export const rows = getHttpServerResultsOfTestsOutput({ searchFilters: { testId: [portal.testId] }, window: "30m" });
 * ```
 */
export const getHttpServerResultsOfTestsOutput: NativeFetchOutput<GetHttpServerResultsOfTestsArgs, HttpServerResult[]> =
  invokingOutput("getHttpServerResultsOfTests");

/**
 * Gives the labels of an account group, with their filters.
 *
 * @example
 * ```ts
 * const labels = await getLabels();
 * const ofPlatforms = labels.filter((label) => label.filters?.some((filter) => filter.key === "platform"));
 * ```
 */
export const getLabels: NativeFetchAll<GetLabelsArgs, LabelRecord> = invokingAll("getLabels");

/**
 * {@link getLabels} as an output, of arguments that may be outputs.
 *
 * @example
 * ```ts
 * export const names = getLabelsOutput({}, { dependsOn: office }).apply((labels) => labels.map((label) => label.name));
 * ```
 */
export const getLabelsOutput: NativeFetchOutput<GetLabelsArgs, LabelRecord[]> = invokingOutput("getLabels");

/**
 * Gives one label, with its filters, by its id or by its exact name.
 *
 * @throws NotFoundError for an id that is not there
 * @throws LookupError for a name that no label has, or several, which it lists
 *
 * @example
 * ```ts
 * const office = await getLabel({ name: "Office" });
 * new AgentToServerTest("gateway", {
 *   testName: "Gateway",
 *   server: "vpn.example.com",
 *   agentSelectorType: "agent-labels",
 *   endpointAgentLabels: [office.id],
 * });
 * ```
 */
export const getLabel: NativeFetch<GetLabelArgs, LabelRecord> = invoking("getLabel");

/**
 * {@link getLabel} as an output, of arguments that may be outputs.
 *
 * @example
 * ```ts
 * export const filters = getLabelOutput({ id: office.id }).apply((label) => label.filters);
 * ```
 */
export const getLabelOutput: NativeFetchOutput<GetLabelArgs, LabelRecord> = invokingOutput("getLabel");

/**
 * Gives the local networks that agents of the account group have been in.
 *
 * @example
 * ```ts
 * const networks = await getLocalNetworks();
 * const office = networks.find((network) => network.localPrefix === "10.20.0.0/16");
 * ```
 */
export const getLocalNetworks: NativeFetch<GetLocalNetworksArgs, LocalNetwork[]> = invoking("getLocalNetworks");

/**
 * {@link getLocalNetworks} as an output, of arguments that may be outputs.
 *
 * @example
 * ```ts
 * export const networks = getLocalNetworksOutput({ accountGroupId: branch.aid });
 * ```
 */
export const getLocalNetworksOutput: NativeFetchOutput<GetLocalNetworksArgs, LocalNetwork[]> =
  invokingOutput("getLocalNetworks");

/**
 * Gives what agents measured on their way out of local networks: to gateway, proxy, VPN and name server.
 *
 * @example
 * ```ts
 * const gateways = await getLocalNetworkTopologies({ searchFilters: { type: ["gateway"] }, window: "1h" });
 * ```
 */
export const getLocalNetworkTopologies: NativeFetchAll<GetLocalNetworkTopologiesArgs, Topology> =
  invokingAll("getLocalNetworkTopologies");

/**
 * {@link getLocalNetworkTopologies} as an output, of arguments that may be outputs.
 *
 * @example
 * ```ts
 * export const topologies = getLocalNetworkTopologiesOutput({ searchFilters: { agentId: [kiosk.agentId] }, window: "1h" });
 * ```
 */
export const getLocalNetworkTopologiesOutput: NativeFetchOutput<GetLocalNetworkTopologiesArgs, Topology[]> =
  invokingOutput("getLocalNetworkTopologies");

/**
 * Gives one topology of a local network, with where the agent was and the way its packets took.
 *
 * @throws NotFoundError for an id that is not there
 *
 * @example
 * ```ts
 * const { icmpTraceroute } = await getLocalNetworkTopology({ networkTopologyId: gateways[0].networkTopologyId });
 * ```
 */
export const getLocalNetworkTopology: NativeFetch<GetLocalNetworkTopologyArgs, TopologyDetail> =
  invoking("getLocalNetworkTopology");

/**
 * {@link getLocalNetworkTopology} as an output, of arguments that may be outputs.
 *
 * @example
 * ```ts
 * export const topology = getLocalNetworkTopologyOutput({ networkTopologyId: topologies[0].networkTopologyId });
 * ```
 */
export const getLocalNetworkTopologyOutput: NativeFetchOutput<GetLocalNetworkTopologyArgs, TopologyDetail> =
  invokingOutput("getLocalNetworkTopology");

/**
 * Gives the network results of a scheduled test, a row for each agent and round: loss, latency, jitter.
 *
 * @example
 * ```ts
 * const test = await getTest({ testName: "VPN gateway" });
 * const lossy = await getNetworkResults({
 *   test,
 *   window: "12h",
 *   thresholdFilter: { filters: [{ name: "loss", operator: "gte", value: 5 }] },
 * });
 * ```
 */
export const getNetworkResults: NativeFetchAll<GetNetworkResultsArgs, NetworkResult> = invokingAll("getNetworkResults");

/**
 * {@link getNetworkResults} as an output, of arguments that may be outputs; `test` may be a test resource.
 *
 * @example
 * ```ts
 * export const worst = getNetworkResultsOutput({ test: gateway, window: "1h", searchSort: [{ sort: "loss", order: "desc" }], limit: 1 });
 * ```
 */
export const getNetworkResultsOutput: NativeFetchOutput<GetNetworkResultsArgs, NetworkResult[]> = invokingOutput(
  "getNetworkResults",
  { plain: plainTest },
);

/**
 * Gives the network results of many scheduled tests at once.
 *
 * @example
 * ```ts
 * const results = await getNetworkResultsOfTests({ searchFilters: { testId: ["281474976710706"] }, window: "30m" });
 * ```
 */
export const getNetworkResultsOfTests: NativeFetchAll<GetNetworkResultsOfTestsArgs, NetworkResult> =
  invokingAll("getNetworkResultsOfTests");

/**
 * {@link getNetworkResultsOfTests} as an output, of arguments that may be outputs.
 *
 * @example
 * ```ts
 * export const rows = getNetworkResultsOfTestsOutput({ searchFilters: { testId: [gateway.testId] }, window: "30m" });
 * ```
 */
export const getNetworkResultsOfTestsOutput: NativeFetchOutput<GetNetworkResultsOfTestsArgs, NetworkResult[]> =
  invokingOutput("getNetworkResultsOfTests");

/**
 * Gives the network results of a dynamic test, a row for each session and round.
 *
 * @example
 * ```ts
 * const meetings = await getTest({ testName: "Meetings", kind: "dynamic" });
 * const results = await getDynamicNetworkResults({ test: meetings, window: "1d", expand: ["user-profile"] });
 * ```
 */
export const getDynamicNetworkResults: NativeFetchAll<GetDynamicNetworkResultsArgs, DynamicNetworkResult> =
  invokingAll("getDynamicNetworkResults");

/**
 * {@link getDynamicNetworkResults} as an output, of arguments that may be outputs; `test` may be a test resource.
 *
 * @example
 * ```ts
 * export const sessions = getDynamicNetworkResultsOutput({ test: meetings, window: "1h" }).apply((rows) => rows.length);
 * ```
 */
export const getDynamicNetworkResultsOutput: NativeFetchOutput<GetDynamicNetworkResultsArgs, DynamicNetworkResult[]> =
  invokingOutput("getDynamicNetworkResults", { plain: plainTest });

/**
 * Gives the paths of a scheduled test, a row for each agent and round, without the hops.
 *
 * @example
 * ```ts
 * const test = await getTest({ testName: "VPN gateway" });
 * const [latest] = await getPathVisualizations({ test, window: "1h", limit: 1 });
 * ```
 */
export const getPathVisualizations: NativeFetchAll<GetPathVisualizationsArgs, PathResult> =
  invokingAll("getPathVisualizations");

/**
 * {@link getPathVisualizations} as an output, of arguments that may be outputs; `test` may be a test resource.
 *
 * @example
 * ```ts
 * export const paths = getPathVisualizationsOutput({ test: gateway, window: "1h" });
 * ```
 */
export const getPathVisualizationsOutput: NativeFetchOutput<GetPathVisualizationsArgs, PathResult[]> = invokingOutput(
  "getPathVisualizations",
  { plain: plainTest },
);

/**
 * Gives the paths that one agent saw in one round of a scheduled test, with their hops.
 *
 * @example
 * ```ts
 * const [path] = await getPathVisualization({ test, agentId: latest.agentId, roundId: latest.roundId });
 * console.log(path.pathTraces?.[0]?.hops);
 * ```
 */
export const getPathVisualization: NativeFetch<GetPathVisualizationArgs, PathDetail[]> = invoking("getPathVisualization");

/**
 * {@link getPathVisualization} as an output, of arguments that may be outputs; `test` may be a test resource.
 *
 * @example
 * ```ts
 * export const path = getPathVisualizationOutput({ test: gateway, agentId: kiosk.agentId, roundId: 1_658_181_600 });
 * ```
 */
export const getPathVisualizationOutput: NativeFetchOutput<GetPathVisualizationArgs, PathDetail[]> = invokingOutput(
  "getPathVisualization",
  { plain: plainTest },
);

/**
 * Gives the paths of a dynamic test, a row for each agent and round, without the hops.
 *
 * @example
 * ```ts
 * const paths = await getDynamicPathVisualizations({ test: meetings, startDate: "2022-07-17T22:00:54Z" });
 * ```
 */
export const getDynamicPathVisualizations: NativeFetchAll<GetPathVisualizationsArgs, DynamicPathResult> =
  invokingAll("getDynamicPathVisualizations");

/**
 * {@link getDynamicPathVisualizations} as an output, of arguments that may be outputs; `test` may be a test resource.
 *
 * @example
 * ```ts
 * export const paths = getDynamicPathVisualizationsOutput({ test: meetings, window: "1h" });
 * ```
 */
export const getDynamicPathVisualizationsOutput: NativeFetchOutput<GetPathVisualizationsArgs, DynamicPathResult[]> =
  invokingOutput("getDynamicPathVisualizations", { plain: plainTest });

/**
 * Gives the paths that one agent saw in one round of a dynamic test, with their hops.
 *
 * @example
 * ```ts
 * const [path] = await getDynamicPathVisualization({ test: meetings, agentId: row.agentId, roundId: row.roundId });
 * ```
 */
export const getDynamicPathVisualization: NativeFetch<GetPathVisualizationArgs, DynamicPathDetail[]> =
  invoking("getDynamicPathVisualization");

/**
 * {@link getDynamicPathVisualization} as an output, of arguments that may be outputs; `test` may be a test resource.
 *
 * @example
 * ```ts
 * export const path = getDynamicPathVisualizationOutput({ test: meetings, agentId: kiosk.agentId, roundId: 1_658_181_600 });
 * ```
 */
export const getDynamicPathVisualizationOutput: NativeFetchOutput<GetPathVisualizationArgs, DynamicPathDetail[]> =
  invokingOutput("getDynamicPathVisualization", { plain: plainTest });

/**
 * Gives the proxy settings of an account group, with the agents and tests that use each. The service never returns their passwords.
 *
 * @example
 * ```ts
 * const proxies = await getProxies();
 * const unused = proxies.filter(({ agentIds = [], testIds = [] }) => agentIds.length + testIds.length === 0);
 * ```
 */
export const getProxies: NativeFetch<GetProxiesArgs, ProxyRecord[]> = invoking("getProxies");

/**
 * {@link getProxies} as an output, of arguments that may be outputs.
 *
 * @example
 * ```ts
 * export const hosts = getProxiesOutput({ accountGroupId: branch.aid }).apply((proxies) => proxies.map(({ host }) => host));
 * ```
 */
export const getProxiesOutput: NativeFetchOutput<GetProxiesArgs, ProxyRecord[]> = invokingOutput("getProxies");

/**
 * Gives the profiles of real user tests: which domains are watched, and on which agents. What was visited is what
 * {@link getRealUserTests} gives.
 *
 * @example
 * ```ts
 * const profiles = await getRealUserTestProfiles();
 * const watched = profiles.flatMap((profile) => profile.includedDomains ?? []);
 * ```
 */
export const getRealUserTestProfiles: NativeFetch<GetRealUserTestProfilesArgs, RealUserTestProfile[]> =
  invoking("getRealUserTestProfiles");

/**
 * {@link getRealUserTestProfiles} as an output, of arguments that may be outputs.
 *
 * @example
 * ```ts
 * export const profiles = getRealUserTestProfilesOutput({ accountGroupId: branch.aid }).apply((found) => found.length);
 * ```
 */
export const getRealUserTestProfilesOutput: NativeFetchOutput<GetRealUserTestProfilesArgs, RealUserTestProfile[]> =
  invokingOutput("getRealUserTestProfiles");

/**
 * Gives the real user tests, a row for each visit of a site: how the user fared there.
 *
 * @example
 * ```ts
 * const visits = await getRealUserTests({ searchFilters: { domain: ["example.com"] }, window: "1d" });
 * const bad = visits.filter((visit) => (visit.experienceScore ?? 1) < 0.5);
 * ```
 */
export const getRealUserTests: NativeFetchAll<GetRealUserTestsArgs, RealUserResult> = invokingAll("getRealUserTests");

/**
 * {@link getRealUserTests} as an output, of arguments that may be outputs.
 *
 * @example
 * ```ts
 * export const visits = getRealUserTestsOutput({ searchFilters: { agentId: [kiosk.agentId] }, window: "1h" });
 * ```
 */
export const getRealUserTestsOutput: NativeFetchOutput<GetRealUserTestsArgs, RealUserResult[]> =
  invokingOutput("getRealUserTests");

/**
 * Gives the network metrics of real user tests, a row for each visit: of the site, and of VPN and proxy on the way there.
 *
 * @example
 * ```ts
 * const networks = await getRealUserTestNetworks({ searchFilters: { connection: ["wireless"] }, window: "1h" });
 * ```
 */
export const getRealUserTestNetworks: NativeFetchAll<GetRealUserTestsArgs, RealUserNetwork> =
  invokingAll("getRealUserTestNetworks");

/**
 * {@link getRealUserTestNetworks} as an output, of arguments that may be outputs.
 *
 * @example
 * ```ts
 * export const networks = getRealUserTestNetworksOutput({ searchFilters: { agentId: [kiosk.agentId] }, window: "1h" });
 * ```
 */
export const getRealUserTestNetworksOutput: NativeFetchOutput<GetRealUserTestsArgs, RealUserNetwork[]> =
  invokingOutput("getRealUserTestNetworks");

/**
 * Gives the pages of real user tests, a row for each page that was visited.
 *
 * @example
 * ```ts
 * const pages = await getRealUserTestPages({ searchFilters: { visitedSite: ["www.example.com"] }, window: "1h" });
 * ```
 */
export const getRealUserTestPages: NativeFetchAll<GetRealUserTestsArgs, VisitedPageResult> =
  invokingAll("getRealUserTestPages");

/**
 * {@link getRealUserTestPages} as an output, of arguments that may be outputs.
 *
 * @example
 * ```ts
 * export const pages = getRealUserTestPagesOutput({ searchFilters: { agentId: [kiosk.agentId] }, window: "1h" });
 * ```
 */
export const getRealUserTestPagesOutput: NativeFetchOutput<GetRealUserTestsArgs, VisitedPageResult[]> =
  invokingOutput("getRealUserTestPages");

/**
 * Gives one real user test, which is one visit of one site, with its pages and its network.
 *
 * @throws NotFoundError for an id that is not there
 *
 * @example
 * ```ts
 * const { network, pages } = await getRealUserTest({ id: visits[0].id });
 * ```
 */
export const getRealUserTest: NativeFetch<GetRealUserTestArgs, RealUserDetail> = invoking("getRealUserTest");

/**
 * {@link getRealUserTest} as an output, of arguments that may be outputs.
 *
 * @example
 * ```ts
 * export const visit = getRealUserTestOutput({ id: visits[0].id });
 * ```
 */
export const getRealUserTestOutput: NativeFetchOutput<GetRealUserTestArgs, RealUserDetail> = invokingOutput("getRealUserTest");

/**
 * Gives how one page of a real user test loaded.
 *
 * @throws NotFoundError for an id that is not there
 *
 * @example
 * ```ts
 * const [visited] = await getRealUserTestPages({ window: "1h", limit: 1 });
 * const { har } = await getRealUserTestPage({ id: visited.id, pageId: visited.pageId });
 * ```
 */
export const getRealUserTestPage: NativeFetch<GetRealUserTestPageArgs, VisitedPageDetail> = invoking("getRealUserTestPage");

/**
 * {@link getRealUserTestPage} as an output, of arguments that may be outputs.
 *
 * @example
 * ```ts
 * const visited = getRealUserTestPagesOutput({ window: "1h", limit: 1 });
 * export const page = getRealUserTestPageOutput({ id: visited[0].id, pageId: visited[0].pageId });
 * ```
 */
export const getRealUserTestPageOutput: NativeFetchOutput<GetRealUserTestPageArgs, VisitedPageDetail> =
  invokingOutput("getRealUserTestPage");

/**
 * Returns the tags of an account group, of every type of object. Tags that the service itself provides are marked with `builtIn`. That
 * tags of endpoint agents have their filters here is not known: {@link getTag} by `id` returns them.
 *
 * @example
 * ```ts
 * const tags = await getTags({ objectType: "endpoint-agent" });
 * const own = tags.filter((tag) => tag.builtIn !== true);
 * ```
 */
export const getTags: NativeFetch<GetTagsArgs, TagRecord[]> = invoking("getTags");

/**
 * {@link getTags} as an output, of arguments that may be outputs.
 *
 * @example
 * ```ts
 * export const keys = getTagsOutput({}, { dependsOn: emea }).apply((tags) => tags.map((tag) => tag.key));
 * ```
 */
export const getTagsOutput: NativeFetchOutput<GetTagsArgs, TagRecord[]> = invokingOutput("getTags");

/**
 * Returns one tag of any type, by its id or by its exact key and value.
 *
 * @throws NotFoundError for an id that does not exist
 * @throws LookupError for a key and value that no tag has, or several, which it lists
 *
 * @example
 * ```ts
 * const emea = await getTag({ key: "team", value: "emea", objectType: "endpoint-agent" });
 * new AgentToServerTest("gateway", {
 *   testName: "Gateway",
 *   server: "vpn.example.com",
 *   agentSelectorType: "agent-tags",
 *   tagIds: [emea.id],
 * });
 * ```
 */
export const getTag: NativeFetch<GetTagArgs, TagRecord> = invoking("getTag");

/**
 * {@link getTag} as an output, of arguments that may be outputs.
 *
 * @example
 * ```ts
 * export const filters = getTagOutput({ id: emea.id }).apply((tag) => tag.filters);
 * ```
 */
export const getTagOutput: NativeFetchOutput<GetTagArgs, TagRecord> = invokingOutput("getTag");

/**
 * Gives the tests of an account group, of all kinds or of one.
 *
 * @example
 * ```ts
 * const tests = await getTests();
 * const idle = tests.filter((test) => test.isEnabled === false);
 * const urls = (await getTests({ kind: "http-server" })).map((test) => test.kind === "http-server" && test.url);
 * ```
 */
export const getTests: NativeFetch<GetTestsArgs, TestRecord[]> = invoking("getTests");

/**
 * {@link getTests} as an output, of arguments that may be outputs.
 *
 * @example
 * ```ts
 * export const count = getTestsOutput({ accountGroupId: branch.aid }).apply((tests) => tests.length);
 * ```
 */
export const getTestsOutput: NativeFetchOutput<GetTestsArgs, TestRecord[]> = invokingOutput("getTests");

/**
 * Gives one test by its id or by its exact name, of whatever kind it is. Functions about results take it as their `test`.
 *
 * @throws LookupError for an id or a name that no test has, or a name that several have, which it lists
 *
 * @example
 * ```ts
 * const test = await getTest({ testName: "VPN gateway" });
 * const results = await getNetworkResults({ test, window: "1h" });
 * ```
 */
export const getTest: NativeFetch<GetTestArgs, TestRecord> = invoking("getTest");

/**
 * {@link getTest} as an output, of arguments that may be outputs.
 *
 * @example
 * ```ts
 * export const modified = getTestOutput({ testId: gateway.testId }).apply((test) => test.modifiedDate);
 * ```
 */
export const getTestOutput: NativeFetchOutput<GetTestArgs, TestRecord> = invokingOutput("getTest");
