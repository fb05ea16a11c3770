import { setTimeout as sleep } from "node:timers/promises";

/** Lists the records of one kind in one account group, and identifies them. */
export interface RecordSource {
  idOf(record: object): string;
  /** Returns the name by which people know a record. */
  titleOf(record: object): string | undefined;
  list(): Promise<object[]>;
}

/** Records by id. */
class Records extends Map<string, object> {
  /** Made when it is first asked for, and kept from then on: each of a thousand creates asks, a refresh does not. */
  #titled: Map<string | undefined, Map<string, object>> | undefined;

  constructor(
    private readonly source: Omit<RecordSource, "list">,
    records: readonly object[],
  ) {
    super();
    for (const record of records) this.set(source.idOf(record), record);
  }

  /** The records with a title. */
  titled(title: string | undefined): object[] {
    if (this.#titled === undefined) {
      this.#titled = new Map();
      for (const [id, record] of this) this.#add(id, record);
    }
    return [...(this.#titled.get(title)?.values() ?? [])];
  }

  override set(id: string, record: object): this {
    this.#remove(id);
    this.#add(id, record);
    return super.set(id, record);
  }

  override delete(id: string): boolean {
    this.#remove(id);
    return super.delete(id);
  }

  #add(id: string, record: object): void {
    if (this.#titled === undefined) return;
    const title = this.source.titleOf(record);
    const same = this.#titled.get(title);
    if (same) same.set(id, record);
    else this.#titled.set(title, new Map([[id, record]]));
  }

  #remove(id: string): void {
    const record = this.get(id);
    if (this.#titled && record) this.#titled.get(this.source.titleOf(record))?.delete(id);
  }
}

/** Records as others see them. */
export type ReadonlyRecords = ReadonlyMap<string, object> & Pick<Records, "titled">;

/**
 * The records of one kind in one account group. The first caller lists them and the others wait for that list, so a refresh of 1,000
 * resources takes a handful of requests. Writes of this process update the snapshot.
 */
export class Snapshot {
  #listing: Promise<Records> | undefined;
  #relisting: Promise<ReadonlyRecords> | undefined;
  #pause: Promise<void> | undefined;

  constructor(private readonly source: RecordSource) {}

  /** Returns all records by id. A failed list is not kept: the next caller lists again. */
  records(): Promise<ReadonlyRecords> {
    if (this.#listing === undefined) {
      const listing = this.source.list().then((records) => new Records(this.source, records));
      this.#listing = listing;
      listing.catch(() => {
        if (this.#listing === listing) this.#listing = undefined;
      });
    }
    return this.#listing;
  }

  /** Lists the records again. Concurrent callers share one list, which may have started before their call. */
  relist(): Promise<ReadonlyRecords> {
    if (this.#relisting === undefined) {
      this.#listing = undefined;
      const relisting = this.records();
      this.#relisting = relisting;
      relisting.finally(() => (this.#relisting = undefined)).catch(() => undefined);
    }
    return this.#relisting;
  }

  /**
   * Waits before a record that the list does not have is looked for again. All callers share one wait, which begins after the list.
   *
   * @param onWait called if this call begins the wait
   */
  pause(ms: number, onWait: () => void): Promise<void> {
    if (this.#pause === undefined) {
      onWait();
      this.#pause = sleep(ms);
    }
    return this.#pause;
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
