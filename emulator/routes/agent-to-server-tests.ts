import { type AgentToServerTestRecord, operations } from "../../api/schemas";
import { handle } from "../handler";
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

interface StoredAgentToServerTest extends StoredTest {
  server: string;
  port: number;
}

const own = operations.agentToServerTests;

const kind: TestKind<StoredAgentToServerTest, AgentToServerTestRecord> = {
  collection: testCollection("agent-to-server-tests"),
  path: own.list.path,
  results: "/v7/endpoint/test-results/scheduled-tests",
  // Documented in the newest version, its cause is not (shared/api/README.md, What can be written, when).
  duplicateName: 409,
  own: ({ server, port }) => ({ type: "agent-to-server", server, port, isSavedEvent: false }),
};

export const agentToServerTestRoutes = [
  handle(own.list, (call) => listTests(call, kind)),
  handle(own.create, (call) => {
    const { server, port = 443 } = call.body;
    return createTest(call, kind, { ...filled(call.service, call.body), server, port });
  }),
  handle(own.get, (call) => getTest(call, kind)),
  handle(own.update, (call) => updateTest(call, kind, call.body)),
  handle(own.delete, (call) => deleteTest(call, kind)),
];
