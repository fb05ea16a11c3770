// Written by `npm run generate` from the schemas; change it there.
import type { Link } from "./common";

/** The agents of a test. */
export interface AgentSelectorConfig {
  /** How agents are chosen: `all-agents`, `specific-agents`, `agent-labels` or `agent-tags`. */
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

/** Agent selection of a request: flat. It comes back as `agentSelectorConfig` (Requests and responses differ in shape). */
export interface AgentSelectionMembers {
  /** How agents are chosen. Default: `all-agents`. */
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

/** Members of the request that creates a test, whatever its kind. */
export interface TestRequestMembers extends AgentSelectionMembers {
  /** Name of the test. */
  testName: string;
  /** Which IP versions the probes use. The service chooses when left out. */
  ipVersion?: "OS_DEFAULT" | "V4_ONLY" | "V6_ONLY" | "V6_PREFER";
  /** Whether an agent keeps this test when it has more tests than its license runs. Default: false. */
  isPrioritized?: boolean;
  /** Seconds between rounds. Default: 60. */
  interval?: 60 | 120 | 300 | 600 | 900 | 1800 | 3600;
  /** Protocol of the probes. Default: `icmp`. */
  protocol?: "ast-autodetect" | "autodetect" | "icmp" | "icmp-with-tcp-connect" | "prefer-tcp" | "tcp";
}

/** Members that PATCH accepts for every kind of test. A left-out member stays (inferred), so callers send all they own. */
export interface TestUpdateMembers {
  /** Name of the test. */
  testName?: string;
  /** Seconds between rounds. */
  interval?: 60 | 120 | 300 | 600 | 900 | 1800 | 3600;
  /** Protocol of the probes. */
  protocol?: "ast-autodetect" | "autodetect" | "icmp" | "icmp-with-tcp-connect" | "prefer-tcp" | "tcp";
  /** How TCP probes are sent; it has an effect with a TCP protocol only. */
  tcpProbeMode?: "auto" | "sack" | "syn";
  /** Whether the test runs. A new test does. */
  isEnabled?: boolean;
}

/** Members of a test in answers, whatever its kind. The service promises almost none of them. */
export interface TestRecordMembers {
  /** Identifier of the test, a string of digits. */
  testId: string;
  /** Name of the test. */
  testName?: string;
  /** Account group that the test belongs to. */
  aid?: string;
  /** Agents of the test. */
  agentSelectorConfig?: AgentSelectorConfig;
  /** When the test was created (RFC 3339, UTC). */
  createdDate?: string;
  /** When the test was last changed (RFC 3339, UTC). */
  modifiedDate?: string;
  /** Seconds between rounds: 60, 120, 300, 600, 900, 1800 or 3600. */
  interval?: number;
  /** Protocol of the probes, such as `icmp` or `prefer-tcp`. */
  protocol?: string;
  /** Which IP versions the probes use: `V4_ONLY`, `V6_ONLY`, `V6_PREFER` or `OS_DEFAULT`. */
  ipVersion?: string;
  /** How TCP probes are sent: `auto`, `sack`, `syn`, `syn-pcap` or `syn-socket`; it has an effect with a TCP protocol only. */
  tcpProbeMode?: string;
  /** Whether the test runs. */
  isEnabled?: boolean;
  /** Whether an agent keeps this test when it has more tests than its license runs. */
  isPrioritized?: boolean;
  /** Whether network measurements run. */
  networkMeasurements?: boolean;
  /** Whether paths are traced inside an established TCP session. */
  hasPathTraceInSession?: boolean;
  /** Labels or groups that the test is filed under. They select no agents. */
  labels?: {
    /** Identifier of the label or group. */
    labelId?: string;
    /** Name of the label or group. */
    name?: string;
    /** Whether the service itself provides it. */
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
