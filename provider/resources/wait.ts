import { setTimeout as sleep } from "node:timers/promises";
import { ExpectationError } from "../failures";
import type { Measurement } from "../measurement";
import { isObject, type Properties } from "../values";
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
 * @throws ExpectationError
 */
export async function waited(
  { testId, http }: Tested,
  { timeout, minAgents, settle = 0 }: Wait,
  look: () => Promise<Map<string, Measurement>>,
): Promise<Measurement[]> {
  const end = performance.now() + timeout * 1_000;
  let answered = 0;
  let settled = Infinity;
  for (let pause = 500; ; pause = Math.min(pause * 1.5, 5_000)) {
    // An HTTP test whose network rounds came first is not done.
    const done = [...(await look()).values()].filter((m) => !http || m.errorType !== undefined || m.responseCode !== undefined);
    const now = performance.now();
    if (done.length > answered) settled = now + settle * 1_000;
    answered = done.length;
    const enough = done.length >= minAgents;
    if (enough && now >= Math.min(settled, end)) return done.toSorted((a, b) => (a.agentId < b.agentId ? -1 : 1));
    if (now >= end) {
      const message =
        `Results of ${done.length} agents came within ${timeout} s, and ${minAgents} were waited for. The test ${testId} was ` +
        "started: look whether its agents are online, or give it longer with waitForResults.timeout.";
      const broken = `${done.length} of ${minAgents} agents answered within ${timeout} s`;
      throw new ExpectationError(message, done, [broken], false);
    }
    await sleep(Math.min(pause, (enough ? Math.min(settled, end) : end) - now));
  }
}
