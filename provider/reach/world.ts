import { groupsOf, isKnownSelector, membershipOf } from "../../api/agent-selection";
import type { Membership, TagRule } from "../../api/tag-match";
import type { GroupTest, ReachDeclaration, Schedule } from "../reach";
import { hasUnknown, type Properties } from "../values";
import type { ServiceAgent } from "./holdings";

/** A value, or the reason why the value is unknown, as the end of a sentence. */
export type Knowledge<T> = { value: T; why?: undefined } | { value?: undefined; why: string };

/** A label or tag before or after a change. The key of a label or tag is its id, or its URN if it does not exist yet. */
export interface GroupState {
  accountGroupId: string | undefined;
  rule: Knowledge<TagRule>;
  test: Knowledge<GroupTest>;
  selector: string;
  unclear: string;
  isSearchable: boolean;
}

export interface TestState {
  accountGroupId: string | undefined;
  scheduled: boolean;
  off: boolean;
  schedule: Knowledge<Schedule>;
  /** Rank by age. Among tests of equal priority, agents prefer the test with the lowest rank, which is the oldest test. */
  age: number;
}

export interface SelectedAgents {
  /** Agents that are certainly selected, in the service's order. */
  agents: readonly ServiceAgent[];
  /** Agents that may be selected, with the reason for the uncertainty. */
  unclear: { agents: readonly ServiceAgent[]; why: string };
  /** Number of selected agents that run the test, at most `maxMachines`. */
  count: number;
  /** Whether all agents of the account group are selected. */
  all: boolean;
}

/** The reason why the selected agents are unknown if a test has several tags or a nonexistent tag. */
const tagsUnknown = "a tag does not exist, or it has several tags and it is not known whether agents need all tags";

const selectorUnknown = "this version does not know its agentSelectorType";

const agentsUnread = "the agents could not be read";
const groupsUnread = "its labels or tags could not be read";
const valueUnknown = "it depends on a value that is secret or known only after the update";

const nobody: SelectedAgents = { agents: [], unclear: { agents: [], why: "" }, count: 0, all: false };

type IsMember = (agentId: string) => Membership;

export class World {
  readonly #members = new Map<string, Knowledge<IsMember> | undefined>();
  readonly #selected = new Map<string, Knowledge<SelectedAgents>>();

  constructor(
    /** Agents by account group. The map does not contain account groups with agents that could not be read. */
    readonly agents: ReadonlyMap<string, readonly ServiceAgent[]>,
    readonly groups: ReadonlyMap<string, GroupState>,
    readonly tests: ReadonlyMap<string, TestState>,
    /**
     * Whether all labels and tags were read. After a failed list request, an existing label or tag may be missing in
     * `groups`.
     */
    private readonly isComplete: boolean,
  ) {}

  /** Returns the agents that a label, tag or test selects, or undefined for an unknown key. */
  selectedBy(key: string): Knowledge<SelectedAgents> | undefined {
    const known = this.#selected.get(key);
    if (known) return known;
    const [group, test] = [this.groups.get(key), this.tests.get(key)];
    const selected = group ? this.#ofGroup(key, group) : test ? this.#ofTest(test) : undefined;
    if (selected) this.#selected.set(key, selected);
    return selected;
  }

  /** Returns the enabled agents with a label or tag, or the agents that run a test. Returns undefined for an unknown key. */
  reachedBy(key: string): Knowledge<SelectedAgents> | undefined {
    const group = this.groups.get(key);
    if (!group) return this.tests.get(key)?.off ? { value: nobody } : this.selectedBy(key);
    const selected = this.selectedBy(key);
    if (!selected?.value) return selected;
    const agents = selected.value.agents.filter(({ enabled }) => enabled);
    const unclear = { ...selected.value.unclear, agents: selected.value.unclear.agents.filter(({ enabled }) => enabled) };
    const all = agents.length > 0 && agents.length === this.able(group.accountGroupId ?? "").length;
    return { value: { agents, unclear, count: agents.length, all } };
  }

  hasDisabled(key: string): boolean {
    const { accountGroupId = "" } = this.groups.get(key) ?? this.tests.get(key) ?? {};
    return this.able(accountGroupId).length < (this.agents.get(accountGroupId)?.length ?? 0);
  }

  selectsDisabled(key: string): boolean {
    const [group, test] = [this.groups.get(key), this.tests.get(key)];
    if (group) return this.selectedBy(key)?.value?.agents.some(({ enabled }) => !enabled) ?? false;
    const schedule = test?.schedule.value;
    if (!schedule) return false;
    const isChosen = membershipOf(schedule, (groupId) => this.#groupFor(schedule, groupId)?.value);
    return (this.agents.get(test.accountGroupId ?? "") ?? []).some(({ id, enabled }) => !enabled && isChosen(id) === true);
  }

  able(accountGroupId: string): readonly ServiceAgent[] {
    return (this.agents.get(accountGroupId) ?? []).filter(({ enabled }) => enabled);
  }

  /** Returns the keys of the scheduled tests that select agents by a label or tag. */
  testsOf(group: string): string[] {
    return [...this.tests].flatMap(([key, { scheduled, schedule }]) =>
      scheduled && schedule.value && groupsOf(schedule.value).includes(group) ? [key] : [],
    );
  }

  #ofGroup(key: string, { accountGroupId, unclear }: GroupState): Knowledge<SelectedAgents> {
    const there = accountGroupId === undefined ? undefined : this.agents.get(accountGroupId);
    if (!there) return { why: accountGroupId === undefined ? valueUnknown : agentsUnread };
    const members = this.#membersOf(key);
    return members?.value ? { value: selectedOf(there, members.value, unclear) } : { why: members?.why ?? groupsUnread };
  }

