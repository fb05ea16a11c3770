import { EndpointMonitoringError, NotFoundError } from "../api";
import { type Change, compare, listOf } from "./compare";
import { GoneError, PartialFailure } from "./failures";
import { nowhere, type Created, type Found, type Handler } from "./handler";
import type { RecordKind } from "./record-kind";
import type { Session } from "./session";
import type { Snapshot } from "./snapshot";
import { createdState, inputsOf, isBare, pickWriteOnly, stateOf, unmanagedFields, updateBody } from "./state";
import { decideAdoption, findDuplicates, refuseToReplace } from "./duplicates";
import { createOnce } from "./unknown-outcome";
import { type Properties, compact } from "./values";

/** What a kind does whose resources are records that the service lists, creates, gets, updates and deletes. */
export class RecordHandler implements Handler {
  constructor(
    readonly kind: RecordKind,
    private readonly session: Session,
  ) {}

  /**
   * Creates a record, or adopts one that exists where that is allowed.
   *
   * @throws DuplicateError, UnknownOutcomeError, PartialFailure (the record exists, something else failed) and the client's errors
   */
  async create(inputs: Properties): Promise<Created> {
    const { kind, session } = this;
    const aid = await session.accountGroupOf(inputs);
    const before = await this.#snapshot(aid).records();
    const adopt = inputs["adopt"] === true ? "named" : (session.settings.adopt ?? "never");
    const adopted = decideAdoption(kind, findDuplicates(kind, session, before.values(), inputs), adopt);
    const record = adopted ?? (await createOnce({ kind, session, inputs, aid, before: new Set(before.keys()) }));
    const id = kind.idOf(record);
    const state = createdState(kind, record, { inputs, aid, adopted: adopted !== undefined });
    const changes = compare(kind, state, inputs);
    if (adopted) refuseToReplace(kind, id, changes);
    // Nothing is waited for between the decision to adopt and this mark: another create may look for the same record.
    session.ledger.markTaken(kind, id);
    this.#snapshot(aid).put(record);
    const updatable = changes.some((change) => (adopted ? !change.replaces : kind.updateOnly.includes(change.property)));
    if (updatable) {
      try {
        return { id, state: await this.#update(id, state, inputs, aid) };
      } catch (error) {
        if (error instanceof PartialFailure || !(error instanceof EndpointMonitoringError)) throw error;
        const properties = changes.map((change) => change.property).join(", ");
        throw new PartialFailure(id, state, [`created, but ${properties} could not be set: ${error.message}`], {
          cause: error,
        });
      }
    }
    return { id, state: verified(id, state, changes) };
  }

  /**
   * Reads a record. With an empty state (`get`) everything comes from the answer.
   *
   * @returns nothing where the record no longer exists
   */
  async read(id: string, held: Properties): Promise<Found | undefined> {
    const aid = await this.session.accountGroupOf(held);
    const record = await this.#find(id, aid);
    if (!record) return undefined;
    const state = stateOf(this.kind, record, {
      fallback: held,
      aid,
      unknownFields: isBare(held) ? [...this.kind.writeOnly] : listOf(held["unknownFields"]),
      unmanagedFields: listOf(held["unmanagedFields"]),
    });
    return { id, state, inputs: inputsOf(this.kind, state), modified: this.kind.modifiedAt(record) };
  }

  /**
   * Updates in place. Sends every property an update takes, then compares the answer with what was asked.
   *
   * @throws GoneError, PartialFailure and the client's errors
   */
  async update(id: string, state: Properties, inputs: Properties): Promise<Properties> {
    const changes = compare(this.kind, state, inputs);
    if (changes.length > 0 && changes.every((change) => change.recordsOnly)) {
      const learned = new Set(changes.map((change) => change.property));
      const unknownFields = listOf(state["unknownFields"]).filter((property) => !learned.has(property));
      const values = Object.fromEntries(changes.map((change) => [change.property, change.after]));
      return { ...state, ...values, unknownFields: unknownFields.length > 0 ? unknownFields : undefined };
    }
    return this.#update(id, state, inputs, await this.session.accountGroupOf(state));
  }

  /** Deletes a record. Deleting one that no longer exists succeeds. */
  async delete(id: string, state: Properties): Promise<void> {
    const aid = await this.session.accountGroupOf(state);
    try {
      await this.kind.requests.delete(this.session.client, id, aid);
    } catch (error) {
      if (!(error instanceof NotFoundError)) throw error;
    }
    this.#snapshot(aid).drop(id);
  }

  /** Every record of an account group; listed records that are not complete take a get each. */
  async list(accountGroupId: string | undefined): Promise<Found[]> {
    const aid = accountGroupId ?? (await this.session.accountGroupId());
    const records = await this.#snapshot(aid).records();
    const found = await Promise.all([...records.keys()].map((id) => this.read(id, compact({ accountGroupId: aid }))));
    // One may have been deleted between the list and its get.
    return found.filter((one) => one !== undefined);
  }

  async tryRead(aid: string | undefined): Promise<void> {
    const { requests } = this.kind;
    const { client } = this.session;
    await (requests.listSome ? requests.listSome(client, aid) : requests.list(client, aid));
  }

  async tryWrite(aid: string | undefined): Promise<void> {
    await this.kind.requests.update(this.session.client, nowhere, {}, aid);
  }

  async #update(id: string, held: Properties, inputs: Properties, aid: string | undefined): Promise<Properties> {
    const body = updateBody(this.kind, inputs);
    let record: object;
    try {
      record = await this.kind.requests.update(this.session.client, id, body, aid);
    } catch (error) {
      if (!(error instanceof NotFoundError)) throw error;
      this.#snapshot(aid).drop(id);
      throw new GoneError(
        `The ${this.kind.noun} ${id} no longer exists: somebody deleted it, or it moved to another account group. ` +
          "Run `pulumi refresh`, then `pulumi up` creates it again.",
        { cause: error },
      );
    }
    this.#snapshot(aid).put(record);
    const state = stateOf(this.kind, record, {
      fallback: { ...held, ...body, ...pickWriteOnly(this.kind, inputs) },
      aid,
      unknownFields: listOf(held["unknownFields"]).filter((property) => inputs[property] === undefined),
      unmanagedFields: unmanagedFields(this.kind, inputs),
    });
    return verified(id, state, compare(this.kind, state, inputs));
  }

  /** The record as listed, or as a get of its own brings it: that decides before a record is reported as deleted. */
  async #find(id: string, aid: string | undefined): Promise<object | undefined> {
    const snapshot = this.#snapshot(aid);
    const listed = (await snapshot.records()).get(id);
    if (listed && this.kind.isComplete(listed)) return listed;
    try {
      const record = await this.kind.requests.get(this.session.client, id, aid);
      snapshot.put(record);
      return record;
    } catch (error) {
      if (!(error instanceof NotFoundError)) throw error;
      snapshot.drop(id);
      return undefined;
    }
  }

  #snapshot(aid: string | undefined): Snapshot {
    return this.session.snapshot(this.kind, aid);
  }
}

/** The answer counts, not what was asked: where they differ the change has failed in part. */
function verified(id: string, state: Properties, changes: readonly Change[]): Properties {
  const kept = changes.filter((change) => !change.recordsOnly);
  if (kept.length === 0) return state;
  throw new PartialFailure(
    id,
    state,
    kept.map(({ property, replaces }) =>
      replaces
        ? `${property} is not as declared, and only a replacement can change it`
        : `the service kept ${property} as it was, or changed what was sent`,
    ),
  );
}
