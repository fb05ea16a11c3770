import { EndpointMonitoringError, NotFoundError, type Client } from "../api";
import { compare, listOf } from "./compare";
import { GoneError, PartialFailure } from "./failures";
import { nowhere, type Behaviour, type Created, type Found } from "./kind";
import type { Operations, RecordKind } from "./record-kind";
import type { Session } from "./session";
import type { Listed } from "./snapshot";
import { createdState, inputsOf, isBare, pickWriteOnly, stateOf, unmanagedFields, updateBody } from "./state";
import { decideAdoption, findTwins, refuseToReplace } from "./twins";
import { createOnce } from "./unknown-outcome";
import { type Properties, compact } from "./values";

/** How records of a kind are listed and told apart: all who look at a session's snapshot of them say the same. */
export function listedOf(kind: RecordKind, client: Client): Listed {
  const operations = kind.operations(client);
  return { name: kind.name, idOf: (record) => kind.idOf(record), list: (aid) => operations.list(aid) };
}

/** What a kind does whose resources are records that the service lists, creates, gets, updates and deletes. */
export class RecordBehaviour implements Behaviour {
  readonly #operations: Operations<object>;
  readonly #listed: Listed;

  constructor(
    readonly kind: RecordKind,
    private readonly session: Session,
  ) {
    this.#operations = kind.operations(session.client);
    this.#listed = listedOf(kind, session.client);
  }

