// `npm run generate` writes this file from the schemas in api/schemas.
import type { Link } from "./common";

/**
 * The agent selection of a test. The schema also accepts undocumented values of `agentSelectorType`, because the service may
 * add values.
 */
export interface AgentSelectorConfig {
  /** Type of the agent selection: `all-agents`, `specific-agents`, `agent-labels` or `agent-tags`. */
  agentSelectorType: string;
  /** Maximum number of agents that run the test. */
  maxMachines?: number;
  /** Identifiers of the selected agents, for `specific-agents` only. */
  agents?: string[];
  /** Identifiers of the selected labels, for `agent-labels` only. */
  endpointAgentLabels?: string[];
  /** Identifiers of the selected tags, for `agent-tags` only. */
  tagIds?: string[];
}

/** Agent selection in a request. In responses, `agentSelectorConfig` contains the selection. */
export interface AgentSelectionMembers {
  /** Type of the agent selection. Default: `all-agents`. */
  agentSelectorType?: "agent-labels" | "agent-tags" | "all-agents" | "specific-agents";
  /** Identifiers of the selected agents, for `specific-agents` only. */
  agents?: string[];
  /** Identifiers of the selected labels, for `agent-labels` only. */
  endpointAgentLabels?: string[];
  /** Identifiers of the selected tags, for `agent-tags` only. */
  tagIds?: string[];
  /** Maximum number of agents that run the test, 1 to 150000. Default: 25. */
  maxMachines?: number;
}

/** Members of every request body that creates a test. */
export interface TestRequestMembers extends AgentSelectionMembers {
  /** Name of the test. */
  testName: string;
  /** IP version policy of the probes. If omitted, the service chooses the policy. */
  ipVersion?: "OS_DEFAULT" | "V4_ONLY" | "V6_ONLY" | "V6_PREFER";
  /** Whether an agent prefers the test if the agent has more tests than its license allows. Default: false. */
  isPrioritized?: boolean;
  /** Seconds between consecutive rounds of the test. Default: 60. */
  interval?: 60 | 120 | 300 | 600 | 900 | 1800 | 3600;
  /** Protocol of the probes. Default: `icmp`. */
  protocol?: "ast-autodetect" | "autodetect" | "icmp" | "icmp-with-tcp-connect" | "prefer-tcp" | "tcp";
}

/**
 * Members of every request body that updates a test. Members that an update omits probably keep their values. The service does not document
 * the effect of omitted members, so send all members that you manage.
 */
export interface TestUpdateMembers {
  /** Name of the test. */
  testName?: string;
  /** Seconds between consecutive rounds of the test. */
  interval?: 60 | 120 | 300 | 600 | 900 | 1800 | 3600;
  /** Protocol of the probes. */
  protocol?: "ast-autodetect" | "autodetect" | "icmp" | "icmp-with-tcp-connect" | "prefer-tcp" | "tcp";
  /** TCP probe mode, for TCP protocols only. */
  tcpProbeMode?: "auto" | "sack" | "syn";
  /** Whether the test is enabled. New tests are always enabled. */
  isEnabled?: boolean;
}

/** Members of every test in responses. Most members are optional, because the service guarantees only a few members. */
export interface TestRecordMembers {
  /** Identifier of the test, a string of digits. */
  testId: string;
  /** Name of the test. */
  testName?: string;
  /** Account group that contains the test. */
  aid?: string;
  /** Agent selection of the test. */
  agentSelectorConfig?: AgentSelectorConfig;
  /** Time of creation (RFC 3339, UTC). */
  createdDate?: string;
  /** Time of the last change (RFC 3339, UTC). */
  modifiedDate?: string;
  /** Seconds between consecutive rounds of the test: 60, 120, 300, 600, 900, 1800 or 3600. */
  interval?: number;
  /** Protocol of the probes, such as `icmp` or `prefer-tcp`. */
  protocol?: string;
  /** IP version policy of the probes: `V4_ONLY`, `V6_ONLY`, `V6_PREFER` or `OS_DEFAULT`. */
  ipVersion?: string;
  /** TCP probe mode, for TCP protocols only: `auto`, `sack`, `syn`, `syn-pcap` or `syn-socket`. */
  tcpProbeMode?: string;
  /** Whether the test is enabled. */
  isEnabled?: boolean;
  /** Whether an agent prefers the test if the agent has more tests than its license allows. */
  isPrioritized?: boolean;
  /** Whether agents also measure the network to the target. */
  networkMeasurements?: boolean;
  /** Whether agents trace paths inside an established TCP session. */
  hasPathTraceInSession?: boolean;
  /** Labels or groups that contain the test in the service's UI. The labels in `labels` do not select agents. */
  labels?: {
    /** Identifier of the label or group. */
    labelId?: string;
    /** Name of the label or group. */
    name?: string;
    /** Whether the service itself provides the label or group. */
    isBuiltin?: boolean;
  }[];
  /** Links, such as the link to the record itself. */
  _links?: {
    /** Link to the test itself. */
    self?: Link;
    /** Links to the results of the test. */
    testResults?: Link[];
  };
}
