import { z } from "zod";
import { port, testOperations, testRecord, testRequest, testUpdate } from "./tests";

/** Request body to create an agent-to-server test. Only an update can set `isEnabled` and `tcpProbeMode`. */
export const agentToServerTestRequest = z.object({
  ...testRequest,
  /** Deprecated name of `server`. */
  serverName: z.string().optional(),
  /** Host name or IP address of the target. */
  server: z.string().min(1),
  /** Port of the target, 1 to 65535. Default: 443. */
  port: port.optional(),
});
export type AgentToServerTestRequest = z.output<typeof agentToServerTestRequest>;

/** Request body to update an agent-to-server test. Members that an update omits probably keep their values. */
export const agentToServerTestUpdate = z.object({
  ...testUpdate,
  /** Host name or IP address of the target. */
  server: z.string().min(1).optional(),
  /**
   * Port of the target, 1 to 65535. Send the port in every update request, because update and create requests have different documented
   * defaults.
   */
  port: port.optional(),
});
export type AgentToServerTestUpdate = z.output<typeof agentToServerTestUpdate>;

/** An agent-to-server test. */
export const agentToServerTest = z.looseObject({
  ...testRecord,
  /** Type of the test: `agent-to-server`. */
  type: z.string().optional(),
  /** Host name or IP address of the target. */
  server: z.string().optional(),
  /** Port of the target. */
  port: z.number().optional(),
  /** Whether the record is a saved snapshot of a test instead of a running test. */
  isSavedEvent: z.boolean().optional(),
});
export type AgentToServerTestRecord = z.output<typeof agentToServerTest>;

export const agentToServerTestOperations = testOperations(
  "tests.agentToServer",
  "/v7/endpoint/tests/scheduled-tests/agent-to-server",
  { create: agentToServerTestRequest, update: agentToServerTestUpdate, record: agentToServerTest },
);
