/** Computes which agents have labels and tags, and which agents run tests (docs/service/tests.md, Product limits). */
import { byPriority as byRank, choiceOf, groupsOf, assignTest, maxTestsPerAgent } from "../api/agent-selection";
import { attributesOfLabel } from "../api/label-match";
import { attributesOfTag } from "../api/tag-match";
import { type FleetAgent, type Fleet, fleetOf } from "./fleet/fleet";
import { LabelSets, type LabelMarks } from "./fleet/label-sets";
import { SilentAgents } from "./fleet/silent";
import { Mirror, oncePerStore } from "./mirror";
import { labels, type StoredLabel } from "./model/labels";
import { type StoredTag, tags } from "./model/tags";
import { type StoredTest, testCollection } from "./model/tests";
import type { ServiceData } from "./service";
import type { StoreRow, Store } from "./store";

export { maxTestsPerAgent as testsAtOnce } from "../api/agent-selection";

type SelectingTest = Pick<StoreRow<StoredTest>, "aid" | "body">;

/**
 * Returns the agents that have a label, in the order of creation. The result contains no deleted agents.
 *
 * An agent loses its labels one hour after its last check-in.
 *
 * @param silent whether to return only the silent agents, which have lost the label, instead of the active agents
 */
export function agentsOfLabel(service: ServiceData, label: StoreRow<StoredLabel>, silent = false): readonly FleetAgent[] {
  return agentsIn(service, label.aid, selectionOf(service.store).ofLabel(label, fleetOf(service)), silent);
}

/**
 * Returns the agents that match a tag's filters. A filter does not match any agent if it uses an attribute that agent records do not
 * contain.
 */
export function agentsOfTag(service: ServiceData, tag: StoreRow<StoredTag>, silent = false): readonly FleetAgent[] {
  return agentsIn(service, tag.aid, selectionOf(service.store).ofTag(tag, fleetOf(service)), silent);
}

function agentsIn(service: ServiceData, aid: string, marks: LabelMarks, silent: boolean): readonly FleetAgent[] {
  const lost = selectionOf(service.store).silent(service);
  return fleetOf(service)
    .list(aid)
    .filter(({ id, body }, place) => marks[place] === 1 && !body.deleted && lost.has(id) === silent);
}

/**
 * Returns the enabled agents that a test selects, in the order of creation.
 *
 * An id that does not exist selects no agent. A test with several tags selects the agents with any of its tags.
 */
export function agentsSelected(service: ServiceData, test: SelectingTest): readonly FleetAgent[] {
  return selectionOf(service.store).agents(service, test, Infinity);
}

/**
 * Returns the agents that are assigned to a test. If the test selects more agents than its `maxMachines`, the oldest agents are assigned.
 */
export function agentsAssigned(service: ServiceData, test: SelectingTest): readonly FleetAgent[] {
  return selectionOf(service.store).agents(service, test, test.body.maxMachines);
}

/**
 * Returns the agents that run a test now.
 *
 * An assigned agent runs a test if its license still has capacity after the tests with higher priority. For a disabled test, the result is
 * empty.
 */
export function agentsRunning(service: ServiceData, test: Pick<StoreRow<StoredTest>, "id" | "aid">): readonly FleetAgent[] {
  return selectionOf(service.store).plan(service, test.aid).byTest.get(test.id) ?? [];
}

/** Returns the scheduled and dynamic tests that an agent runs now, the highest priority first. */
export function testsRunBy(service: ServiceData, agentId: string): readonly ScheduledTest[] {
  const agent = fleetOf(service).get(agentId);
  return (agent && selectionOf(service.store).plan(service, agent.aid).byAgent.get(agentId)) ?? [];
}

export interface ScheduledTest extends StoreRow<StoredTest> {
  readonly collection: string;
}

interface Assignment {
  readonly state: string;
  readonly byTest: ReadonlyMap<string, readonly FleetAgent[]>;
  readonly byAgent: ReadonlyMap<string, readonly ScheduledTest[]>;
}

/**
 * One number for each agent: 1 if tests can select the agent, and otherwise 0. In `byGroup`, silent agents have the number 0, because they
 * have lost their labels and tags.
 */
interface Able {
  readonly alone: LabelMarks;
  readonly byGroup: LabelMarks;
}

/** Caches the agents that each test selects, as positions in the list of an account group's agents. */
class ActiveSelection {
  readonly #labels: Mirror<StoredLabel>;
  readonly #labelSets: LabelSets<StoredLabel>;
  readonly #tags: Mirror<StoredTag>;
  readonly #tagSets: LabelSets<StoredTag>;
  /** Tests that count against licenses. Instant tests do not count against licenses. */
  readonly #tests: readonly Mirror<StoredTest, ScheduledTest>[];
  readonly #plans = new Map<string, Assignment>();
  readonly #silent = new SilentAgents();
  /** Cached positions of agents by selection, valid while `#state` is unchanged. */
  readonly #places = new Map<string, readonly number[]>();
  /** Cached agents by account group, valid while `#state` is unchanged. */
  readonly #able = new Map<string, Able>();
  #state = "";

