import type * as pulumi from "@pulumi/pulumi";
import type { RecordProperties } from "./common";

/** The agents that run a test. */
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
  maxMachines?: pulumi.Input<number> | undefined;
  /** IP version policy. If omitted, the service chooses. Changing it replaces the test. */
  ipVersion?: pulumi.Input<IpVersion> | undefined;
}

/** The agents that run a test. `AgentSelectionArgs` defines the allowed combinations. */
export interface AgentSelection {
  /**
   * The agents that run the test. `all-agents`: all agents of the account group. `specific-agents`: those in `agents`.
   * `agent-labels`: those with a label in `endpointAgentLabels`; the service deprecates it in favor of tags. `agent-tags`:
   * those with a tag in `tagIds`. Default: `all-agents`. Changing it replaces the test.
   */
  agentSelectorType?: AgentSelectorType | undefined;
  /**
   * Identifiers (UUID) of agents, at least one, with `agentSelectorType: "specific-agents"`. Their order does not matter. Changing
   * it replaces the test.
   */
  agents?: pulumi.Input<pulumi.Input<string>[]> | undefined;
  /**
   * Identifiers of labels, at least one, with `agentSelectorType: "agent-labels"`. Their order does not matter. Changing it replaces
   * the test.
   */
  endpointAgentLabels?: pulumi.Input<pulumi.Input<string>[]> | undefined;
  /**
   * Identifiers (UUID) of tags, at least one, with `agentSelectorType: "agent-tags"`. Their order does not matter. Changing it
   * replaces the test.
   */
  tagIds?: pulumi.Input<pulumi.Input<string>[]> | undefined;
}

// If no member of the union matches, the compiler explains the last one. So the member without a selector comes last.

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

/** All agents of the account group run the test, up to `maxMachines`. */
export interface AllAgents extends AgentSelection {
  agentSelectorType?: "all-agents" | undefined;
  agents?: undefined;
  endpointAgentLabels?: undefined;
  tagIds?: undefined;
}

/** The agents that run a test: a selector and its list. */
export type AgentSelectionArgs = AgentsWithTags | AgentsWithLabels | SpecificAgents | AllAgents;

/** Properties of `TestProperties` and `AgentSelection` that have a default. */
export type TestDefaults = "agentSelectorType" | "maxMachines";

/** Properties that every scheduled test has. */
export interface ScheduledTestProperties extends TestProperties, RecordProperties {
  /** Seconds between rounds. Default: 60. */
  interval?: pulumi.Input<60 | 120 | 300 | 600 | 900 | 1800 | 3600> | undefined;
  /** Probe protocol. Default: `icmp`. */
  protocol?: pulumi.Input<TestProtocol> | undefined;
  /**
   * TCP probe mode. Only TCP protocols use it. Default: `auto`. The service may report `syn-pcap`, `syn-socket` or `unknown`.
   * An imported test with one of these values may declare it, and keeps it until the program declares `auto`, `sack` or `syn`.
   * No test can be created with or changed to any of the three.
   */
  tcpProbeMode?: pulumi.Input<"auto" | "sack" | "syn" | "syn-pcap" | "syn-socket" | "unknown"> | undefined;
  /**
   * Whether an agent prefers this test when it has more tests than its license allows. Default: false. Changing it replaces the test.
   */
  isPrioritized?: pulumi.Input<boolean> | undefined;
  /**
   * Whether the test is enabled. The service creates enabled tests, so creating a disabled test takes a second request.
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
  /** URLs of the operations that return the results of the test. */
  testResults: string[];
}

/** Outputs that every test has, in addition to its arguments. */
export interface TestOutputs {
  /** Identifier of the test, a string of digits. */
  testId: string;
  /** Creation time of the test, UTC. */
  createdDate?: string;
  /** Links of the test. */
  links: TestLinks;
}
