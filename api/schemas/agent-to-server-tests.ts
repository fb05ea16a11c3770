import { z } from "zod";
import { port, testOperations, testRecord, testRequest, testUpdate } from "./tests";

/** Body of an agent-to-server test create. `isEnabled` and `tcpProbeMode` are not among it: PATCH sets them. */
export const agentToServerTestRequest = z.object({
  ...testRequest,
  /** Old name of `server`, deprecated; still taken. */
  serverName: z.string().optional(),
  server: z.string().min(1),
  port: port.optional(),
});

export const agentToServerTestUpdate = z.object({
  ...testUpdate,
  server: z.string().min(1).optional(),
  port: port.optional(),
});

export const agentToServerTest = z.looseObject({
  ...testRecord,
  type: z.string().optional(),
  server: z.string().optional(),
  port: z.number().optional(),
  isSavedEvent: z.boolean().optional(),
});
export type AgentToServerTestRecord = z.output<typeof agentToServerTest>;

export const agentToServerTestOperations = testOperations(
  "tests.agentToServer",
  "/v7/endpoint/tests/scheduled-tests/agent-to-server",
  { create: agentToServerTestRequest, update: agentToServerTestUpdate, record: agentToServerTest },
);
