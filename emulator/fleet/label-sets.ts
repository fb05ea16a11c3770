import type { LabelTest } from "../../api/label-match";
import type { Collection, Row, Store } from "../store";
import type { Fleet } from "./fleet";

interface LabelSet<T> {
  /** What the label or tag was when the set was made. */
  readonly body: T;
  readonly isOn: LabelTest;
  readonly ids: Set<string>;
  /** State of the fleet that the set follows. */
  version: number;
}

/** Ids of the agents that labels or tags are on; after a change only the agents that changed are looked at again. */
export class LabelSets<T> {
  readonly #sets = new Map<string, LabelSet<T>>();

  /**
   * @param store in which a label or tag that changes, or is deleted, gives up its set
   * @param compile returns which agents a label or tag matches
   */
  constructor(
    store: Store,
    { name }: Collection<T>,
    private readonly compile: (body: T) => LabelTest,
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
      const isOn = this.compile(body);
      const ids = new Set(fleet.list(aid).flatMap((agent) => (isOn(agent.facts) ? [agent.id] : [])));
      this.#sets.set(id, { body, isOn, ids, version: fleet.version });
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
}
