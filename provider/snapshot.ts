/** The records of one kind in one account group: how they are listed and told apart. */
export interface RecordSource {
  idOf(record: object): string;
  list(): Promise<object[]>;
}

/**
 * The records of one kind in one account group, listed once: the first caller lists, the others wait for it. One refresh of
 * 1,000 resources is a handful of requests. Writes of this process are kept up in it.
 */
export class Snapshot {
  #listing: Promise<Map<string, object>> | undefined;
  #relisting: Promise<ReadonlyMap<string, object>> | undefined;

  constructor(private readonly source: RecordSource) {}

  /** All records by id. A failed listing is not kept: the next caller lists again. */
  records(): Promise<ReadonlyMap<string, object>> {
    if (this.#listing === undefined) {
      const listing = this.source
        .list()
        .then((records) => new Map(records.map((record) => [this.source.idOf(record), record])));
      this.#listing = listing;
      listing.catch(() => {
        if (this.#listing === listing) this.#listing = undefined;
      });
    }
    return this.#listing;
  }

  /** Lists anew. Callers that come while that is under way share it: it may have begun before they asked. */
  relist(): Promise<ReadonlyMap<string, object>> {
    if (this.#relisting === undefined) {
      this.#listing = undefined;
      const relisting = this.records();
      this.#relisting = relisting;
      relisting.finally(() => (this.#relisting = undefined)).catch(() => undefined);
    }
    return this.#relisting;
  }

  /** Keeps up a record that was created, read or updated. */
  put(record: object): void {
    void this.#listing?.then((records) => records.set(this.source.idOf(record), record)).catch(() => undefined);
  }

  /** Keeps up a record that no longer exists. */
  drop(id: string): void {
    void this.#listing?.then((records) => records.delete(id)).catch(() => undefined);
  }
}