  /**
   * Creates, or takes over what is there where that was allowed.
   *
   * @throws TwinError, UnknownOutcomeError, PartialFailure (the record exists, something else failed) and the client's errors
   */
  async create(inputs: Properties): Promise<Created> {
    const aid = await this.session.groupOf(inputs);
    const before = await this.session.snapshot(this.#listed, aid).records();
    const adopt = inputs["adopt"] === true ? "named" : (this.session.settings.adopt ?? "never");
    const adopted = decideAdoption(this.kind, findTwins(this.kind, this.session, before.values(), inputs), adopt);
    const record = adopted ?? (await this.#post(inputs, aid, new Set(before.keys())));
    const id = this.kind.idOf(record);
    const state = createdState(this.kind, record, { inputs, aid, adopted: adopted !== undefined });
    const changes = compare(this.kind, state, inputs);
    if (adopted) refuseToReplace(this.kind, id, changes);
    // Nothing is waited for between the decision to adopt and this mark: another create may look for the same record.
    this.session.ledger.markTaken(this.kind, id);
    this.#keep(record, aid);
    const updatable = changes.some((change) => (adopted ? !change.replaces : this.kind.updateOnly.includes(change.property)));
    if (updatable) {
      try {
        return { id, state: await this.#patch(id, state, inputs, aid) };
      } catch (error) {
        if (error instanceof PartialFailure || !(error instanceof EndpointMonitoringError)) throw error;
        const properties = changes.map((change) => change.property).join(", ");
        throw new PartialFailure(id, state, [`created, but ${properties} could not be set: ${error.message}`], {
          cause: error,
        });
      }
    }
    return { id, state: this.#verified(id, state, inputs) };
  }

  /**
   * Reads a record. Without a former state (`get`) everything comes from the answer.
   *
   * @returns nothing where the record has gone
   */
  async read(id: string, former: Properties): Promise<Found | undefined> {
    const aid = await this.session.groupOf(former);
    const record = await this.#find(id, aid);
    if (!record) return undefined;
    const state = stateOf(this.kind, record, {
      fallback: former,
      aid,
      unknownFields: isBare(former) ? [...this.kind.writeOnly] : listOf(former["unknownFields"]),
      unmanagedFields: listOf(former["unmanagedFields"]),
    });
    return { id, state, inputs: inputsOf(this.kind, state), modified: this.kind.modifiedAt(record) };
  }

  /**
   * Updates in place. Sends every property an update takes, then compares the answer with what was asked.
   *
   * @throws GoneError, PartialFailure and the client's errors
   */
  async update(id: string, former: Properties, inputs: Properties): Promise<Properties> {
    const changes = compare(this.kind, former, inputs);
    if (changes.length > 0 && changes.every((change) => change.recordsOnly)) {
      const learned = new Set(changes.map((change) => change.property));
      const unknownFields = listOf(former["unknownFields"]).filter((property) => !learned.has(property));
      const values = Object.fromEntries(changes.map((change) => [change.property, change.after]));
      return { ...former, ...values, unknownFields: unknownFields.length > 0 ? unknownFields : undefined };
    }
    return this.#patch(id, former, inputs, await this.session.groupOf(former));
  }

  /** Deletes. A record that has gone already is deleted. */
  async remove(id: string, former: Properties): Promise<void> {
    const aid = await this.session.groupOf(former);
    try {
      await this.#operations.remove(id, aid);
    } catch (error) {
      if (!(error instanceof NotFoundError)) throw error;
    }
    this.session.snapshot(this.#listed, aid).drop(id);
  }

  /** Every record of an account group; listed records that are not whole take a get each. */
  async list(aid: string | undefined): Promise<Found[]> {
    const group = aid ?? (await this.session.accountGroupId());
    const records = await this.session.snapshot(this.#listed, group).records();
    const found = await Promise.all([...records.keys()].map((id) => this.read(id, compact({ accountGroupId: group }))));
    // One that went between the list and its get is no longer there.
    return found.filter((one) => one !== undefined);
  }

  async tryRead(aid: string | undefined): Promise<void> {
    await (this.#operations.listSome?.(aid) ?? this.#operations.list(aid));
  }

  async tryWrite(aid: string | undefined): Promise<void> {
    await this.#operations.update(nowhere, {}, aid);
  }

  async #patch(id: string, former: Properties, inputs: Properties, aid: string | undefined): Promise<Properties> {
    let record: object;
    try {
      record = await this.#operations.update(id, updateBody(this.kind, inputs), aid);
    } catch (error) {
      if (!(error instanceof NotFoundError)) throw error;
      this.session.snapshot(this.#listed, aid).drop(id);
      throw new GoneError(
        `The ${this.kind.noun} ${id} has gone: somebody deleted it, or it moved to another account group. ` +
          "Run `pulumi refresh`, then `pulumi up` creates it again.",
        { cause: error },
      );
    }
    this.#keep(record, aid);
    const state = stateOf(this.kind, record, {
      fallback: { ...former, ...updateBody(this.kind, inputs), ...pickWriteOnly(this.kind, inputs) },
      aid,
      unknownFields: listOf(former["unknownFields"]).filter((property) => inputs[property] === undefined),
      unmanagedFields: unmanagedFields(this.kind, inputs),
    });
    return this.#verified(id, state, inputs);
  }

  #post(inputs: Properties, aid: string | undefined, before: ReadonlySet<string>): Promise<object> {
    return createOnce({ kind: this.kind, session: this.session, listed: this.#listed, inputs, aid, before });
  }

  /** The record as listed, or as a get of its own brings it: that decides before anything is reported gone. */
  async #find(id: string, aid: string | undefined): Promise<object | undefined> {
    const snapshot = this.session.snapshot(this.#listed, aid);
    const listed = (await snapshot.records()).get(id);
    if (listed && this.kind.isWhole(listed)) return listed;
    try {
      const record = await this.#operations.get(id, aid);
      snapshot.put(record);
      return record;
    } catch (error) {
      if (!(error instanceof NotFoundError)) throw error;
      snapshot.drop(id);
      return undefined;
    }
  }

  #keep(record: object, aid: string | undefined): void {
    this.session.snapshot(this.#listed, aid).put(record);
  }

  /** The answer counts, not what was asked: where they differ the change has failed in part. */
  #verified(id: string, state: Properties, inputs: Properties): Properties {
    const kept = compare(this.kind, state, inputs).filter((change) => !change.recordsOnly);
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
}
