import { operations } from "../../api/schemas";
import { handle } from "../handler";
import { schedulerOf } from "../measure/scheduler";
import { agentToServerKind } from "../model/agent-to-server-test";
import { httpServerKind } from "../model/http-server-test";
import { type AnyTestKind, scheduledKinds } from "../model/test-kinds";
import { findTest } from "../model/tests";
import { testOf } from "../results/rounds";
import type { Service } from "../service";
import { agentToServerTestOf } from "./agent-to-server-tests";
import { httpServerTestOf } from "./http-server-tests";
import { createInstantTest } from "./tests";

const calls = operations.instantTests;
const permission = "edit-endpoint-tests";

export const instantTestRoutes = [
  handle(
    calls.agentToServer,
    (call) => {
      const made = createInstantTest(call, agentToServerKind, agentToServerTestOf(call.service, call.body));
      start(call.service, agentToServerKind, made.body.testId);
      return made;
    },
    { permission },
  ),
  handle(
    calls.httpServer,
    (call) => {
      const made = createInstantTest(call, httpServerKind, httpServerTestOf(call.service, call.body));
      start(call.service, httpServerKind, made.body.testId);
      return made;
    },
    { permission },
  ),
  handle(
    calls.run,
    (call) => {
      const { kind, row } = testOf(call, call.path.testId, scheduledKinds);
      start(call.service, kind, row.id);
      return { body: { message: `Successfully reran the instant scheduled test with testId=${row.id}` } };
    },
    { permission, mediaType: "application/json" },
  ),
];

function start(service: Service, kind: AnyTestKind, testId: string): void {
  const row = findTest(service.store, kind.collection, testId);
  if (row) void schedulerOf(service)?.runNow(kind, row);
}
