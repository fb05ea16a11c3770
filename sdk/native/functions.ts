// Written by `npm run generate` from the dynamic front; change it there.
import type * as sdk from "../index";
import { plainTest } from "../functions/of-test";
import { invoking, invokingAll, invokingOutput, type NativeFetch, type NativeFetchAll, type NativeFetchOutput } from "./invoke";

// Types alone: a function below takes the place of the one of the same name.
export type * from "../index";

/**
 * Gives the account groups that the token's user may see.
 *
 * @example
 * ```ts
 * const groups = await getAccountGroups();
 * const branch = groups.find((group) => group.accountGroupName === "Branch offices");
 * ```
 */
export const getAccountGroups: NativeFetch<object, sdk.AccountGroup[]> = invoking("getAccountGroups");

/**
 * {@link getAccountGroups} as an output.
 *
 * @example
 * ```ts
 * export const groups = getAccountGroupsOutput().apply((found) => found.map((group) => group.aid));
 * ```
 */
export const getAccountGroupsOutput: NativeFetchOutput<object, sdk.AccountGroup[]> = invokingOutput("getAccountGroups");

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
export const getAgents: NativeFetchAll<sdk.GetAgentsArgs, sdk.AgentRecord> = invokingAll("getAgents");

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
export const getAgentsOutput: NativeFetchOutput<sdk.GetAgentsArgs, sdk.AgentRecord[]> = invokingOutput("getAgents");

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
export const getAgent: NativeFetch<sdk.GetAgentArgs, sdk.AgentRecord> = invoking("getAgent");

/**
 * {@link getAgent} as an output, of arguments that may be outputs.
 *
 * @example
 * ```ts
 * export const lastSeen = getAgentOutput({ agentId: kiosk.id }).apply((agent) => agent.lastSeen);
 * ```
 */
export const getAgentOutput: NativeFetchOutput<sdk.GetAgentArgs, sdk.AgentRecord> = invokingOutput("getAgent");

/**
 * Gives the connection string of an account group, with which new agents register there. **It is a secret**, and as a plain
 * string nothing marks it: use {@link getConnectionStringOutput} for whatever goes into a resource or an output of the stack.
 *
 * @example
 * ```ts
 * const connectionString = await getConnectionString({ accountGroupId: "1002" });
 * ```
 */
export const getConnectionString: NativeFetch<sdk.GetConnectionStringArgs, string> = invoking("getConnectionString");

/**
 * {@link getConnectionString} as an output that is secret: encrypted in state, and never printed.
 *
 * @example
 * ```ts
 * export const connectionString = getConnectionStringOutput();
 * ```
 */
