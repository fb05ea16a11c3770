import {
  type AttributeFilter,
  type AttributeRule,
  comparisonOf,
  compileAttributes,
  type LabelTest,
} from "../../api/label-match";
import type { Collection, StoreRow, Store } from "../store";
import type { FleetAgent, Fleet } from "./fleet";

/** One number for each agent in an account group, including deleted agents. An agent's number is 1 if the agent has the label or tag. */
export type LabelMarks = Readonly<Uint8Array>;

interface LabelSet<T> {
  readonly body: T;
  readonly isOn: LabelTest;
  readonly agents: readonly FleetAgent[];
  readonly marks: LabelMarks;
  readonly version: number;
}

/** Computes which agents have a label or tag. After a change to agents, the class evaluates only the changed agents again. */
export class LabelSets<T> {
  readonly #sets = new Map<string, LabelSet<T>>();
  readonly #columns = new WeakMap<readonly FleetAgent[], Columns>();

  constructor(
    store: Store,
    { name }: Collection<T>,
    private readonly attributesOf: (body: T) => AttributeRule,
  ) {
    store.watch(name, (id) => (id === undefined ? this.#sets.clear() : this.#sets.delete(id)));
  }

  get size(): number {
    return this.#sets.size;
  }

  of({ id, aid, body }: StoreRow<T>, fleet: Fleet): LabelMarks {
    const agents = fleet.list(aid);
    const known = this.#sets.get(id);
    const earlier = known?.body === body ? known : undefined;
    if (earlier?.agents === agents) return earlier.marks;
    const { version } = fleet;
    if (earlier && fleet.changedSince(earlier.version)) {
      const marks = followed(earlier, agents);
      this.#sets.set(id, { ...earlier, agents, marks, version });
      return marks;
    }
    const rule = this.attributesOf(body);
    const columns = this.#columns.get(agents) ?? new Columns(agents);
    this.#columns.set(agents, columns);
    const marks = columns.matching(rule);
    this.#sets.set(id, { body, isOn: compileAttributes(rule), agents, marks, version });
    return marks;
  }
}

/** Evaluates only agents with a changed row, and keeps the results for all other agents. */
function followed<T>({ isOn, agents: earlier, marks }: LabelSet<T>, agents: readonly FleetAgent[]): LabelMarks {
  let at = 0;
  return Uint8Array.from(agents, (agent) => {
    while (at < earlier.length && (earlier[at]?.sequence ?? 0) < agent.sequence) at += 1;
    return agent === earlier[at] ? (marks[at] ?? 0) : Number(isOn(agent.facts));
  });
}

/**
 * An account group's agents, grouped by attribute value. The class evaluates each filter once per value, because 10,000 agents often share
 * a few values.
 */
class Columns {
  readonly #places = new Map<string, Map<string, number[]>>();
  readonly #marks = new Map<string, Uint8Array>();

  constructor(private readonly agents: readonly FleetAgent[]) {}

  matching({ matchType, filters }: AttributeRule): LabelMarks {
    const sides = filters.map((filter) => this.#marksOf(filter));
    const wanted = matchType === "and" ? Math.max(1, filters.length) : 1;
    // For speed, the loop calls no functions: 1,000 labels need tens of millions of iterations.
    const marks = new Uint8Array(this.agents.length);
    for (let place = 0; place < marks.length; place += 1) {
      let count = 0;
      for (const side of sides) count += side[place] ?? 0;
      if (count >= wanted) marks[place] = 1;
    }
    return marks;
  }

  /** Returns a cached result, because many labels have the same filters. */
  #marksOf({ key, mode, values }: AttributeFilter): Uint8Array {
    const name = JSON.stringify([key, mode, values]);
    const known = this.#marks.get(name);
    if (known) return known;
    const isOut = key !== undefined && mode === "not-in";
    const marks = new Uint8Array(this.agents.length).fill(Number(isOut));
    this.#marks.set(name, marks);
    if (key === undefined) return marks;
    const fits = comparisonOf(key)(values);
    for (const [value, places] of this.#placesOf(key)) {
      if (fits(value)) for (const place of places) marks[place] = Number(!isOut);
    }
    return marks;
  }

  #placesOf(key: NonNullable<AttributeFilter["key"]>): Map<string, number[]> {
    const known = this.#places.get(key);
    if (known) return known;
    const byValue = new Map<string, number[]>();
    for (const [place, { facts }] of this.agents.entries()) {
      for (const value of facts[key]) {
        const places = byValue.get(value);
        if (places) places.push(place);
        else byValue.set(value, [place]);
      }
    }
    this.#places.set(key, byValue);
    return byValue;
  }
}
