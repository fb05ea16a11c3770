import type * as pulumi from "@pulumi/pulumi";
import type { Measurement } from "../provider/measurement";

/** Options for waiting for results: the maximum time and the number of agents. */
export interface WaitForResultsArgs {
  /** Seconds to wait for results, at least 0. Default: 120. */
  timeout?: pulumi.Input<number> | undefined;
  /**
   * Number of agents to wait for, at least 1. If omitted, a test with `specific-agents` waits for all its agents, and any other
   * test waits for the first agent. Without `minAgents`, an agent in `agents` that does not answer counts as unable to reach
   * the target.
   */
  minAgents?: pulumi.Input<number> | undefined;
  /**
   * Seconds to wait for more agents after `minAgents` have answered, at least 0. Each additional agent that answers restarts
   * this period. If `settle` is omitted, the update stops waiting when `minAgents` agents have answered.
   */
  settle?: pulumi.Input<number> | undefined;
}

/** Limits on the measurements of agents. */
export interface ExpectArgs {
  /** Highest packet loss that any agent may measure, 0 to 100 percent, for tests that measure the network. */
  maxLoss?: pulumi.Input<number> | undefined;
  /** Highest average latency that any agent may measure, in milliseconds, for tests that measure the network. */
  maxLatency?: pulumi.Input<number> | undefined;
  /** Longest response time that any agent may measure, in milliseconds, for HTTP server tests. */
  maxResponseTime?: pulumi.Input<number> | undefined;
  /** Minimum share of agents that must reach the target, 0 to 100 percent. If omitted, all agents must reach the target. */
  minAvailability?: pulumi.Input<number> | undefined;
}

/** Properties of every resource that runs a test. */
export interface RunProperties {
  /** Values such as a build number. If any value changes, the next update runs the test again. */
  triggers?: pulumi.Input<pulumi.Input<string | number | boolean>[]> | undefined;
  /**
   * Options that control how the update waits for results. The output `results` contains the results. Without `waitForResults`,
   * the update waits for results only if `expect` is set.
   */
  waitForResults?: pulumi.Input<WaitForResultsArgs> | undefined;
  /**
   * Limits on the measurements of agents. If a limit is not met, the update fails and lists the measurements. A limit is also
   * not met if an agent did not measure the limited value. The update also fails if an agent does not reach the target. An
   * agent does not reach the target if DNS, the connection or TLS fails, no response arrives, or the response status is at
   * least 400. With `minAvailability`, some agents may fail to reach the target, but at least one agent must measure each
   * limited value. A result counts only if a selected agent measured the result after the start of the run, according to the
   * service's clock. If too few results arrive in time, the update fails without comparing the measurements with the limits.
   */
  expect?: pulumi.Input<ExpectArgs> | undefined;
}

/** Outputs of every resource that runs a test, in addition to its arguments. */
export interface RunOutputs {
  /** Measurements of each agent, if the resource waits for results. */
  results?: Measurement[];
}
