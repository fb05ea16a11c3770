/**
 * Descriptions in the plugin's schema that the SDK's JSDoc lacks: the meanings of words by property name, and replacements for
 * deprecated properties.
 */
export const meanings = {
  agentSelectorType: {
    "all-agents": "All enabled agents of the account group.",
    "specific-agents": "The agents that `agents` lists.",
    "agent-labels":
      "The agents with one of the labels in `endpointAgentLabels`. The service deprecates labels in favor of tags.",
    "agent-tags": "The agents with one of the tags in `tagIds`.",
  },
  application: { webex: "Webex.", zoom: "Zoom.", "microsoft-teams": "Microsoft Teams." },
  authType: { basic: "HTTP basic authentication.", ntlm: "NTLM authentication.", none: "No authentication." },
  ipVersion: {
    V4_ONLY: "IPv4 only.",
    V6_ONLY: "IPv6 only.",
    V6_PREFER: "IPv6 if available, and otherwise IPv4.",
    OS_DEFAULT: "The version that the agent's operating system chooses.",
  },
  matchType: { and: "An agent must match all filters.", or: "An agent must match at least one filter." },
  mode: { in: "Matches agents with one of the values.", "not-in": "Matches agents without these values." },
  onDestroy: {
    forget: "The agent stays as it is, and Pulumi no longer manages it.",
    disable: "The agent is disabled, and Pulumi no longer manages it.",
    delete: "The agent is deleted from the account.",
  },
  operator: { gte: "Greater than or equal.", lte: "Less than or equal." },
  order: { asc: "Ascending.", desc: "Descending." },
};

export const deprecations = {
  endpointAgentLabels:
    "The service deprecates labels of tests in favor of tags. Set `agentSelectorType` to `agent-tags`, and set `tagIds`.",
};
