import { compileLabel, type LabelTest } from "../../api/label-match";
import { labels, type StoredLabel } from "../model/labels";
import type { Row, Store } from "../store";
import type { Fleet } from "./fleet";

interface LabelSet {
  /** What the label was when the set was made. */
  readonly body: StoredLabel;
  readonly isOn: LabelTest;
  readonly ids: Set<string>;
  /** State of the fleet that the set follows. */
  version: number;
}

/** Ids of the agents that labels are on; after a change only the agents that changed are looked at again. */
export class LabelSets {
  readonly #sets = new Map<string, LabelSet>();

  /** @param store in which a label that changes, or is deleted, gives up its set */
  constructor(store: Store) {
    store.watch(labels.name, (id) => (id === undefined ? this.#sets.clear() : this.#sets.delete(id)));
  }

  /** How many labels have a set in memory. */
  get size(): number {
    return this.#sets.size;
  }

  /** Agents of the label's account group, the deleted ones among them, too. */
  of({ id, aid, body }: Row<StoredLabel>, fleet: Fleet): ReadonlySet<string> {
    const known = this.#sets.get(id);
    const changed = known && fleet.changedSince(known.version);
    // A mirror hands out the same body until it is another one.
    if (!known || !changed || known.body !== body) {
      const isOn = compileLabel(body);
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
