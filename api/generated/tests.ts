// Written by `npm run generate` from the schemas; change it there.
import type { Link } from "./common";

/** The agents of a test. */
export interface AgentSelectorConfig {
  /** Selector of the agents: `all-agents`, `specific-agents`, `agent-labels` or `agent-tags`. */
  agentSelectorType: string;
  /** Largest number of agents that run the test. */
  maxMachines?: number;
  /** Identifiers of agents, with `specific-agents`. */
  agents?: string[];
  /** Identifiers of labels, with `agent-labels`. */
  endpointAgentLabels?: string[];
  /** Identifiers of tags, with `agent-tags`. */
  tagIds?: string[];
}

/**
 * Agent selection of a request, without nesting. Answers nest it in `agentSelectorConfig` (Requests and responses differ in
 * shape).
 */
export interface AgentSelectionMembers {
  /** Selector of the agents. Default: `all-agents`. */
  agentSelectorType?: "agent-labels" | "agent-tags" | "all-agents" | "specific-agents";
  /** Identifiers of agents, with `specific-agents`. */
  agents?: string[];
  /** Identifiers of labels, with `agent-labels`. */
  endpointAgentLabels?: string[];
  /** Identifiers of tags, with `agent-tags`. */
  tagIds?: string[];
  /** Largest number of agents that run the test, 1 to 150000. Default: 25. */
  maxMachines?: number;
}

/** Members of every request that creates a test. */
export interface TestRequestMembers extends AgentSelectionMembers {
  /** Name of the test. */
  testName: string;
  /** IP version policy of the probes. If omitted, the service chooses. */
  ipVersion?: "OS_DEFAULT" | "V4_ONLY" | "V6_ONLY" | "V6_PREFER";
  /** Whether an agent prefers this test if it has more tests than its license allows. Default: false. */
  isPrioritized?: boolean;
  /** Seconds between rounds. Default: 60. */
  interval?: 60 | 120 | 300 | 600 | 900 | 1800 | 3600;
  /** Protocol of the probes. Default: `icmp`. */
  protocol?: "ast-autodetect" | "autodetect" | "icmp" | "icmp-with-tcp-connect" | "prefer-tcp" | "tcp";
}

/**
 * Members that PATCH accepts for every kind of test. An omitted member stays (inferred), so callers send all members that they
 * manage.
 */
export interface TestUpdateMembers {
  /** Name of the test. */
  testName?: string;
  /** Seconds between rounds. */
  interval?: 60 | 120 | 300 | 600 | 900 | 1800 | 3600;
  /** Protocol of the probes. */
  protocol?: "ast-autodetect" | "autodetect" | "icmp" | "icmp-with-tcp-connect" | "prefer-tcp" | "tcp";
  /** TCP probe mode. Only TCP protocols use it. */
  tcpProbeMode?: "auto" | "sack" | "syn";
  /** Whether the test is enabled. New tests are enabled. */
  isEnabled?: boolean;
}

/** Members of every test in answers. The service guarantees hardly any of them. */
export interface TestRecordMembers {
  /** Identifier of the test, a string of digits. */
  testId: string;
  /** Name of the test. */
  testName?: string;
  /** Account group that the test belongs to. */
  aid?: string;
  /** Agents of the test. */
  agentSelectorConfig?: AgentSelectorConfig;
  /** Time of creation (RFC 3339, UTC). */
  createdDate?: string;
  /** Time of the last change (RFC 3339, UTC). */
  modifiedDate?: string;
  /** Seconds between rounds: 60, 120, 300, 600, 900, 1800 or 3600. */
  interval?: number;
  /** Protocol of the probes, such as `icmp` or `prefer-tcp`. */
  protocol?: string;
  /** IP version policy of the probes: `V4_ONLY`, `V6_ONLY`, `V6_PREFER` or `OS_DEFAULT`. */
  ipVersion?: string;
  /** TCP probe mode: `auto`, `sack`, `syn`, `syn-pcap` or `syn-socket`. Only TCP protocols use it. */
  tcpProbeMode?: string;
  /** Whether the test is enabled. */
  isEnabled?: boolean;
  /** Whether an agent prefers this test if it has more tests than its license allows. */
  isPrioritized?: boolean;
  /** Whether the test includes network measurements. */
  networkMeasurements?: boolean;
  /** Whether agents trace paths inside an established TCP session. */
  hasPathTraceInSession?: boolean;
  /** Labels or groups that list the test in the UI. They select no agents. */
  labels?: {
    /** Identifier of the label or group. */
    labelId?: string;
    /** Name of the label or group. */
    name?: string;
    /** Whether the service itself provides the label or group. */
    isBuiltin?: boolean;
  }[];
  /** Links of the record. */
  _links?: {
    /** Link to the test itself. */
    self?: Link;
    /** Links to the results of the test. */
    testResults?: Link[];
  };
}
