import { setTimeout as sleep } from "node:timers/promises";
import { ExpectationError } from "../failures";
import type { Measurement } from "../measurement";
import { isObject, type Properties } from "../values";
import { needsNetwork } from "./expectations";
import type { Expectations } from "./measurements";
import type { MeasuredTest } from "./results";

/** How long to wait, in seconds, and for how many agents. See `waitForResults`. */
export interface ResultsWait {
  timeout: number;
  minAgents: number;
  settle?: number;
}

/** Returns the declared wait, or the default wait if `expect` is declared. */
export function waitOf({ waitForResults, expect }: Properties): ResultsWait | undefined {
  const defaults = { timeout: 120, minAgents: 1 };
  if (isObject(waitForResults)) return { ...defaults, ...(waitForResults as Partial<ResultsWait>) };
  return expect === undefined ? undefined : defaults;
}

/**
 * Waits until `minAgents` agents have answered, and `settle` has passed for the others.
 *
 * @param look reads the measurements so far, by agent
 * @param expected bounds on the measurements, whose figures are waited for
 * @throws ExpectationError
 */
export async function waitForAgents(
  test: MeasuredTest,
  { timeout, minAgents, settle = 0 }: ResultsWait,
  look: () => Promise<Map<string, Measurement>>,
  expected?: Expectations,
): Promise<Measurement[]> {
  const end = performance.now() + timeout * 1_000;
  let answered = 0;
  let settled = Infinity;
  for (let pauseMs = 500; ; pauseMs = Math.min(pauseMs * 1.5, 5_000)) {
    const answers = [...(await look()).values()].filter((m) => isAnswer(test, m));
    const now = performance.now();
    // After the timeout, incomplete measurements count too.
    const done = now >= end ? answers : answers.filter((m) => isComplete(test, m, expected));
    if (done.length > answered) settled = now + settle * 1_000;
    answered = done.length;
    const enough = done.length >= minAgents;
    if (enough && now >= Math.min(settled, end)) return done.toSorted((a, b) => (a.agentId < b.agentId ? -1 : 1));
    if (now >= end) {
      const message =
        `${done.length} of ${minAgents} agents returned results within ${timeout} s. The test ${test.testId} was started: check that its ` +
        "agents are online, or increase waitForResults.timeout.";
      const broken = `${done.length} of ${minAgents} agents answered within ${timeout} s`;
      throw new ExpectationError(message, done, [broken], false);
    }
    await sleep(Math.min(pauseMs, (enough ? Math.min(settled, end) : end) - now));
  }
}

/** Whether an agent has answered. An HTTP test is not done while only its network results are available. */
function isAnswer({ http }: MeasuredTest, { errorType, responseCode }: Measurement): boolean {
  return !http || errorType !== undefined || responseCode !== undefined;
}

/** Whether all figures with bounds are available. The two parts of an HTTP test may arrive one after the other. */
function isComplete(
  { http, network }: MeasuredTest,
  { available, loss }: Measurement,
  expected: Expectations | undefined,
): boolean {
  return !http || !network || !available || loss !== undefined || !needsNetwork(expected);
}
