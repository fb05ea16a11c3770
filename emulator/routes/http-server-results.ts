import { operations } from "../../api/schemas";
import { handle } from "../handler";
import { type MatchedResults, matching } from "../results/asked";
import { httpServerRecord, httpServerSearch } from "../results/http-server";
import { type RecordedRound, recordOf, roundsOf, testOf, testsOf } from "../results/rounds";
import { httpServerKind } from "../model/http-server-test";

const calls = operations.httpServerResults;
const kinds = [httpServerKind];

export const httpServerResultRoutes = [
  handle(calls.list, (call) => {
    const test = testOf(call, call.path.testId, kinds);
    const rounds = matching(call, `http-server:${test.row.id}`, roundsOf(call, test.row), httpServerSearch({}));
    return { body: { test: recordOf(call, test), ...pageOf(call, rounds) } };
  }),
  handle(calls.filter, (call) => {
    const test = testOf(call, call.path.testId, kinds);
    const rounds = matching(call, `http-server:${test.row.id}`, roundsOf(call, test.row), httpServerSearch(call.body));
    return { body: { totalHits: rounds.total, ...pageOf(call, rounds) } };
  }),
  handle(calls.filterMulti, (call) => {
    const rows = testsOf(call, kinds, call.query.useAllPermittedAids ?? false, call.body.searchFilters?.testId);
    const recorded = rows.flatMap((row) => roundsOf(call, row)).toSorted((a, b) => a.sequence - b.sequence);
    const rounds = matching(call, "http-servers", recorded, httpServerSearch(call.body));
    return { body: { totalHits: rounds.total, ...pageOf(call, rounds) } };
  }),
];

function pageOf(
  { self, query }: { self: string; query: { expand?: readonly string[] } },
  { page, startDate, endDate, next }: MatchedResults<RecordedRound>,
) {
  return {
    results: page.map((round) => httpServerRecord(round, query.expand)),
    startDate,
    endDate,
    _links: { self: { href: self }, ...(next !== undefined && { next: { href: next } }) },
  };
}
