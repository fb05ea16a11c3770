import { z } from "zod";
import { port, type AgentToServerTestRecord } from "../../api";
import { property } from "../property";
import { hostOf, sameHost, samePort, serverRules } from "./addresses";
import { testKind } from "./test-kind";
import { testProperties } from "./test-properties";

export const serverProperties = {
  server: property(z.string().min(1), {
    same: sameHost,
    read: ({ server }: AgentToServerTestRecord) => (server === undefined ? undefined : hostOf(server)),
  }),
  port: property(port.default(443), { same: samePort }),
};

/** A scheduled test of the network path from agents to a server. */
export const agentToServerTest = testKind({
  name: "AgentToServerTest",
  noun: "agent-to-server test",
  properties: { ...serverProperties, tcpProbeMode: { ...testProperties.tcpProbeMode, setOn: "update" } },
  rules: serverRules,
  instant: "AgentToServerInstantTest",
  onDemand: () => ({ http: false, network: true }),
  calls: (client) => client.agentToServerTests,
});
