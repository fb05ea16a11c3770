import { setTimeout as sleep } from "node:timers/promises";
import type { z } from "zod";
import { EndpointMonitoringError, NotFoundError, UnconfirmedError } from "../api";
import { type Change, compare, describeKept, describeKeptDiscreetly, isRecordedOnly, listOf } from "./compare";
import { DuplicateError, GoneError, PartialFailure, UnprovenError } from "./failures";
import { nonexistentId, type CreatedResource, type ReadResource, type KindHandler } from "./handler";
import { recordsOf, titleOf } from "./identity";
import { defineKind } from "./kind";
import type { PropertyMap } from "./property";
import type { RecordDeclaration, RecordKind } from "./record-kind";
import type { Session } from "./session";
import type { ReadonlyRecords, Snapshot } from "./snapshot";
import {
  createdState,
  inputsOf,
  isBare,
  orAbsent,
  pickWriteOnly,
  stateOf,
  unmanagedFields,
  updateBody,
  writtenProperty,
} from "./state";
import { type AdoptMode, decideAdoption, type Duplicates, findDuplicates, refuseToReplace } from "./duplicates";
import { createOnce, pausesMs } from "./unknown-outcome";
import { type Properties, compact, stringOf } from "./values";

/** Share of `createOutcomeTimeout` for which reads may lag behind writes: 5 s of 60 s. */
const lookShare = 1 / 12;

/** Declares a kind of record, whose handler is a `RecordHandler`. */
export function recordKind<const M extends PropertyMap, R extends object, const O extends z.ZodRawShape>(
  declaration: RecordDeclaration<M, R, O>,
): RecordKind<M, R, O> {
  const kind: RecordKind<M, R, O> = {
    outputsOf: () => ({}),
    modifiedAt: () => undefined,
    isComplete: () => true,
    ...declaration,
    ...defineKind({ ...declaration, origin: "made", handler: (session) => new RecordHandler(kind, session) }),
  };
  return kind;
}

/** The handler of a kind whose resources are records: the service lists, creates, gets, updates and deletes them. */
export class RecordHandler implements KindHandler {
  constructor(
    readonly kind: RecordKind,
    private readonly session: Session,
  ) {}

  /**
   * Creates a record, or adopts an existing one if that is allowed.
   *
   * @throws DuplicateError, UnknownOutcomeError, PartialFailure (the record exists, but a later step failed) and the client's errors
   */
  async create(inputs: Properties): Promise<CreatedResource> {
    const { kind, session } = this;
    const accountGroupId = await session.accountGroupOf(inputs);
    const before = await this.#snapshot(accountGroupId).records();
    const adopted = this.#adopt(before, inputs, accountGroupId);
    const record = adopted ?? (await createOnce({ kind, session, inputs, accountGroupId, before: new Set(before.keys()) }));
    const id = kind.idOf(record);
    // Held if all else fails: a record that exists must enter the state.
    let state: Properties = compact({ ...withoutOptions(kind, inputs), accountGroupId });
    try {
      state = createdState(kind, record, { inputs, accountGroupId, adopted: adopted !== undefined });
      this.#snapshot(accountGroupId).put(record);
      const changes = compare(kind, state, inputs);
      const updatable = changes.some((change) => (adopted ? !change.replaces : kind.updateOnly.includes(change.property)));
      if (!updatable) return { id, state: verified(id, state, changes) };
      return { id, state: await this.#update(id, state, inputs, accountGroupId) };
    } catch (error) {
      if (error instanceof PartialFailure) throw error;
      const properties = compare(kind, state, inputs).map((change) => change.property);
      const left = properties.length > 0 ? `${properties.join(", ")} could not be set` : "what followed failed";
      const reason =
        error instanceof EndpointMonitoringError ? error.message : `error of this package (${(error as Error).name})`;
      throw new PartialFailure(id, state, [`${adopted ? "adopted" : "created"}, but ${left}: ${reason}`], { cause: error });
    }
  }

  /**
   * Adopts an existing record, if one matches and that is allowed.
   *
   * @throws DuplicateError, OwnershipError
   */
  #adopt(before: ReadonlyRecords, inputs: Properties, accountGroupId: string | undefined): object | undefined {
    const { kind, session } = this;
    const mode = inputs["adopt"] === true ? "named" : (session.settings.adopt ?? "never");
    for (;;) {
      const duplicates = findDuplicates(kind, session, before.titled(titleOf(kind, inputs)), inputs);
      const record = this.#decide(duplicates, mode);
      if (!record) return undefined;
      const id = kind.idOf(record);
      refuseToReplace(kind, id, compare(kind, createdState(kind, record, { inputs, accountGroupId, adopted: true }), inputs));
      // If another process has adopted it since, it is no longer a candidate.
      if (session.ledger.adopt(kind, id)) return record;
    }
  }

