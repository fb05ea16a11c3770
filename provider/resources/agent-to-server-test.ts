import { z } from "zod";
import { port, type AgentToServerTestRecord } from "../../api";
import { kind } from "../kind";
import { hostOf, sameHost } from "./addresses";
import {
  selectionRules,
  testCreateOnly,
  testInputs,
  testReplacementCost,
  testSame,
  testToInputs,
  testToOutputs,
} from "./test-fields";
import { testOperationsOf } from "./test-operations";

const inputs = z.strictObject({
  ...testInputs,
  /** Target host name or IP address, without a port. Upper and lower case are the same. */
  server: z.string().min(1),
  /** Target port, 1 to 65535. Default: 443. */
  port: port.default(443),
});

/** A scheduled test of the network path from agents to a server. */
export const agentToServerTest = kind({
  name: "AgentToServerTest",
  noun: "agent-to-server test",
  schema: inputs,
  nameProperty: "testName",
  createOnly: testCreateOnly,
  updateOnly: ["isEnabled", "tcpProbeMode"],
  writeOnly: [],
  leftToService: ["ipVersion", "accountGroupId"],
  replacementCost: testReplacementCost,
  same: { ...testSame, server: sameHost },
  rules: (given, named) => [
    ...selectionRules(given, named),
    ...(given.server !== undefined && hostOf(given.server) !== given.server.toLowerCase()
      ? [{ path: "server", reason: "must be a host name or an IP address alone; the port goes into port" }]
      : []),
  ],
  idOf: (record: AgentToServerTestRecord) => record.testId,
  toInputs: (record) => ({
    ...testToInputs(record),
    server: record.server === undefined ? undefined : hostOf(record.server),
    port: record.port,
  }),
  toOutputs: (record) => testToOutputs(record),
  isWhole: () => true,
  operations: (client) => testOperationsOf(client.agentToServerTests),
});
