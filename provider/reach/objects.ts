import type { Kind } from "../kind";
import type { AgentChange } from "../reach";
import { type Properties, isUnknown, stringOf } from "../values";
import type { ServiceAgent, Holdings, ServiceRecord } from "./holdings";
import { type GroupState, knownGroup, knownSchedule, type TestState } from "./world";

export class WorldObjects {
  readonly groups = new Map<string, GroupState>();
  readonly tests = new Map<string, TestState>();
  #age = 0;

  constructor(private readonly defaultAccountGroupId: string | undefined) {}

  has(key: string): boolean {
    return this.groups.has(key) || this.tests.has(key);
  }

  put({ reach }: Kind, key: string, properties: Properties): void {
    const accountGroupId = groupOf(properties, this.defaultAccountGroupId);
    if (reach?.means === "group") this.groups.set(key, { accountGroupId, ...knownGroup(reach, properties) });
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
    this.groups.delete(key);
    this.tests.delete(key);
  }
}

/**
 * Sorts records by creation time, the oldest first. The function sorts records with equal times by id, because the service assigns
 * increasing ids.
 */
export function byAge(a: ServiceRecord, b: ServiceRecord): number {
  const created = ({ state }: ServiceRecord): string => stringOf(state["createdDate"]) ?? "";
  return order(created(a), created(b)) || a.id.length - b.id.length || order(a.id, b.id);
}

/**
 * Applies changes to the agents of account groups. An agent that moves to another account group becomes the last agent in the list of that
 * account group.
 */
export function agentsAfter(agents: Holdings["agents"], changes: readonly AgentChange[]): ReadonlyMap<string, ServiceAgent[]> {
  const byAgent = Map.groupBy(changes, ({ agentId }) => agentId);
  if (byAgent.size === 0) return agents;
  const all = [...agents.values()].flat().flatMap((agent): ServiceAgent[] => {
    const agentChanges = byAgent.get(agent.id) ?? [];
    return agentChanges.some(({ deleted }) => deleted) ? [] : [agentChanges.reduce(changedAgent, agent)];
  });
  return new Map(
    [...agents].map(([accountGroupId, list]) => {
      const earlier = new Set(list.map(({ id }) => id));
      const members = all.filter((agent) => agent.accountGroupId === accountGroupId);
      return [
        accountGroupId,
        [...members.filter(({ id }) => earlier.has(id)), ...members.filter(({ id }) => !earlier.has(id))],
      ];
    }),
  );
}

function changedAgent(agent: ServiceAgent, { accountGroupId, licenseType, enabled }: AgentChange): ServiceAgent {
  return {
    ...agent,
    accountGroupId: accountGroupId ?? agent.accountGroupId,
    licenseType: licenseType ?? agent.licenseType,
    enabled: enabled ?? agent.enabled,
  };
}

/** Returns the account group of a resource. Returns undefined if the account group is unknown until the update. */
export function groupOf({ accountGroupId }: Properties, byDefault: string | undefined): string | undefined {
  if (accountGroupId === undefined) return byDefault;
  return isUnknown(accountGroupId) ? undefined : stringOf(accountGroupId);
}

function order(a: string, b: string): number {
  return a < b ? -1 : Number(a > b);
}
