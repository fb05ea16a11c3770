/**
 * Which agents a test is for, and which of them run it (shared/api/README.md, Product limits). Review uses it on records of the
 * service, the emulator on its own.
 */
import type { z } from "zod";
import type { agentSelectorTypes, licenseType } from "./schemas";

type SelectorType = (typeof agentSelectorTypes)[number];

/** How a test chooses agents of its account group. */
export interface AgentSelection {
  readonly agentSelectorType: string;
  readonly agents?: readonly string[];
  readonly endpointAgentLabels?: readonly string[];
}

/** Tests an agent runs at once. Of embedded agents "far fewer" is said. */
export const testsAtOnce: Record<z.output<typeof licenseType>, number> = {
  advantage: 10,
  essentials: 4,
  embedded: 1,
  "embed-wireless-advantage": 1,
  "embed-wireless-essentials": 1,
};

/** How each selector chooses, and which test comes first on an agent that has too many: the lower rank. */
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
  // Agents do not say which tags they have.
  "agent-tags": { rank: 1, choose: () => () => false },
  "all-agents": { rank: 2, choose: () => () => true },
};

type Chooser = (
  selection: AgentSelection,
  agentsOfLabel: (labelId: string) => ReadonlySet<string> | undefined,
) => (agentId: string) => boolean;

/**
 * Prepares a selection, so that it can be held against the ids of many agents. A selector of a kind not known today chooses
 * nobody.
 *
 * @param agentsOfLabel ids of the agents a label is on; nothing where there is no such label
 */
export const chooserOf: Chooser = (selection, agentsOfLabel) =>
  isSelector(selection.agentSelectorType)
    ? selectors[selection.agentSelectorType].choose(selection, agentsOfLabel)
    : () => false;

/** What decides whose turn it is on an agent that has more tests than its licence runs. */
export interface Priority {
  readonly isPrioritized: boolean;
  readonly agentSelectorType: string;
}

/** Sorts prioritized tests first, then by selector: direct choice, then labels and tags, then all agents. */
export function byPriority(a: Priority, b: Priority): number {
  return Number(b.isPrioritized) - Number(a.isPrioritized) || rankOf(a) - rankOf(b);
}

/**
 * Gives a test to the agents at these places, the first ones that fit. A place that a full agent leaves is not given to another.
 *
 * @param room tests each agent has room for still; what is taken is taken off
 * @param most places that the test may use at all
 * @returns the places where it runs
 */
export function takeRoom(room: Uint8Array | Uint16Array, places: readonly number[], most: number): number[] {
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
