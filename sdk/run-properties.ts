import type * as pulumi from "@pulumi/pulumi";
import type { Measurement } from "../provider/measurement";

/** How long to wait for results, and from how many agents. */
export interface WaitForResultsArgs {
  /** Seconds to wait, at least 0. Default: 120. */
  timeout?: pulumi.Input<number>;
  /** Number of agents whose results to wait for, at least 1. Default: 1. */
  minAgents?: pulumi.Input<number>;
  /**
   * Seconds to keep waiting for more agents after `minAgents` have answered, at least 0. Each further agent restarts this time. If
   * omitted, the wait ends when `minAgents` have answered.
   */
  settle?: pulumi.Input<number>;
}

/** Bounds on the measurements of agents. */
export interface ExpectArgs {
  /** Highest loss that any agent may measure on the path, 0 to 100 percent. For tests that probe the network. */
  maxLoss?: pulumi.Input<number>;
  /** Highest average latency that any agent may measure, in milliseconds. For tests that probe the network. */
  maxLatency?: pulumi.Input<number>;
  /** Longest response time of the HTTP server that any agent may measure, in milliseconds. For tests of HTTP servers. */
  maxResponseTime?: pulumi.Input<number>;
  /** Lowest share of agents that must reach the target, 0 to 100 percent. If omitted, every agent must reach it. */
  minAvailability?: pulumi.Input<number>;
}

/** Properties of every resource that runs a test. */
export interface RunProperties {
  /** Values whose change runs the test again, such as a build number. */
  triggers?: pulumi.Input<pulumi.Input<string | number | boolean>[]>;
  /** Waits for results, which become outputs. If omitted, the update does not wait for results, unless `expect` is set. */
  waitForResults?: pulumi.Input<WaitForResultsArgs>;
  /**
   * Bounds on the measurements of agents. The update fails unless every bound is met, and the error lists the measurements. A bound is
   * not met if an agent did not measure its figure. A run also fails if an agent does not reach the target: the name is not resolved, the
   * connection or TLS fails, no answer arrives, or the answer has a status of 400 or more. Only `minAvailability` allows such agents, and
   * then at least one agent must measure each figure. A run without results in time fails, too.
   */
  expect?: pulumi.Input<ExpectArgs>;
}

/** Outputs of every resource that runs a test, in addition to its arguments. */
export interface RunOutputs {
  /** Measurements of each agent, if the resource waits for results. */
  results?: Measurement[];
}
