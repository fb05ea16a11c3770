import { EndpointMonitoringError, NotFoundError, ProtocolError, ServerError, UnconfirmedError, ValidationError } from "../api";
import { UnprovenError } from "./failures";
import { recordsOf } from "./identity";
import type { RecordKind } from "./record-kind";
import type { Session } from "./session";
import type { ReadonlyRecords, Snapshot } from "./snapshot";
import type { Properties } from "./values";

/** A record to find, with the state of its resource. The state contains the time of the last write to the record. */
export interface SoughtRecord {
  readonly id: string;
  readonly accountGroupId: string | undefined;
  readonly state: Properties;
}

/** Finds records of a resource type, and proves that a record no longer exists. */
export class RecordFinder {
  /** For each account group, a successful response to a get request, which proves that get requests work. */
  readonly #witnesses = new Map<string | undefined, Promise<object>>();

  constructor(
    private readonly kind: RecordKind,
    private readonly session: Session,
  ) {}

  /**
   * Returns a record from the list of records in its account group. If the list does not contain the record, a get request decides whether
   * the record was deleted.
   *
   * @returns undefined if the record was deleted, or if the service may not show the record yet
   * @throws UnprovenError, or a request error
   */
  async find(record: SoughtRecord): Promise<object | undefined> {
    const { id, accountGroupId, state } = record;
    const snapshot = this.#snapshot(accountGroupId);
    const listed = (await this.#listed(snapshot, id)).get(id);
    if (listed && this.kind.isComplete(listed)) return listed;
    const sentAt = performance.now();
    try {
      const answer = await this.kind.requests.get(this.session.client, id, accountGroupId);
      snapshot.put(answer);
      return answer;
    } catch (error) {
      if (!mayBeMissing(error) || (listed && !(error instanceof NotFoundError))) throw error;
      if (this.session.readLag.leftMs(state, performance.now() - sentAt) > 0) return undefined;
      await this.proveGone(record, error);
      snapshot.drop(id);
      return undefined;
    }
  }

  /**
   * Repeats a request while the service's responses may be too old to show the record.
   *
   * @param isMissing function that decides whether an error reports a missing record, by default status 404 or 410
   * @throws the error of the last attempt
   */
  async whenShown<T>(
    { id, state }: SoughtRecord,
    operation: string,
    request: () => Promise<T>,
    isMissing: (error: unknown) => boolean = (error) => error instanceof NotFoundError,
  ): Promise<T> {
    const { readLag } = this.session;
    let leftMs = 0;
    const reason = `the service does not show the ${this.kind.noun} ${id}: ${readLag.describe(state)}`;
    const done = await readLag.repeat(
      async () => {
        const sentAt = performance.now();
        try {
          return { answer: await request() };
        } catch (error) {
          leftMs = isMissing(error) ? readLag.leftMs(state, performance.now() - sentAt) : 0;
          if (leftMs <= 0) throw error;
          return undefined;
        }
      },
      () => leftMs,
      { operation, reason },
    );
    return done?.answer as T;
  }

  /**
   * Proves with a list that a record no longer exists. The status 404 is not a proof, because a wrong path or account group also causes
   * this status. If the list may be older than the record's last write, the method requests the list again.
   *
   * @throws UnprovenError, the original error if the list shows the record, or a request error
   */
  async proveGone({ id, accountGroupId, state }: SoughtRecord, error: EndpointMonitoringError): Promise<void> {
    const { noun } = this.kind;
    const snapshot = this.#snapshot(accountGroupId);
    let records = await this.#listed(snapshot, id);
    const isYoung = this.session.readLag.leftMs(state, performance.now() - (snapshot.listedAt ?? 0)) > 0;
    if (isYoung || records.has(id)) records = await this.#listed(snapshot, id, true);
    const answersNotFound = isUnproven(error);
    if (records.has(id)) {
      if (!answersNotFound) throw error;
      records = await this.#withoutRecord(snapshot, id, records);
    }
    if (records.has(id)) {
      throw new UnprovenError(
        `${error.message} The service still lists the ${noun} ${id}, so the resource stays in the state. Run the operation again. If this ` +
          "error repeats, a gateway or proxy is probably answering instead of the service.",
        { cause: error },
      );
    }
    if (!records.isWhole) throw this.#unproven(id, error, "the service's list ends with an empty link to a next page");
    if (!answersNotFound) await this.#requireWitness(records, id, accountGroupId, error);
    if (!(await this.session.isVisible(accountGroupId))) {
      throw new UnprovenError(
        `${error.message} The credentials have no access to account group ${accountGroupId ?? ""}, so it is not known whether the ${noun} ${id} ` +
          "exists. The resource stays in the state. Use credentials with access to this account group.",
        { cause: error },
      );
    }
  }

  /**
   * Returns the listed records that still exist. A list may still show a deleted record, so a get request decides. If the list and the get
   * request contradict each other, the method repeats both requests until their responses agree.
   */
  async existing(records: readonly object[], accountGroupId: string | undefined): Promise<object[]> {
    if (this.session.readLag.seconds === 0) return [...records];
    const exist = await Promise.all(records.map((record) => this.#exists(this.kind.idOf(record), accountGroupId)));
    return records.filter((_, i) => exist[i]);
  }

  async #exists(id: string, accountGroupId: string | undefined): Promise<boolean> {
    const { readLag, ledger, client } = this.session;
    // If this operation manages, releases or deletes a record, no get request is necessary.
    if (!ledger.isFree(this.kind, id)) return true;
    const exists = await readLag.repeat(
      async () => {
        try {
          await this.kind.requests.get(client, id, accountGroupId);
          return true;
        } catch (error) {
          if (!(error instanceof NotFoundError)) return true;
          return (await this.#snapshot(accountGroupId).relist()).has(id) ? undefined : false;
        }
      },
      () => readLag.contradictionLeftMs(),
      { operation: "create", reason: this.#contradiction(id) },
    );
    return exists ?? false;
  }

  #contradiction(id: string): string {
    return `the service lists the ${this.kind.noun} ${id}, but answers a read of it with "not found"`;
  }

  /** @throws UnprovenError if the list has no content, because such a list proves nothing */
  async #listed(snapshot: Snapshot, id: string, again = false): Promise<ReadonlyRecords> {
    try {
      return await (again ? snapshot.relist() : snapshot.records());
    } catch (error) {
      if (isWithoutContent(error)) throw this.#unproven(id, error, "the list of the account group has no content");
      throw error;
    }
  }

  /** Requests a list repeatedly until the list no longer shows the deleted record or the time runs out. */
  async #withoutRecord(snapshot: Snapshot, id: string, records: ReadonlyRecords): Promise<ReadonlyRecords> {
    const { readLag } = this.session;
    if (readLag.contradictionLeftMs() <= 0) return records;
    let last = records;
    await readLag.repeat(
      async () => {
        last = await snapshot.relist();
        return last.has(id) ? undefined : true;
      },
      () => readLag.contradictionLeftMs(),
      { operation: "refresh", reason: this.#contradiction(id) },
    );
    return last;
  }

  /**
   * Throws an error unless a get request for a listed record succeeds. If get requests fail even for listed records, a failed get request
   * does not prove a deletion.
   */
  async #requireWitness(
    records: ReadonlyRecords,
    id: string,
    accountGroupId: string | undefined,
    error: EndpointMonitoringError,
  ): Promise<void> {
    const [other] = records.keys();
    if (other === undefined) throw this.#unproven(id, error, "the service lists no other record");
    const witness = this.#witnesses.get(accountGroupId) ?? this.kind.requests.get(this.session.client, other, accountGroupId);
    this.#witnesses.set(accountGroupId, witness);
    try {
      await witness;
    } catch (cause) {
      this.#witnesses.delete(accountGroupId);
      if (cause instanceof EndpointMonitoringError)
        throw this.#unproven(id, error, `a read of the ${this.kind.noun} ${other} also fails`);
      throw cause;
    }
  }

  #unproven(id: string, error: EndpointMonitoringError, reason: string): UnprovenError {
    return new UnprovenError(
      `${error.message} This error does not prove that the ${this.kind.noun} ${id} was deleted: ${reason}. The resource stays in the state.`,
      { cause: error, mayBeForgotten: true },
    );
  }

  #snapshot(accountGroupId: string | undefined): Snapshot {
    return recordsOf(this.session, this.kind, accountGroupId);
  }
}

/** Whether a response may mean that a record is missing: status 404, 410, 400 or 500, or a success without content. */
export function mayBeMissing(error: unknown): error is EndpointMonitoringError {
  if (error instanceof NotFoundError || error instanceof UnconfirmedError || error instanceof ValidationError) return true;
  if (error instanceof ServerError) return error.status === 500;
  return error instanceof ProtocolError && error.hasNoContent;
}

/** Whether a response proves neither the deletion nor the existence of a record. */
export function isUnproven(error: unknown): error is EndpointMonitoringError {
  return error instanceof NotFoundError || error instanceof UnconfirmedError;
}

/** Whether a response to a list request contains no list: status 404 or 204, `null`, or an object without the records. */
export function isWithoutContent(error: unknown): error is EndpointMonitoringError {
  return error instanceof NotFoundError || (error instanceof ProtocolError && error.hasNoContent);
}
