import { z } from "zod";
import { port, type AgentToServerTestRecord } from "../../api";
import { hostOf, sameHost, serverRules } from "./addresses";
import { testInputs } from "./test-fields";
import { testKind } from "./test-kind";

const inputs = z.strictObject({
  ...testInputs,
  /** Target host name or IP address, without a port. Upper and lower case are the same. */
  server: z.string().min(1),
  /** Target port, 1 to 65535. Default: 443. */
  port: port.default(443),
});

/** A scheduled test of the network path from agents to a server. */
export const agentToServerTest = testKind({
  name: "AgentToServerTest",
  noun: "agent-to-server test",
  schema: inputs,
  createOnly: [],
  updateOnly: ["isEnabled", "tcpProbeMode"],
  writeOnly: [],
  leftToService: [],
  same: { server: sameHost },
  rules: serverRules,
  toInputs: (record: AgentToServerTestRecord) => ({
    server: record.server === undefined ? undefined : hostOf(record.server),
    port: record.port,
  }),
  onDemand: () => ({ http: false, network: true }),
  calls: (client) => client.agentToServerTests,
});
