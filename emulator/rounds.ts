import type { TargetMeasurement } from "./measure/measure";
import type { Service } from "./service";
import type { Collection, StoreRow } from "./store";

export interface TestRound extends TargetMeasurement {
  /** Start of the round in seconds since 1970, which is unique within a test. */
  readonly roundId: number;
  readonly testId: string;
  readonly agentId: string;
}

/** Number of stored rounds per test. The emulator deletes older rounds. */
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

export function latestRounds({ store }: Stored, testId: string, limit: number): readonly TestRound[] {
  return store.newest(roundsOf(testId), limit).map(({ body }) => body);
}

export function rowsOfRounds({ store }: Stored, testId: string, aid: string): readonly StoreRow<TestRound>[] {
  return store.list(roundsOf(testId), aid);
}

export function forgetRounds({ store }: Stored, testId: string): void {
  store.trim(roundsOf(testId), 0);
}
