import type { z } from "zod";
import { type agentToServerTestRequest, isHost, operations } from "../../api/schemas";
import { handle } from "../handler";
import { agentToServerKind, type StoredAgentToServerTest } from "../model/agent-to-server-test";
import { standardStyle } from "../problem";
import type { Service } from "../service";
import { createTest, deleteTest, filled, getTest, listTests, updateTest } from "./tests";

const calls = operations.agentToServerTests;
const kind = agentToServerKind;

/** @throws Problem 400 if the test's server is not a valid host */
export function agentToServerTestOf(
  service: Service,
  body: z.output<typeof agentToServerTestRequest>,
): StoredAgentToServerTest {
  const { server, port = 443 } = body;
  requireHost(server);
  return { ...filled(service, body), server, port };
}

export const agentToServerTestRoutes = [
  handle(calls.list, (call) => listTests(call, kind)),
  handle(calls.create, (call) => createTest(call, kind, agentToServerTestOf(call.service, call.body))),
  handle(calls.get, (call) => getTest(call, kind)),
  handle(calls.update, (call) => {
    if (call.body.server !== undefined) requireHost(call.body.server);
    return updateTest(call, kind, call.body);
  }),
  handle(calls.delete, (call) => deleteTest(call, kind)),
];

function requireHost(server: string): void {
  if (isHost(server)) return;
  const message = "must be a host name or an IP address, without scheme, port and path";
  throw standardStyle.invalid("body", [{ code: "invalid", field: "server", message }]);
}
