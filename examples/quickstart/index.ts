/**
 * Labels and tests of the Endpoint Monitoring Service as code. In this folder:
 *
 *   pulumi stack init dev
 *   pulumi config set endpoint-monitoring:baseUrl <base URL of the service or the emulator>
 *   pulumi config set --secret endpoint-monitoring:token
 *   pulumi config set --secret quickstart:probePassword
 *   pulumi up
 */
import * as pulumi from "@pulumi/pulumi";
import { AgentToServerTest, DynamicTest, HttpServerTest, Label } from "pulumi-endpoint-monitoring";

const config = new pulumi.Config("quickstart");

// A label selects the agents that match its filters. Agents join and leave a label automatically.
const office = new Label("office", {
  name: "Office",
  color: "#2266cc",
  matchType: "or",
  filters: [
    { key: "local-network", values: ["10.20.0.0/16"] },
    { key: "ssid", values: ["corp-*"] },
  ],
});
const remote = new Label("remote", {
  name: "Remote on VPN",
  matchType: "and",
  filters: [
    { key: "vpn-vendor", values: ["cisco-anyconnect"] },
    { key: "local-network", mode: "not-in", values: ["10.20.0.0/16"] },
  ],
});
const laptops = new Label("laptops", {
  name: "Laptops on Wi-Fi",
  matchType: "and",
  filters: [
    { key: "connection", values: ["Wireless"] },
    { key: "platform", values: ["Mac", "Windows"] },
  ],
});

// A test runs on the agents of its labels. Pulumi creates the label first, because the test uses `remote.id`.
new AgentToServerTest("vpn-gateway", {
  testName: "VPN gateway",
  server: "vpn.example.com",
  protocol: "tcp",
  interval: 300,
  agentSelectorType: "agent-labels",
  endpointAgentLabels: [remote.id],
});
new AgentToServerTest("dns", {
  testName: "Office DNS",
  server: "10.20.0.53",
  port: 53,
  agentSelectorType: "agent-labels",
  endpointAgentLabels: [office.id],
  maxMachines: 50,
});

// The stack's state contains the password in encrypted form.
const portal = new HttpServerTest("portal", {
  testName: "Portal",
  url: "https://portal.example.com/health",
  interval: 120,
  authType: "basic",
  username: "probe",
  password: config.requireSecret("probePassword"),
  agentSelectorType: "agent-labels",
  endpointAgentLabels: [office.id, remote.id],
});
new HttpServerTest("intranet", {
  testName: "Intranet",
  url: "https://intranet.example.com",
  httpTimeLimit: 3000,
  agentSelectorType: "agent-labels",
  endpointAgentLabels: [laptops.id],
});

// A dynamic test names an application instead of a server.
new DynamicTest("meetings", { testName: "Meetings", application: "webex", interval: 300 });

export const portalTestId = portal.testId;
