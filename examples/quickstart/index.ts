import * as pulumi from "@pulumi/pulumi";
import { AgentToServerTest, DynamicTest, HttpServerTest, Label } from "pulumi-endpoint-monitoring";

const config = new pulumi.Config("quickstart");

// Labels group agents by what they are; agents join and leave by themselves.
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

// Tests select agents by the labels' ids.
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

new DynamicTest("meetings", { testName: "Meetings", application: "webex", interval: 300 });

export const portalTestId = portal.testId;
