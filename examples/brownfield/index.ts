/**
 * Manages records that were created in the UI. In this folder:
 *
 *   pulumi stack init dev
 *   pulumi config set endpoint-monitoring:baseUrl <base URL of the service or the emulator>
 *   pulumi config set --secret endpoint-monitoring:token
 *   npx endpoint-monitoring review   # shows adopted records and their changes; a Pulumi preview shows creates
 *   pulumi up
 */
import { AgentToServerTest, getTestsOutput, HttpServerTest, Label } from "pulumi-endpoint-monitoring";

// The first update adopts the record with the same name instead of creating one, and sets the properties below.
// With `protect`, Pulumi refuses to delete it. You can keep `adopt`, because it only affects a create.
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

// A new test.
new AgentToServerTest("gateway", {
  testName: "VPN gateway",
  server: "vpn.example.com",
  agentSelectorType: "agent-labels",
  endpointAgentLabels: [office.id],
});

// Lists the other tests of the account, without managing them.
export const others = getTestsOutput({}).apply((tests) =>
  tests.map(({ testName = "" }) => testName).filter((name) => name !== "Portal" && name !== "VPN gateway"),
);
