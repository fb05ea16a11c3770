/**
 * Tags of endpoint agents, the successor of labels, and tests that select by them. In this folder:
 *
 *   pulumi stack init dev
 *   pulumi config set endpoint-monitoring:baseUrl <root of the service, or of the emulator>
 *   pulumi config set --secret endpoint-monitoring:token
 *   pulumi up
 *
 * The token needs the permission "Edit tags", and every permission to view personal data of endpoint agents.
 */
import { AgentToServerTest, EndpointAgentTag, getTagsOutput } from "pulumi-endpoint-monitoring";

const gateways = { emea: "vpn.emea.example.com", apac: "vpn.apac.example.com" };

// Each region has a tag, and a test of its gateway from the agents that the tag matches.
const tags = Object.entries(gateways).map(([region, server]) => {
  const tag = new EndpointAgentTag(region, {
    key: "region",
    value: region,
    description: `Devices that are called ${region}-…`,
    matchType: "or",
    filters: [
      { key: "hostname", values: [`${region}-*`] },
      // Metadata that devices check in with. Which agents it matches is known to the service only.
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

/** Identifiers of the tags, by which programs of others select agents. */
export const tagIds = tags.map((tag) => tag.id);

/** Keys of the tags that the service itself provides. */
export const builtIn = getTagsOutput().apply((all) => all.filter((tag) => tag.builtIn).map((tag) => tag.key));
