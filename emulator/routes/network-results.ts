import { operations } from "../../api/schemas";
import { handle } from "../handler";
import { matching } from "../results/asked";
import { networkPage, networkRecord, networkSearch } from "../results/network";
import { recordOf, roundsOf, testOf, testsOf } from "../results/rounds";
import { scheduledKinds } from "../model/test-kinds";

const calls = operations.networkResults;

export const networkResultRoutes = [
  handle(calls.filter, (call) => {
    const test = testOf(call, call.path.testId, scheduledKinds);
    const rounds = matching(call, `network:${test.row.id}`, roundsOf(call, test.row), networkSearch(call.body));
    const results = rounds.page.map((round) => networkRecord(round, call.query.expand));
    return { body: { test: recordOf(call, test), results, ...networkPage(rounds) } };
  }),
  handle(calls.filterMulti, (call) => {
    const recorded = testsOf(call, scheduledKinds, call.query.useAllPermittedAids ?? false, call.body.searchFilters?.testId)
      .flatMap((row) => roundsOf(call, row))
      .toSorted((a, b) => a.sequence - b.sequence);
    const rounds = matching(call, "networks", recorded, networkSearch(call.body));
    return { body: { results: rounds.page.map((round) => networkRecord(round, call.query.expand)), ...networkPage(rounds) } };
  }),
];
