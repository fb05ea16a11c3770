import type { RecordKindName } from "../../provider/registry";

type Values = Record<string, unknown>;

/** How a test changes one property: from the full arguments with `from`, to the same with `to` over them. */
export interface PropertyChange {
  from?: Values;
  to: Values;
  /** Properties the change forces, where it is not the one alone: a selector goes with its list. */
  together?: string[];
}

/** What lifecycle tests need to know of a kind. `{ $id: name }` stands for the id of a label of the test. */
export interface KindCase {
  className: string;
  /** Where the emulator keeps it. */
  collection: string;
  path: string;
  minimal: Values;
  full: Values;
  /** A change of every property there is, but those that steer the provider. */
  changes: Record<string, PropertyChange>;
}

const [agentA, agentB] = ["0a3b9998-dc3a-4ff2-b50d-ac4a7cd986e1", "66eec0f1-72b4-4755-aa83-3aed61d17f3c"];
const [tagA, tagB] = ["c6b78e57-81a2-4c5f-a11a-d96c3c664d55", "5aeab5d5-0d34-4d44-a7ac-fb440185295c"];
export const [labelA, labelB] = [{ $id: "label-a" }, { $id: "label-b" }];

const specific = { agentSelectorType: "specific-agents", agents: [agentA] };
const byLabel = { agentSelectorType: "agent-labels", endpointAgentLabels: [labelA] };
const byTag = { agentSelectorType: "agent-tags", tagIds: [tagA] };

/** Changes of the properties that all kinds of test have. */
const testChanges = {
  testName: { to: { testName: "Renamed" } },
  agentSelectorType: { to: byLabel, together: ["agentSelectorType", "endpointAgentLabels"] },
  agents: { from: specific, to: { agents: [agentA, agentB] } },
  endpointAgentLabels: { from: byLabel, to: { endpointAgentLabels: [labelB] } },
  tagIds: { from: byTag, to: { tagIds: [tagB] } },
  maxMachines: { to: { maxMachines: 99 } },
  interval: { to: { interval: 900 } },
  protocol: { to: { protocol: "prefer-tcp" } },
  tcpProbeMode: { to: { tcpProbeMode: "syn" } },
  ipVersion: { to: { ipVersion: "V6_ONLY" } },
  isPrioritized: { to: { isPrioritized: false } },
  isEnabled: { to: { isEnabled: true } },
  accountGroupId: { to: { accountGroupId: "1002" } },
};

const testFull = {
  agentSelectorType: "all-agents",
  maxMachines: 40,
  interval: 300,
  protocol: "tcp",
  tcpProbeMode: "sack",
  ipVersion: "V4_ONLY",
  isPrioritized: true,
  isEnabled: false,
  accountGroupId: "1001",
};

export const kindCases: Record<RecordKindName, KindCase> = {
  label: {
    className: "Label",
    collection: "labels",
    path: "/v7/endpoint/labels",
    minimal: { name: "Minimal", matchType: "and", filters: [{ key: "platform", values: ["Mac"] }] },
    full: {
      name: "Full",
      color: "#3366CC",
      matchType: "or",
      filters: [
        { key: "hostname", mode: "in", values: ["office-*", "branch-?"] },
        { key: "local-network", mode: "not-in", values: ["10.0.0.0/8", "2001:db8::/32"] },
      ],
      accountGroupId: "1001",
    },
    changes: {
      name: { to: { name: "Renamed" } },
      color: { to: { color: "#ff0000" } },
      matchType: { to: { matchType: "and" } },
      filters: { to: { filters: [{ key: "asn", mode: "in", values: ["64512"] }] } },
      accountGroupId: { to: { accountGroupId: "1002" } },
    },
  },
  agentToServerTest: {
    className: "AgentToServerTest",
    collection: "agent-to-server-tests",
    path: "/v7/endpoint/tests/scheduled-tests/agent-to-server",
    minimal: { testName: "Minimal", server: "www.example.com" },
    full: { ...testFull, testName: "Full", server: "vpn.example.com", port: 8443 },
    changes: { ...testChanges, server: { to: { server: "192.0.2.7" } }, port: { to: { port: 22 } } },
  },
  httpServerTest: {
    className: "HttpServerTest",
    collection: "http-server-tests",
    path: "/v7/endpoint/tests/scheduled-tests/http-server",
    minimal: { testName: "Minimal", url: "https://www.example.com" },
    full: {
      ...testFull,
      testName: "Full",
      url: "http://www.example.com:8080/health?full=1",
      authType: "basic",
      username: "probe",
      password: "first-passw0rd",
      httpTimeLimit: 4000,
      targetResponseTime: 700,
      sslVersionId: "6",
      verifyCertificate: false,
      networkMeasurements: false,
      hasPathTraceInSession: false,
    },
    changes: {
      ...testChanges,
      url: { to: { url: "https://www.example.net/" } },
      authType: { to: { authType: "ntlm" } },
      username: { to: { username: "other" } },
      password: { to: { password: "second-passw0rd" } },
      httpTimeLimit: { to: { httpTimeLimit: 9000 } },
      targetResponseTime: { to: { targetResponseTime: 300 } },
      sslVersionId: { to: { sslVersionId: "7" } },
      verifyCertificate: { to: { verifyCertificate: true } },
      networkMeasurements: { to: { networkMeasurements: true } },
      hasPathTraceInSession: { to: { hasPathTraceInSession: true } },
    },
  },
  dynamicTest: {
    className: "DynamicTest",
    collection: "dynamic-tests",
    path: "/v7/endpoint/tests/dynamic-tests/agent-to-server",
    minimal: { testName: "Minimal", application: "webex" },
    full: { ...testFull, testName: "Full", application: "zoom", hasPathTraceInSession: true },
    changes: {
      ...testChanges,
      application: { to: { application: "microsoft-teams" } },
      hasPathTraceInSession: { to: { hasPathTraceInSession: false } },
    },
  },
};

/** The labels that cases refer to. */
export const caseLabels = {
  "label-a": { name: "Case A", matchType: "and", filters: [{ key: "platform", values: ["Mac"] }] },
  "label-b": { name: "Case B", matchType: "and", filters: [{ key: "platform", values: ["Linux"] }] },
};