  #decide(duplicates: Duplicates, mode: AdoptMode): object | undefined {
    try {
      return decideAdoption(this.kind, duplicates, mode);
    } catch (error) {
      // The engine may go on, and delete the record under the name that the resource had before.
      if (error instanceof DuplicateError) this.session.ledger.markContested(this.kind, error.ids);
      throw error;
    }
  }

  /**
   * Reads a record. With an empty state (`get`), every property comes from the answer.
   *
   * @returns undefined if the record no longer exists
   */
  async read(id: string, held: Properties): Promise<ReadResource | undefined> {
    const accountGroupId = await this.session.accountGroupOf(held);
    const record = await this.#find(id, accountGroupId, held);
    if (!record) return undefined;
    const state = stateOf(this.kind, record, {
      fallback: held,
      accountGroupId,
      unknownFields: isBare(held) ? [...this.kind.writeOnly] : listOf(held["unknownFields"]),
      unmanagedFields: listOf(held["unmanagedFields"]),
    });
    return { id, state, inputs: inputsOf(this.kind, state), modified: this.kind.modifiedAt(record) };
  }

  /**
   * Updates a record in place. Sends every property that an update sets, then compares the answer with the inputs.
   *
   * @throws GoneError, PartialFailure and the client's errors
   */
  async update(id: string, state: Properties, inputs: Properties): Promise<Properties> {
    const changes = compare(this.kind, state, inputs);
    if (isRecordedOnly(changes)) {
      const learned = new Set(changes.map((change) => change.property));
      const without = (list: unknown): string[] | undefined =>
        orAbsent(listOf(list).filter((property) => !learned.has(property)));
      const values = Object.fromEntries(changes.map((change) => [change.property, change.after]));
      const [unknownFields, unmanaged] = [without(state["unknownFields"]), without(state["unmanagedFields"])];
      return { ...state, ...values, unknownFields, unmanagedFields: unmanaged };
    }
    return this.#update(id, state, inputs, await this.session.accountGroupOf(state));
  }

  /**
   * Deletes a record. Deleting one that no longer exists succeeds.
   *
   * @throws UnprovenError if it cannot be determined that the record no longer exists
   */
  async delete(id: string, state: Properties): Promise<void> {
    const accountGroupId = await this.session.accountGroupOf(state);
    try {
      await this.kind.requests.delete(this.session.client, id, accountGroupId);
    } catch (error) {
      if (!(error instanceof NotFoundError || error instanceof UnconfirmedError)) throw error;
      await this.#proveGone(id, accountGroupId, error);
    }
    this.#snapshot(accountGroupId).drop(id);
  }

  /** Lists the records of an account group. Each listed record that is incomplete takes a further get. */
  async list(accountGroupId: string | undefined): Promise<ReadResource[]> {
    const group = accountGroupId ?? (await this.session.accountGroupId());
    const records = await this.#snapshot(group).records();
    const found = await Promise.all([...records.keys()].map((id) => this.read(id, compact({ accountGroupId: group }))));
    // A record may have been deleted between the list and its get.
    return found.filter((resource) => resource !== undefined);
  }

  async tryRead(accountGroupId: string | undefined): Promise<void> {
    const { requests } = this.kind;
    const { client } = this.session;
    await (requests.listSome ? requests.listSome(client, accountGroupId) : requests.list(client, accountGroupId));
  }

  async tryWrite(accountGroupId: string | undefined): Promise<void> {
    await this.kind.requests.update(this.session.client, nonexistentId, {}, accountGroupId);
  }

  async #update(id: string, held: Properties, inputs: Properties, accountGroupId: string | undefined): Promise<Properties> {
    const body = updateBody(this.kind, inputs);
    let record: object;
    try {
      record = await this.kind.requests.update(this.session.client, id, body, accountGroupId);
    } catch (error) {
      if (error instanceof UnconfirmedError) return this.#readUpdated(id, held, inputs, accountGroupId, error);
      if (!(error instanceof NotFoundError)) throw error;
      await this.#proveGone(id, accountGroupId, error);
      this.#snapshot(accountGroupId).drop(id);
      throw new GoneError(
        `The ${this.kind.noun} ${id} no longer exists: somebody deleted it, or it moved to another account group. ` +
          "Run `pulumi refresh`, then `pulumi up`, which creates it again.",
        { cause: error },
      );
    }
    return this.#updated(id, record, held, inputs, accountGroupId);
  }

  /** Returns the state of a record after an update, if the record is as declared. @throws PartialFailure */
  #updated(id: string, record: object, held: Properties, inputs: Properties, accountGroupId: string | undefined): Properties {
    this.#snapshot(accountGroupId).put(record);
    const state = stateOf(this.kind, record, {
      fallback: { ...held, ...updateBody(this.kind, inputs), ...pickWriteOnly(this.kind, inputs) },
      accountGroupId,
      unknownFields: listOf(held["unknownFields"]).filter((property) => inputs[property] === undefined),
      unmanagedFields: unmanagedFields(this.kind, inputs),
    });
    return verified(id, state, compare(this.kind, state, inputs));
  }

  /**
   * Reads a record after an update whose answer does not describe it, until it is as declared.
   *
   * @throws PartialFailure if it does not become so in time, and the error of the update if it cannot be read
   */
  async #readUpdated(
    id: string,
    held: Properties,
    inputs: Properties,
    accountGroupId: string | undefined,
    failure: UnconfirmedError,
  ): Promise<Properties> {
    let last: unknown = failure;
    for (const pauseMs of pausesMs(this.session.settings.createOutcomeTimeout / 4)) {
      await sleep(pauseMs);
      try {
        const record = await this.kind.requests.get(this.session.client, id, accountGroupId);
        return this.#updated(id, record, held, inputs, accountGroupId);
      } catch (error) {
        if (!(error instanceof EndpointMonitoringError)) throw error;
        last = error instanceof PartialFailure ? error : failure;
      }
    }
    throw last;
  }

  /**
   * Returns the listed record, or gets it: only a get decides that a record was deleted.
   *
   * @param held state of the resource, if another look may follow
   */
  async #find(id: string, accountGroupId: string | undefined, held?: Properties): Promise<object | undefined> {
    const snapshot = this.#snapshot(accountGroupId);
    const listed = (await snapshot.records()).get(id);
    if (listed && this.kind.isComplete(listed)) return listed;
    try {
      const record = await this.kind.requests.get(this.session.client, id, accountGroupId);
      snapshot.put(record);
      return record;
    } catch (error) {
      if (!(error instanceof NotFoundError)) throw error;
      const ageMs = this.session.clock.ageMs(Date.parse(stringOf(held?.[writtenProperty]) ?? ""));
      const { createOutcomeTimeout, client } = this.session.settings;
      if (ageMs < createOutcomeTimeout * 1_000) {
        // Reads may lag behind writes (docs/service/labels.md, Recorded calls). A clock that is ahead created it in the future.
        const ms = createOutcomeTimeout * 1_000 * lookShare;
        const age = `${Math.round(ageMs / 1_000)} s ago`;
        const reason = `the service does not show the ${this.kind.noun} ${id}, which was written ${age}; then it is looked for again`;
        await snapshot.pause(ms, () => client.onWait?.({ operation: "refresh", reason, ms }));
        return this.#find(id, accountGroupId);
      }
      await this.#proveGone(id, accountGroupId, error);
      snapshot.drop(id);
      return undefined;
    }
  }

  /**
   * Proves by the list of the collection that a record no longer exists: a wrong path or another account also answers 404. All records of an
   * account group are proven by one list, unless it is older than the record's end.
   *
   * @throws UnprovenError, and the client's errors if the records cannot be listed
   */
  async #proveGone(id: string, accountGroupId: string | undefined, error: EndpointMonitoringError): Promise<void> {
    const snapshot = this.#snapshot(accountGroupId);
    const { noun } = this.kind;
    let listed = (await snapshot.records()).has(id) && (await snapshot.relist()).has(id);
    // A list may lag behind the end of a record.
    const pauses = listed ? pausesMs(this.session.settings.createOutcomeTimeout * lookShare) : [];
    for (const pauseMs of pauses) {
      await sleep(pauseMs);
      listed = (await snapshot.relist()).has(id);
      if (!listed) break;
    }
    if (listed) {
      throw new UnprovenError(
        `${error.message} The service still lists the ${noun} ${id}, so it stays in state. Run the operation again; if this repeats, ` +
          "a gateway or proxy answers in place of the service.",
        { cause: error },
      );
    }
    if (!(await this.session.isVisible(accountGroupId))) {
      throw new UnprovenError(
        `${error.message} The credentials see no account group ${accountGroupId ?? ""}, so it is not known whether the ${noun} ${id} ` +
          "exists, and it stays in state. Use the credentials of the account that has the records.",
        { cause: error },
      );
    }
  }

  #snapshot(accountGroupId: string | undefined): Snapshot {
    return recordsOf(this.session, this.kind, accountGroupId);
  }
}

/** Returns the state if it matches the inputs. The answer of the service counts, so a difference is a partial failure. */
function verified(id: string, state: Properties, changes: readonly Change[]): Properties {
  if (changes.length === 0) return state;
  throw new PartialFailure(id, state, changes.map(describeKept), { withoutValues: changes.map(describeKeptDiscreetly) });
}

/** Returns inputs without the properties that control the provider, which no state has. */
function withoutOptions(kind: RecordKind, inputs: Properties): Properties {
  return Object.fromEntries(Object.entries(inputs).filter(([property]) => !kind.providerOptions.includes(property)));
}
