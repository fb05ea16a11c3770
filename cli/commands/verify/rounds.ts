import { setTimeout as sleep } from "node:timers/promises";
import { ConfigurationError, EndpointMonitoringError, UnauthorizedError } from "../../../api";
import { defaultsOf } from "../../../provider/check";
import { ExpectationError } from "../../../provider/failures";
import type { Measurement } from "../../../provider/measurement";
import { applicable, checkExpectations } from "../../../provider/resources/expectations";
import { type MeasuredTest, measurementsOfRounds } from "../../../provider/resources/results";
import { RunProof } from "../../../provider/resources/run-proof";
import { SelectionProof } from "../../../provider/resources/selection-proof";
import { scheduleOf } from "../../../provider/resources/test-reach";
import { isAnswer } from "../../../provider/resources/wait";
import type { Session } from "../../../provider/session";
import { stringOf } from "../../../provider/values";
import { type Bounds, measuresOf, type TestVerdict, unmeasured, verdictOf, withoutAgents } from "./test-run";
import type { SelectedTest } from "./selected";

interface Watched {
  selectedTest: SelectedTest;
  test: MeasuredTest;
  accountGroupId: string | undefined;
  selection: SelectionProof;
  /** Filter that accepts only rounds that began after this command. The filter is undefined until the service's time is known. */
  proof?: RunProof;
  measured: Measurement[];
  error?: string;
  /** The reason why no agent can run the test. */
  lackOfAgents?: string;
  /** Time of the last new measurement, in milliseconds of `performance.now()`. */
  newAt: number;
}

/**
 * Limits for the pause between two reads, in seconds. The pause is a twentieth of the shortest test interval, but at least `perTest`
 * seconds for each test.
 */
const pause = { least: 1, most: 15, perTest: 0.25 };
/** Maximum delay until the service returns results, in seconds. */
const toleranceSeconds = 120;

/** Returns the default timeout, in seconds. The timeout includes one more interval, because the current interval may have just begun. */
export function roundsTimeout(selection: readonly SelectedTest[], count: number): number {
  return (
    selection.map(intervalOf).reduce((longest, interval) => Math.max(longest, interval), 0) * (count + 1) + toleranceSeconds
  );
}

function intervalOf({ resource: { kind, outputs, inputs } }: SelectedTest): number {
  return Number(outputs["interval"] ?? inputs["interval"] ?? defaultsOf(kind)["interval"] ?? 60);
}

/**
 * Waits for scheduled rounds and evaluates their measurements. The function ignores rounds that began before this command.
 *
 * @param onProgress function that receives the number of complete tests, and the number of complete rounds of all incomplete tests
 * @param stop signal that ends the wait
 * @throws UnauthorizedError, ConfigurationError
 */
export async function verifyRounds(
  session: Session,
  selection: readonly SelectedTest[],
  bounds: Bounds,
  rounds: number,
  onProgress: (done: number, rounds: number) => void,
  stop: AbortSignal,
): Promise<TestVerdict[]> {
  const started = performance.now();
  const watched = selection.flatMap((selectedTest): Watched[] => {
    if (selectedTest.refused !== undefined) return [];
    const { id, outputs } = selectedTest.resource;
    const test = {
      testId: id,
      ...measuresOf(selectedTest),
      ...(selectedTest.ofSessions && { ofSessions: selectedTest.ofSessions }),
    };
    const accountGroupId = stringOf(outputs["accountGroupId"]);
    const selected = new SelectionProof(session, accountGroupId, scheduleOf(outputs));
    return [{ selectedTest, test, accountGroupId, selection: selected, measured: [], newAt: performance.now() }];
  });
  const { timeout, waitForMore } = bounds.waitForResults;
  const intervals = watched.map(({ selectedTest }) => intervalOf(selectedTest));
  const shortest = intervals.reduce((least, interval) => Math.min(least, interval), Infinity);
  const every = Math.max(pause.least, pause.perTest * watched.length, Math.min(pause.most, shortest / 20));
  const isDone = (watchedTest: Watched): boolean =>
    watchedTest.error !== undefined ||
    watchedTest.lackOfAgents !== undefined ||
    (roundsIn(watchedTest.measured, wantedAgents(watchedTest, bounds)).length >= rounds &&
      performance.now() - watchedTest.newAt >= waitForMore * 1_000);
  const end = performance.now() + timeout * 1_000;
  await Promise.all(
    watched.map(async (watchedTest) => (watchedTest.lackOfAgents = await watchedTest.selection.lackOfAgents())),
  );
  while (watched.length > 0) {
    const waiting = watched.filter((watchedTest) => !isDone(watchedTest));
    const elapsed = (performance.now() - started) / 1_000;
    await readInto(session, waiting, elapsed + toleranceSeconds);
    const incomplete = watched.filter((watchedTest) => !isDone(watchedTest));
    onProgress(
      watched.length - incomplete.length,
      incomplete.reduce(
        (sum, watchedTest) => sum + roundsIn(watchedTest.measured, wantedAgents(watchedTest, bounds)).length,
        0,
      ),
    );
    const wait = Math.min(every * 1_000, end - performance.now());
    if (incomplete.length === 0 || wait <= 0 || stop.aborted) break;
    await sleep(wait, undefined, { signal: stop }).catch(() => undefined);
    if (stop.aborted) break;
  }
  const judge = async (watchedTest: Watched) =>
    [watchedTest.selectedTest, await judged(watchedTest, bounds, rounds, stop.aborted)] as const;
  const verdicts = new Map(await Promise.all(watched.map(judge)));
  return selection.map((selectedTest) => verdicts.get(selectedTest) ?? unmeasured(selectedTest));
}

