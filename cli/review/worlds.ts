import type { AgentChange } from "../../provider/reach";
import { type Properties, isUnknown, stringOf, unknownValue, isObject } from "../../provider/values";
import { secretMask } from "../held";
import { order } from "../words";
import { declared, type Planned } from "./planned";
import type { Agent, Holdings, ServiceRecord } from "./service";
import { knownRule, knownSchedule, World, type LabelThen, type TestThen } from "./world";

/** What there is now, and what there will be. */
export interface Worlds {
  before: World;
  after: World;
}

/** Key of a resource now: its id. */
export function keyBefore({ old }: Planned): string | undefined {
  return old?.id;
}

/** Key of a resource afterwards: the id it keeps, or its URN until it has one; nothing of one that the service deletes. */
export function keyAfter({ op, old, urn, retained }: Planned): string | undefined {
  if (op === "delete") return retained ? old?.id : undefined;
  return op === "create" || op === "replace" ? urn : old?.id;
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

/** What stands in for the ids of resources that are not there yet. */
class StandIns {
  readonly #byUrn: ReadonlyMap<string, { kindName: string; key: string | undefined }>;

  constructor(planned: readonly Planned[]) {
    const living = planned.filter(({ op }) => op !== "delete");
    this.#byUrn = new Map(living.map((one) => [one.urn, { kindName: one.kindName, key: idOrStandIn(one) }]));
  }

  /** Properties with keys in place of ids that are not known yet. */
  resolved({ kind, dependencies }: Planned, properties: Properties): Properties {
    const replaced = Object.entries(kind.refersTo).flatMap(([property, kindName]): [string, unknown][] => {
      const value = properties[property];
      const sources = (dependencies[property] ?? []).flatMap((urn) => this.#byUrn.get(urn) ?? []);
      const keys = sources.map((source) => (source.kindName === kindName ? source.key : undefined));
      return value === undefined ? [] : [[property, this.#put(value, keys)]];
    });
    return { ...properties, ...Object.fromEntries(replaced) };
  }

  /**
   * A list with keys in place of what is unknown in it. What it was made from tells whose ids they are, unless it was made from
   * more than there is room for.
   */
  #put(value: unknown, keys: readonly (string | undefined)[]): unknown {
    if (keys.length === 0 || keys.includes(undefined)) return value;
    if (isUnknown(value)) return keys;
    if (!Array.isArray(value)) return value;
    const known = value.filter((id) => !isUnknown(id));
    const missing = keys.filter((key) => !known.includes(key));
    return missing.length > 0 && missing.length <= value.length - known.length ? [...known, ...missing] : value;
  }
}

/** The id by which others refer to a resource, or what stands in for it. An agent has its id before anybody takes hold of it. */
function idOrStandIn(one: Planned): string | undefined {
  if (one.kind.reach?.means !== "agents" || one.op === "same" || one.op === "update") return keyAfter(one);
  return changesOf(one)[0]?.agentId;
}

function changesOf({ kind: { reach }, op, old, now, retained }: Planned): AgentChange[] {
  if (reach?.means !== "agents" || op === "same") return [];
  if (op === "delete") return old && !retained ? reach.removal(old.id, old.outputs) : [];
  return now ? reach.changes(op === "update" ? old?.id : undefined, opaque(now.inputs) as Properties) : [];
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

/** A value in which what is secret is not known. */
function opaque(value: unknown): unknown {
  if (value === secretMask) return unknownValue;
  if (Array.isArray(value)) return value.map(opaque);
  return isObject(value) ? Object.fromEntries(Object.entries(value).map(([key, member]) => [key, opaque(member)])) : value;
}
