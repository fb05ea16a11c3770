import { operations } from "../../api/schemas";
import { handle } from "../handler";
import { matching } from "../results/asked";
import { dynamicRecord } from "../results/dynamic";
import { networkPage, networkRecord, networkSearch } from "../results/network";
import { recordOf, roundsOf, testOf } from "../results/rounds";
import { dynamicKind } from "../model/dynamic-test";

export const dynamicResultRoutes = [
  handle(operations.networkResults.filterDynamic, (call) => {
    const test = testOf(call, call.path.testId, [dynamicKind]);
    const rounds = matching(call, `network:${test.row.id}`, roundsOf(call, test.row), networkSearch(call.body));
    const results = rounds.page.map((round) => ({ ...networkRecord(round, call.query.expand), ...dynamicRecord(test.row) }));
    return { body: { test: recordOf(call, test), results, ...networkPage(rounds) } };
  }),
];
