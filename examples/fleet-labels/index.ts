/**
 * Declares a label and a test for each site in sites.json. To add a site, add a line. In this folder:
 *
 *   pulumi stack init dev
 *   pulumi config set endpoint-monitoring:baseUrl <base URL of the service or the emulator>
 *   pulumi config set --secret endpoint-monitoring:token
 *   pulumi up
 */
import { readFileSync } from "node:fs";
import { AgentToServerTest, Label } from "pulumi-endpoint-monitoring";

interface Site {
  name: string;
  network: string;
  ssids: string[];
  gateway: string;
}

const sites = JSON.parse(readFileSync("sites.json", "utf8")) as Site[];

// Each site has a label, and a test of its gateway from the label's agents.
const labels = sites.map((site) => {
  const key = site.name.toLowerCase();
  const label = new Label(key, {
    name: site.name,
    matchType: "or",
    filters: [
      { key: "local-network", values: [site.network] },
      { key: "ssid", values: site.ssids },
    ],
  });
  new AgentToServerTest(`${key}-gateway`, {
    testName: `${site.name} gateway`,
    server: site.gateway,
    protocol: "tcp",
    interval: 300,
    agentSelectorType: "agent-labels",
    endpointAgentLabels: [label.id],
  });
  return label;
});

// One test runs at all sites.
new AgentToServerTest("headquarters", {
  testName: "Headquarters from all sites",
  server: "hq.example.com",
  agentSelectorType: "agent-labels",
  endpointAgentLabels: labels.map((label) => label.id),
  maxMachines: 100,
});
