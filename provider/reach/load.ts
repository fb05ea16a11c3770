import { byPriority, assignTest, maxTestsPerAgent } from "../../api/agent-selection";
import type { ServiceAgent } from "./holdings";
import type { World, TestState } from "./world";

/** The world now, and after a change. */
export interface Worlds {
  before: World;
  after: World;
}

/** The load of agents, now and afterwards. */
export interface LoadComparison {
  before: AgentLoad;
  after: AgentLoad;
  /** Agents that are assigned more tests than their license runs afterwards, those that get worse and the most loaded first. */
  over: Overloaded[];
}

/** The load of the agents of some account groups at one point in time. */
export interface AgentLoad {
  /** Rounds an hour that tests ask for, and those of them that licenses have room for. */
  rounds: number;
  roundsRun: number;
  /** Tests an agent is assigned, by its id. */
  assigned: ReadonlyMap<string, number>;
  /** On how many agents a test finds no room, by its key; tests with room everywhere are left out. */
  crowdedOut: ReadonlyMap<string, number>;
  /** Tests that are on but of which it is not known who runs them. */
  unclear: string[];
  /** Whether a test means more agents than it may use: which ones it gets is the service's choice. */
  chosen: boolean;
}

/** An agent with more tests than its license runs. */
export interface Overloaded {
  agent: ServiceAgent;
  limit: number;
  before: number;
  after: number;
  /** Whether more of its tests find no room than now. */
  worse: boolean;
}

/** Compares the load of all agents of some account groups. */
export function compareLoad({ before, after }: Worlds, accountGroupIds: readonly string[]): LoadComparison {
  const [now, afterwards] = [agentLoadOf(before, accountGroupIds), agentLoadOf(after, accountGroupIds)];
  const agentsBefore = new Map(accountGroupIds.flatMap((id) => before.able(id)).map((agent) => [agent.id, agent]));
  const over = accountGroupIds
    .flatMap((id) => after.able(id))
    .flatMap((agent): Overloaded[] => {
      const [limit, had, has] = [limitOf(agent), now.assigned.get(agent.id) ?? 0, afterwards.assigned.get(agent.id) ?? 0];
      if (limit === undefined || has <= limit) return [];
      // Its license may be another one afterwards.
      const excessNow = had - (limitOf(agentsBefore.get(agent.id) ?? agent) ?? Infinity);
      return [{ agent, limit, before: had, after: has, worse: has - limit > Math.max(0, excessNow) }];
    });
  const excess = (item: Overloaded): number => item.after - item.limit;
  return {
    before: now,
    after: afterwards,
    over: over.toSorted(
      (a, b) =>
        Number(b.worse) - Number(a.worse) ||
        excess(b) - excess(a) ||
        order(a.agent.name, b.agent.name) ||
        order(a.agent.id, b.agent.id),
    ),
  };
}

/** How many agents are assigned more tests than their license runs. */
export function overCount(world: World, { assigned }: AgentLoad, accountGroupIds: readonly string[]): number {
  const able = accountGroupIds.flatMap((id) => world.able(id));
  return able.filter((agent) => (assigned.get(agent.id) ?? 0) > (limitOf(agent) ?? Infinity)).length;
}

function agentLoadOf(world: World, accountGroupIds: readonly string[]): AgentLoad {
  const assigned = new Map<string, number>();
  const crowdedOut = new Map<string, number>();
  const unclearKeys: string[] = [];
  let [rounds, roundsRun, chosen] = [0, 0, false];
  for (const accountGroupId of accountGroupIds) {
    const able = world.able(accountGroupId);
    const places = new Map(able.map(({ id }, place) => [id, place]));
    const room = Uint16Array.from(able, (agent) => limitOf(agent) ?? unlimitedTests);
    for (const [key, { schedule }] of testsOf(world, accountGroupId)) {
      const selected = world.selectedBy(key);
      if (!schedule.value || !selected?.value || selected.value.unclear.agents.length > 0) {
        unclearKeys.push(key);
        continue;
      }
      const { maxMachines, interval } = schedule.value;
      const meant = selected.value.agents;
      chosen ||= meant.length > maxMachines;
      const runners = meant.slice(0, maxMachines);
      for (const { id } of runners) assigned.set(id, (assigned.get(id) ?? 0) + 1);
      const running = assignTest(
        room,
        runners.flatMap(({ id }) => places.get(id) ?? []),
        maxMachines,
      ).length;
      if (running < runners.length) crowdedOut.set(key, runners.length - running);
      rounds += (3600 / interval) * runners.length;
      roundsRun += (3600 / interval) * running;
    }
  }
  return { rounds, roundsRun, assigned, crowdedOut, unclear: unclearKeys, chosen };
}

/** Scheduled tests of an account group that are on, those that go first on a full agent first. */
function testsOf(world: World, accountGroupId: string): [string, TestState][] {
  return [...world.tests]
    .filter(([, test]) => test.scheduled && test.accountGroupId === accountGroupId && !test.off)
    .toSorted(
      ([, a], [, b]) => byPriority(a.schedule.value ?? unknownSchedule, b.schedule.value ?? unknownSchedule) || a.age - b.age,
    );
}

/** Stands for a schedule that is not known. */
const unknownSchedule = { isPrioritized: false, agentSelectorType: "" };

/** Room of an agent whose license is not known: more than there can be tests in a list. */
const unlimitedTests = 65_535;

/** Tests an agent's license runs at once; nothing of a license that this version does not know. */
export function limitOf({ licenseType = "" }: ServiceAgent): number | undefined {
  return Object.entries(maxTestsPerAgent).find(([type]) => type === licenseType)?.[1];
}

function order(a: string, b: string): number {
  return a < b ? -1 : Number(a > b);
}