  #ofTest({ accountGroupId, schedule }: TestState): Knowledge<SelectedAgents> {
    if (accountGroupId === undefined) return { why: valueUnknown };
    if (!this.agents.has(accountGroupId)) return { why: agentsUnread };
    if (!schedule.value) return { why: schedule.why };
    if (!isKnownSelector(schedule.value)) return { why: selectorUnknown };
    const ids = groupsOf(schedule.value);
    const unknown = ids.map((id) => this.#groupFor(schedule.value, id)).find((members) => members?.why !== undefined);
    if (unknown?.why !== undefined) return { why: unknown.why };
    const isChosen = membershipOf(schedule.value, (id) => this.#groupFor(schedule.value, id)?.value);
    const [only = ""] = ids;
    const why = ids.length === 1 ? (this.groups.get(only)?.unclear ?? tagsUnknown) : tagsUnknown;
    const selected = selectedOf(this.able(accountGroupId), isChosen, why);
    return { value: { ...selected, count: Math.min(selected.agents.length, schedule.value.maxMachines) } };
  }

  /**
   * Returns the agents that a test selects by the id of a label or tag. In a list of labels, the id of a tag selects no agents. In a list
   * of tags, the id of a label selects no agents.
   */
  #groupFor({ agentSelectorType }: Schedule, key: string): Knowledge<IsMember> | undefined {
    const group = this.groups.get(key);
    return group && group.selector !== agentSelectorType ? undefined : this.#membersOf(key);
  }

  /** Returns the agents with a label or tag, or undefined if the label or tag does not exist. */
  #membersOf(key: string): Knowledge<IsMember> | undefined {
    if (!this.#members.has(key)) this.#members.set(key, this.#match(this.groups.get(key)));
    return this.#members.get(key);
  }

  #match(group: GroupState | undefined): Knowledge<IsMember> | undefined {
    if (!group) return this.isComplete ? undefined : { why: groupsUnread };
    const there = group.accountGroupId === undefined ? undefined : this.agents.get(group.accountGroupId);
    if (!there) return { why: agentsUnread };
    if (!group.test.value) return { why: group.test.why };
    const matches = group.test.value;
    const members = new Map(there.map((agent) => [agent.id, matches(agent)]));
    return { value: (id) => (members.has(id) ? members.get(id) : false) };
  }
}

function selectedOf(there: readonly ServiceAgent[], isMember: IsMember, why: string): SelectedAgents {
  const agents = there.filter(({ id }) => isMember(id) === true);
  const unclear = there.filter(({ id }) => isMember(id) === undefined);
  const all = agents.length > 0 && agents.length === there.length;
  return { agents, unclear: { agents: unclear, why }, count: agents.length, all };
}

/** Returns the number of agents that checked in during the last hour. Returns undefined if a check-in time is unknown. */
export function seenCount(agents: readonly ServiceAgent[]): number | undefined {
  return agents.some(({ seen }) => seen === undefined) ? undefined : agents.filter(({ seen }) => seen).length;
}

/**
 * Returns text such as `82 seen within the hour` if some agents have not checked in. Agents without a recent check-in run no tests, and may
 * have lost their labels.
 */
export function seenText(agents: readonly ServiceAgent[]): string | undefined {
  const seen = seenCount(agents);
  return seen === undefined || seen === agents.length ? undefined : `${seen} seen within the hour`;
}

/** Returns the agents that are certainly in the selection `before` and certainly not in the selection `other`. */
export function certainlyWithout(before: SelectedAgents, other: SelectedAgents): ServiceAgent[] {
  const ids = new Set([...other.agents, ...other.unclear.agents].map(({ id }) => id));
  return before.agents.filter(({ id }) => !ids.has(id));
}

export function knownGroup(
  reach: Extract<ReachDeclaration, { means: "group" }>,
  properties: Properties,
): Omit<GroupState, "accountGroupId"> {
  const { selector, unclear, isSearchable } = reach;
  const facts = { selector, unclear, isSearchable };
  const rule = reach.rule(properties);
  if (hasUnknown(rule)) return { rule: { why: valueUnknown }, test: { why: valueUnknown }, ...facts };
  const test = reach.compile(rule);
  return { rule: test.value ? { value: rule } : test, test, ...facts };
}

/** Returns the schedule of a test, or the reason why the test's agents are unknown. */
export function knownSchedule(schedule: Schedule): Knowledge<Schedule> {
  const { maxMachines, interval } = schedule;
  const isUnknown = hasUnknown(schedule) || !(maxMachines > 0) || !(interval > 0) || schedule.isEnabled === undefined;
  return isUnknown ? { why: valueUnknown } : { value: schedule };
}
