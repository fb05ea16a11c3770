import type { MatchedResults } from "./asked";
import { attributesOf, loadOf, type RecordedRound, resultRecord } from "./rounds";
import { matchesFilters, orderBy, passesThresholds, type Sort, type Thresholds } from "./search";

/** Body of a search for network results in any operation. */
export interface NetworkSearch {
  readonly searchSort?: Sort;
  readonly thresholdFilter?: Thresholds;
  readonly searchFilters?: Readonly<Record<string, readonly string[] | undefined>>;
}

/** Returns the filter and order of a search for rounds. */
export function networkSearch({ searchSort, thresholdFilter, searchFilters }: NetworkSearch) {
  return {
    matches: (round: RecordedRound) =>
      round.network !== undefined &&
      matchesFilters(searchFilters, attributesOf(round)) &&
      passesThresholds(thresholdFilter, (name) => figureOf(round, name)),
    order: orderBy<RecordedRound>(searchSort, figureOf),
  };
}

/** Returns a round's value for a sort key or threshold. Scores and signals are not measured. */
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

/** Returns a row of network results. */
export function networkRecord(round: RecordedRound, expand?: readonly string[]) {
  const { minLatency, avgLatency, maxLatency, jitter, loss, error } = round.network ?? {};
  return { ...resultRecord(round, expand), minLatency, avgLatency, maxLatency, jitter, loss, errorDetails: error };
}

/** Returns the members of a page of network results other than its rows. */
export function networkPage({ total, startDate, endDate, next }: MatchedResults<unknown>) {
  return { totalHits: total, startDate, endDate, _links: { ...(next !== undefined && { next: { href: next } }) } };
}