  constructor(store: Store) {
    this.#labelSets = new LabelSets(store, labels, attributesOfLabel);
    this.#labels = new Mirror(store, labels, (row) => row);
    this.#tagSets = new LabelSets(store, tags, attributesOfTag);
    this.#tags = new Mirror(store, tags, (row) => row);
    this.#tests = ["agent-to-server-tests", "http-server-tests", "dynamic-tests"].map(
      (collection) => new Mirror(store, testCollection<StoredTest>(collection), (row) => ({ ...row, collection })),
    );
  }

  ofLabel(label: StoreRow<StoredLabel>, fleet: Fleet): LabelMarks {
    return this.#labelSets.of(this.#labels.get(label.id) ?? label, fleet);
  }

  ofTag(tag: StoreRow<StoredTag>, fleet: Fleet): LabelMarks {
    return this.#tagSets.of(this.#tags.get(tag.id) ?? tag, fleet);
  }

  silent(service: ServiceData): ReadonlySet<string> {
    return this.#silent.of(service, fleetOf(service));
  }

  agents(service: ServiceData, test: SelectingTest, most: number): readonly FleetAgent[] {
    const fleet = this.#current(service);
    return agentsAt(this.#placesOf(fleet, test).slice(0, most), fleet.list(test.aid));
  }

  plan(service: ServiceData, aid: string): Assignment {
    const fleet = this.#current(service);
    const state = [this.#state, ...this.#tests.map(({ version }) => version)].join(" ");
    const known = this.#plans.get(aid);
    if (known?.state === state) return known;
    const agents = fleet.list(aid);
    const room = Uint8Array.from(agents, ({ body }) => maxTestsPerAgent[body.licenseType]);
    const byTest = new Map<string, FleetAgent[]>();
    const byAgent = new Map<string, ScheduledTest[]>();
    for (const test of this.#tests.flatMap((mirror) => mirror.list(aid)).toSorted(byPriority)) {
      if (!test.body.isEnabled) continue;
      const places = this.#placesOf(fleet, test);
      const runners = agentsAt(assignTest(room, places, test.body.maxMachines), agents);
      for (const agent of runners) {
        const tests = byAgent.get(agent.id);
        if (tests) tests.push(test);
        else byAgent.set(agent.id, [test]);
      }
      byTest.set(test.id, runners);
    }
    const plan = { state, byTest, byAgent };
    this.#plans.set(aid, plan);
    return plan;
  }

  #placesOf(fleet: Fleet, { aid, body }: SelectingTest): readonly number[] {
    const key = JSON.stringify([aid, body.agentSelectorType, body.agents, body.endpointAgentLabels, body.tagIds]);
    const known = this.#places.get(key);
    if (known) return known;
    const [choose, agents, { alone, byGroup }] = [choiceOf(body), fleet.list(aid), this.#ableOf(fleet, aid)];
    const groups = groupsOf(body).flatMap((id) => this.#marksOf(fleet, aid, body.agentSelectorType, id) ?? []);
    const places: number[] = [];
    for (let place = 0; place < agents.length; place += 1) {
      if (choose ? alone[place] === 1 && choose(agents[place]?.id ?? "") : byGroup[place] === 1 && isMarked(groups, place)) {
        places.push(place);
      }
    }
    this.#places.set(key, places);
    return places;
  }

  /** Labels and tags in other account groups select no agents. */
  #marksOf(fleet: Fleet, aid: string, selector: string, id: string): LabelMarks | undefined {
    const [label, tag] = selector === "agent-tags" ? [undefined, this.#tags.get(id)] : [this.#labels.get(id), undefined];
    if (label?.aid === aid) return this.#labelSets.of(label, fleet);
    return tag?.aid === aid ? this.#tagSets.of(tag, fleet) : undefined;
  }

  #ableOf(fleet: Fleet, aid: string): Able {
    const known = this.#able.get(aid);
    if (known) return known;
    const [agents, silent] = [fleet.list(aid), this.#silent.ids];
    const alone = Uint8Array.from(agents, ({ body }) => Number(body.status === "enabled" && !body.deleted));
    const byGroup = alone.map((able, place) => (silent.has(agents[place]?.id ?? "") ? 0 : able));
    this.#able.set(aid, { alone, byGroup });
    return { alone, byGroup };
  }

  /** Returns the current agents, and clears outdated caches. */
  #current(service: ServiceData): Fleet {
    const fleet = fleetOf(service);
    this.#silent.of(service, fleet);
    const state = [fleet, this.#labels, this.#tags, this.#silent].map(({ version }) => version).join(" ");
    if (state === this.#state) return fleet;
    this.#state = state;
    this.#places.clear();
    this.#able.clear();
    return fleet;
  }
}

const selectionOf = oncePerStore((store) => new ActiveSelection(store));

function agentsAt(places: readonly number[], agents: readonly FleetAgent[]): FleetAgent[] {
  return places.flatMap((place) => agents[place] ?? []);
}

function isMarked(groups: readonly LabelMarks[], place: number): boolean {
  for (const marks of groups) if (marks[place] === 1) return true;
  return false;
}

function byPriority(a: StoreRow<StoredTest>, b: StoreRow<StoredTest>): number {
  return byRank(a.body, b.body) || a.sequence - b.sequence;
}
