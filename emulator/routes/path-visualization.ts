import { operations } from "../../api/schemas";
import { handle } from "../handler";
import { Problem } from "../problem";
import { matching } from "../results/asked";
import { pathRecord, pathRoutes, pathTraces } from "../results/paths";
import { type RecordedRound, recordOf, roundsOf, testOf } from "../results/rounds";
import { dynamicRecord } from "../results/dynamic";
import { networkSearch } from "../results/network";
import { dynamicKind } from "../model/dynamic-test";
import { scheduledKinds } from "../model/test-kinds";

const calls = operations.pathVisualization;
const everything = networkSearch({});

export const pathVisualizationRoutes = [
  handle(calls.list, (call) => {
    const test = testOf(call, call.path.testId, scheduledKinds);
    const { page, startDate, endDate, next } = matching(call, `paths:${test.row.id}`, roundsOf(call, test.row), everything);
    return {
      body: {
        test: recordOf(call, test),
        results: page.map((round) => ({ ...pathRecord(round), pathTraces: pathTraces(round) })),
        startDate,
        endDate,
        _links: { self: { href: call.self }, ...(next !== undefined && { next: { href: next } }) },
      },
    };
  }),
  handle(calls.get, (call) => {
    const test = testOf(call, call.path.testId, scheduledKinds);
    const results = roundsAt(roundsOf(call, test.row), call.path).map(detail);
    return { body: { test: recordOf(call, test), results, _links: { self: { href: call.self } } } };
  }),
  handle(calls.listDynamic, (call) => {
    const test = testOf(call, call.path.testId, [dynamicKind]);
    const { page, total, startDate, endDate, next } = matching(
      call,
      `paths:${test.row.id}`,
      roundsOf(call, test.row),
      everything,
    );
    return {
      body: {
        test: recordOf(call, test),
        results: page.map((round) => ({ ...pathRecord(round), ...dynamicRecord(test.row), pathTraces: pathTraces(round) })),
        totalHits: total,
        startDate,
        endDate,
        _links: { self: { href: call.self }, ...(next !== undefined && { next: { href: next } }) },
      },
    };
  }),
  handle(calls.getDynamic, (call) => {
    const test = testOf(call, call.path.testId, [dynamicKind]);
    const rounds = roundsAt(roundsOf(call, test.row), call.path);
    const results = rounds.map((round) => ({ ...detail(round), ...dynamicRecord(test.row) }));
    return { body: { test: recordOf(call, test), results, _links: { self: { href: call.self } } } };
  }),
];

/**
 * Returns an agent's measurements in a round, with one measurement per session of a dynamic test.
 *
 * @throws Problem 404 if the round has no measurements
 */
function roundsAt(rounds: readonly RecordedRound[], { agentId, roundId }: { agentId: string; roundId: string }) {
  const these = rounds.filter(
    (round) => round.agentId === agentId && String(round.roundId) === roundId && round.network !== undefined,
  );
  if (these.length === 0) throw new Problem(404, "This agent has no such round of this test.");
  return these;
}

function detail(round: RecordedRound) {
  return { ...pathRecord(round), pathTraces: pathRoutes(round), vpnPathTraces: [] };
}
