import { groupsOf, isKnownSelector, membershipOf } from "../../api/agent-selection";
import type { Membership, TagRule } from "../../api/tag-match";
import type { GroupTest, ReachDeclaration, Schedule } from "../reach";
import { hasUnknown, type Properties } from "../values";
import type { ServiceAgent } from "./holdings";

/** A value, or the reason why it is not known. The reason is the end of a sentence. */
export type Knowledge<T> = { value: T; why?: undefined } | { value?: undefined; why: string };

/** A label or tag before or after a change. Its key is its id, or its URN if it does not exist yet. */
export interface GroupState {
  accountGroupId: string | undefined;
  rule: Knowledge<TagRule>;
  test: Knowledge<GroupTest>;
  /** The agent selector of tests that select by this label or tag. */
  selector: string;
  /** The reason why some agents may match or not. */
  unclear: string;
  /** Whether the service's agent search can confirm the meaning of the filters. */
  isSearchable: boolean;
}

/** A test before or after a change. */
export interface TestState {
  accountGroupId: string | undefined;
  scheduled: boolean;
  /** Whether it is disabled. No agent runs a disabled test. */
  off: boolean;
  schedule: Knowledge<Schedule>;
  /** Rank by age among tests of the same priority. The oldest test has the lowest rank. */
  age: number;
}

/** Agents that a label, tag or test selects. */
export interface SelectedAgents {
  /** The agents that it certainly selects, in the service's order. */
  agents: readonly ServiceAgent[];
  /** The agents that it may select, and the reason why that is not certain. */
  unclear: { agents: readonly ServiceAgent[]; why: string };
  /** Number of selected agents that run it, at most `maxMachines`. */
  count: number;
  /** Whether it selects all agents of the account group. */
  all: boolean;
}

/** The reason why the agents of a test are not known if it has several tags or a tag that does not exist. */
const tagsUnknown = "a tag does not exist, or it has several tags and it is not known whether agents need all of them";

/** The reason why the agents of a test are not known, if this version does not know its selector. */
const selectorUnknown = "this version does not know its agentSelectorType";

const agentsUnread = "the agents could not be read";
const groupsUnread = "its labels or tags could not be read";
const valueUnknown = "it depends on a value that is secret or known only after the update";

const nobody: SelectedAgents = { agents: [], unclear: { agents: [], why: "" }, count: 0, all: false };

type IsMember = (agentId: string) => Membership;

/** The agents, labels, tags and tests before or after a change, with the agents that they select. */
export class World {
  readonly #members = new Map<string, Knowledge<IsMember> | undefined>();
  readonly #selected = new Map<string, Knowledge<SelectedAgents>>();

  constructor(
    /** Agents by account group. An account group is absent if its agents could not be read. */
    readonly agents: ReadonlyMap<string, readonly ServiceAgent[]>,
    /** Labels and tags. */
    readonly groups: ReadonlyMap<string, GroupState>,
    readonly tests: ReadonlyMap<string, TestState>,
    /** Whether all labels and tags were read. If not, a label or tag that seems to be missing may exist. */
    private readonly isComplete: boolean,
  ) {}

  /** Returns the agents that a label, tag or test selects; undefined if the key does not exist. */
  selectedBy(key: string): Knowledge<SelectedAgents> | undefined {
    const known = this.#selected.get(key);
    if (known) return known;
    const [group, test] = [this.groups.get(key), this.tests.get(key)];
    const selected = group ? this.#ofGroup(key, group) : test ? this.#ofTest(test) : undefined;
    if (selected) this.#selected.set(key, selected);
    return selected;
  }

  /**
   * Returns the enabled agents that have a label or tag, or that run a test; undefined if the key does not exist. Disabled
   * agents run nothing, and disabled tests do not run.
   */
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

  /** Whether an agent in the account group of a label, tag or test is disabled. */
  hasDisabled(key: string): boolean {
    const { accountGroupId = "" } = this.groups.get(key) ?? this.tests.get(key) ?? {};
    return this.able(accountGroupId).length < (this.agents.get(accountGroupId)?.length ?? 0);
  }

  /** Whether a label, tag or test selects a disabled agent. */
  selectsDisabled(key: string): boolean {
    const [group, test] = [this.groups.get(key), this.tests.get(key)];
    if (group) return this.selectedBy(key)?.value?.agents.some(({ enabled }) => !enabled) ?? false;
    const schedule = test?.schedule.value;
    if (!schedule) return false;
    const isChosen = membershipOf(schedule, (groupId) => this.#groupFor(schedule, groupId)?.value);
    return (this.agents.get(test.accountGroupId ?? "") ?? []).some(({ id, enabled }) => !enabled && isChosen(id) === true);
  }

  /** Returns the agents that can run a test: the enabled ones. */
  able(accountGroupId: string): readonly ServiceAgent[] {
    return (this.agents.get(accountGroupId) ?? []).filter(({ enabled }) => enabled);
  }

  /** Returns the keys of the scheduled tests that select by a label or tag. */
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

  /** Returns the members of a test's label or tag. An id of the wrong kind, a label or a tag, has no members. */
  #groupFor({ agentSelectorType }: Schedule, key: string): Knowledge<IsMember> | undefined {
    const group = this.groups.get(key);
    return group && group.selector !== agentSelectorType ? undefined : this.#membersOf(key);
  }

  /** Returns the members of a label or tag in its own account group; undefined if it does not exist. */
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

/** Returns the number of agents that checked in within the hour; undefined if that is not known for all of them. */
export function seenCount(agents: readonly ServiceAgent[]): number | undefined {
  return agents.some(({ seen }) => seen === undefined) ? undefined : agents.filter(({ seen }) => seen).length;
}

/**
 * Returns `82 seen within the hour` if some agents are silent. Silent agents may have lost their labels, and run nothing until
 * they are back.
 */
export function seenText(agents: readonly ServiceAgent[]): string | undefined {
  const seen = seenCount(agents);
  return seen === undefined || seen === agents.length ? undefined : `${seen} seen within the hour`;
}

/** Returns the agents that `before` certainly selects and `other` certainly does not select. */
export function certainlyWithout(before: SelectedAgents, other: SelectedAgents): ServiceAgent[] {
  const ids = new Set([...other.agents, ...other.unclear.agents].map(({ id }) => id));
  return before.agents.filter(({ id }) => !ids.has(id));
}

/** Returns a label or tag, with its members as far as they are known. */
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

/** Returns a test's schedule if the test's agents are known. */
export function knownSchedule(schedule: Schedule): Knowledge<Schedule> {
  const { maxMachines, interval } = schedule;
  const isUnknown = hasUnknown(schedule) || !(maxMachines > 0) || !(interval > 0) || schedule.isEnabled === undefined;
  return isUnknown ? { why: valueUnknown } : { value: schedule };
}
