/** Decides which agents run a test (docs/service/tests.md, Product limits). */
import type { z } from "zod";
import type { agentSelectorTypes, licenseType } from "./schemas";
import type { Membership } from "./tag-match";

type SelectorType = (typeof agentSelectorTypes)[number];

export interface AgentSelector {
  readonly agentSelectorType: string;
  readonly agents?: readonly string[];
  readonly endpointAgentLabels?: readonly string[];
  readonly tagIds?: readonly string[];
}

/**
 * Largest number of tests that an agent runs at the same time, by license. For embedded agents, the documentation states only "far fewer".
 * This package assumes 1.
 */
export const maxTestsPerAgent: Record<z.output<typeof licenseType>, number> = {
  advantage: 10,
  essentials: 4,
  embedded: 1,
  "embed-wireless-advantage": 1,
  "embed-wireless-essentials": 1,
};

interface Selector {
  readonly rank: number;
  readonly choose?: (selection: AgentSelector) => (agentId: string) => boolean;
  /** Returns the ids of the labels or tags that select agents. */
  readonly groups?: (selection: AgentSelector) => readonly string[] | undefined;
  /** True for tags. The documentation does not define whether an agent needs one or all of a test's tags. */
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

export function namedAgents({ agentSelectorType, agents = [] }: AgentSelector): readonly string[] {
  return agentSelectorType === "specific-agents" ? agents : [];
}

/**
 * Returns the ids of the labels or tags that select a test's agents. Label ids are used only with the selector `agent-labels`, and tag ids
 * only with `agent-tags`.
 */
export function groupsOf(selection: AgentSelector): readonly string[] {
  return selectorOf(selection)?.groups?.(selection) ?? [];
}

/** Returns a function that checks whether a test selects an agent id; undefined if the test selects agents by label or tag. */
export function choiceOf(selection: AgentSelector): ((agentId: string) => boolean) | undefined {
  return selectorOf(selection)?.choose?.(selection);
}

export function isKnownSelector(selection: AgentSelector): boolean {
  return selectorOf(selection) !== undefined;
}

/**
 * Compiles a test's agent selection into a function that returns whether the test selects an agent. The compiled function returns undefined
 * if the documentation does not define whether the test selects the agent. A test with several labels selects agents with at least one of
 * the labels. The service does not document whether a test with several tags requires one tag or all tags.
 *
 * @param membersOf returns a function that checks whether an agent has a label or tag; undefined if the label or tag does not
 * exist
 */
export function membershipOf(
  selection: AgentSelector,
  membersOf: (id: string) => ((agentId: string) => Membership) | undefined,
): (agentId: string) => Membership {
  const selector = selectorOf(selection);
  // A selector of an unknown type may select any agent.
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

export interface Priority {
  readonly isPrioritized: boolean;
  readonly agentSelectorType: string;
}

/**
 * Sorts prioritized tests first. Tests of equal priority are sorted by selector: specific agents first, then labels and tags,
 * then all agents.
 */
export function byPriority(a: Priority, b: Priority): number {
  return Number(b.isPrioritized) - Number(a.isPrioritized) || rankOf(a) - rankOf(b);
}

/**
 * Assigns a test to the first `most` agents in `places`. An agent without free capacity is skipped, and no other agent takes
 * its place.
 *
 * @param room number of additional tests that each agent can run; the function subtracts 1 for each assigned agent
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
