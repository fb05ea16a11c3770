import { setTimeout as sleep } from "node:timers/promises";
import { ExpectationError } from "../failures";
import type { Measurement } from "../measurement";
import { isObject, type Properties } from "../values";
import { needsNetwork } from "./expectations";
import type { Expected } from "./measurements";
import type { Tested } from "./results";

/** How long to wait, in seconds, and for how many: see `waitForResults`. */
export interface Wait {
  timeout: number;
  minAgents: number;
  settle?: number;
}

/** What to wait for: as declared, or by default where something is expected. */
export function waitOf({ waitForResults, expect }: Properties): Wait | undefined {
  const defaults = { timeout: 120, minAgents: 1 };
  if (isObject(waitForResults)) return { ...defaults, ...(waitForResults as Partial<Wait>) };
  return expect === undefined ? undefined : defaults;
}

/**
 * Waits until enough agents have answered, and the others have had their time.
 *
 * @param look what has been measured so far, by agent
 * @param expected what the measurements are held against: the figures it needs are waited for
 * @throws ExpectationError
 */
export async function waited(
  test: Tested,
  { timeout, minAgents, settle = 0 }: Wait,
  look: () => Promise<Map<string, Measurement>>,
  expected?: Expected,
): Promise<Measurement[]> {
  const end = performance.now() + timeout * 1_000;
  let answered = 0;
  let settled = Infinity;
  for (let pause = 500; ; pause = Math.min(pause * 1.5, 5_000)) {
    const answers = [...(await look()).values()].filter((m) => isAnswer(test, m));
    const now = performance.now();
    // When time is up, what is there is judged as it is.
    const done = now >= end ? answers : answers.filter((m) => isWhole(test, m, expected));
    if (done.length > answered) settled = now + settle * 1_000;
    answered = done.length;
    const enough = done.length >= minAgents;
    if (enough && now >= Math.min(settled, end)) return done.toSorted((a, b) => (a.agentId < b.agentId ? -1 : 1));
    if (now >= end) {
      const message =
        `Results of ${done.length} agents came within ${timeout} s, and ${minAgents} were waited for. The test ${test.testId} was ` +
        "started: look whether its agents are online, or give it longer with waitForResults.timeout.";
      const broken = `${done.length} of ${minAgents} agents answered within ${timeout} s`;
      throw new ExpectationError(message, done, [broken], false);
    }
    await sleep(Math.min(pause, (enough ? Math.min(settled, end) : end) - now));
  }
}

/** Whether an agent has answered: an HTTP test whose network results came first is not done. */
function isAnswer({ http }: Tested, { errorType, responseCode }: Measurement): boolean {
  return !http || errorType !== undefined || responseCode !== undefined;
}

/** Whether what is held against bounds has come: the two parts of an HTTP test may come one after the other. */
function isWhole({ http, network }: Tested, { available, loss }: Measurement, expected: Expected | undefined): boolean {
  return !http || !network || !available || loss !== undefined || !needsNetwork(expected);
}
