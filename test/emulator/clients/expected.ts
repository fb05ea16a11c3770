/** The expected result of the official Python client for an operation's response. */
export interface Expected {
  readonly status: number;
  /** The client's class for the response, or null without a body. */
  readonly model: string | null;
  /** Documented members of the response as paths. `[]` is a list's first element. */
  readonly holds: readonly string[];
  /** Members that the client's own model lacks. */
  readonly unknown?: readonly string[];
}

const inside = (path: string, members: readonly string[]): string[] => members.map((member) => `${path}.${member}`);
const words = (text: string): string[] => text.trim().split(/\s+/);

const self = "_links.self.href";
const label = [...words("id name color matchType filters[].key filters[].values[] filters[].mode"), self];

const anyTest = [
  ...words(
    "aid createdDate modifiedDate interval isEnabled isPrioritized protocol ipVersion testId testName tcpProbeMode labels",
  ),
  ...words("agentSelectorConfig.agentSelectorType agentSelectorConfig.maxMachines networkMeasurements hasPathTraceInSession"),
  self,
  "_links.testResults[].href",
];
const networkTest = [...anyTest, ...words("server port type isSavedEvent")];
const httpOnly = words(
  "authType followRedirects httpTargetTime httpTimeLimit httpVersion sslVersion sslVersionId url useNtlm verifyCertificate",
);
const httpTest = [...networkTest, ...httpOnly];
const dynamicTest = [...anyTest, ...words("application hasPing hasTraceroute")];

const round = [
  ...words("aid testId agentId roundId serverIp platform networkProfile.ipAddress networkProfile.hardwareType"),
  ...words("systemMetrics.startTimeMs systemMetrics.physicalMemoryTotalBytes originalTargetProfile.remotePort"),
];
const network = [...round, ...words("avgLatency minLatency maxLatency jitter loss")];
const visit = words(
  "connectTime dnsTime errorType numRedirects receiveTime redirectTime responseCode responseTime sslTime totalTime waitTime wireSize throughput",
);
const http = [...round, ...visit];
const path = [
  ...round,
  "server",
  "sourceIp",
  ...inside("pathTraces[]", words("pathId protocol ipAddress numberOfHops responseTime")),
];
const hops = [...round, ...inside("pathTraces[]", words("pathId protocol hops[].hop hops[].ipAddress hops[].responseTime"))];
const dynamicRound = words("application protocol tcpProbeMode");
const range = words("startDate endDate");
const topology = words("agentId date networkTopologyId roundId target type platform systemMetrics.startTimeMs");
const site = words("agentId committed date numberOfPages port protocol roundId id visitedSite");
const page = words("pageId pageUrl loadDate pageTimings.onContentLoad pageTimings.onLoad");
const inResults = (members: readonly string[]): string[] => inside("results[]", members);

const agent = [
  ...words(
    "id aid name computerName osVersion platform kernelVersion lastSeen status deleted version createdAt numberOfClients",
  ),
  ...words("publicIP location.locationName totalMemory agentType licenseType tcpDriverAvailable"),
  self,
];

const rule = [
  ...words("ruleId ruleName expression alertType alertGroupType severity minimumSources"),
  ...words("roundsViolatingOutOf roundsViolatingRequired"),
];
const stream = [
  ...words("id enabled type signal endpointType streamEndpointUrl dataModelVersion name customHeaders"),
  ...words("testMatch[].id testMatch[].domain endpointAgentLabel[].id auditOperation.createdDate streamStatus.status"),
  self,
];

const created = (model: string, holds: readonly string[]): Expected => ({ status: 201, model, holds });
const ok = (model: string, holds: readonly string[]): Expected => ({ status: 200, model, holds });
const deleted: Expected = { status: 204, model: null, holds: [] };

