import { valueAt } from "./values";

/**
 * The records that a list request returned. `endsOpen` is true if the last page has an empty link to a next page, so the list
 * may be incomplete.
 */
export type RecordList<R = object> = R[] & { endsOpen?: boolean };

export function recordList<R>(records: R[], lastPage: object | undefined): RecordList<R> {
  const next = valueAt(lastPage, ["_links", "next", "href"]);
  return Object.assign(records, { endsOpen: next === "" });
}

export interface RecordSource {
  idOf(record: object): string;
  titleOf(record: object): string | undefined;
  list(): Promise<RecordList>;
}

export type Ids = Pick<ReadonlySet<string>, "has">;

class Records extends Map<string, object> {
  /** Whether the list of records is certainly complete. An incomplete list does not prove that a record was deleted. */
  readonly isWhole: boolean;
  /** Index of the records by title. The index is built on first use, because a refresh does not need an index of titles. */
  #titled: Map<string | undefined, Map<string, object>> | undefined;
  /** For each id, the number of ids that were added earlier. The map also contains the ids of deleted records. */
  readonly #order = new Map<string, number>();

  constructor(
    private readonly source: Omit<RecordSource, "list">,
    records: Readonly<RecordList>,
    deleted: ReadonlySet<string>,
  ) {
    super();
    this.isWhole = records.endsOpen !== true;
    for (const record of records) if (!deleted.has(source.idOf(record))) this.set(source.idOf(record), record);
  }

  titled(title: string | undefined): object[] {
    if (this.#titled === undefined) {
      this.#titled = new Map();
      for (const [id, record] of this) this.#add(id, record);
    }
    return [...(this.#titled.get(title)?.values() ?? [])];
  }

  /**
   * Returns the ids that were added before this call, including the ids of deleted records. Later changes do not affect the result. The ids
   * are not copied, because a copy would take a long time for a large account.
   */
  idsSoFar(): Ids {
    const count = this.#order.size;
    return { has: (id) => (this.#order.get(id) ?? count) < count };
  }

  override set(id: string, record: object): this {
    if (!this.#order.has(id)) this.#order.set(id, this.#order.size);
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

export type ReadonlyRecords = ReadonlyMap<string, object> & Pick<Records, "titled" | "isWhole" | "idsSoFar">;

/**
 * The records of a resource type in an account group. A session lists the records only once, so a refresh of 1,000 resources needs only a
 * few requests. The provider adds its own writes to the snapshot.
 */
export class Snapshot {
  #listing: Promise<Records> | undefined;
  #relisting: Promise<ReadonlyRecords> | undefined;
  #listedAt: number | undefined;
  /**
   * Ids of records that this session deleted. The snapshot ignores the ids of deleted records in later lists, because a list may still show
   * deleted records.
   */
  readonly #deleted = new Set<string>();

  constructor(private readonly source: RecordSource) {}

  /** Returns all records by id. If the list request fails, the next caller requests the list again. */
  records(): Promise<ReadonlyRecords> {
    if (this.#listing === undefined) {
      this.#listedAt = performance.now();
      const listing = this.source.list().then((records) => new Records(this.source, records, this.#deleted));
      this.#listing = listing;
      listing.catch(() => {
        if (this.#listing === listing) this.#listing = undefined;
      });
    }
    return this.#listing;
  }

  /** Time of the last list request, as a value of `performance.now()`. */
  get listedAt(): number | undefined {
    return this.#listedAt;
  }

  /**
   * Returns the records that exist before a create request. A list without content counts as empty, because the service may
   * return such a list for an empty account.
   */
  async recordsBeforeCreate(isWithoutContent: (error: unknown) => boolean): Promise<ReadonlyRecords> {
    try {
      return await this.records();
    } catch (error) {
      if (isWithoutContent(error)) return new Records(this.source, [], this.#deleted);
      throw error;
    }
  }

  /** Requests the list of records again. Concurrent calls share one request. */
  relist(): Promise<ReadonlyRecords> {
    if (this.#relisting === undefined) {
      this.#listing = undefined;
      const relisting = this.records();
      this.#relisting = relisting;
      relisting.finally(() => (this.#relisting = undefined)).catch(() => undefined);
    }
    return this.#relisting;
  }

  put(record: object): void {
    void this.#listing?.then((records) => records.set(this.source.idOf(record), record)).catch(() => undefined);
  }

  drop(id: string): void {
    this.#deleted.add(id);
    void this.#listing?.then((records) => records.delete(id)).catch(() => undefined);
  }
}
