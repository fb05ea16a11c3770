import { positiveNumber, wholeNumber } from "../../command";
import { verifyDefaults, type VerifyValues } from "./options";
import type { Bounds } from "./test-run";
import type { TestChoice } from "./selected";
import { UsageError } from "../../../common/errors";

/** Maximum number of rounds that the command waits for. A test with a one-hour interval runs 24 rounds a day. */
const maxRounds = 24;

export function choiceOf({ test, all }: VerifyValues): TestChoice {
  if (all && test) throw new UsageError("--all and --test cannot be used together");
  return all ? "all" : (test ?? "changed");
}

/** Returns the number of scheduled rounds to wait for, or undefined if the command runs the tests itself. @throws UsageError */
export function roundsOf({ rounds }: VerifyValues): number | undefined {
  const count = wholeNumber("rounds", rounds);
  if (count !== undefined && (count < 1 || count > maxRounds))
    throw new UsageError(`--rounds takes a number from 1 to ${maxRounds}`);
  return count;
}

export function boundsOf(values: VerifyValues): Bounds {
  const percent = (option: "max-loss" | "min-availability"): number | undefined => {
    const value = positiveNumber(option, values[option]);
    if (value !== undefined && value > 100) throw new UsageError(`--${option} takes a percentage of at most 100`);
    return value;
  };
  const minAgents = wholeNumber("min-agents", values["min-agents"]);
  if (minAgents !== undefined && minAgents < 1) throw new UsageError("--min-agents takes a number of at least 1");
  return {
    expect: {
      minAvailability: percent("min-availability") ?? verifyDefaults.minAvailability,
      maxLoss: percent("max-loss"),
      maxLatency: positiveNumber("max-latency", values["max-latency"]),
      maxResponseTime: positiveNumber("max-response-time", values["max-response-time"]),
    },
    waitForResults: {
      timeout: positiveNumber("timeout", values.timeout) ?? verifyDefaults.timeout,
      ...(minAgents !== undefined && { minAgents }),
      waitForMore: positiveNumber("wait-for-more", values["wait-for-more"]) ?? verifyDefaults.waitForMore,
    },
  };
}
