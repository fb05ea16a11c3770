import type * as pulumi from "@pulumi/pulumi";
import type { Measurement } from "../provider/measurement";

/** The duration of a wait for results, and the number of agents. */
export interface WaitForResultsArgs {
  /** Seconds to wait, at least 0. Default: 120. */
  timeout?: pulumi.Input<number> | undefined;
  /**
   * Number of agents to wait for, at least 1. If omitted, all agents that the test names (`specific-agents`) have to answer,
   * and an agent without an answer has not reached the target. For a test that does not name agents, the wait then ends after
   * the first agent.
   */
  minAgents?: pulumi.Input<number> | undefined;
  /**
   * Seconds to wait for more agents after `minAgents` have answered, at least 0. Each further agent restarts this time. If
   * omitted, the wait ends when `minAgents` have answered.
   */
  settle?: pulumi.Input<number> | undefined;
}

/** Limits on the measurements of agents. */
export interface ExpectArgs {
  /** Highest loss that any agent may measure on the path, 0 to 100 percent. For tests that probe the network. */
  maxLoss?: pulumi.Input<number> | undefined;
  /** Highest average latency that any agent may measure, in milliseconds. For tests that probe the network. */
  maxLatency?: pulumi.Input<number> | undefined;
  /** Longest response time of the HTTP server that any agent may measure, in milliseconds. For tests of HTTP servers. */
  maxResponseTime?: pulumi.Input<number> | undefined;
  /** Lowest share of agents that must reach the target, 0 to 100 percent. If omitted, all agents must reach it. */
  minAvailability?: pulumi.Input<number> | undefined;
}

/** Properties of every resource that runs a test. */
export interface RunProperties {
  /** Values that run the test again when they change, such as a build number. */
  triggers?: pulumi.Input<pulumi.Input<string | number | boolean>[]> | undefined;
  /**
   * Waits for results, which become outputs of the resource. If omitted, the update does not wait for results, unless `expect`
   * is set.
   */
  waitForResults?: pulumi.Input<WaitForResultsArgs> | undefined;
  /**
   * Limits on the measurements of agents. The update fails unless all limits are met, and the error lists the measurements. A
   * limit is not met if an agent did not measure the value. A run also fails if an agent does not reach the target: the name is
   * not resolved, the connection or TLS fails, no answer arrives, or the answer has a status of 400 or more. Only
   * `minAvailability` allows such agents, and then at least one agent must measure each value. Only results of the run count:
   * from a selected agent, in a round that began after the run by the service's clock. Without enough results in time, the run
   * has no verdict and also fails.
   */
  expect?: pulumi.Input<ExpectArgs> | undefined;
}

/** Outputs of every resource that runs a test, in addition to its arguments. */
export interface RunOutputs {
  /** Measurements of each agent, if the resource waits for results. */
  results?: Measurement[];
}
