import { z } from "zod";
import type { Measurement } from "../measurement";

/** Inputs of every kind that runs a test: what runs it again, whether to wait for what it measures, and what that must be. */
export const runInputs = {
  /** Values whose change runs the test again, such as a build number. */
  triggers: z.array(z.union([z.string(), z.number(), z.boolean()])).optional(),
  /** Waits for results and gives them as outputs. Left out, the run is started and not waited for, unless `expect` is given. */
  waitForResults: z
    .strictObject({
      /** Seconds to wait. Default: 120. */
      timeout: z.number().min(0).default(120),
      /** Agents whose results are waited for, at least 1. Default: 1. */
      minAgents: z.number().int().min(1).default(1),
      /**
       * Seconds to go on waiting for further agents once `minAgents` have answered; each that answers starts them anew. Left out,
       * what came first decides.
       */
      settle: z.number().min(0).optional(),
    })
    .optional(),
  /**
   * Bounds on what agents measure. The update fails unless every bound is met, and the error lists the measurements. A bound whose
   * figure an agent did not measure is not met. An agent that does not reach the target fails the run whatever the bound:
   * the name is not resolved, the connection or TLS is refused, no answer comes, or the answer has a status of 400 or more. Only
   * `minAvailability` allows such agents, and then at least one agent has to measure each figure. No results in time fail the run, too.
   */
  expect: z
    .strictObject({
      /** Most loss on the path, in percent, that any agent may measure. For tests that probe the network. */
      maxLoss: z.number().min(0).max(100).optional(),
      /** Most average latency, in milliseconds, that any agent may measure. For tests that probe the network. */
      maxLatency: z.number().min(0).optional(),
      /** Most response time of the HTTP server, in milliseconds, that any agent may measure. For tests of HTTP servers. */
      maxResponseTime: z.number().min(0).optional(),
      /** Least share of agents that reach the target, in percent. Left out, every agent has to. */
      minAvailability: z.number().min(0).max(100).optional(),
    })
    .optional(),
};

/** What measurements have to keep, as `expect` says. */
export type Expected = NonNullable<z.output<typeof runInputs.expect>>;

/** What one agent measured, as a sentence part. */
export function describeMeasurement(m: Measurement): string {
  const parts = [
    m.available ? "reached" : "not reached",
    m.loss === undefined ? "" : `loss ${round(m.loss)} %`,
    m.avgLatency === undefined ? "" : `latency ${round(m.avgLatency)} ms`,
    m.responseTime === undefined ? "" : `response time ${round(m.responseTime)} ms`,
    m.responseCode === undefined ? "" : `status ${m.responseCode}`,
    m.errorType === undefined || m.errorType === "none" ? "" : `failed in ${m.errorType}`,
  ];
  return parts.filter((part) => part !== "").join(", ");
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}