export const expected: Record<string, Expected> = {
  create_endpoint_label: created("LabelResponse", label),
  get_endpoint_label: ok("LabelResponse", label),
  get_endpoint_labels: ok("Labels", [...inside("labels[]", label), self]),
  update_endpoint_label: ok("LabelResponse", label),
  delete_endpoint_label: deleted,

  create_agent_to_server_endpoint_scheduled_test: created("EndpointAgentToServerTest", networkTest),
  get_agent_to_server_endpoint_scheduled_test: ok("EndpointAgentToServerTest", networkTest),
  get_agent_to_server_endpoint_scheduled_tests: ok("EndpointAgentToServerTests", [...inside("tests[]", networkTest), self]),
  update_agent_to_server_endpoint_scheduled_test: ok("EndpointAgentToServerTest", networkTest),
  delete_agent_to_server_endpoint_scheduled_test: deleted,
  create_http_server_endpoint_scheduled_test: created("EndpointHttpServerTest", httpTest),
  get_http_server_endpoint_scheduled_test: ok("EndpointHttpServerTest", httpTest),
  get_http_server_endpoint_scheduled_tests: ok("EndpointHttpServerTests", [...inside("tests[]", httpTest), self]),
  update_http_server_endpoint_scheduled_test: ok("EndpointHttpServerTest", httpTest),
  delete_http_server_endpoint_scheduled_test: deleted,
  create_agent_to_server_endpoint_dynamic_test: created("DynamicTest", dynamicTest),
  get_agent_to_server_endpoint_dynamic_test: ok("DynamicTest", dynamicTest),
  get_agent_to_server_endpoint_dynamic_tests: ok("DynamicTests", [...inside("tests[]", dynamicTest), self]),
  update_agent_to_server_endpoint_dynamic_test: ok("DynamicTest", dynamicTest),
  delete_agent_to_server_endpoint_dynamic_test: deleted,
  // The client reads each test of this list as an agent-to-server test, whatever its type.
  get_endpoint_scheduled_tests: {
    ...ok("EndpointTests", inside("tests[]", networkTest)),
    unknown: inside("tests[]", httpOnly),
  },

  create_agent_to_server_scheduled_instant_test: created("EndpointAgentToServerTest", networkTest),
  create_http_server_scheduled_instant_test: created("EndpointHttpServerTest", httpTest),
  run_endpoint_scheduled_instant_test: ok("EndpointRunScheduledInstantTestResult", ["message"]),

  filter_scheduled_test_network_results: ok("NetworkEndpointTestResults", [
    ...inResults(network),
    ...inside("test", networkTest),
  ]),
  filter_scheduled_tests_network_results: ok("MultiTestIdNetworkEndpointTestResults", [
    ...inResults(network),
    "totalHits",
    ...range,
  ]),
  get_scheduled_test_path_vis_results: ok("PathVisEndpointTestResults", [
    ...inResults(path),
    ...inside("test", networkTest),
    ...range,
  ]),
  get_scheduled_test_path_vis_agent_round_results: ok("PathVisDetailEndpointTestResults", inResults(hops)),
  get_http_server_scheduled_test_results: ok("HttpEndpointTestResults", [
    ...inResults([...http, "headers.requestHeaders", "headers.responseHeaders"]),
    ...inside("test", httpTest),
    ...range,
  ]),
  get_single_test_filtered_http_server_scheduled_test_results: ok("HttpMultiEndpointTestResults", [
    ...inResults(http),
    ...range,
  ]),
  get_multi_test_filtered_http_server_scheduled_test_results: ok("HttpMultiEndpointTestResults", [
    ...inResults(http),
    ...range,
  ]),
  filter_dynamic_test_network_results: ok("NetworkDynamicEndpointTestResults", inResults([...network, ...dynamicRound])),
  get_dynamic_test_path_vis_results: ok("PathVisDynamicEndpointTestResults", [
    ...inResults([...path, ...dynamicRound]),
    ...inside("test", dynamicTest),
  ]),
  get_dynamic_test_path_vis_agent_round_results: ok(
    "PathVisDetailDynamicEndpointTestResults",
    inResults([...hops, ...dynamicRound]),
  ),

  get_local_networks_test_results: ok(
    "LocalNetworkResults",
    inside("localNetworks[]", words("networkId networkName localPrefix")),
  ),
  filter_local_networks_test_results_topologies: ok("LocalNetworkTopologyResults", [...inResults(topology), ...range]),
  get_local_networks_test_results_topology: ok(
    "LocalNetworkTopologyDetailResults",
    inResults([...topology, "networkProfile.ipAddress", "networkProfile.gateway"]),
  ),
  get_endpoint_real_user_tests: ok("EndpointRealUserTestsResponse", ["realUserTests"]),
  filter_real_user_tests_results: ok("RealUserEndpointTestResults", [...inResults(site), ...range]),
  filter_real_user_tests_network_results: ok("RealUserEndpointTestNetworkResults", [
    ...inResults(words("agentId date id roundId destination.target systemMetrics.startTimeMs")),
    ...range,
  ]),
  filter_real_user_tests_visited_pages_results: ok("RealUserEndpointTestPageResults", [
    ...inResults([...page, "id", "responseTime"]),
  ]),
  get_real_user_test_results: ok("RealUserEndpointTestDetailResults", inResults([...site, ...inside("pages[]", page)])),
  get_real_user_test_page_results: ok(
    "RealUserEndpointTestPageDetailResult",
    inside(
      "har.log",
      words("version creator.name pages[].id pages[].title entries[].request.url entries[].response.status entries[].time"),
    ),
  ),

  get_endpoint_agents: ok("ListEndpointAgentsResponse", [
    "totalAgents",
    ...inside("agents[]", [
      ...agent,
      "clients[].userProfile.userName",
      "networkInterfaceProfiles[].interfaceName",
      "vpnProfiles",
    ]),
  ]),
  // Its model only has a link to the next page.
  filter_endpoint_agents: { ...ok("FilterEndpointAgentsResponse", inside("agents[]", agent)), unknown: ["_links.self"] },
  get_endpoint_agent: ok("EndpointAgent", [...agent, "clients"]),
  update_endpoint_agent: ok("EndpointAgent", agent),
  disable_endpoint_agent: ok("EndpointAgent", agent),
  enable_endpoint_agent: ok("EndpointAgent", agent),
  delete_endpoint_agent: deleted,
  get_endpoint_agent_log_items: ok(
    "EndpointAgentLogItemsResponse",
    inside("logs[]", words("id agentLogItemType timestampMs stateChangesLogItem.logItemType")),
  ),
  get_endpoint_agents_connection_string: ok("ConnectionString", ["connectionString"]),
  transfer_endpoint_agent: { status: 202, model: null, holds: [] },
  // The client does not send `agentId`, because its model treats it as read-only. The service rejects the item.
  transfer_endpoint_agents: {
    status: 207,
    model: "BulkAgentTransferResponse",
    holds: inside("items[]", words("status detail request.fromAid request.toAid")),
  },

  create_alert_rule: created("Rule", [...rule, "testIds[]", self]),
  get_alert_rule: ok("RuleDetail", [
    ...rule,
    self,
    ...words("notifyOnClear isDefault roundsViolatingMode testIds[] notifications.email.message"),
    ...inside("tests[]", words("testId testName type enabled _links.self.href")),
  ]),
  get_alerts_rules: ok("Rules", inside("alertRules[]", rule)),
  update_alert_rule: ok("Rule", [...rule, "testIds[]", self]),
  delete_alert_rule: deleted,
  create_stream: created("CreateStreamResponse", stream),
  get_stream: ok("GetStreamResponse", stream),
  // The client reads a bare list.
  get_streams: ok("list", inside("[]", stream)),
  update_stream: ok("GetStreamResponse", [...stream, "auditOperation.updatedDate"]),
  delete_stream: deleted,
  get_endpoint_proxies: ok("EndpointProxiesResponse", inside("proxies[]", words("proxyId name type pac"))),
};