/** Returns the minimum number of agents in a round: `--min-agents`, the number of agents that the test selects by id, or 1. */
function wantedAgents({ selection }: Watched, { waitForResults: { minAgents } }: Bounds): number {
  return minAgents ?? selection.count ?? 1;
}

/**
 * Reads the measurements of tests from the service. If the request for an account group fails, all tests of the account group get the
 * outcome `error`.
 *
 * @param age maximum time since the start of a round, in seconds
 */
async function readInto(session: Session, waiting: readonly Watched[], age: number): Promise<void> {
  for (const [accountGroupId, watchedTests] of Map.groupBy(waiting, (watchedTest) => watchedTest.accountGroupId)) {
    try {
      const tests = watchedTests.map(({ test }) => test);
      const measurements = await measurementsOfRounds(session.client, tests, accountGroupId, age);
      const now = session.clock.earliest();
      for (const watchedTest of watchedTests) {
        if (now === undefined) {
          watchedTest.error = "the service's responses have no date, so new rounds cannot be recognized";
          continue;
        }
        // The service truncates times to seconds, so a round certainly began after this command only if it starts in a later second.
        watchedTest.proof ??= new RunProof(session.clock, Math.floor(now / 1_000) + 1, watchedTest.selection);
        const answers = (measurements.get(watchedTest.test.testId) ?? []).filter((m) => isAnswer(watchedTest.test, m));
        const measured = await watchedTest.proof.accepted(answers);
        if (measured.length > watchedTest.measured.length) watchedTest.newAt = performance.now();
        watchedTest.measured = measured;
      }
    } catch (error) {
      const forAll = error instanceof UnauthorizedError || error instanceof ConfigurationError;
      if (forAll || !(error instanceof EndpointMonitoringError)) throw error;
      for (const watchedTest of watchedTests) watchedTest.error = error.message;
    }
  }
}

/** Returns the rounds with measurements from enough agents, the oldest round first. */
function roundsIn(measured: readonly Measurement[], minAgents: number): Measurement[][] {
  const byRound = [...Map.groupBy(measured, ({ roundId }) => roundId)].toSorted(([a], [b]) => a - b);
  return byRound.map(([, round]) => round).filter((round) => new Set(round.map(({ agentId }) => agentId)).size >= minAgents);
}

async function judged(watched: Watched, bounds: Bounds, rounds: number, isStopped: boolean): Promise<TestVerdict> {
  const { selectedTest, error, lackOfAgents, selection } = watched;
  if (lackOfAgents !== undefined) return withoutAgents(selectedTest, [lackOfAgents]);
  if (error !== undefined) return verdictOf(selectedTest, "error", [], [error]);
  const { minAgents, timeout } = bounds.waitForResults;
  const wanted = wantedAgents(watched, bounds);
  // After the timeout, agents that the test selects by id but that sent no measurement count as failed.
  const named = minAgents === undefined && !isStopped ? (selection.named ?? []) : [];
  const whole = roundsIn(watched.measured, wanted);
  const latest = (whole.length >= rounds || named.length === 0 ? whole : roundsIn(watched.measured, 1)).slice(0, rounds);
  const measured = latest.flat();
  if (latest.length < rounds) {
    const reason = `${latest.length} of ${rounds} rounds within ${timeout} s`;
    if (isStopped) return verdictOf(selectedTest, "interrupted", measured, ["not waited for"]);
    return verdictOf(selectedTest, "no-verdict", measured, [reason]);
  }
  const silentIn = (round: readonly Measurement[]): Promise<string[]> => {
    const answers = new Set(round.map(({ agentId }) => agentId));
    return Promise.all(named.filter((id) => !answers.has(id)).map((id) => selection.nameOf(id)));
  };
  const silent = await Promise.all(latest.map(silentIn));
  const expect = applicable(bounds.expect, measuresOf(selectedTest));
  const broken = latest.flatMap((round, at) =>
    brokenIn(round, expect, silent[at] ?? []).map((reason) => (rounds === 1 ? reason : `round ${at + 1}: ${reason}`)),
  );
  return verdictOf(selectedTest, broken.length > 0 ? "failed" : "passed", measured, broken);
}

function brokenIn(round: readonly Measurement[], expect: Bounds["expect"], silent: readonly string[]): readonly string[] {
  try {
    checkExpectations(round, expect, silent);
    return [];
  } catch (error) {
    if (!(error instanceof ExpectationError)) throw error;
    return error.broken;
  }
}
