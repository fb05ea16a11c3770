import type { MatchedResults } from "./asked";
import { attributesOf, loadOf, type RecordedRound, resultRecord } from "./rounds";
import { matchesFilters, orderBy, passesThresholds, type Sort, type Thresholds } from "./search";

export interface NetworkSearch {
  readonly searchSort?: Sort;
  readonly thresholdFilter?: Thresholds;
  readonly searchFilters?: Readonly<Record<string, readonly string[] | undefined>>;
}

export function networkSearch({ searchSort, thresholdFilter, searchFilters }: NetworkSearch) {
  return {
    matches: (round: RecordedRound) =>
      round.network !== undefined &&
      matchesFilters(searchFilters, attributesOf(round)) &&
      passesThresholds(thresholdFilter, (name) => figureOf(round, name)),
    order: orderBy<RecordedRound>(searchSort, figureOf),
  };
}

/** Returns a round's value for a sort key or threshold. The emulator does not measure scores and signals, so their values are absent. */
function figureOf(round: RecordedRound, name: string): number | undefined {
  const { network, roundId } = round;
  const figures: Record<string, number | undefined> = {
    "round-id": roundId,
    loss: network?.loss,
    latency: network?.avgLatency,
    jitter: network?.jitter,
    ...loadOf(round),
  };
  return figures[name];
}

export function networkRecord(round: RecordedRound, expand?: readonly string[]) {
  const { minLatency, avgLatency, maxLatency, jitter, loss, error } = round.network ?? {};
  return { ...resultRecord(round, expand), minLatency, avgLatency, maxLatency, jitter, loss, errorDetails: error };
}

export function networkPage({ total, startDate, endDate, next }: MatchedResults<unknown>) {
  return { totalHits: total, startDate, endDate, _links: { ...(next !== undefined && { next: { href: next } }) } };
}
