import { operations } from "../../api/schemas";
import { handle } from "../handler";
import { recordOf } from "../results/rounds";
import { scheduledKinds } from "../model/test-kinds";

export const scheduledTestRoutes = [
  handle(operations.scheduledTests.list, (call) => {
    const tests = scheduledKinds
      .flatMap((kind) => call.service.store.list(kind.collection, call.aid).map((row) => ({ kind, row })))
      .toSorted((a, b) => a.row.sequence - b.row.sequence)
      .map((test) => recordOf(call, test));
    return { body: { tests, _links: { self: { href: call.self } } } };
  }),
];
