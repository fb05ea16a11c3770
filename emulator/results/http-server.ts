import type { z } from "zod";
import type { httpServerResultSearch } from "../../api/schemas";
import { attributesOf, type RecordedRound, resultRecord } from "./rounds";
import { matchesFilters, orderBy, passesThresholds } from "./search";

export function httpServerSearch({ searchSort, thresholdFilter, searchFilters }: z.output<typeof httpServerResultSearch>) {
  return {
    matches: (round: RecordedRound) =>
      round.http !== undefined &&
      matchesFilters(searchFilters, attributesOf(round)) &&
      passesThresholds(thresholdFilter, (name) => figureOf(round, name)),
    order: orderBy<RecordedRound>(searchSort, figureOf),
  };
}

/** Returns a round's value for a sort key or threshold. The emulator does not measure scores, so the value of a score is absent. */
function figureOf({ http, roundId }: RecordedRound, name: string): number | undefined {
  const figures: Record<string, number | undefined> = {
    "round-id": roundId,
    "response-time": http?.responseTime,
    "dns-time": http?.dnsTime,
    "connect-time": http?.connectTime,
    "ssl-time": http?.sslTime,
    "wait-time": http?.waitTime,
    "response-code": http?.responseCode,
    "wire-size": http?.wireSize,
    throughput: http?.throughput,
  };
  return figures[name];
}

export function httpServerRecord(round: RecordedRound, expand: readonly string[] = []) {
  if (!round.http) return resultRecord(round, expand);
  const { sourceIp: _sourceIp, headers, ...figures } = round.http;
  return { ...resultRecord(round, expand), ...figures, ...(expand.includes("header") && { headers }) };
}
