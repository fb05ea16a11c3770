import {
  type AttributeFilter,
  type AttributeRule,
  comparisonOf,
  compileAttributes,
  type LabelTest,
} from "../../api/label-match";
import type { Collection, Row, Store } from "../store";
import type { Agent, Fleet } from "./fleet";

interface LabelSet<T> {
  /** The label or tag at the time when the set was made. */
  readonly body: T;
  readonly isOn: LabelTest;
  readonly ids: Set<string>;
  /** State of the fleet that the set follows. */
  version: number;
}

/** Ids of the agents that labels or tags are on; after a change only the agents that changed are looked at again. */
export class LabelSets<T> {
  readonly #sets = new Map<string, LabelSet<T>>();
  /** Agents by account group, as long as the fleet has this version. */
  readonly #columns = new Map<string, Columns>();
  #version = -1;

  /**
   * @param store in which a label or tag that changes, or is deleted, gives up its set
   * @param attributesOf returns the filters of a label or tag
   */
  constructor(
    store: Store,
    { name }: Collection<T>,
    private readonly attributesOf: (body: T) => AttributeRule,
  ) {
    store.watch(name, (id) => (id === undefined ? this.#sets.clear() : this.#sets.delete(id)));
  }

  /** How many have a set in memory. */
  get size(): number {
    return this.#sets.size;
  }

  /** Agents of the account group of the label or tag, the deleted ones among them, too. */
  of({ id, aid, body }: Row<T>, fleet: Fleet): ReadonlySet<string> {
    const known = this.#sets.get(id);
    const changed = known && fleet.changedSince(known.version);
    // A mirror hands out the same body until it is another one.
    if (!known || !changed || known.body !== body) {
      const rule = this.attributesOf(body);
      const ids = this.#columnsOf(fleet, aid).matching(rule);
      this.#sets.set(id, { body, isOn: compileAttributes(rule), ids, version: fleet.version });
      return ids;
    }
    for (const agentId of changed) {
      const agent = fleet.get(agentId);
      if (agent?.aid === aid && known.isOn(agent.facts)) known.ids.add(agentId);
      else known.ids.delete(agentId);
    }
    known.version = fleet.version;
    return known.ids;
  }

  #columnsOf(fleet: Fleet, aid: string): Columns {
    if (fleet.version !== this.#version) this.#columns.clear();
    this.#version = fleet.version;
    const columns = this.#columns.get(aid) ?? new Columns(fleet.list(aid));
    this.#columns.set(aid, columns);
    return columns;
  }
}

/** Agents by the values of their attributes. A filter is compared once with each value, not once with each agent: with 10,000 it shows. */
class Columns {
  readonly #places = new Map<string, Map<string, number[]>>();
  readonly #marks = new Map<string, Uint8Array>();

  constructor(private readonly agents: readonly Agent[]) {}

  /** Ids of the agents that match. */
  matching({ matchType, filters }: AttributeRule): Set<string> {
    const marks = filters.map((filter) => this.#marksOf(filter));
    const wanted = matchType === "and" ? filters.length : 1;
    const counts = new Uint16Array(this.agents.length);
    for (const marked of marks) marked.forEach((mark, place) => (counts[place] = (counts[place] ?? 0) + mark));
    const ids = new Set<string>();
    counts.forEach((count, place) => {
      const agent = this.agents[place];
      if (agent && count >= wanted && count > 0) ids.add(agent.id);
    });
    return ids;
  }

  /** A 1 at the place of each agent that a filter matches. Labels share many filters. */
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

  /** Places of the agents with a value of an attribute, by the value. */
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
