/**
 * Decides which agents a test selects, and which of them run it (shared/api/README.md, Product limits). Review applies it to records of
 * the service, and the emulator to its own.
 */
import type { z } from "zod";
import type { agentSelectorTypes, licenseType } from "./schemas";

type SelectorType = (typeof agentSelectorTypes)[number];

/** How a test selects agents of its account group. */
export interface AgentSelector {
  readonly agentSelectorType: string;
  readonly agents?: readonly string[];
  readonly endpointAgentLabels?: readonly string[];
}

/** Largest number of tests that an agent runs at the same time, by license. For embedded agents only "far fewer" is documented. */
export const maxTestsPerAgent: Record<z.output<typeof licenseType>, number> = {
  advantage: 10,
  essentials: 4,
  embedded: 1,
  "embed-wireless-advantage": 1,
  "embed-wireless-essentials": 1,
};

/** How each selector selects agents, and its rank: an agent with too many tests prefers the test with the lower rank. */
const selectors: Record<SelectorType, { rank: number; choose: Chooser }> = {
  "specific-agents": {
    rank: 0,
    choose: ({ agents }) => {
      const ids = new Set(agents);
      return (id) => ids.has(id);
    },
  },
  "agent-labels": {
    rank: 1,
    choose: ({ endpointAgentLabels = [] }, agentsOfLabel) => {
      const sets = endpointAgentLabels.flatMap((id) => agentsOfLabel(id) ?? []);
      return (id) => sets.some((set) => set.has(id));
    },
  },
  // The service does not return the tags of an agent.
  "agent-tags": { rank: 1, choose: () => () => false },
  "all-agents": { rank: 2, choose: () => () => true },
};

type Chooser = (
  selection: AgentSelector,
  agentsOfLabel: (labelId: string) => ReadonlySet<string> | undefined,
) => (agentId: string) => boolean;

/**
 * Prepares a selection that can be applied to the ids of many agents. An unknown selector selects no agent.
 *
 * @param agentsOfLabel returns the ids of the agents with a label; undefined if there is no such label
 */
export const chooserOf: Chooser = (selection, agentsOfLabel) =>
  isSelector(selection.agentSelectorType)
    ? selectors[selection.agentSelectorType].choose(selection, agentsOfLabel)
    : () => false;

/** The properties that decide which tests an agent runs when it has more than its license allows. */
export interface Priority {
  readonly isPrioritized: boolean;
  readonly agentSelectorType: string;
}

/** Sorts prioritized tests first, then by selector: specific agents, then labels and tags, then all agents. */
export function byPriority(a: Priority, b: Priority): number {
  return Number(b.isPrioritized) - Number(a.isPrioritized) || rankOf(a) - rankOf(b);
}

/**
 * Assigns a test to the first agents of a selection. If one of them has no room, no other agent replaces it.
 *
 * @param room remaining number of tests for each agent, which this decreases
 * @param places indexes of the selected agents in `room`
 * @param most largest number of agents that may run the test
 * @returns the indexes of the agents that run the test
 */
export function assignTest(room: Uint8Array | Uint16Array, places: readonly number[], most: number): number[] {
  return places.slice(0, most).filter((place) => {
    const free = room[place] ?? 0;
    if (free > 0) room[place] = free - 1;
    return free > 0;
  });
}

function rankOf({ agentSelectorType }: Priority): number {
  return isSelector(agentSelectorType) ? selectors[agentSelectorType].rank : Object.keys(selectors).length;
}

function isSelector(word: string): word is SelectorType {
  return Object.hasOwn(selectors, word);
}
