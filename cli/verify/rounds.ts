import { setTimeout as sleep } from "node:timers/promises";
import { ConfigurationError, EndpointMonitoringError, UnauthorizedError } from "../../api";
import { defaultsOf } from "../../provider/check";
import { ExpectationError } from "../../provider/failures";
import type { Measurement } from "../../provider/measurement";
import { applicable, checkExpectations } from "../../provider/resources/expectations";
import { type MeasuredTest, measurementsOfRounds } from "../../provider/resources/results";
import type { Session } from "../../provider/session";
import { stringOf } from "../../provider/values";
import type { Update } from "../engine/stack";
import { compareRounds, worsened } from "./compare";
import type { RoundBounds } from "./options";
import { type Bounds, type TestVerdict, verdictOf } from "./run";
import type { SelectedTest } from "./selected";

/** A test whose rounds are waited for. */
interface Watched {
  one: SelectedTest;
  test: MeasuredTest;
  accountGroupId: string | undefined;
  /** Measurements of the rounds before the update, and after it. */
  before: Measurement[];
  after: Measurement[];
  error?: string;
  /** When a new measurement came last, by `performance.now()`. */
  newAt: number;
}

/** Seconds between two reads: a twentieth of the shortest interval within these bounds, and never more often than that a test. */
const pause = { least: 1, most: 15, perTest: 0.25 };
/** Seconds by which clocks may differ and results be late. */
const toleranceSeconds = 120;

/** Seconds that a wait for rounds takes at most, where nobody sets it: an interval may have just begun. */
export function roundsTimeout(selection: readonly SelectedTest[], count: number): number {
  return Math.max(...selection.map(intervalOf), 0) * (count + 1) + toleranceSeconds;
}

function intervalOf({ resource: { kind, outputs, inputs } }: SelectedTest): number {
  return Number(outputs["interval"] ?? inputs["interval"] ?? defaultsOf(kind)["interval"] ?? 60);
}

/**
 * Waits for scheduled rounds after an update, judges each of them, and compares them with as many before it.
 *
 * @param now the time of the machine: rounds are told apart by when they began
 * @param onProgress called with how many tests have all their rounds, and how many rounds the others have in all
 * @param stop aborted when nobody waits any longer
 * @throws UnauthorizedError, ConfigurationError
 */
export async function verifyRounds(
  session: Session,
  selection: readonly SelectedTest[],
  bounds: Bounds,
  rounds: RoundBounds,
  update: Pick<Update, "startTime" | "endTime"> | undefined,
  now: () => Date,
  onProgress: (done: number, rounds: number) => void,
  stop: AbortSignal,
): Promise<TestVerdict[]> {
  const begun = now().getTime() / 1_000;
  const from = update ? Date.parse(update.startTime) / 1_000 : begun;
  // The times of an update are whole seconds, cut off.
  const until = update ? Math.floor(Date.parse(update.endTime ?? update.startTime) / 1_000) : Math.floor(begun);
  const watched = selection.flatMap((one): Watched[] => {
    if (one.refused !== undefined) return [];
    const { id, outputs } = one.resource;
    const { http = false, network = false, ofSessions } = one;
    const test = { testId: id, http, network, ...(ofSessions && { ofSessions }) };
    return [
      { one, test, accountGroupId: stringOf(outputs["accountGroupId"]), before: [], after: [], newAt: performance.now() },
    ];
  });
  const { timeout, settle, minAgents } = bounds.waitForResults;
  const intervals = watched.map(({ one }) => intervalOf(one));
  const every = Math.max(pause.least, pause.perTest * watched.length, Math.min(pause.most, Math.min(...intervals) / 20));
  const isDone = ({ after, error, newAt }: Watched): boolean =>
    error !== undefined || (roundsIn(after, minAgents).length >= rounds.count && performance.now() - newAt >= settle * 1_000);
  const end = performance.now() + timeout * 1_000;
  // The first read goes back to the rounds before the update, the others to the update.
  let past = Math.max(...intervals, 0) * (rounds.count + 2);
  while (watched.length > 0) {
    const waiting = watched.filter((one) => !isDone(one));
    const age = now().getTime() / 1_000 - from + past + toleranceSeconds;
    await readInto(session, waiting, age, from, until);
    past = 0;
    const left = watched.filter((one) => !isDone(one));
    onProgress(
      watched.length - left.length,
      left.reduce((sum, { after }) => sum + roundsIn(after, minAgents).length, 0),
    );
    const wait = Math.min(every * 1_000, end - performance.now());
    if (left.length === 0 || wait <= 0 || stop.aborted) break;
    await sleep(wait, undefined, { signal: stop }).catch(() => undefined);
    if (stop.aborted) break;
  }
  const verdicts = new Map(watched.map((one) => [one.one, judged(one, bounds, rounds, stop.aborted)]));
  return selection.map((one) => verdicts.get(one) ?? verdictOf(one, "skipped", [], [one.refused ?? ""]));
}

