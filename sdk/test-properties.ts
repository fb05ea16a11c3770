import type * as pulumi from "@pulumi/pulumi";
import type { RecordProperties } from "./common";

/** Which agents run a test. */
export type AgentSelectorType = "all-agents" | "specific-agents" | "agent-labels" | "agent-tags";

/** Probe protocol of a test. */
export type TestProtocol = "icmp" | "icmp-with-tcp-connect" | "tcp" | "prefer-tcp" | "ast-autodetect" | "autodetect";

/** IP version policy of a test. */
export type IpVersion = "V4_ONLY" | "V6_ONLY" | "V6_PREFER" | "OS_DEFAULT";

/** Properties that every test has, scheduled or instant. */
export interface TestProperties {
  /** Name of the test, at least 1 character. */
  testName: pulumi.Input<string>;
  /** Largest number of agents that run the test, 1 to 150000. Default: 25. Changing it replaces the test. */
  maxMachines?: pulumi.Input<number>;
  /** IP version policy. If omitted, the service chooses. Changing it replaces the test. */
  ipVersion?: pulumi.Input<IpVersion>;
}

/** Which agents run a test. `AgentSelectionArgs` defines the allowed combinations. */
export interface AgentSelection {
  /**
   * Which agents run the test: `all-agents`; `specific-agents`, which `agents` lists; `agent-labels`, those with one of the labels in
   * `endpointAgentLabels` (deprecated by the service in favor of tags); or `agent-tags`, those with one of the tags in `tagIds`.
   * Default: `all-agents`. Changing it replaces the test.
   */
  agentSelectorType?: AgentSelectorType;
  /**
   * Identifiers (UUID) of agents, at least one, with `agentSelectorType: "specific-agents"`. Their order does not matter. Changing
   * it replaces the test.
   */
  agents?: pulumi.Input<pulumi.Input<string>[]>;
  /**
   * Identifiers of labels, at least one, with `agentSelectorType: "agent-labels"`. Their order does not matter. Changing it replaces
   * the test.
   */
  endpointAgentLabels?: pulumi.Input<pulumi.Input<string>[]>;
  /**
   * Identifiers (UUID) of tags, at least one, with `agentSelectorType: "agent-tags"`. Their order does not matter. Changing it
   * replaces the test.
   */
  tagIds?: pulumi.Input<pulumi.Input<string>[]>;
}

// If no member of the union matches, the compiler explains the last one. So the member without a selector is last.

/** The agents with one of the tags run the test. */
export interface AgentsWithTags extends AgentSelection {
  agentSelectorType: "agent-tags";
  tagIds: pulumi.Input<pulumi.Input<string>[]>;
  agents?: undefined;
  endpointAgentLabels?: undefined;
}

/** The agents with one of the labels run the test. */
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

/** Every agent of the account group runs the test, up to `maxMachines`. */
export interface AllAgents extends AgentSelection {
  agentSelectorType?: "all-agents";
  agents?: undefined;
  endpointAgentLabels?: undefined;
  tagIds?: undefined;
}

/** Which agents run a test: a selector and its list. */
export type AgentSelectionArgs = AgentsWithTags | AgentsWithLabels | SpecificAgents | AllAgents;

/** Properties of `TestProperties` and `AgentSelection` that have a default. */
export type TestDefaults = "agentSelectorType" | "maxMachines";

/** Properties that every scheduled test has. */
export interface ScheduledTestProperties extends TestProperties, RecordProperties {
  /** Seconds between rounds. Default: 60. */
  interval?: pulumi.Input<60 | 120 | 300 | 600 | 900 | 1800 | 3600>;
  /** Probe protocol. Default: `icmp`. */
  protocol?: pulumi.Input<TestProtocol>;
  /**
   * TCP probe mode, which only TCP protocols use. Default: `auto`. The service may report `syn-pcap`, `syn-socket` or `unknown`. An
   * imported test that has one of these may declare it, and keeps it until the program declares `auto`, `sack` or `syn`. A test cannot
   * be created with, or changed to, any of the three.
   */
  tcpProbeMode?: pulumi.Input<"auto" | "sack" | "syn" | "syn-pcap" | "syn-socket" | "unknown">;
  /**
   * Whether an agent prefers this test when it has more tests than its license allows. Default: false. Changing it replaces the test.
   */
  isPrioritized?: pulumi.Input<boolean>;
  /** Whether the test is enabled. The service creates tests enabled, so creating a disabled test takes a second request. Default: true. */
  isEnabled?: pulumi.Input<boolean>;
}

/** Properties of `ScheduledTestProperties` and `AgentSelection` that have a default. */
export type ScheduledTestDefaults = TestDefaults | "interval" | "protocol" | "tcpProbeMode" | "isPrioritized" | "isEnabled";

/** Links of a test. */
export interface TestLinks {
  /** The test itself. */
  self?: string;
  /** The operations that return the results of the test. */
  testResults: string[];
}

/** Outputs that every test has, in addition to its arguments. */
export interface TestOutputs {
  /** Identifier of the test, a string of digits. */
  testId: string;
  /** UTC time at which the test was created. */
  createdDate?: string;
  /** Links of the test. */
  links: TestLinks;
}
