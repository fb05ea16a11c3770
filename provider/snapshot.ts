import type { Kind } from "./kind";

/**
 * The records of one kind in one account group, listed once: the first caller lists, the others wait for it. One refresh of
 * 1,000 resources is a handful of requests. Writes of this process are kept up in it.
 */
export class Snapshot {
  #listing: Promise<Map<string, object>> | undefined;

  constructor(
    private readonly kind: Kind,
    private readonly list: () => Promise<object[]>,
  ) {}

  /** All records by id. A failed listing is not kept: the next caller lists again. */
  records(): Promise<ReadonlyMap<string, object>> {
    if (this.#listing === undefined) {
      const listing = this.list().then((records) => new Map(records.map((record) => [this.kind.idOf(record), record])));
      this.#listing = listing;
      listing.catch(() => {
        if (this.#listing === listing) this.#listing = undefined;
      });
    }
    return this.#listing;
  }

  /** Lists anew. */
  relist(): Promise<ReadonlyMap<string, object>> {
    this.#listing = undefined;
    return this.records();
  }

  /** Keeps up a record that was created, read or updated. */
  put(record: object): void {
    void this.#listing?.then((records) => records.set(this.kind.idOf(record), record)).catch(() => undefined);
  }

  /** Keeps up a record that was deleted or has gone. */
  drop(id: string): void {
    void this.#listing?.then((records) => records.delete(id)).catch(() => undefined);
  }
}
