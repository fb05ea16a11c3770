import type * as pulumi from "@pulumi/pulumi";
import type { Measurement } from "../provider/measurement";

/** How long to wait for results, and from how many agents. */
export interface WaitForResultsArgs {
  /** Seconds to wait, at least 0. Default: 120. */
  timeout?: pulumi.Input<number> | undefined;
  /**
   * Number of agents whose results to wait for, at least 1. If omitted, every agent that the test names (`specific-agents`) has to answer,
   * and an agent that does not has not reached the target. A test that names no agents then waits for one of them.
   */
  minAgents?: pulumi.Input<number> | undefined;
  /**
   * Seconds to keep waiting for more agents after `minAgents` have answered, at least 0. Each further agent restarts this time. If
   * omitted, the wait ends when `minAgents` have answered.
   */
  settle?: pulumi.Input<number> | undefined;
}

/** Bounds on the measurements of agents. */
export interface ExpectArgs {
  /** Highest loss that any agent may measure on the path, 0 to 100 percent. For tests that probe the network. */
  maxLoss?: pulumi.Input<number> | undefined;
  /** Highest average latency that any agent may measure, in milliseconds. For tests that probe the network. */
  maxLatency?: pulumi.Input<number> | undefined;
  /** Longest response time of the HTTP server that any agent may measure, in milliseconds. For tests of HTTP servers. */
  maxResponseTime?: pulumi.Input<number> | undefined;
  /** Lowest share of agents that must reach the target, 0 to 100 percent. If omitted, every agent must reach it. */
  minAvailability?: pulumi.Input<number> | undefined;
}

/** Properties of every resource that runs a test. */
export interface RunProperties {
  /** Values whose change runs the test again, such as a build number. */
  triggers?: pulumi.Input<pulumi.Input<string | number | boolean>[]> | undefined;
  /** Waits for results, which become outputs. If omitted, the update does not wait for results, unless `expect` is set. */
  waitForResults?: pulumi.Input<WaitForResultsArgs> | undefined;
  /**
   * Bounds on the measurements of agents. The update fails unless every bound is met, and the error lists the measurements. A bound is
   * not met if an agent did not measure its figure. A run also fails if an agent does not reach the target: the name is not resolved, the
   * connection or TLS fails, no answer arrives, or the answer has a status of 400 or more. Only `minAvailability` allows such agents, and
   * then at least one agent must measure each figure. Only results of the run count: of an agent that the test selects, and of a round that
   * began after the run by the clock of the service. Without enough of them in time the run has no verdict, and fails, too.
   */
  expect?: pulumi.Input<ExpectArgs> | undefined;
}

/** Outputs of every resource that runs a test, in addition to its arguments. */
export interface RunOutputs {
  /** Measurements of each agent, if the resource waits for results. */
  results?: Measurement[];
}
