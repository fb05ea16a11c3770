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
   * Number of agents to wait for. By default, a run waits for all agents that the test names. If the test names no agents,
   * the run waits for one agent.
   */
  minAgents?: number;
  settle?: number;
}

/** Returns the declared wait. If the program declares only `expect`, the wait has default values. */
export function waitOf({ waitForResults, expect }: Properties): ResultsWait | undefined {
  const defaults = { timeout: 120 };
  if (isObject(waitForResults)) return { ...defaults, ...(waitForResults as Partial<ResultsWait>) };
  return expect === undefined ? undefined : defaults;
}

export interface AwaitedAnswers {
  /** One measurement for each agent, sorted by agent. */
  measured: Measurement[];
  /** Ids of named agents that returned no results in time. */
  silent: string[];
}

/**
 * Waits until enough agents have answered, and then `settle` seconds for the other agents.
 *
 * @param expected limits on values. The wait continues until agents have measured the limited values
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
      // Without `minAgents`, a silent agent counts as an agent that did not reach the target.
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

/** Returns the newest complete measurement of each agent. After the timeout, incomplete measurements also count. */
function newestOfEach(rows: readonly Measurement[], isWhole: (m: Measurement) => boolean, isTimeUp: boolean): Measurement[] {
  const newestFirst = rows.toSorted((a, b) => b.roundId - a.roundId);
  return [...Map.groupBy(newestFirst, ({ agentId }) => agentId).values()]
    .flatMap((own) => own.find(isWhole) ?? (isTimeUp ? own.slice(0, 1) : []))
    .toSorted((a, b) => (a.agentId < b.agentId ? -1 : 1));
}

/** Whether an agent has answered. For an HTTP test, network results are not sufficient. */
export function isAnswer({ http }: MeasuredTest, { errorType, responseCode }: Measurement): boolean {
  return !http || errorType !== undefined || responseCode !== undefined;
}

/** Whether the measurement contains all limited values. Network and HTTP results of a test may arrive at different times. */
function isComplete(
  { http, network }: MeasuredTest,
  { available, loss }: Measurement,
  expected: Expectations | undefined,
): boolean {
  return !http || !network || !available || loss !== undefined || !needsNetwork(expected);
}
