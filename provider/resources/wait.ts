import { setTimeout as sleep } from "node:timers/promises";
import { ExpectationError } from "../failures";
import type { Measurement } from "../measurement";
import { isObject, type Properties } from "../values";
import { needsNetwork } from "./expectations";
import type { Expectations } from "./measurements";
import type { MeasuredTest } from "./results";
import type { SelectionProof } from "./selection-proof";

export interface ResultsWait {
  timeout: number;
  /**
   * Number of agents to wait for. By default, a run waits for all agents that the test selects by id. If the test selects
   * agents in another way, the run waits for one agent.
   */
  minAgents?: number;
  settle?: number;
}

/** Returns the declared options for waiting for results, or default options if the program declares only `expect`. */
export function waitOf({ waitForResults, expect }: Properties): ResultsWait | undefined {
  const defaults = { timeout: 120 };
  if (isObject(waitForResults)) return { ...defaults, ...(waitForResults as Partial<ResultsWait>) };
  return expect === undefined ? undefined : defaults;
}

export interface AwaitedAnswers {
  /** One measurement for each agent, sorted by agent. */
  measured: Measurement[];
  /** Ids of agents that the test selects by id but that returned no results in time. */
  silent: string[];
}

/**
 * Waits until enough agents have returned results, and then waits up to `settle` more seconds for the remaining agents.
 *
 * @param expected limits on measured values. If a value with a limit is missing, the measurement is incomplete
 * @throws ExpectationError if too few agents returned results before the timeout
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
      // If the program does not declare `minAgents`, an agent without results counts as an agent that did not reach the
      // target.
      if (minAgents === undefined && named && answered > 0) {
        const answers = new Set(measured.map(({ agentId }) => agentId));
        return { measured, silent: named.filter((id) => !answers.has(id)) };
      }
      const broken = `${answered} of ${wanted} agents answered within ${timeout} s`;
      throw new ExpectationError(`Test ${test.testId} is inconclusive: ${broken}.`, measured, [broken], false);
    }
    await sleep(Math.min(pauseMs, (enough ? Math.min(settled, end) : end) - now));
  }
}

/**
 * Returns the newest complete measurement of each agent. After the timeout, the function also accepts an agent's newest incomplete
 * measurement.
 */
function newestOfEach(rows: readonly Measurement[], isWhole: (m: Measurement) => boolean, isTimeUp: boolean): Measurement[] {
  const newestFirst = rows.toSorted((a, b) => b.roundId - a.roundId);
  return [...Map.groupBy(newestFirst, ({ agentId }) => agentId).values()]
    .flatMap((measurements) => measurements.find(isWhole) ?? (isTimeUp ? measurements.slice(0, 1) : []))
    .toSorted((a, b) => (a.agentId < b.agentId ? -1 : 1));
}

/** Whether a measurement counts as an agent's result. For an HTTP test, network results are not sufficient. */
export function isAnswer({ http }: MeasuredTest, { errorType, responseCode }: Measurement): boolean {
  return !http || errorType !== undefined || responseCode !== undefined;
}

/**
 * Whether a measurement contains all values that have a limit. The network results and the HTTP results of a round may arrive
 * at different times.
 */
function isComplete(
  { http, network }: MeasuredTest,
  { available, loss }: Measurement,
  expected: Expectations | undefined,
): boolean {
  return !http || !network || !available || loss !== undefined || !needsNetwork(expected);
}
