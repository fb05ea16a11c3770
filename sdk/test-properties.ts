import type * as pulumi from "@pulumi/pulumi";
import type { RecordProperties } from "./common";

/** Selector of the agents that run a test. */
export type AgentSelectorType = "all-agents" | "specific-agents" | "agent-labels" | "agent-tags";

/** Probe protocol of a test. */
export type TestProtocol = "icmp" | "icmp-with-tcp-connect" | "tcp" | "prefer-tcp" | "ast-autodetect" | "autodetect";

/** IP version policy of a test. */
export type IpVersion = "V4_ONLY" | "V6_ONLY" | "V6_PREFER" | "OS_DEFAULT";

/** Properties of every scheduled or instant test. */
export interface TestProperties {
  /** Name of the test, at least 1 character. */
  testName: pulumi.Input<string>;
  /** Maximum number of agents that run the test, 1 to 150000. Default: 25. A change replaces the test. */
  maxMachines?: pulumi.Input<number> | undefined;
  /** IP version policy. If omitted, the service chooses the policy. A change replaces the test. */
  ipVersion?: pulumi.Input<IpVersion> | undefined;
}

/** The agents that run a test. `AgentSelectionArgs` defines the allowed combinations of properties. */
export interface AgentSelection {
  /**
   * The agents that run the test. `all-agents` selects all agents of the account group. `specific-agents` selects the agents in
   * `agents`. `agent-labels` selects agents with a label in `endpointAgentLabels`, and is deprecated in favor of tags.
   * `agent-tags` selects agents with a tag in `tagIds`. Default: `all-agents`. A change replaces the test.
   */
  agentSelectorType?: AgentSelectorType | undefined;
  /**
   * Identifiers (UUID) of agents for `agentSelectorType: "specific-agents"`, at least one, in any order. A change replaces the
   * test.
   */
  agents?: pulumi.Input<pulumi.Input<string>[]> | undefined;
  /** Identifiers of labels for `agentSelectorType: "agent-labels"`, at least one, in any order. A change replaces the test. */
  endpointAgentLabels?: pulumi.Input<pulumi.Input<string>[]> | undefined;
  /**
   * Identifiers (UUID) of tags for `agentSelectorType: "agent-tags"`, at least one, in any order. A change replaces the test.
   */
  tagIds?: pulumi.Input<pulumi.Input<string>[]> | undefined;
}

// The most common selection type is the last member of the union, because the compiler's error messages describe the last
// member.

/** Agents with at least one of the tags run the test. */
export interface AgentsWithTags extends AgentSelection {
  agentSelectorType: "agent-tags";
  tagIds: pulumi.Input<pulumi.Input<string>[]>;
  agents?: undefined;
  endpointAgentLabels?: undefined;
}

/** Agents with at least one of the labels run the test. */
export interface AgentsWithLabels extends AgentSelection {
  agentSelectorType: "agent-labels";
  endpointAgentLabels: pulumi.Input<pulumi.Input<string>[]>;
  agents?: undefined;
  tagIds?: undefined;
}

/** The listed agents run the test. */
export interface SpecificAgents extends AgentSelection {
  agentSelectorType: "specific-agents";
  agents: pulumi.Input<pulumi.Input<string>[]>;
  endpointAgentLabels?: undefined;
  tagIds?: undefined;
}

/** All agents of the account group run the test, up to `maxMachines`. */
export interface AllAgents extends AgentSelection {
  agentSelectorType?: "all-agents" | undefined;
  agents?: undefined;
  endpointAgentLabels?: undefined;
  tagIds?: undefined;
}

/** Selector of the agents that run a test, with the selected agents, labels or tags. */
export type AgentSelectionArgs = AgentsWithTags | AgentsWithLabels | SpecificAgents | AllAgents;

/** Properties of `TestProperties` and `AgentSelection` that have a default. */
export type TestDefaults = "agentSelectorType" | "maxMachines";

/** Properties of every scheduled test. */
export interface ScheduledTestProperties extends TestProperties, RecordProperties {
  /** Seconds between consecutive measurements by an agent. Default: 60. */
  interval?: pulumi.Input<60 | 120 | 300 | 600 | 900 | 1800 | 3600> | undefined;
  /** Probe protocol. Default: `icmp`. */
  protocol?: pulumi.Input<TestProtocol> | undefined;
  /**
   * TCP probe mode, which only TCP protocols use. Default: `auto`. Only imported tests may declare `syn-pcap`, `syn-socket` or
   * `unknown`. The service returns these three modes, but does not accept them in requests. An imported test keeps its mode
   * until the program declares `auto`, `sack` or `syn`.
   */
  tcpProbeMode?: pulumi.Input<"auto" | "sack" | "syn" | "syn-pcap" | "syn-socket" | "unknown"> | undefined;
  /**
   * Whether agents prefer this test if their licenses do not allow all assigned tests. Default: false. A change replaces the
   * test.
   */
  isPrioritized?: pulumi.Input<boolean> | undefined;
  /**
   * Whether the test is enabled. Creating a disabled test takes two requests, because the service enables every new test.
   * Default: true.
   */
  isEnabled?: pulumi.Input<boolean> | undefined;
}

/** Properties of `ScheduledTestProperties` and `AgentSelection` that have a default. */
export type ScheduledTestDefaults = TestDefaults | "interval" | "protocol" | "tcpProbeMode" | "isPrioritized" | "isEnabled";

/** Links of a test. */
export interface TestLinks {
  /** URL of the test itself. */
  self?: string;
  /** URLs that return the results of the test. */
  testResults: string[];
}

/** Outputs of every test, in addition to its arguments. */
export interface TestOutputs {
  /** Identifier of the test, a string of digits. */
  testId: string;
  /** Creation time of the test (UTC). */
  createdDate?: string;
  /** Links of the test. */
  links: TestLinks;
}
