import type { AgentChange } from "../../provider/reach";
import { type Properties, isUnknown, stringOf } from "../../provider/values";
import { order } from "../words";
import { declared, type Planned } from "./planned";
import type { Agent, Holdings, ServiceRecord } from "./service";
import { changesOf, keyAfter, opaque, StandIns } from "./stand-ins";
import { knownRule, knownSchedule, World, type LabelThen, type TestThen } from "./world";

/** What there is now, and what there will be. */
export interface Worlds {
  before: World;
  after: World;
}

/** Account groups that a change concerns, in order. `fallback` is that of resources that name none. */
export function concerned(planned: readonly Planned[], fallback: string | undefined): string[] {
  const aids = changed(planned).flatMap((one) => {
    const { old, now, kind } = one;
    if (kind.reach?.means !== "agents") {
      return [old && groupOf(old.outputs, fallback), now && groupOf(declared(one), fallback)];
    }
    const changes = changesOf(one).flatMap(({ from, accountGroupId }) => [from, accountGroupId]);
    return [stringOf(old?.outputs["accountGroupId"]), ...changes];
  });
  return [...new Set(aids.flatMap((aid) => aid ?? []))].filter((aid) => !isUnknown(aid)).toSorted();
}

/** Whether some resource that means something to agents names no account group. */
export function needsFallback(planned: readonly Planned[]): boolean {
  return changed(planned).some(
    (one) =>
      one.kind.reach?.means !== "agents" &&
      [one.old?.outputs, one.now && declared(one)].some((side) => side !== undefined && side["accountGroupId"] === undefined),
  );
}

/** Both worlds: what the service holds, and that with the changes carried out. */
export function worldsOf(planned: readonly Planned[], holdings: Holdings, fallback: string | undefined): Worlds {
  const then = new Then(fallback);
  for (const { kind, id, aid, state } of holdings.records.toSorted(byAge))
    then.put(kind, id, { ...state, accountGroupId: aid });
  for (const { kind, old } of planned) {
    const reach = kind.reach;
    // Instant tests are on no list. Of one whose list could not be read the state says what there was.
    const listed = reach?.means !== "test" || reach.scheduled;
    if (old && !then.has(old.id) && !(listed && holdings.whole)) then.put(kind, old.id, opaque(old.outputs) as Properties);
  }
  const before = new World(holdings.agents, new Map(then.labels), new Map(then.tests), holdings.whole);

  const stand = new StandIns(planned);
  for (const one of changed(planned)) {
    if (one.old && !one.retained && (one.op === "replace" || one.op === "delete")) then.drop(one.old.id);
    const key = one.op === "delete" ? undefined : keyAfter(one);
    if (key !== undefined) then.put(one.kind, key, opaque(stand.resolved(one, declared(one))) as Properties);
  }
  const agents = agentsAfter(holdings.agents, changed(planned).flatMap(changesOf));
  return { before, after: new World(agents, then.labels, then.tests, holdings.whole) };
}

/** Labels and tests at one point in time, as they are put together. */
class Then {
  readonly labels = new Map<string, LabelThen>();
  readonly tests = new Map<string, TestThen>();
  #age = 0;

  constructor(private readonly fallback: string | undefined) {}

  has(key: string): boolean {
    return this.labels.has(key) || this.tests.has(key);
  }

  put({ reach }: Planned["kind"], key: string, properties: Properties): void {
    const aid = groupOf(properties, this.fallback);
    if (reach?.means === "label") this.labels.set(key, { aid, rule: knownRule(reach.rule(properties)) });
    if (reach?.means !== "test") return;
    this.#age += 1;
    const { age } = this.tests.get(key) ?? { age: this.#age };
    const { scheduled } = reach;
    const schedule = reach.schedule(properties);
    this.tests.set(key, { aid, age, scheduled, off: schedule.isEnabled === false, schedule: knownSchedule(schedule) });
  }

  drop(key: string): void {
    this.labels.delete(key);
    this.tests.delete(key);
  }
}

/** The oldest first; ids count up where records are of the same second. */
function byAge(a: ServiceRecord, b: ServiceRecord): number {
  const date = ({ state }: ServiceRecord): string => stringOf(state["createdDate"]) ?? "";
  return order(date(a), date(b)) || a.id.length - b.id.length || order(a.id, b.id);
}

/** Agents with changes carried out. One that arrives in an account group comes after those that are there. */
function agentsAfter(agents: Holdings["agents"], changes: readonly AgentChange[]): ReadonlyMap<string, Agent[]> {
  const byAgent = Map.groupBy(changes, ({ agentId }) => agentId);
  if (byAgent.size === 0) return agents;
  const all = [...agents.values()].flat().flatMap((agent): Agent[] => {
    const own = byAgent.get(agent.id) ?? [];
    return own.some(({ deleted }) => deleted) ? [] : [own.reduce(changedAgent, agent)];
  });
  return new Map(
    [...agents].map(([aid, list]) => {
      const there = new Set(list.map(({ id }) => id));
      const here = all.filter((agent) => agent.aid === aid);
      return [aid, [...here.filter(({ id }) => there.has(id)), ...here.filter(({ id }) => !there.has(id))]];
    }),
  );
}

function changedAgent(agent: Agent, { accountGroupId, licenseType, enabled }: AgentChange): Agent {
  return {
    ...agent,
    aid: accountGroupId ?? agent.aid,
    licenseType: licenseType ?? agent.licenseType,
    enabled: enabled ?? agent.enabled,
  };
}

/** The steps that change something which means anything to agents. */
function changed(planned: readonly Planned[]): Planned[] {
  return planned.filter(({ op, kind }) => op !== "same" && kind.reach !== undefined);
}

/** The account group that properties name; nothing where it is not known yet. */
function groupOf({ accountGroupId }: Properties, fallback: string | undefined): string | undefined {
  if (accountGroupId === undefined) return fallback;
  return isUnknown(accountGroupId) ? undefined : stringOf(accountGroupId);
}
