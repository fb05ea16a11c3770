// Written by `npm run generate` from the schemas; change it there.

/** The agents of a test. */
export interface AgentSelectorConfig {
  /** How agents are chosen: `all-agents`, `specific-agents`, `agent-labels` or `agent-tags`. */
  agentSelectorType: string;
  /** Largest number of agents that run the test. */
  maxMachines?: number;
  /** Identifiers of agents, with `specific-agents`. */
  agents?: string[];
  /** Identifiers of labels, with `agent-labels`. */
  endpointAgentLabels?: string[];
  /** Identifiers of tags, with `agent-tags`. */
  tagIds?: string[];
}
