/**
 * Declares tags of endpoint agents, which replace labels, and tests that select agents by tags. In this folder:
 *
 *   pulumi stack init dev
 *   pulumi config set endpoint-monitoring:baseUrl <base URL of the service or the emulator>
 *   pulumi config set --secret endpoint-monitoring:token
 *   pulumi up
 *
 * The token needs the permission "Edit tags", and all permissions to view personal data of endpoint agents.
 */
import { AgentToServerTest, EndpointAgentTag, getTagsOutput } from "pulumi-endpoint-monitoring";

const gateways = { emea: "vpn.emea.example.com", apac: "vpn.apac.example.com" };

// Each region has a tag, and a test of its gateway from the tag's agents.
const tags = Object.entries(gateways).map(([region, server]) => {
  const tag = new EndpointAgentTag(region, {
    key: "region",
    value: region,
    description: `Devices that are called ${region}-…`,
    matchType: "or",
    filters: [
      { key: "hostname", values: [`${region}-*`] },
      // Matches custom metadata of devices. Only the service knows the matching agents.
      { key: "region", scope: "custom", values: [region] },
    ],
  });
  new AgentToServerTest(`${region}-gateway`, {
    testName: `${region} gateway`,
    server,
    protocol: "tcp",
    interval: 300,
    agentSelectorType: "agent-tags",
    tagIds: [tag.id],
  });
  return tag;
});

/** Ids of the tags. Other programs can select agents by these ids. */
export const tagIds = tags.map((tag) => tag.id);

/** Keys of the service's built-in tags. */
export const builtIn = getTagsOutput().apply((all) => all.filter((tag) => tag.builtIn).map((tag) => tag.key));
