/**
 * Declares the same tests in several account groups and accounts. Each account has a stack with its own credentials. Each resource names
 * its account group. In this folder, for each account:
 *
 *   pulumi stack init emea
 *   pulumi config set endpoint-monitoring:baseUrl <base URL of the service or the emulator>
 *   pulumi config set --secret endpoint-monitoring:token
 *   pulumi config set --path 'multi-account:groups[0]' <name of an account group>
 *   pulumi up
 */
import * as pulumi from "@pulumi/pulumi";
import { AgentToServerTest, getAccountGroupsOutput, Label } from "pulumi-endpoint-monitoring";

const names = new pulumi.Config("multi-account").requireObject<string[]>("groups");

// Returns the id of an account group, by its name. If the token's user cannot see the group, the update stops here.
const accountGroups = getAccountGroupsOutput();
const idOf = (name: string): pulumi.Output<string> =>
  accountGroups.apply((all) => {
    const found = all.find(({ accountGroupName }) => accountGroupName === name);
    if (found) return found.aid;
    const known = all.map(({ accountGroupName }) => accountGroupName).join(", ");
    throw new pulumi.RunError(`There is no account group ${name}. The token's user sees ${known}.`);
  });

// A test can only select labels of its own account group, so each group has its own label.
for (const name of names) {
  const accountGroupId = idOf(name);
  const laptops = new Label(`${name}: laptops`, {
    name: "Laptops",
    matchType: "and",
    filters: [{ key: "platform", values: ["Mac", "Windows"] }],
    accountGroupId,
  });
  new AgentToServerTest(`${name}: gateway`, {
    testName: "VPN gateway",
    server: "vpn.example.com",
    protocol: "tcp",
    interval: 300,
    agentSelectorType: "agent-labels",
    endpointAgentLabels: [laptops.id],
    accountGroupId,
  });
}
