/**
 * A program with tests of its own: index.test.mts needs neither an engine nor a service, engine.test.mts runs it on the engine. In this
 * folder:
 *
 *   node --test index.test.mts
 */
import * as pulumi from "@pulumi/pulumi";
import { AgentToServerTest, getLabelOutput } from "pulumi-endpoint-monitoring";

const config = new pulumi.Config("unit-tests");

// The label is managed elsewhere: the program looks it up.
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
