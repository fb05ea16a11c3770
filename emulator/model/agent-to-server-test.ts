import { type AgentToServerTestRecord, operations } from "../../api/schemas";
import { withoutBrackets } from "../measure/targets";
import { type StoredTest, testCollection, type ModelTestKind } from "./tests";

export interface StoredAgentToServerTest extends StoredTest {
  server: string;
  port: number;
}

export const agentToServerKind: ModelTestKind<StoredAgentToServerTest, AgentToServerTestRecord> = {
  collection: testCollection("agent-to-server-tests", ["server", "port"]),
  path: operations.agentToServerTests.list.path,
  results: "/v7/endpoint/test-results/scheduled-tests",
  // The newest API version documents the status 409, but not its cause (docs/service/tests.md, Writable properties).
  duplicateName: 409,
  own: ({ server, port }) => ({ type: "agent-to-server", server, port, isSavedEvent: false }),
  restored: ({ server = "", port = 443 }) => ({ server, port }),
  plans: ({ server, port, ipVersion }) => [{ target: { host: withoutBrackets(server), port }, ipVersion, network: true }],
};
