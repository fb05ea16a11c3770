import { setTimeout as sleep } from "node:timers/promises";
import { ExpectationError } from "../failures";
import type { Measurement } from "../measurement";
import { isObject, type Properties } from "../values";
import { needsNetwork } from "./expectations";
import type { Expectations } from "./measurements";
import type { MeasuredTest } from "./results";
import type { SelectionProof } from "./selection-proof";

/** How long to wait, in seconds, and for how many agents. See `waitForResults`. */
export interface ResultsWait {
  timeout: number;
  /** Undefined: for every agent that the test names, or for one agent if it selects agents otherwise. */
  minAgents?: number;
  settle?: number;
}

/** Returns the declared wait, or the default wait if `expect` is declared. */
export function waitOf({ waitForResults, expect }: Properties): ResultsWait | undefined {
  const defaults = { timeout: 120 };
  if (isObject(waitForResults)) return { ...defaults, ...(waitForResults as Partial<ResultsWait>) };
  return expect === undefined ? undefined : defaults;
}

/** The measurements that a wait ended with. */
export interface AwaitedAnswers {
  /** One measurement of each agent, sorted by agent. */
  measured: Measurement[];
  /** Ids of the agents that the test names and that returned nothing in time. Empty if fewer agents were enough. */
  silent: string[];
}

/**
 * Waits until enough agents have answered, and `settle` has passed for the others.
 *
 * @param look reads the measurements of the run so far
 * @param expected bounds on the measurements, whose figures are waited for
 * @param selection the agents that the test names, if it does
 * @throws ExpectationError without a verdict
 */
export async function waitForAgents(
  test: MeasuredTest,
  { timeout, minAgents, settle = 0 }: ResultsWait,
  look: () => Promise<Measurement[]>,
  expected?: Expectations,
  { named, count }: Pick<SelectionProof, "named" | "count"> = { named: undefined, count: undefined },
): Promise<AwaitedAnswers> {
  const end = performance.now() + timeout * 1_000;
  const wanted = minAgents ?? count ?? 1;
  let answered = 0;
  let settled = Infinity;
  for (let pauseMs = 500; ; pauseMs = Math.min(pauseMs * 1.5, 5_000)) {
    const rows = (await look()).filter((m) => isAnswer(test, m));
    const now = performance.now();
    const isTimeUp = now >= end;
    const measured = newestOfEach(rows, (m) => isComplete(test, m, expected), isTimeUp);
    if (measured.length > answered) settled = now + settle * 1_000;
    answered = measured.length;
    const enough = answered >= wanted;
    if (enough && now >= Math.min(settled, end)) return { measured, silent: [] };
    if (isTimeUp) {
      // Agents that are named and silent count as not reached, unless the program needs fewer.
      if (minAgents === undefined && named && answered > 0) {
        const answers = new Set(measured.map(({ agentId }) => agentId));
        return { measured, silent: named.filter((id) => !answers.has(id)) };
      }
      const broken = `${answered} of ${wanted} agents answered within ${timeout} s`;
      throw new ExpectationError(`No verdict on test ${test.testId}: ${broken}.`, measured, [broken], false);
    }
    await sleep(Math.min(pauseMs, (enough ? Math.min(settled, end) : end) - now));
  }
}

/** Returns the newest complete measurement of each agent. After the timeout, incomplete ones count too. */
function newestOfEach(rows: readonly Measurement[], isWhole: (m: Measurement) => boolean, isTimeUp: boolean): Measurement[] {
  const newestFirst = rows.toSorted((a, b) => b.roundId - a.roundId);
  return [...Map.groupBy(newestFirst, ({ agentId }) => agentId).values()]
    .flatMap((own) => own.find(isWhole) ?? (isTimeUp ? own.slice(0, 1) : []))
    .toSorted((a, b) => (a.agentId < b.agentId ? -1 : 1));
}

/** Whether an agent has answered. An HTTP test is not done while only its network results are available. */
export function isAnswer({ http }: MeasuredTest, { errorType, responseCode }: Measurement): boolean {
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