/** Reads the rounds of tests. What fails of an account group is the outcome of its tests. */
async function readInto(
  session: Session,
  waiting: readonly Watched[],
  age: number,
  from: number,
  until: number,
): Promise<void> {
  for (const [accountGroupId, all] of Map.groupBy(waiting, (one) => one.accountGroupId)) {
    try {
      const found = await measurementsOfRounds(
        session.client,
        all.map(({ test }) => test),
        accountGroupId,
        age,
      );
      for (const one of all) {
        const measured = found.get(one.test.testId) ?? [];
        const after = measured.filter(({ roundId }) => roundId > until);
        if (after.length > one.after.length) one.newAt = performance.now();
        one.after = after;
        const before = measured.filter(({ roundId }) => roundId < from);
        if (before.length > 0) one.before = before;
      }
    } catch (error) {
      const forAll = error instanceof UnauthorizedError || error instanceof ConfigurationError;
      if (forAll || !(error instanceof EndpointMonitoringError)) throw error;
      for (const one of all) one.error = error.message;
    }
  }
}

/** The rounds in which enough agents measured, the oldest first. */
function roundsIn(measured: readonly Measurement[], minAgents: number): Measurement[][] {
  const byRound = [...Map.groupBy(measured, ({ roundId }) => roundId)].toSorted(([a], [b]) => a - b);
  return byRound.map(([, round]) => round).filter((round) => new Set(round.map(({ agentId }) => agentId)).size >= minAgents);
}

function judged({ one, before, after, error }: Watched, bounds: Bounds, rounds: RoundBounds, isStopped: boolean): TestVerdict {
  if (error !== undefined) return verdictOf(one, "error", [], [error]);
  const { minAgents, timeout } = bounds.waitForResults;
  const found = roundsIn(after, minAgents).slice(0, rounds.count);
  const measured = found.flat();
  if (found.length < rounds.count) {
    const reason = isStopped ? "not waited for" : `${found.length} of ${rounds.count} rounds within ${timeout} s`;
    return verdictOf(one, isStopped ? "interrupted" : "late", measured, [reason]);
  }
  const expect = applicable(bounds.expect, { http: one.http ?? false, network: one.network ?? false });
  const broken = found.flatMap((round, at) =>
    brokenIn(round, expect).map((reason) => (rounds.count === 1 ? reason : `round ${at + 1}: ${reason}`)),
  );
  if (rounds.noWorseThan === undefined) return verdictOf(one, broken.length > 0 ? "failed" : "passed", measured, broken);
  // The newest round before the update may have been under way when that began.
  const earlier = roundsIn(before, 1).slice(0, -1).slice(-rounds.count);
  const comparison = compareRounds(earlier.flat(), measured, rounds.noWorseThan);
  const reasons = [...broken, ...worsened(comparison, rounds.noWorseThan)];
  const note = comparison.reason === undefined ? [] : [`not compared: ${comparison.reason}`];
  return { ...verdictOf(one, reasons.length > 0 ? "failed" : "passed", measured, [...reasons, ...note]), comparison };
}

function brokenIn(round: readonly Measurement[], expect: Bounds["expect"]): readonly string[] {
  try {
    checkExpectations(round, expect);
    return [];
  } catch (error) {
    if (!(error instanceof ExpectationError)) throw error;
    return error.broken;
  }
}
