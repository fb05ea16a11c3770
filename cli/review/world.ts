import { chooserOf } from "../../api/agent-selection";
import { compileLabel, type LabelRule, unknownKeys } from "../../api/label-match";
import type { Schedule } from "../../provider/reach";
import { hasUnknown } from "../../provider/values";
import type { Agent } from "./service";

/** What is known, or why it is not: as the end of a sentence. */
export type Knowledge<T> = { value: T; why?: undefined } | { value?: undefined; why: string };

/** A label at one point in time. Its key is its id, or the URN of one that does not exist yet. */
export interface LabelState {
  accountGroupId: string | undefined;
  rule: Knowledge<LabelRule>;
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

/** Agents that a label or test selects. */
export interface SelectedAgents {
  /** All whom it means, in the order of the service. */
  agents: readonly Agent[];
  /** How many of them run it: not more than `maxMachines`. */
  count: number;
  /** Whether it means everyone there is. */
  all: boolean;
}

/** Why it is never known whom a test selects by tags. */
export const byTags = "agents do not report which tags they have";

const agentsUnread = "the agents could not be read";
const valueUnknown = "it depends on a value that is secret, or known after the update only";

/** Agents, labels and tests at one point in time, and who is selected by what. */
export class World {
  readonly #sets = new Map<string, Knowledge<ReadonlySet<string>>>();
  readonly #selected = new Map<string, Knowledge<SelectedAgents>>();

  constructor(
    /** By account group. One whose agents could not be read is absent. */
    readonly agents: ReadonlyMap<string, readonly Agent[]>,
    readonly labels: ReadonlyMap<string, LabelState>,
    readonly tests: ReadonlyMap<string, TestState>,
    /** Whether all labels were read: else one that is missing may exist. */
    private readonly isComplete: boolean,
  ) {}

  /** Whom a label or test selects; nothing where there is none of this key. */
  selectedBy(key: string): Knowledge<SelectedAgents> | undefined {
    const known = this.#selected.get(key);
    if (known) return known;
    const [label, test] = [this.labels.get(key), this.tests.get(key)];
    const selected = label ? this.#ofLabel(key, label) : test ? this.#ofTest(test) : undefined;
    if (selected) this.#selected.set(key, selected);
    return selected;
  }

  /**
   * The enabled agents that a label is on, or that run a test; nothing where there is none of this key. An agent that is disabled
   * runs nothing, and nobody runs a test that is disabled.
   */
  reachedBy(key: string): Knowledge<SelectedAgents> | undefined {
    const label = this.labels.get(key);
    if (!label) return this.tests.get(key)?.off ? { value: { agents: [], count: 0, all: false } } : this.selectedBy(key);
    const selected = this.selectedBy(key);
    if (!selected?.value) return selected;
    const agents = selected.value.agents.filter(({ enabled }) => enabled);
    const all = agents.length > 0 && agents.length === this.able(label.accountGroupId ?? "").length;
    return { value: { agents, count: agents.length, all } };
  }

  /** Whether some agent of the account group of a label or test is disabled. */
  hasDisabled(key: string): boolean {
    const { accountGroupId = "" } = this.labels.get(key) ?? this.tests.get(key) ?? {};
    return this.able(accountGroupId).length < (this.agents.get(accountGroupId)?.length ?? 0);
  }

  /** Whether a label is on an agent that is disabled, or a test selects one. */
  selectsDisabled(key: string): boolean {
    const [label, test] = [this.labels.get(key), this.tests.get(key)];
    if (label) return this.selectedBy(key)?.value?.agents.some(({ enabled }) => !enabled) ?? false;
    if (!test?.schedule.value) return false;
    const isChosen = chooserOf(test.schedule.value, (one) => this.#on(one).value);
    return (this.agents.get(test.accountGroupId ?? "") ?? []).some(({ id, enabled }) => !enabled && isChosen(id));
  }

  /** Agents that can run a test: enabled ones. */
  able(accountGroupId: string): readonly Agent[] {
    return (this.agents.get(accountGroupId) ?? []).filter(({ enabled }) => enabled);
  }

  /** Keys of the scheduled tests that select by a label. */
  testsOf(label: string): string[] {
    return [...this.tests].flatMap(([key, { scheduled, schedule }]) =>
      scheduled && schedule.value && labelsOf(schedule.value).includes(label) ? [key] : [],
    );
  }

  #ofLabel(key: string, { accountGroupId }: LabelState): Knowledge<SelectedAgents> {
    const there = accountGroupId === undefined ? undefined : this.agents.get(accountGroupId);
    if (!there) return { why: accountGroupId === undefined ? valueUnknown : agentsUnread };
    const on = this.#on(key);
    if (!on.value) return { why: on.why };
    const ids = on.value;
    const agents = there.filter(({ id }) => ids.has(id));
    return { value: { agents, count: agents.length, all: agents.length > 0 && agents.length === there.length } };
  }

  #ofTest({ accountGroupId, schedule }: TestState): Knowledge<SelectedAgents> {
    if (accountGroupId === undefined) return { why: valueUnknown };
    if (!this.agents.has(accountGroupId)) return { why: agentsUnread };
    if (!schedule.value) return { why: schedule.why };
    const { maxMachines } = schedule.value;
    const unclear = labelsOf(schedule.value)
      .map((label) => this.#on(label))
      .find(({ why }) => why !== undefined);
    if (unclear?.why !== undefined) return { why: unclear.why };
    const isChosen = chooserOf(schedule.value, (label) => this.#on(label).value);
    const able = this.able(accountGroupId);
    const agents = able.filter(({ id }) => isChosen(id));
    const count = Math.min(agents.length, maxMachines);
    return { value: { agents, count, all: agents.length > 0 && agents.length === able.length } };
  }

  /** Ids of the agents that a label is on, of its own account group. One that does not exist is on nobody. */
  #on(key: string): Knowledge<ReadonlySet<string>> {
    const known = this.#sets.get(key);
    if (known) return known;
    const on = this.#match(this.labels.get(key));
    this.#sets.set(key, on);
    return on;
  }

  #match(label: LabelState | undefined): Knowledge<ReadonlySet<string>> {
    if (!label) return this.isComplete ? { value: new Set() } : { why: "its labels could not be read" };
    const there = label.accountGroupId === undefined ? undefined : this.agents.get(label.accountGroupId);
    if (!there) return { why: agentsUnread };
    if (!label.rule.value) return { why: label.rule.why };
    const isOn = compileLabel(label.rule.value);
    return { value: new Set(there.flatMap(({ id, facts }) => (isOn(facts) ? [id] : []))) };
  }
}

/** A label's rule as far as it is known who passes it. */
export function knownRule(rule: LabelRule): Knowledge<LabelRule> {
  if (hasUnknown(rule)) return { why: valueUnknown };
  const strange = unknownKeys(rule);
  return strange.length > 0 ? { why: "it has a filter that this version does not know" } : { value: rule };
}

/** A test's schedule as far as it is known who runs it. */
export function knownSchedule(schedule: Schedule): Knowledge<Schedule> {
  const { maxMachines, interval } = schedule;
  if (hasUnknown(schedule) || !(maxMachines > 0) || !(interval > 0) || schedule.isEnabled === undefined)
    return { why: valueUnknown };
  return schedule.agentSelectorType === "agent-tags" ? { why: byTags } : { value: schedule };
}

/** The labels that a test selects by. A list that does not go with its selector means nothing. */
function labelsOf({ agentSelectorType, endpointAgentLabels = [] }: Schedule): readonly string[] {
  return agentSelectorType === "agent-labels" ? endpointAgentLabels : [];
}
