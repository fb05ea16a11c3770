import { byPriority, assignTest, maxTestsPerAgent } from "../../api/agent-selection";
import type { ServiceAgent } from "./holdings";
import type { World, TestState } from "./world";

export interface Worlds {
  before: World;
  after: World;
}

export interface LoadComparison {
  before: AgentLoad;
  after: AgentLoad;
  /**
   * Agents with more tests after the change than their license allows. The list begins with agents that exceed their limit by more tests
   * than before the change.
   */
  over: Overloaded[];
}

export interface AgentLoad {
  /** Number of rounds per hour that result from the schedules of all tests. */
  rounds: number;
  roundsRun: number;
  assigned: ReadonlyMap<string, number>;
  /** For each test, the number of selected agents that cannot run the test because of their license. */
  crowdedOut: ReadonlyMap<string, number>;
  unclear: string[];
  /** Whether the service chooses the agents of a test, because the test selects more agents than its `maxMachines` allows. */
  chosen: boolean;
}

/** An agent with more assigned tests than its license allows. */
export interface Overloaded {
  agent: ServiceAgent;
  limit: number;
  before: number;
  after: number;
  /** Whether the agent exceeds the limit by more tests than before the change. */
  worse: boolean;
}

export function compareLoad({ before, after }: Worlds, accountGroupIds: readonly string[]): LoadComparison {
  const [now, afterwards] = [agentLoadOf(before, accountGroupIds), agentLoadOf(after, accountGroupIds)];
  const agentsBefore = new Map(accountGroupIds.flatMap((id) => before.able(id)).map((agent) => [agent.id, agent]));
  const over = accountGroupIds
    .flatMap((id) => after.able(id))
    .flatMap((agent): Overloaded[] => {
      const [limit, had, has] = [limitOf(agent), now.assigned.get(agent.id) ?? 0, afterwards.assigned.get(agent.id) ?? 0];
      if (limit === undefined || has <= limit) return [];
      // The limit before the change may be different, because a change can also give an agent a different license.
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

/** Returns the enabled scheduled tests of an account group, sorted by their priority for agents. */
function testsOf(world: World, accountGroupId: string): [string, TestState][] {
  return [...world.tests]
    .filter(([, test]) => test.scheduled && test.accountGroupId === accountGroupId && !test.off)
    .toSorted(
      ([, a], [, b]) => byPriority(a.schedule.value ?? unknownSchedule, b.schedule.value ?? unknownSchedule) || a.age - b.age,
    );
}

const unknownSchedule = { isPrioritized: false, agentSelectorType: "" };

/** Number of tests that an agent with an unknown license may run: more than any account group has. */
const unlimitedTests = 65_535;

/** Returns the number of tests that an agent's license allows. Returns undefined for an unknown license. */
export function limitOf({ licenseType = "" }: ServiceAgent): number | undefined {
  return Object.entries(maxTestsPerAgent).find(([type]) => type === licenseType)?.[1];
}

function order(a: string, b: string): number {
  return a < b ? -1 : Number(a > b);
}
