import { z } from "zod";
import type { Measurement } from "../measurement";
import { property } from "../property";

const expectation = z.strictObject({
  maxLoss: z.number().min(0).max(100).optional(),
  maxLatency: z.number().min(0).optional(),
  maxResponseTime: z.number().min(0).optional(),
  minAvailability: z.number().min(0).max(100).optional(),
});

const wait = z.strictObject({
  timeout: z.number().min(0).default(120),
  minAgents: z.number().int().min(1).optional(),
  settle: z.number().min(0).optional(),
});

/** Properties of every resource type that runs a test. */
export const runProperties = {
  triggers: property(z.array(z.union([z.string(), z.number(), z.boolean()])).optional(), { role: "local", setOn: "create" }),
  waitForResults: property(wait.optional(), { role: "local" }),
  expect: property(expectation.optional(), { role: "local" }),
};

const measurement = z.object({
  agentId: z.string(),
  roundId: z.number(),
  available: z.boolean(),
  loss: z.number().optional(),
  avgLatency: z.number().optional(),
  responseTime: z.number().optional(),
  responseCode: z.number().optional(),
  errorType: z.string().optional(),
  errorDetails: z.string().optional(),
}) satisfies z.ZodType<Measurement>;

/** Outputs of every resource type that runs a test. `results` is undefined if the resource does not wait for results. */
export const runOutputs = { results: z.array(measurement).optional() };

/** Limits on measurements, as the property `expect` declares them. */
export type Expectations = z.output<typeof expectation>;

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
