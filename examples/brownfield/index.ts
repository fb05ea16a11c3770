/**
 * Records that exist already. In this folder:
 *
 *   pulumi stack init dev
 *   pulumi config set endpoint-monitoring:baseUrl <root of the service, or of the emulator>
 *   pulumi config set --secret endpoint-monitoring:token
 *   npx endpoint-monitoring review   # what is adopted, and what changes in it: the engine's own preview shows creates
 *   pulumi up
 */
import { AgentToServerTest, getTestsOutput, HttpServerTest, Label } from "pulumi-endpoint-monitoring";

// Adopted: the first update manages the record of this name instead of creating another one, and changes in it what differs from here.
// `protect` keeps it from being deleted by mistake. `adopt` may stay: it matters to a create only.
const office = new Label(
  "office",
  { name: "Office", matchType: "or", filters: [{ key: "ssid", values: ["corp-*"] }], adopt: true },
  { protect: true },
);
new HttpServerTest(
  "portal",
  {
    testName: "Portal",
    url: "https://portal.example.com/health",
    interval: 120,
    adopt: true,
  },
  { protect: true },
);

// New, beside them.
new AgentToServerTest("gateway", {
  testName: "VPN gateway",
  server: "vpn.example.com",
  agentSelectorType: "agent-labels",
  endpointAgentLabels: [office.id],
});

// Tests that no program has adopted yet are only read.
export const others = getTestsOutput({}).apply((tests) =>
  tests.map(({ testName = "" }) => testName).filter((name) => name !== "Portal" && name !== "VPN gateway"),
);
