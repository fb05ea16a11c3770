import type { z } from "zod";
import { type AgentToServerTestRecord, type agentToServerTestRequest, operations } from "../../api/schemas";
import { handle } from "../handler";
import { withoutBrackets } from "../measure/targets";
import type { Service } from "../service";
import {
  createTest,
  deleteTest,
  filled,
  getTest,
  listTests,
  type StoredTest,
  testCollection,
  type TestKind,
  updateTest,
} from "./tests";

/** An agent-to-server test as stored. */
export interface StoredAgentToServerTest extends StoredTest {
  server: string;
  port: number;
}

const own = operations.agentToServerTests;

export const agentToServerKind: TestKind<StoredAgentToServerTest, AgentToServerTestRecord> = {
  collection: testCollection("agent-to-server-tests"),
  path: own.list.path,
  results: "/v7/endpoint/test-results/scheduled-tests",
  // Documented in the newest version, its cause is not (shared/api/README.md, What can be written, when).
  duplicateName: 409,
  own: ({ server, port }) => ({ type: "agent-to-server", server, port, isSavedEvent: false }),
  plans: ({ server, port, ipVersion }) => [{ target: { host: withoutBrackets(server), port }, ipVersion, network: true }],
};
const kind = agentToServerKind;

/** A test as the request asks for it, filled up. */
export function agentToServerTestOf(
  service: Service,
  body: z.output<typeof agentToServerTestRequest>,
): StoredAgentToServerTest {
  const { server, port = 443 } = body;
  return { ...filled(service, body), server, port };
}

export const agentToServerTestRoutes = [
  handle(own.list, (call) => listTests(call, kind)),
  handle(own.create, (call) => createTest(call, kind, agentToServerTestOf(call.service, call.body))),
  handle(own.get, (call) => getTest(call, kind)),
  handle(own.update, (call) => updateTest(call, kind, call.body)),
  handle(own.delete, (call) => deleteTest(call, kind)),
];
