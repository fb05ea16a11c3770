/** Lists the records of one kind in one account group, and identifies them. */
export interface RecordSource {
  idOf(record: object): string;
  list(): Promise<object[]>;
}

/**
 * The records of one kind in one account group. The first caller lists them and the others wait for that list, so a refresh of 1,000
 * resources takes a handful of requests. Writes of this process update the snapshot.
 */
export class Snapshot {
  #listing: Promise<Map<string, object>> | undefined;
  #relisting: Promise<ReadonlyMap<string, object>> | undefined;

  constructor(private readonly source: RecordSource) {}

  /** Returns all records by id. A failed list is not kept: the next caller lists again. */
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

  /** Lists the records again. Concurrent callers share one list, which may have started before their call. */
  relist(): Promise<ReadonlyMap<string, object>> {
    if (this.#relisting === undefined) {
      this.#listing = undefined;
      const relisting = this.records();
      this.#relisting = relisting;
      relisting.finally(() => (this.#relisting = undefined)).catch(() => undefined);
    }
    return this.#relisting;
  }

  /** Stores a record that was created, read or updated. */
  put(record: object): void {
    void this.#listing?.then((records) => records.set(this.source.idOf(record), record)).catch(() => undefined);
  }

  /** Drops a record that no longer exists. */
  drop(id: string): void {
    void this.#listing?.then((records) => records.delete(id)).catch(() => undefined);
  }
}