export const getConnectionStringOutput: NativeFetchOutput<sdk.GetConnectionStringArgs, string> = invokingOutput(
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
export const getAgentLogs: NativeFetchAll<sdk.GetAgentLogsArgs, sdk.AgentLogItem> = invokingAll("getAgentLogs");

/**
 * {@link getAgentLogs} as an output, of arguments that may be outputs.
 *
 * @example
 * ```ts
 * export const events = getAgentLogsOutput({ agentId: kiosk.agentId, window: "1h" }).apply((logs) => logs.length);
 * ```
 */
export const getAgentLogsOutput: NativeFetchOutput<sdk.GetAgentLogsArgs, sdk.AgentLogItem[]> = invokingOutput("getAgentLogs");

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
export const getHttpServerResults: NativeFetchAll<sdk.GetHttpServerResultsArgs, sdk.HttpServerResult> =
  invokingAll("getHttpServerResults");

/**
 * {@link getHttpServerResults} as an output, of arguments that may be outputs; `test` may be a test resource.
 *
 * @example
 * ```ts
 * export const latest = getHttpServerResultsOutput({ test: portal, window: "10m", limit: 20 });
 * ```
 */
export const getHttpServerResultsOutput: NativeFetchOutput<sdk.GetHttpServerResultsArgs, sdk.HttpServerResult[]> =
  invokingOutput("getHttpServerResults", { plain: plainTest });

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
export const getHttpServerResultsOfTests: NativeFetchAll<sdk.GetHttpServerResultsOfTestsArgs, sdk.HttpServerResult> =
  invokingAll("getHttpServerResultsOfTests");

/**
 * {@link getHttpServerResultsOfTests} as an output, of arguments that may be outputs.
 *
 * @example
 * ```ts
 * export const rows = getHttpServerResultsOfTestsOutput({ searchFilters: { testId: [portal.testId] }, window: "30m" });
 * ```
 */
export const getHttpServerResultsOfTestsOutput: NativeFetchOutput<sdk.GetHttpServerResultsOfTestsArgs, sdk.HttpServerResult[]> =
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
export const getLabels: NativeFetchAll<sdk.GetLabelsArgs, sdk.LabelRecord> = invokingAll("getLabels");

/**
 * {@link getLabels} as an output, of arguments that may be outputs.
 *
 * @example
 * ```ts
 * export const names = getLabelsOutput({}, { dependsOn: office }).apply((labels) => labels.map((label) => label.name));
 * ```
 */
export const getLabelsOutput: NativeFetchOutput<sdk.GetLabelsArgs, sdk.LabelRecord[]> = invokingOutput("getLabels");

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
export const getLabel: NativeFetch<sdk.GetLabelArgs, sdk.LabelRecord> = invoking("getLabel");

/**
 * {@link getLabel} as an output, of arguments that may be outputs.
 *
 * @example
 * ```ts
 * export const filters = getLabelOutput({ id: office.id }).apply((label) => label.filters);
 * ```
 */
export const getLabelOutput: NativeFetchOutput<sdk.GetLabelArgs, sdk.LabelRecord> = invokingOutput("getLabel");

/**
 * Gives the local networks that agents of the account group have been in.
 *
 * @example
 * ```ts
 * const networks = await getLocalNetworks();
 * const office = networks.find((network) => network.localPrefix === "10.20.0.0/16");
 * ```
 */
export const getLocalNetworks: NativeFetch<sdk.GetLocalNetworksArgs, sdk.LocalNetwork[]> = invoking("getLocalNetworks");

/**
 * {@link getLocalNetworks} as an output, of arguments that may be outputs.
 *
 * @example
 * ```ts
 * export const networks = getLocalNetworksOutput({ accountGroupId: branch.aid });
 * ```
 */
export const getLocalNetworksOutput: NativeFetchOutput<sdk.GetLocalNetworksArgs, sdk.LocalNetwork[]> =
  invokingOutput("getLocalNetworks");

/**
 * Gives what agents measured on their way out of local networks: to gateway, proxy, VPN and name server.
 *
 * @example
 * ```ts
 * const gateways = await getLocalNetworkTopologies({ searchFilters: { type: ["gateway"] }, window: "1h" });
 * ```
 */
export const getLocalNetworkTopologies: NativeFetchAll<sdk.GetLocalNetworkTopologiesArgs, sdk.Topology> =
  invokingAll("getLocalNetworkTopologies");

/**
 * {@link getLocalNetworkTopologies} as an output, of arguments that may be outputs.
 *
 * @example
 * ```ts
 * export const topologies = getLocalNetworkTopologiesOutput({ searchFilters: { agentId: [kiosk.agentId] }, window: "1h" });
 * ```
 */
export const getLocalNetworkTopologiesOutput: NativeFetchOutput<sdk.GetLocalNetworkTopologiesArgs, sdk.Topology[]> =
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
export const getLocalNetworkTopology: NativeFetch<sdk.GetLocalNetworkTopologyArgs, sdk.TopologyDetail> =
  invoking("getLocalNetworkTopology");

/**
 * {@link getLocalNetworkTopology} as an output, of arguments that may be outputs.
 *
 * @example
 * ```ts
 * export const topology = getLocalNetworkTopologyOutput({ networkTopologyId: topologies[0].networkTopologyId });
 * ```
 */
export const getLocalNetworkTopologyOutput: NativeFetchOutput<sdk.GetLocalNetworkTopologyArgs, sdk.TopologyDetail> =
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
export const getNetworkResults: NativeFetchAll<sdk.GetNetworkResultsArgs, sdk.NetworkResult> = invokingAll("getNetworkResults");

/**
 * {@link getNetworkResults} as an output, of arguments that may be outputs; `test` may be a test resource.
 *
 * @example
 * ```ts
 * export const worst = getNetworkResultsOutput({ test: gateway, window: "1h", searchSort: [{ sort: "loss", order: "desc" }], limit: 1 });
 * ```
 */
export const getNetworkResultsOutput: NativeFetchOutput<sdk.GetNetworkResultsArgs, sdk.NetworkResult[]> = invokingOutput(
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
export const getNetworkResultsOfTests: NativeFetchAll<sdk.GetNetworkResultsOfTestsArgs, sdk.NetworkResult> =
  invokingAll("getNetworkResultsOfTests");

/**
 * {@link getNetworkResultsOfTests} as an output, of arguments that may be outputs.
 *
 * @example
 * ```ts
 * export const rows = getNetworkResultsOfTestsOutput({ searchFilters: { testId: [gateway.testId] }, window: "30m" });
 * ```
 */
export const getNetworkResultsOfTestsOutput: NativeFetchOutput<sdk.GetNetworkResultsOfTestsArgs, sdk.NetworkResult[]> =
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
export const getDynamicNetworkResults: NativeFetchAll<sdk.GetDynamicNetworkResultsArgs, sdk.DynamicNetworkResult> =
  invokingAll("getDynamicNetworkResults");

/**
 * {@link getDynamicNetworkResults} as an output, of arguments that may be outputs; `test` may be a test resource.
 *
 * @example
 * ```ts
 * export const sessions = getDynamicNetworkResultsOutput({ test: meetings, window: "1h" }).apply((rows) => rows.length);
 * ```
 */
export const getDynamicNetworkResultsOutput: NativeFetchOutput<sdk.GetDynamicNetworkResultsArgs, sdk.DynamicNetworkResult[]> =
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
export const getPathVisualizations: NativeFetchAll<sdk.GetPathVisualizationsArgs, sdk.PathResult> =
  invokingAll("getPathVisualizations");

/**
 * {@link getPathVisualizations} as an output, of arguments that may be outputs; `test` may be a test resource.
 *
 * @example
 * ```ts
 * export const paths = getPathVisualizationsOutput({ test: gateway, window: "1h" });
 * ```
 */
export const getPathVisualizationsOutput: NativeFetchOutput<sdk.GetPathVisualizationsArgs, sdk.PathResult[]> = invokingOutput(
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
export const getPathVisualization: NativeFetch<sdk.GetPathVisualizationArgs, sdk.PathDetail[]> =
  invoking("getPathVisualization");

/**
 * {@link getPathVisualization} as an output, of arguments that may be outputs; `test` may be a test resource.
 *
 * @example
 * ```ts
 * export const path = getPathVisualizationOutput({ test: gateway, agentId: kiosk.agentId, roundId: 1_658_181_600 });
 * ```
 */
export const getPathVisualizationOutput: NativeFetchOutput<sdk.GetPathVisualizationArgs, sdk.PathDetail[]> = invokingOutput(
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
export const getDynamicPathVisualizations: NativeFetchAll<sdk.GetPathVisualizationsArgs, sdk.DynamicPathResult> =
  invokingAll("getDynamicPathVisualizations");

/**
 * {@link getDynamicPathVisualizations} as an output, of arguments that may be outputs; `test` may be a test resource.
 *
 * @example
 * ```ts
 * export const paths = getDynamicPathVisualizationsOutput({ test: meetings, window: "1h" });
 * ```
 */
export const getDynamicPathVisualizationsOutput: NativeFetchOutput<sdk.GetPathVisualizationsArgs, sdk.DynamicPathResult[]> =
  invokingOutput("getDynamicPathVisualizations", { plain: plainTest });

/**
 * Gives the paths that one agent saw in one round of a dynamic test, with their hops.
 *
 * @example
 * ```ts
 * const [path] = await getDynamicPathVisualization({ test: meetings, agentId: row.agentId, roundId: row.roundId });
 * ```
 */
export const getDynamicPathVisualization: NativeFetch<sdk.GetPathVisualizationArgs, sdk.DynamicPathDetail[]> =
  invoking("getDynamicPathVisualization");

/**
 * {@link getDynamicPathVisualization} as an output, of arguments that may be outputs; `test` may be a test resource.
 *
 * @example
 * ```ts
 * export const path = getDynamicPathVisualizationOutput({ test: meetings, agentId: kiosk.agentId, roundId: 1_658_181_600 });
 * ```
 */
export const getDynamicPathVisualizationOutput: NativeFetchOutput<sdk.GetPathVisualizationArgs, sdk.DynamicPathDetail[]> =
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
export const getProxies: NativeFetch<sdk.GetProxiesArgs, sdk.ProxyRecord[]> = invoking("getProxies");

/**
 * {@link getProxies} as an output, of arguments that may be outputs.
 *
 * @example
 * ```ts
 * export const hosts = getProxiesOutput({ accountGroupId: branch.aid }).apply((proxies) => proxies.map(({ host }) => host));
 * ```
 */
export const getProxiesOutput: NativeFetchOutput<sdk.GetProxiesArgs, sdk.ProxyRecord[]> = invokingOutput("getProxies");

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
export const getRealUserTestProfiles: NativeFetch<sdk.GetRealUserTestProfilesArgs, sdk.RealUserTestProfile[]> =
  invoking("getRealUserTestProfiles");

/**
 * {@link getRealUserTestProfiles} as an output, of arguments that may be outputs.
 *
 * @example
 * ```ts
 * export const profiles = getRealUserTestProfilesOutput({ accountGroupId: branch.aid }).apply((found) => found.length);
 * ```
 */
export const getRealUserTestProfilesOutput: NativeFetchOutput<sdk.GetRealUserTestProfilesArgs, sdk.RealUserTestProfile[]> =
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
export const getRealUserTests: NativeFetchAll<sdk.GetRealUserTestsArgs, sdk.RealUserResult> = invokingAll("getRealUserTests");

/**
 * {@link getRealUserTests} as an output, of arguments that may be outputs.
 *
 * @example
 * ```ts
 * export const visits = getRealUserTestsOutput({ searchFilters: { agentId: [kiosk.agentId] }, window: "1h" });
 * ```
 */
export const getRealUserTestsOutput: NativeFetchOutput<sdk.GetRealUserTestsArgs, sdk.RealUserResult[]> =
  invokingOutput("getRealUserTests");

/**
 * Gives the network metrics of real user tests, a row for each visit: of the site, and of VPN and proxy on the way there.
 *
 * @example
 * ```ts
 * const networks = await getRealUserTestNetworks({ searchFilters: { connection: ["wireless"] }, window: "1h" });
 * ```
 */
export const getRealUserTestNetworks: NativeFetchAll<sdk.GetRealUserTestsArgs, sdk.RealUserNetwork> =
  invokingAll("getRealUserTestNetworks");

/**
 * {@link getRealUserTestNetworks} as an output, of arguments that may be outputs.
 *
 * @example
 * ```ts
 * export const networks = getRealUserTestNetworksOutput({ searchFilters: { agentId: [kiosk.agentId] }, window: "1h" });
 * ```
 */
export const getRealUserTestNetworksOutput: NativeFetchOutput<sdk.GetRealUserTestsArgs, sdk.RealUserNetwork[]> =
  invokingOutput("getRealUserTestNetworks");

/**
 * Gives the pages of real user tests, a row for each page that was visited.
 *
 * @example
 * ```ts
 * const pages = await getRealUserTestPages({ searchFilters: { visitedSite: ["www.example.com"] }, window: "1h" });
 * ```
 */
export const getRealUserTestPages: NativeFetchAll<sdk.GetRealUserTestsArgs, sdk.VisitedPageResult> =
  invokingAll("getRealUserTestPages");

/**
 * {@link getRealUserTestPages} as an output, of arguments that may be outputs.
 *
 * @example
 * ```ts
 * export const pages = getRealUserTestPagesOutput({ searchFilters: { agentId: [kiosk.agentId] }, window: "1h" });
 * ```
 */
export const getRealUserTestPagesOutput: NativeFetchOutput<sdk.GetRealUserTestsArgs, sdk.VisitedPageResult[]> =
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
export const getRealUserTest: NativeFetch<sdk.GetRealUserTestArgs, sdk.RealUserDetail> = invoking("getRealUserTest");

/**
 * {@link getRealUserTest} as an output, of arguments that may be outputs.
 *
 * @example
 * ```ts
 * export const visit = getRealUserTestOutput({ id: visits[0].id });
 * ```
 */
export const getRealUserTestOutput: NativeFetchOutput<sdk.GetRealUserTestArgs, sdk.RealUserDetail> =
  invokingOutput("getRealUserTest");

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
export const getRealUserTestPage: NativeFetch<sdk.GetRealUserTestPageArgs, sdk.VisitedPageDetail> =
  invoking("getRealUserTestPage");

/**
 * {@link getRealUserTestPage} as an output, of arguments that may be outputs.
 *
 * @example
 * ```ts
 * const visited = getRealUserTestPagesOutput({ window: "1h", limit: 1 });
 * export const page = getRealUserTestPageOutput({ id: visited[0].id, pageId: visited[0].pageId });
 * ```
 */
export const getRealUserTestPageOutput: NativeFetchOutput<sdk.GetRealUserTestPageArgs, sdk.VisitedPageDetail> =
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
export const getTags: NativeFetch<sdk.GetTagsArgs, sdk.TagRecord[]> = invoking("getTags");

/**
 * {@link getTags} as an output, of arguments that may be outputs.
 *
 * @example
 * ```ts
 * export const keys = getTagsOutput({}, { dependsOn: emea }).apply((tags) => tags.map((tag) => tag.key));
 * ```
 */
export const getTagsOutput: NativeFetchOutput<sdk.GetTagsArgs, sdk.TagRecord[]> = invokingOutput("getTags");

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
export const getTag: NativeFetch<sdk.GetTagArgs, sdk.TagRecord> = invoking("getTag");

/**
 * {@link getTag} as an output, of arguments that may be outputs.
 *
 * @example
 * ```ts
 * export const filters = getTagOutput({ id: emea.id }).apply((tag) => tag.filters);
 * ```
 */
export const getTagOutput: NativeFetchOutput<sdk.GetTagArgs, sdk.TagRecord> = invokingOutput("getTag");

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
export const getTests: NativeFetch<sdk.GetTestsArgs, sdk.TestRecord[]> = invoking("getTests");

/**
 * {@link getTests} as an output, of arguments that may be outputs.
 *
 * @example
 * ```ts
 * export const count = getTestsOutput({ accountGroupId: branch.aid }).apply((tests) => tests.length);
 * ```
 */
export const getTestsOutput: NativeFetchOutput<sdk.GetTestsArgs, sdk.TestRecord[]> = invokingOutput("getTests");

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
export const getTest: NativeFetch<sdk.GetTestArgs, sdk.TestRecord> = invoking("getTest");

/**
 * {@link getTest} as an output, of arguments that may be outputs.
 *
 * @example
 * ```ts
 * export const modified = getTestOutput({ testId: gateway.testId }).apply((test) => test.modifiedDate);
 * ```
 */
export const getTestOutput: NativeFetchOutput<sdk.GetTestArgs, sdk.TestRecord> = invokingOutput("getTest");
