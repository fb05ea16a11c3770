import { endpointAgentTag } from "../../provider/resources/endpoint-agent-tag";
import type { Agent, Holdings } from "../../provider/reach/holdings";
import { byAge, WorldObjects } from "../../provider/reach/objects";
import { World } from "../../provider/reach/world";
import { isSame } from "../../provider/shape";
import { isObject, type Properties } from "../../provider/values";

/** Whether a test selects the same agents by tags as by labels. */
export type AgentsVerdict = "same" | "same-if" | "differ" | "unknown";

/** Verdicts in words. The syntax of values is documented for labels and not for tags. */
export const verdictWords: Record<AgentsVerdict, string> = {
  same: "the same agents",
  "same-if": "the same agents if tags read values as labels do, which is likely and not documented",
  differ: "other agents",
  unknown: "cannot be determined",
};

/** Reason for tests of several labels with different agents. One of several labels is enough. */
const severalTags = "it selects by several tags, and whether agents need one or all of them is not known";

/** The agents of a test, selected by its labels and by their tags. */
export interface AgentsOfTest {
  readonly verdict: AgentsVerdict;
  /** How many agents its labels select. */
  readonly selected?: number;
  /** Names of agents that only the tags select, and of those that only the labels do. */
  readonly gained: readonly string[];
  readonly lost: readonly string[];
  /** How many agents cannot be determined by what is documented of tags. */
  readonly unclear: number;
  /** The reason of an unknown verdict, as the end of a sentence. */
  readonly why?: string;
  /** `maxMachines`, where more agents are selected: which of them run the test is the service's choice, and may change. */
  readonly atMost?: number;
}

/** Inputs of a label and of its tag. */
export interface TagOfLabel {
  readonly label: Properties;
  readonly tag: Properties;
}

/**
 * Compares the agents that tests select by labels with those that they select by tags.
 *
 * @param ids of the tests
 * @param tags by the label's id
 */
export function compareAgents(
  holdings: Holdings,
  ids: readonly string[],
  tags: ReadonlyMap<string, TagOfLabel>,
): Map<string, AgentsOfTest> {
  const objects = new WorldObjects(undefined);
  const records = new Map(holdings.records.toSorted(byAge).map((one) => [one.id, one]));
  for (const { kind, id, accountGroupId, state } of records.values()) objects.put(kind, id, { ...state, accountGroupId });
  const before = new World(holdings.agents, new Map(objects.groups), new Map(objects.tests), holdings.isComplete);
  for (const [id, { tag }] of tags) {
    const accountGroupId = records.get(id)?.accountGroupId ?? tag["accountGroupId"];
    objects.put(endpointAgentTag, keyOfTag(id), { ...tag, accountGroupId });
  }
  const tests = ids.flatMap((id) => records.get(id) ?? []);
  for (const { kind, id, accountGroupId, state } of tests) {
    const tagIds = labelsOf(state).map(keyOfTag);
    const { endpointAgentLabels: _labels, ...rest } = state;
    objects.put(kind, id, { ...rest, accountGroupId, agentSelectorType: "agent-tags", tagIds });
  }
  const after = new World(holdings.agents, objects.groups, objects.tests, holdings.isComplete);
  return new Map(tests.map(({ id, state }) => [id, agentsOf(before, after, id, labelsOf(state), tags)]));
}

/** Ids of the labels that a test selects by. */
export function labelsOf({ agentSelectorType, endpointAgentLabels }: Properties): string[] {
  return agentSelectorType === "agent-labels" && Array.isArray(endpointAgentLabels) ? endpointAgentLabels.map(String) : [];
}

function keyOfTag(labelId: string): string {
  return `tag of ${labelId}`;
}

function agentsOf(
  before: World,
  after: World,
  id: string,
  labels: readonly string[],
  tags: ReadonlyMap<string, TagOfLabel>,
): AgentsOfTest {
  const none = { gained: [], lost: [], unclear: 0 };
  const [now, then] = [before.selectedBy(id), after.selectedBy(id)];
  if (labels.some((label) => !tags.has(label)))
    return { verdict: "unknown", ...none, why: "one of its labels has no tag here" };
  if (!now?.value || !then?.value) return { verdict: "unknown", ...none, why: now?.why ?? then?.why ?? "it was not found" };
  const { agents, count } = now.value;
  const gained = namesOf(then.value.agents, [...agents, ...now.value.unclear.agents]);
  const lost = namesOf(agents, [...then.value.agents, ...then.value.unclear.agents]);
  const unclear = then.value.unclear.agents.length;
  const differs = { selected: agents.length, ...(count < agents.length && { atMost: count }), gained, lost, unclear };
  if (gained.length + lost.length > 0) return { verdict: "differ", ...differs };
  if (unclear === 0) return { verdict: "same", ...differs };
  const isLikely = [...tags].every(([label, of]) => !labels.includes(label) || hasSameRule(of)) && areAlike(before, labels, id);
  if (isLikely) return { verdict: "same-if", ...differs };
  return { verdict: "unknown", ...differs, why: labels.length > 1 ? severalTags : then.value.unclear.why };
}

/** Whether a tag has the rule of its label. */
function hasSameRule({ label, tag }: TagOfLabel): boolean {
  if (label["matchType"] !== tag["matchType"]) return false;
  return isSame(endpointAgentTag, "filters", withScope(label["filters"]), tag["filters"]);
}

/** Filters of a label as those of a tag. */
export function withScope(filters: unknown): unknown {
  return Array.isArray(filters) ? filters.map((one) => (isObject(one) ? { scope: "default", ...one } : one)) : filters;
}

/** Whether all labels of a test have the same agents, so that all of its tags select what one of them does. */
function areAlike(world: World, labels: readonly string[], test: string): boolean {
  const able = new Set(world.able(world.tests.get(test)?.accountGroupId ?? "").map(({ id }) => id));
  const members = labels.map((label) => {
    const agents = world.selectedBy(label)?.value?.agents ?? [];
    return agents.flatMap(({ id }) => (able.has(id) ? [id] : [])).toSorted();
  });
  return members.every((one) => one.join() === members[0]?.join());
}

/** Names of agents that are not among others. */
function namesOf(all: readonly Agent[], others: readonly Agent[]): string[] {
  const ids = new Set(others.map(({ id }) => id));
  return all.flatMap(({ id, name }) => (ids.has(id) ? [] : [name]));
}
