import { operations } from "../../api/schemas";
import { handle } from "../handler";
import { found } from "../results/asked";
import { dynamicRecord } from "../results/dynamic";
import { networkRecord, networkSearch } from "../results/network";
import { recordOf, roundsOf, testOf } from "../results/rounds";
import { dynamicKind } from "./dynamic-tests";

export const dynamicResultRoutes = [
  handle(operations.networkResults.filterDynamic, (call) => {
    const test = testOf(call, call.path.testId, [dynamicKind]);
    const { page, total, startDate, endDate, next } = found(
      call,
      `network:${test.row.id}`,
      roundsOf(call, test.row),
      networkSearch(call.body),
    );
    return {
      body: {
        test: recordOf(call, test),
        results: page.map((round) => ({ ...networkRecord(round, call.query.expand), ...dynamicRecord(test.row) })),
        totalHits: total,
        startDate,
        endDate,
        _links: { ...(next !== undefined && { next: { href: next } }) },
      },
    };
  }),
];
