import type { TargetMeasurement } from "./measure/measure";
import type { Service } from "./service";
import type { Collection, StoreRow } from "./store";

/** The measurement of one agent for a test in one round. */
export interface TestRound extends TargetMeasurement {
  /** Start of the round in seconds since 1970; rounds of a test never share one. */
  readonly roundId: number;
  readonly testId: string;
  readonly agentId: string;
}

/** Rounds kept of a test; older ones go. */
const kept = 1000;

type Stored = Pick<Service, "store">;

function roundsOf(testId: string): Collection<TestRound> {
  return { name: `rounds-${testId}`, series: "rounds", firstId: 1 };
}

export function keepRound({ store }: Stored, aid: string, round: TestRound): void {
  const collection = roundsOf(round.testId);
  store.insert(collection, aid, () => round);
  store.trim(collection, kept);
}

/** Rounds of a test, the newest first. */
export function latestRounds({ store }: Stored, testId: string, limit: number): readonly TestRound[] {
  return store.newest(roundsOf(testId), limit).map(({ body }) => body);
}

/** All rounds of a test that are kept, in the order they were measured. */
export function rowsOfRounds({ store }: Stored, testId: string, aid: string): readonly StoreRow<TestRound>[] {
  return store.list(roundsOf(testId), aid);
}

/** Forgets the rounds of a test that is no more. */
export function forgetRounds({ store }: Stored, testId: string): void {
  store.trim(roundsOf(testId), 0);
}
