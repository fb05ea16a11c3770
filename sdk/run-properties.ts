import type * as pulumi from "@pulumi/pulumi";
import type { Measurement } from "../provider/measurement";

/** How long to wait for results, and for how many. */
export interface WaitForResultsArgs {
  /** Seconds to wait, at least 0. Default: 120. */
  timeout?: pulumi.Input<number>;
  /** How many agents' results to wait for, at least 1. Default: 1. */
  minAgents?: pulumi.Input<number>;
  /**
   * Seconds to keep waiting for more agents after `minAgents` have answered, at least 0; each agent that answers starts them anew.
   * Left out, the results that came first decide.
   */
  settle?: pulumi.Input<number>;
}

/** Bounds on what agents measure. */
export interface ExpectArgs {
  /** Highest loss on the path that any agent may measure, 0 to 100 percent. For tests that probe the network. */
  maxLoss?: pulumi.Input<number>;
  /** Highest average latency that any agent may measure, in milliseconds. For tests that probe the network. */
  maxLatency?: pulumi.Input<number>;
  /** Longest response time of the HTTP server that any agent may measure, in milliseconds. For tests of HTTP servers. */
  maxResponseTime?: pulumi.Input<number>;
  /** Lowest share of agents that reach the target, 0 to 100 percent. Left out, every agent has to. */
  minAvailability?: pulumi.Input<number>;
}

/** Properties of every resource that runs a test. */
export interface RunProperties {
  /** Values whose change runs the test again, such as a build number. */
  triggers?: pulumi.Input<pulumi.Input<string | number | boolean>[]>;
  /** Waits for results, which become outputs. Left out, the test is started and not waited for, unless `expect` is given. */
  waitForResults?: pulumi.Input<WaitForResultsArgs>;
  /**
   * Bounds on what agents measure. The update fails unless every bound is met, and the error lists the measurements. A bound is not
   * met where an agent did not measure its figure. An agent that does not reach the target fails the run whatever the bounds: its
   * name is not resolved, the connection or TLS is refused, no answer comes, or the answer has a status of 400 or more. Only
   * `minAvailability` allows such agents, and then at least one agent has to measure each figure. Without results in time the run
   * fails, too.
   */
  expect?: pulumi.Input<ExpectArgs>;
}

/** Outputs of every resource that runs a test, beside its arguments. */
export interface RunOutputs {
  /** What each agent measured, where results were waited for. */
  results?: Measurement[];
}
