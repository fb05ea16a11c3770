import type { z } from "zod";
import { type agentToServerTestRequest, operations } from "../../api/schemas";
import { handle } from "../handler";
import { agentToServerKind, type StoredAgentToServerTest } from "../model/agent-to-server-test";
import type { Service } from "../service";
import { createTest, deleteTest, filled, getTest, listTests, updateTest } from "./tests";

const own = operations.agentToServerTests;
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
