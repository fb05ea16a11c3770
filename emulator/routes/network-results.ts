import { operations } from "../../api/schemas";
import { handle } from "../handler";
import { found } from "../results/asked";
import { networkRecord, networkSearch } from "../results/network";
import { recordOf, roundsOf, testOf, testsOf } from "../results/rounds";
import { scheduledKinds } from "./test-kinds";

const own = operations.networkResults;

export const networkResultRoutes = [
  handle(own.filter, (call) => {
    const test = testOf(call, call.path.testId, scheduledKinds);
    const { page, total, startDate, endDate, next } = found(
      call,
      `network:${test.row.id}`,
      roundsOf(call, test.row),
      networkSearch(call.body),
    );
    return {
      body: {
        test: recordOf(call, test),
        results: page.map((round) => networkRecord(round, call.query.expand)),
        totalHits: total,
        startDate,
        endDate,
        _links: { ...(next !== undefined && { next: { href: next } }) },
      },
    };
  }),
  handle(own.filterMulti, (call) => {
    const rounds = testsOf(call, scheduledKinds, call.query.useAllPermittedAids ?? false, call.body.searchFilters?.testId)
      .flatMap((row) => roundsOf(call, row))
      .toSorted((a, b) => a.sequence - b.sequence);
    const { page, total, startDate, endDate, next } = found(call, "networks", rounds, networkSearch(call.body));
    return {
      body: {
        results: page.map((round) => networkRecord(round, call.query.expand)),
        totalHits: total,
        startDate,
        endDate,
        _links: { ...(next !== undefined && { next: { href: next } }) },
      },
    };
  }),
];
