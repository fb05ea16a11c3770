import type { AgentChange } from "../../provider/reach";
import { type Properties, isUnknown, stringOf } from "../../provider/values";
import { compareText } from "../report/text";
import { desiredProperties, type PlannedStep } from "./planned";
import type { Agent, Holdings, ServiceRecord } from "./service";
import { changesOf, keyAfter, opaque, StandIns } from "./stand-ins";
import { knownRule, knownSchedule, World, type LabelState, type TestState } from "./world";

export interface Worlds {
  before: World;
  after: World;
}

/** Account groups that a change concerns, in order. @param byDefault that of resources that name none */
export function concerned(planned: readonly PlannedStep[], byDefault: string | undefined): string[] {
  const ids = changed(planned).flatMap((one) => {
    const { state, declared, kind } = one;
    if (kind.reach?.means !== "agents") {
      return [state && groupOf(state.outputs, byDefault), declared && groupOf(desiredProperties(one), byDefault)];
    }
    const changes = changesOf(one).flatMap(({ from, accountGroupId }) => [from, accountGroupId]);
    return [stringOf(state?.outputs["accountGroupId"]), ...changes];
  });
  return [...new Set(ids.flatMap((id) => id ?? []))].filter((id) => !isUnknown(id)).toSorted();
}

/** Whether some resource that means something to agents names no account group. */
export function needsDefaultAccountGroup(planned: readonly PlannedStep[]): boolean {
  return changed(planned).some(
    (one) =>
      one.kind.reach?.means !== "agents" &&
      [one.state?.outputs, one.declared && desiredProperties(one)].some(
        (side) => side !== undefined && side["accountGroupId"] === undefined,
      ),
  );
}

/** Both worlds: what the service holds, and that with the changes carried out. */
export function worldsOf(planned: readonly PlannedStep[], holdings: Holdings, byDefault: string | undefined): Worlds {
  const objects = new WorldObjects(byDefault);
  for (const { kind, id, accountGroupId, state } of holdings.records.toSorted(byAge)) {
    objects.put(kind, id, { ...state, accountGroupId });
  }
  for (const { kind, state } of planned) {
    const reach = kind.reach;
    // Instant tests are on no list. Of one whose list could not be read the state has what there was.
    const listed = reach?.means !== "test" || reach.scheduled;
    if (state && !objects.has(state.id) && !(listed && holdings.isComplete)) {
      objects.put(kind, state.id, opaque(state.outputs));
    }
  }
  const before = new World(holdings.agents, new Map(objects.labels), new Map(objects.tests), holdings.isComplete);

  const standIns = new StandIns(planned);
  for (const one of changed(planned)) {
    if (one.state && !one.retained && (one.op === "replace" || one.op === "delete")) objects.delete(one.state.id);
    const key = one.op === "delete" ? undefined : keyAfter(one);
    if (key !== undefined) objects.put(one.kind, key, opaque(standIns.resolved(one, desiredProperties(one))));
  }
  const agents = agentsAfter(holdings.agents, changed(planned).flatMap(changesOf));
  return { before, after: new World(agents, objects.labels, objects.tests, holdings.isComplete) };
}

/** Labels and tests of a world, as they are put together. */
class WorldObjects {
  readonly labels = new Map<string, LabelState>();
  readonly tests = new Map<string, TestState>();
  #age = 0;

  constructor(private readonly defaultAccountGroupId: string | undefined) {}

  has(key: string): boolean {
    return this.labels.has(key) || this.tests.has(key);
  }

  put({ reach }: PlannedStep["kind"], key: string, properties: Properties): void {
    const accountGroupId = groupOf(properties, this.defaultAccountGroupId);
    if (reach?.means === "label") this.labels.set(key, { accountGroupId, rule: knownRule(reach.rule(properties)) });
    if (reach?.means !== "test") return;
    this.#age += 1;
    const { age } = this.tests.get(key) ?? { age: this.#age };
    const { scheduled } = reach;
    const schedule = reach.schedule(properties);
    this.tests.set(key, {
      accountGroupId,
      age,
      scheduled,
      off: schedule.isEnabled === false,
      schedule: knownSchedule(schedule),
    });
  }

  delete(key: string): void {
    this.labels.delete(key);
    this.tests.delete(key);
  }
}

/** The oldest first; ids count up where records are of the same second. */
function byAge(a: ServiceRecord, b: ServiceRecord): number {
  const created = ({ state }: ServiceRecord): string => stringOf(state["createdDate"]) ?? "";
  return compareText(created(a), created(b)) || a.id.length - b.id.length || compareText(a.id, b.id);
}

/** Agents with changes carried out. One that arrives in an account group comes after those that were there before. */
function agentsAfter(agents: Holdings["agents"], changes: readonly AgentChange[]): ReadonlyMap<string, Agent[]> {
  const byAgent = Map.groupBy(changes, ({ agentId }) => agentId);
  if (byAgent.size === 0) return agents;
  const all = [...agents.values()].flat().flatMap((agent): Agent[] => {
    const own = byAgent.get(agent.id) ?? [];
    return own.some(({ deleted }) => deleted) ? [] : [own.reduce(changedAgent, agent)];
  });
  return new Map(
    [...agents].map(([accountGroupId, list]) => {
      const earlier = new Set(list.map(({ id }) => id));
      const own = all.filter((agent) => agent.accountGroupId === accountGroupId);
      return [accountGroupId, [...own.filter(({ id }) => earlier.has(id)), ...own.filter(({ id }) => !earlier.has(id))]];
    }),
  );
}

function changedAgent(agent: Agent, { accountGroupId, licenseType, enabled }: AgentChange): Agent {
  return {
    ...agent,
    accountGroupId: accountGroupId ?? agent.accountGroupId,
    licenseType: licenseType ?? agent.licenseType,
    enabled: enabled ?? agent.enabled,
  };
}

/** The steps that change something which means anything to agents. */
function changed(planned: readonly PlannedStep[]): PlannedStep[] {
  return planned.filter(({ op, kind }) => op !== "same" && kind.reach !== undefined);
}

/** The account group that properties name; nothing where it is not known yet. */
function groupOf({ accountGroupId }: Properties, byDefault: string | undefined): string | undefined {
  if (accountGroupId === undefined) return byDefault;
  return isUnknown(accountGroupId) ? undefined : stringOf(accountGroupId);
}
