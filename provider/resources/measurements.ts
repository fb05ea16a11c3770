import { z } from "zod";
import { ExpectationError } from "../failures";
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
  /** Bounds that what is measured has to keep, else the update fails and tells the measurements. */
  expect: z
    .strictObject({
      /** Most loss on the path, in percent, that any agent may see. */
      maxLoss: z.number().min(0).max(100).optional(),
      /** Most average latency, in milliseconds, that any agent may see. */
      maxLatency: z.number().min(0).optional(),
      /** Most response time of the HTTP server, in milliseconds, that any agent may see. */
      maxResponseTime: z.number().min(0).optional(),
      /** Least share of agents that reach the target, in percent. */
      minAvailability: z.number().min(0).max(100).optional(),
    })
    .optional(),
};

/** Agents that an error names. */
const named = 10;

/** What measurements have to keep, as `expect` says. */
export type Expected = NonNullable<z.output<typeof runInputs.expect>>;

/**
 * Holds measurements against what is expected.
 *
 * @throws ExpectationError with the measurements
 */
export function checkExpectations(measured: readonly Measurement[], expected: Expected | undefined): void {
  if (!expected) return;
  const { maxLoss, maxLatency, maxResponseTime, minAvailability } = expected;
  const over = (bound: number | undefined, value: number | undefined): boolean =>
    bound !== undefined && value !== undefined && value > bound;
  const broken: string[] = [];
  const worst = (what: string, unit: string, bound: number | undefined, of: (m: Measurement) => number | undefined): void => {
    const bad = measured.filter((m) => over(bound, of(m)));
    if (bad.length > 0) broken.push(`${what} over ${bound} ${unit} on ${bad.length} of ${measured.length} agents`);
  };
  worst("loss", "%", maxLoss, (m) => m.loss);
  worst("latency", "ms", maxLatency, (m) => m.avgLatency);
  worst("response time", "ms", maxResponseTime, (m) => m.responseTime);
  const availability = (measured.filter((m) => m.available).length / Math.max(1, measured.length)) * 100;
  if (minAvailability !== undefined && availability < minAvailability) {
    broken.push(`availability ${Math.floor(availability)} %, under ${minAvailability} %`);
  }
  if (broken.length === 0) return;
  const shown = measured
    .slice(0, named)
    .map((m) => `${m.agentId} (${describeMeasurement(m)})`)
    .join("; ");
  const more = measured.length > named ? ` and ${measured.length - named} more` : "";
  const message = `Measured otherwise than expected: ${broken.join(", ")}. Agents: ${shown}${more}.`;
  throw new ExpectationError(message, measured, broken, true);
}

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
