import { type options, positiveNumber, UsageError, wholeNumber } from "../command";
import type { Bounds } from "./run";
import type { Choice } from "./selected";

/** What holds unless told otherwise. */
export const defaults = { timeout: 120, minAgents: 1, settle: 5, minAvailability: 100 };

/** Options of the command. */
export const known = {
  stack: { type: "string" },
  test: { type: "string", multiple: true },
  all: { type: "boolean" },
  "min-availability": { type: "string" },
  "max-loss": { type: "string" },
  "max-latency": { type: "string" },
  "max-response-time": { type: "string" },
  "min-agents": { type: "string" },
  settle: { type: "string" },
  timeout: { type: "string" },
  markdown: { type: "string" },
} as const;

/** Options as they were given. */
export type Given = ReturnType<typeof options<typeof known>>;

/** Which tests are asked for. @throws UsageError */
export function choiceOf({ test, all }: Given): Choice {
  if (all && test) throw new UsageError("--all and --test exclude each other");
  return all ? "all" : (test ?? "changed");
}

/** What is waited for, and what it has to keep. @throws UsageError */
export function boundsOf(given: Given): Bounds {
  const percent = (option: "max-loss" | "min-availability"): number | undefined => {
    const value = positiveNumber(option, given[option]);
    if (value !== undefined && value > 100) throw new UsageError(`--${option} takes a percentage, at most 100`);
    return value;
  };
  const minAgents = given["min-agents"] === undefined ? defaults.minAgents : wholeNumber("min-agents", given["min-agents"]);
  if (minAgents < 1) throw new UsageError("--min-agents takes a number of at least 1");
  return {
    expect: {
      minAvailability: percent("min-availability") ?? defaults.minAvailability,
      maxLoss: percent("max-loss"),
      maxLatency: positiveNumber("max-latency", given["max-latency"]),
      maxResponseTime: positiveNumber("max-response-time", given["max-response-time"]),
    },
    waitForResults: {
      timeout: positiveNumber("timeout", given.timeout) ?? defaults.timeout,
      minAgents,
      settle: positiveNumber("settle", given.settle) ?? defaults.settle,
    },
  };
}

/** Where the report goes as Markdown; nothing where none is asked for. @throws UsageError */
export function markdownTo({ markdown, json }: Given): { stdout: true } | { file: string } | undefined {
  if (markdown === undefined) return undefined;
  if (markdown !== "-") return { file: markdown };
  if (json) throw new UsageError("--markdown - and --json both take standard output");
  return { stdout: true };
}
