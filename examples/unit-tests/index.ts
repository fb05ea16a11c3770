/**
 * A program with tests. index.test.mts is a unit test, and engine.test.mts runs the program on the engine. To run the unit test in this
 * folder:
 *
 *   node --test index.test.mts
 */
import * as pulumi from "@pulumi/pulumi";
import { AgentToServerTest, getLabelOutput } from "pulumi-endpoint-monitoring";

const config = new pulumi.Config("unit-tests");

// Another program manages this label, so this program looks it up.
const office = getLabelOutput({ name: config.get("label") ?? "Office" });

export const gateways = ["vpn-eu.example.com", "vpn-us.example.com"].map(
  (server) =>
    new AgentToServerTest(server, {
      testName: `Gateway ${server}`,
      server,
      protocol: "tcp",
      interval: 300,
      agentSelectorType: "agent-labels",
      endpointAgentLabels: [office.id],
    }),
);
