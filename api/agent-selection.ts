/**
 * Decides which agents a test selects, and which of them run it (docs/service/tests.md, Product limits). The review applies
 * these rules to the service's records, and the emulator to its own records.
 */
import type { z } from "zod";
import type { agentSelectorTypes, licenseType } from "./schemas";
import type { Membership } from "./tag-match";

type SelectorType = (typeof agentSelectorTypes)[number];

/** How a test selects agents of its account group. */
export interface AgentSelector {
  readonly agentSelectorType: string;
  readonly agents?: readonly string[];
  readonly endpointAgentLabels?: readonly string[];
  readonly tagIds?: readonly string[];
}

/**
 * Largest number of tests that an agent runs at the same time, by license. For embedded agents, only "far fewer" is documented.
 */
export const maxTestsPerAgent: Record<z.output<typeof licenseType>, number> = {
  advantage: 10,
  essentials: 4,
  embedded: 1,
  "embed-wireless-advantage": 1,
  "embed-wireless-essentials": 1,
};

/** A selector. If an agent has too many tests, it prefers those with the lower rank. */
interface Selector {
  readonly rank: number;
  /** Selects agents by their ids. Absent for selectors of labels and tags. */
  readonly choose?: (selection: AgentSelector) => (agentId: string) => boolean;
  /** Ids of the selected groups: labels or tags. */
  readonly groups?: (selection: AgentSelector) => readonly string[] | undefined;
  /**
   * True if it is unknown which agents an id without a group selects, and whether an agent needs one or all of several groups.
   */
  readonly unknown?: true;
}

const selectors: Record<SelectorType, Selector> = {
  "specific-agents": {
    rank: 0,
    choose: ({ agents }) => {
      const ids = new Set(agents);
      return (id) => ids.has(id);
    },
  },
  "agent-labels": { rank: 1, groups: ({ endpointAgentLabels }) => endpointAgentLabels },
  "agent-tags": { rank: 1, groups: ({ tagIds }) => tagIds, unknown: true },
  "all-agents": { rank: 2, choose: () => () => true },
};

/** Returns the ids of the agents that a test lists. */
export function namedAgents({ agentSelectorType, agents = [] }: AgentSelector): readonly string[] {
  return agentSelectorType === "specific-agents" ? agents : [];
}

/** Returns the ids of the labels or tags of a test. Ignores the lists of other selectors. */
export function groupsOf(selection: AgentSelector): readonly string[] {
  return selectorOf(selection)?.groups?.(selection) ?? [];
}

/**
 * Returns a test of agent ids; undefined for labels, tags and unknown selectors.
 */
export function choiceOf(selection: AgentSelector): ((agentId: string) => boolean) | undefined {
  return selectorOf(selection)?.choose?.(selection);
}

/** Whether this version knows the selector of a selection. */
export function isKnownSelector(selection: AgentSelector): boolean {
  return selectorOf(selection) !== undefined;
}

/**
 * Compiles a selection, so that reports can apply it to many agents. The result is undefined for an agent if its selection
 * cannot be determined. One of several labels is enough. It is not known whether an agent needs one or all of several tags, or
 * which agents an id without a tag selects.
 *
 * @param membersOf returns whether agents have a label or tag; undefined if it does not exist
 */
export function membershipOf(
  selection: AgentSelector,
  membersOf: (id: string) => ((agentId: string) => Membership) | undefined,
): (agentId: string) => Membership {
  const selector = selectorOf(selection);
  // An unknown selector may select any agent.
  if (!selector) return () => undefined;
  const { choose, unknown = false } = selector;
  if (choose) return choose(selection);
  const missing: Membership = unknown ? undefined : false;
  const groups = groupsOf(selection).map((id) => membersOf(id) ?? (() => missing));
  return (agentId) => {
    const members = groups.map((isMember) => isMember(agentId));
    if (unknown) return members.every((member) => member === members[0]) ? members[0] : undefined;
    return members.includes(true) ? true : members.includes(undefined) ? undefined : false;
  };
}

/** The properties that decide which tests an agent runs if it has more tests than its license allows. */
export interface Priority {
  readonly isPrioritized: boolean;
  readonly agentSelectorType: string;
}

/** Sorts prioritized tests first, then by selector: specific agents, then labels and tags, then all agents. */
export function byPriority(a: Priority, b: Priority): number {
  return Number(b.isPrioritized) - Number(a.isPrioritized) || rankOf(a) - rankOf(b);
}

/**
 * Assigns a test to the first agents of a selection. No other agent replaces an agent without remaining capacity.
 *
 * @param room number of further tests that each agent can run; this function decreases it
 * @param places indexes of the selected agents in `room`
 * @param most maximum number of agents that run the test
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
  return selectorOf({ agentSelectorType })?.rank ?? Object.keys(selectors).length;
}

function selectorOf({ agentSelectorType }: AgentSelector): Selector | undefined {
  return isSelector(agentSelectorType) ? selectors[agentSelectorType] : undefined;
}

function isSelector(word: string): word is SelectorType {
  return Object.hasOwn(selectors, word);
}
