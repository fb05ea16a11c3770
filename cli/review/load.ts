import { byPriority, assignTest, maxTestsPerAgent } from "../../api/agent-selection";
import { order } from "../words";
import type { Agent } from "./service";
import type { World, TestThen } from "./world";
import type { Worlds } from "./worlds";

/** What agents have to do, now and afterwards. */
export interface Comparison {
  before: Burden;
  after: Burden;
  /** Agents that are assigned more tests than their licence runs afterwards, those that get worse and the most loaded first. */
  over: Overloaded[];
}

/** What the agents of some account groups have to do at one point in time. */
export interface Burden {
  /** Rounds an hour that tests ask for, and those of them that licences have room for. */
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

/** An agent with more tests than its licence runs. */
export interface Overloaded {
  agent: Agent;
  limit: number;
  before: number;
  after: number;
  /** Whether more of its tests find no room than now. */
  worse: boolean;
}

/** Compares the load of all agents of some account groups. */
export function compareLoad({ before, after }: Worlds, aids: readonly string[]): Comparison {
  const [now, then] = [burdenOf(before, aids), burdenOf(after, aids)];
  const former = new Map(aids.flatMap((aid) => before.able(aid)).map((agent) => [agent.id, agent]));
  const over = aids
    .flatMap((aid) => after.able(aid))
    .flatMap((agent): Overloaded[] => {
      const [limit, had, has] = [limitOf(agent), now.assigned.get(agent.id) ?? 0, then.assigned.get(agent.id) ?? 0];
      if (limit === undefined || has <= limit) return [];
      // Its licence may be another one afterwards.
      const excessNow = had - (limitOf(former.get(agent.id) ?? agent) ?? Infinity);
      return [{ agent, limit, before: had, after: has, worse: has - limit > Math.max(0, excessNow) }];
    });
  const excess = (one: Overloaded): number => one.after - one.limit;
  return {
    before: now,
    after: then,
    over: over.toSorted(
      (a, b) =>
        Number(b.worse) - Number(a.worse) ||
        excess(b) - excess(a) ||
        order(a.agent.name, b.agent.name) ||
        order(a.agent.id, b.agent.id),
    ),
  };
}

/** How many agents are assigned more tests than their licence runs. */
export function overCount(world: World, { assigned }: Burden, aids: readonly string[]): number {
  const able = aids.flatMap((aid) => world.able(aid));
  return able.filter((agent) => (assigned.get(agent.id) ?? 0) > (limitOf(agent) ?? Infinity)).length;
}

function burdenOf(world: World, aids: readonly string[]): Burden {
  const assigned = new Map<string, number>();
  const crowdedOut = new Map<string, number>();
  const unclearKeys: string[] = [];
  let [rounds, roundsRun, chosen] = [0, 0, false];
  for (const aid of aids) {
    const able = world.able(aid);
    const places = new Map(able.map(({ id }, place) => [id, place]));
    const room = Uint16Array.from(able, (agent) => limitOf(agent) ?? unlimited);
    for (const [key, { schedule }] of testsOf(world, aid)) {
      const selected = world.selectedBy(key);
      if (!schedule.value || !selected?.value) {
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
function testsOf(world: World, aid: string): [string, TestThen][] {
  return [...world.tests]
    .filter(([, test]) => test.scheduled && test.aid === aid && !test.off)
    .toSorted(([, a], [, b]) => byPriority(a.schedule.value ?? unclear, b.schedule.value ?? unclear) || a.age - b.age);
}

/** Stands for a schedule that is not known. */
const unclear = { isPrioritized: false, agentSelectorType: "" };

/** Room of an agent whose licence says nothing: more than there can be tests in a list. */
const unlimited = 65_535;

/** Tests an agent's licence runs at once; nothing of a licence that this version does not know. */
export function limitOf({ licenseType = "" }: Agent): number | undefined {
  return Object.entries(maxTestsPerAgent).find(([type]) => type === licenseType)?.[1];
}
