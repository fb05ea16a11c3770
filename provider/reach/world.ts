import { groupsOf, isKnownSelector, membershipOf } from "../../api/agent-selection";
import type { Membership, TagRule } from "../../api/tag-match";
import type { GroupTest, ReachDeclaration, Schedule } from "../reach";
import { hasUnknown, type Properties } from "../values";
import type { ServiceAgent } from "./holdings";

/** A value, or the reason why it is not known, as the end of a sentence. */
export type Knowledge<T> = { value: T; why?: undefined } | { value?: undefined; why: string };

/** A label or tag at one point in time. Its key is its id, or the URN of one that does not exist yet. */
export interface GroupState {
  accountGroupId: string | undefined;
  rule: Knowledge<TagRule>;
  test: Knowledge<GroupTest>;
  /** The agent selector of the tests that select by such groups. */
  selector: string;
  /** The reason why some agents may match or not. */
  unclear: string;
  /** Whether the agents' search of the service can confirm what its filters mean. */
  isSearchable: boolean;
}

/** A test at one point in time. */
export interface TestState {
  accountGroupId: string | undefined;
  scheduled: boolean;
  /** It is disabled: nobody runs it, whomever it selects. */
  off: boolean;
  schedule: Knowledge<Schedule>;
  /** Place among tests of the same priority: the oldest first. */
  age: number;
}

/** Agents that a label, tag or test selects. */
export interface SelectedAgents {
  /** All that it selects for certain, in the order of the service. */
  agents: readonly ServiceAgent[];
  /** Those for which it cannot be determined whether it selects them, and why. */
  unclear: { agents: readonly ServiceAgent[]; why: string };
  /** How many of them run it: not more than `maxMachines`. */
  count: number;
  /** Whether it means everyone there is. */
  all: boolean;
}

/** The reason why the agents of a test are not known, if it selects by an id of no tag, or by several tags. */
const tagsUnknown = "a tag of it does not exist, or it has several and whether agents need all of them is not known";

/** The reason why the agents of a test are not known, if this version does not know its selector. */
const selectorUnknown = "this version does not know its agentSelectorType";

const agentsUnread = "the agents could not be read";
const groupsUnread = "its labels or tags could not be read";
const valueUnknown = "it depends on a value that is secret, or known after the update only";

const nobody: SelectedAgents = { agents: [], unclear: { agents: [], why: "" }, count: 0, all: false };

type IsMember = (agentId: string) => Membership;

/** Agents, labels, tags and tests at one point in time, and who is selected by what. */
export class World {
  readonly #members = new Map<string, Knowledge<IsMember> | undefined>();
  readonly #selected = new Map<string, Knowledge<SelectedAgents>>();

  constructor(
    /** By account group. One whose agents could not be read is absent. */
    readonly agents: ReadonlyMap<string, readonly ServiceAgent[]>,
    /** Labels and tags. */
    readonly groups: ReadonlyMap<string, GroupState>,
    readonly tests: ReadonlyMap<string, TestState>,
    /** Whether all labels and tags were read: else one that is missing may exist. */
    private readonly isComplete: boolean,
  ) {}

  /** Returns the agents that a label, tag or test selects; nothing if the key has none. */
  selectedBy(key: string): Knowledge<SelectedAgents> | undefined {
    const known = this.#selected.get(key);
    if (known) return known;
    const [group, test] = [this.groups.get(key), this.tests.get(key)];
    const selected = group ? this.#ofGroup(key, group) : test ? this.#ofTest(test) : undefined;
    if (selected) this.#selected.set(key, selected);
    return selected;
  }

  /**
   * The enabled agents that a label or tag is on, or that run a test; nothing where there is none of this key. An agent that is disabled
   * runs nothing, and nobody runs a test that is disabled.
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

  /** Whether some agent of the account group of a label, tag or test is disabled. */
  hasDisabled(key: string): boolean {
    const { accountGroupId = "" } = this.groups.get(key) ?? this.tests.get(key) ?? {};
    return this.able(accountGroupId).length < (this.agents.get(accountGroupId)?.length ?? 0);
  }

  /** Whether a label or tag is on an agent that is disabled, or a test selects one. */
  selectsDisabled(key: string): boolean {
    const [group, test] = [this.groups.get(key), this.tests.get(key)];
    if (group) return this.selectedBy(key)?.value?.agents.some(({ enabled }) => !enabled) ?? false;
    const schedule = test?.schedule.value;
    if (!schedule) return false;
    const isChosen = membershipOf(schedule, (groupId) => this.#groupFor(schedule, groupId)?.value);
    return (this.agents.get(test.accountGroupId ?? "") ?? []).some(({ id, enabled }) => !enabled && isChosen(id) === true);
  }

  /** Agents that can run a test: enabled ones. */
  able(accountGroupId: string): readonly ServiceAgent[] {
    return (this.agents.get(accountGroupId) ?? []).filter(({ enabled }) => enabled);
  }

  /** Keys of the scheduled tests that select by a label or tag. */
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

  /** The same for a test, which selects by groups of one kind: an id of another kind is of none. */
  #groupFor({ agentSelectorType }: Schedule, key: string): Knowledge<IsMember> | undefined {
    const group = this.groups.get(key);
    return group && group.selector !== agentSelectorType ? undefined : this.#membersOf(key);
  }

  /** Which agents of its own account group a label or tag is on; nothing where it does not exist. */
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

/** How many agents checked in within the hour; undefined if that is not known of all of them. */
export function seenCount(agents: readonly ServiceAgent[]): number | undefined {
  return agents.some(({ seen }) => seen === undefined) ? undefined : agents.filter(({ seen }) => seen).length;
}

/** `82 seen within the hour`, if some agents are silent. The others may have lost their labels, and run nothing before they are back. */
export function seenText(agents: readonly ServiceAgent[]): string | undefined {
  const seen = seenCount(agents);
  return seen === undefined || seen === agents.length ? undefined : `${seen} seen within the hour`;
}

/** The agents that one selection has for certain, and the other certainly has not. */
export function certainlyWithout(before: SelectedAgents, other: SelectedAgents): ServiceAgent[] {
  const ids = new Set([...other.agents, ...other.unclear.agents].map(({ id }) => id));
  return before.agents.filter(({ id }) => !ids.has(id));
}

/** A label or tag as far as it is known who has it. */
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

/** A test's schedule as far as it is known who runs it. */
export function knownSchedule(schedule: Schedule): Knowledge<Schedule> {
  const { maxMachines, interval } = schedule;
  const isUnknown = hasUnknown(schedule) || !(maxMachines > 0) || !(interval > 0) || schedule.isEnabled === undefined;
  return isUnknown ? { why: valueUnknown } : { value: schedule };
}
