import { endpointAgentTag } from "../../provider/resources/endpoint-agent-tag";
import type { Agent, Holdings } from "../../provider/reach/holdings";
import { byAge, WorldObjects } from "../../provider/reach/objects";
import { World } from "../../provider/reach/world";
import { isSame } from "../../provider/shape";
import { isObject, type Properties } from "../../provider/values";

/** What becomes of the agents of a test: one word for each thing that can be known of it. */
export type AgentsVerdict = "same" | "same-if" | "differ" | "unknown";

/** Each verdict as people read it. The syntax of values is documented for labels and not for tags. */
export const verdictWords: Record<AgentsVerdict, string> = {
  same: "the same agents",
  "same-if": "the same agents if tags read values as labels do, which is likely and not documented",
  differ: "other agents",
  unknown: "cannot be determined",
};

/** Why nothing is known of a test with several labels, which have different agents: one of them is enough. */
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
  /** Why it cannot be determined: the end of a sentence. */
  readonly why?: string;
  /** `maxMachines`, where more agents are selected: which of them run the test is the service's choice, and may change. */
  readonly atMost?: number;
}

/** A label and what its tag says, or is to say. */
export interface TagOfLabel {
  readonly label: Properties;
  readonly tag: Properties;
}

/**
 * Compares for each test that selects by labels whom it selects by them, and by their tags.
 *
 * @param tags what the tag of a label says, by the label's id
 * @returns by the test's id
 */
export function compareAgents(holdings: Holdings, tags: ReadonlyMap<string, TagOfLabel>): Map<string, AgentsOfTest> {
  const objects = new WorldObjects(undefined);
  const records = holdings.records.toSorted(byAge);
  for (const { kind, id, accountGroupId, state } of records) objects.put(kind, id, { ...state, accountGroupId });
  const before = new World(holdings.agents, new Map(objects.groups), new Map(objects.tests), holdings.isComplete);
  const tests = records.filter(({ kind, state }) => kind.reach?.means === "test" && labelsOf(state).length > 0);
  const groups = new Map(records.map(({ id, accountGroupId }) => [id, accountGroupId]));
  for (const [id, { tag }] of tags) {
    objects.put(endpointAgentTag, keyOfTag(id), { ...tag, accountGroupId: groups.get(id) ?? tag["accountGroupId"] });
  }
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
  const found = { selected: agents.length, ...(count < agents.length && { atMost: count }) };
  const gained = without(then.value.agents, [...agents, ...now.value.unclear.agents]);
  const lost = without(agents, [...then.value.agents, ...then.value.unclear.agents]);
  const unclear = then.value.unclear.agents.length;
  const differs = { ...found, gained: gained.map(nameOf), lost: lost.map(nameOf), unclear };
  if (gained.length + lost.length > 0) return { verdict: "differ", ...differs };
  if (unclear === 0) return { verdict: "same", ...differs };
  const isLikely = labels.every((label) => hasSameRule(tags.get(label))) && areAlike(before, labels, id);
  if (isLikely) return { verdict: "same-if", ...differs };
  return { verdict: "unknown", ...differs, why: labels.length > 1 ? severalTags : then.value.unclear.why };
}

/** Whether a tag says what its label does. */
function hasSameRule(of: TagOfLabel | undefined): boolean {
  if (!of) return false;
  const { label, tag } = of;
  return (
    label["matchType"] === tag["matchType"] && isSame(endpointAgentTag, "filters", withScope(label["filters"]), tag["filters"])
  );
}

/** Filters of a label as those of a tag. */
export function withScope(filters: unknown): unknown {
  return Array.isArray(filters) ? filters.map((one) => (isObject(one) ? { scope: "default", ...one } : one)) : filters;
}

/** Whether the labels of a test have the same agents, so that it does not matter whether a test needs all of several tags or one. */
function areAlike(world: World, labels: readonly string[], test: string): boolean {
  const able = new Set(world.able(world.tests.get(test)?.accountGroupId ?? "").map(({ id }) => id));
  const members = labels.map((label) => {
    const agents = world.selectedBy(label)?.value?.agents ?? [];
    return agents.flatMap(({ id }) => (able.has(id) ? [id] : [])).toSorted();
  });
  return members.every((one) => one.join() === members[0]?.join());
}

function without(all: readonly Agent[], some: readonly Agent[]): Agent[] {
  const ids = new Set(some.map(({ id }) => id));
  return all.filter(({ id }) => !ids.has(id));
}

function nameOf({ name }: Agent): string {
  return name;
}
