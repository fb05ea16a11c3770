import type { z } from "zod";
import { ConflictError, EndpointMonitoringError, NotFoundError } from "../api";
import { compare, isRecordedOnly, listOf } from "./compare";
import { PartialFailure } from "./failures";
import { nonexistentId, type CreatedResource, type ReadResource, type KindHandler } from "./handler";
import { recordsOf, titleOf } from "./identity";
import { defineKind } from "./kind";
import type { PropertyMap } from "./property";
import type { RecordDeclaration, RecordKind } from "./record-kind";
import type { Session } from "./session";
import { isUnproven, isWithoutContent, mayBeMissing, RecordFinder } from "./record-finder";
import { reshapedProperty, withReadPairs } from "./reshaped";
import type { Snapshot } from "./snapshot";
import { createdState, inputsOf, isBare, orAbsent, stateOf, withCreatedPairs } from "./state";
import { writtenProperty } from "./read-lag";
import { type Properties, compact } from "./values";

import type { RecordAdopter } from "./record-adopter";
import type { RecordUpdater } from "./record-updater";

// `doubles.ts` and `unknown-outcome.ts` are loaded on demand, because previews and refreshes create no records.
const doubles = (): typeof import("./doubles") => require("./doubles") as typeof import("./doubles");
const outcomes = (): typeof import("./unknown-outcome") => require("./unknown-outcome") as typeof import("./unknown-outcome");

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

/** Lists, creates, reads, updates and deletes the records of a resource type. */
export class RecordHandler implements KindHandler {
  readonly #finder: RecordFinder;

  constructor(
    readonly kind: RecordKind,
    private readonly session: Session,
  ) {
    this.#finder = new RecordFinder(kind, session);
  }

  get #adopter(): RecordAdopter {
    const { RecordAdopter: Adopter } = require("./record-adopter") as typeof import("./record-adopter");
    return new Adopter(this.kind, this.session, this.#finder);
  }

  get #updater(): RecordUpdater {
    const { RecordUpdater: Updater } = require("./record-updater") as typeof import("./record-updater");
    return new Updater(this.kind, this.session, this.#finder);
  }

  /**
   * Creates a record, or adopts an existing record.
   *
   * @param report function that receives a line for each equal record that another process created at the same time
   * @throws DuplicateError, UnknownOutcomeError, PartialFailure if a later step failed, or a request error
   */
  async create(inputs: Properties, report?: (line: string) => void): Promise<CreatedResource> {
    const { kind, session } = this;
    const accountGroupId = await session.accountGroupOf(inputs);
    const before = await this.#snapshot(accountGroupId).recordsBeforeCreate(isWithoutContent);
    const isShown = before.titled(titleOf(kind, inputs)).length > 0;
    let adopted = await this.#adopter.adopt(before, inputs, accountGroupId);
    let record = adopted;
    const creation = { kind, session, inputs, accountGroupId, before: before.idsSoFar() };
    try {
      record ??= await outcomes().createOnce(creation).finally(doubles().beginCreate(creation));
    } catch (error) {
      if (!(error instanceof ConflictError) || isShown) throw error;
      adopted = await this.#adopter.adoptHidden(inputs, accountGroupId);
      if (!adopted) throw error;
      record = adopted;
    }
    const id = kind.idOf(record);
    // The record exists now, so later errors must contain the state that the engine stores.
    let state: Properties = compact({ ...withoutOptions(kind, inputs), accountGroupId });
    try {
      state = createdState(kind, record, { inputs, accountGroupId, adopted: adopted !== undefined });
      const written = session.clock.latestText();
      state[writtenProperty] = written;
      session.readLag.noteWrite(kind.name, id, written);
      this.#snapshot(accountGroupId).put(record);
      if (!adopted && report)
        for (const line of await doubles().doublesOf(creation, id, { ...inputs, ...inputsOf(kind, state) })) report(line);
      const changes = compare(kind, state, inputs);
      if (!adopted) state = withCreatedPairs(kind, state, inputs);
      const updatable = changes.filter((change) => (adopted ? !change.replaces : kind.updateOnly.includes(change.property)));
      const updated = new Set(updatable.map(({ property }) => property));
      if (updated.size > 0) state = await this.#updater.update(id, state, inputs, accountGroupId);
      const { [reshapedProperty]: _, ...returned } = state;
      const kept = compare(kind, returned, inputs).filter(({ property }) => !updated.has(property));
      return { id, state: this.#updater.verified(id, state, inputs, kept) };
    } catch (error) {
      if (error instanceof PartialFailure) throw error;
      const properties = compare(kind, state, inputs).map((change) => change.property);
      const left = properties.length > 0 ? `${properties.join(", ")} could not be set` : "the operation then failed";
      const reason =
        error instanceof EndpointMonitoringError ? error.message : `error of this package (${(error as Error).name})`;
      throw new PartialFailure(id, state, [`${adopted ? "adopted" : "created"}, but ${left}: ${reason}`], { cause: error });
    }
  }

  /**
   * Reads a record. If the state is empty, as in the function `get`, every property comes from the service.
   *
   * @returns undefined if the record no longer exists
   */
  async read(id: string, properties: Properties): Promise<ReadResource | undefined> {
    const accountGroupId = await this.session.accountGroupOf(properties);
    const sentAt = performance.now();
    const record = await this.#finder.find({ id, accountGroupId, state: properties });
    const showsLastWrite = this.session.readLag.leftMs(properties, performance.now() - sentAt) <= 0;
    return record && this.#resourceOf(id, record, properties, accountGroupId, showsLastWrite);
  }

  #resourceOf(
    id: string,
    record: object,
    properties: Properties,
    accountGroupId: string | undefined,
    showsLastWrite = true,
  ): ReadResource {
    const returned = stateOf(this.kind, record, {
      fallback: properties,
      accountGroupId,
      unknownFields: isBare(properties) ? [...this.kind.writeOnly] : listOf(properties["unknownFields"]),
      unmanagedFields: listOf(properties["unmanagedFields"]),
    });
    const state = isBare(properties) ? returned : withReadPairs(this.kind, properties, returned, showsLastWrite);
    return { id, state, inputs: inputsOf(this.kind, state), modified: this.kind.modifiedAt(record) };
  }

  /**
   * Updates a record, then compares the service's response with the inputs.
   *
   * @throws GoneError, PartialFailure, or a request error
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
    return this.#updater.update(id, state, inputs, await this.session.accountGroupOf(state));
  }

  /**
   * Deletes a record. A record that no longer exists counts as deleted.
   *
   * @throws UnprovenError if the service's responses do not prove the deletion
   */
  async delete(id: string, state: Properties): Promise<void> {
    const accountGroupId = await this.session.accountGroupOf(state);
    const record = { id, accountGroupId, state };
    const send = (): Promise<void> => this.kind.requests.delete(this.session.client, id, accountGroupId);
    try {
      await this.#finder.whenShown(record, "delete", send, isUnproven);
    } catch (error) {
      if (!mayBeMissing(error) || this.session.readLag.leftMs(state) > 0) throw error;
      await this.#finder.proveGone(record, error);
    }
    this.#snapshot(accountGroupId).drop(id);
  }

  /** Lists the records of an account group. If a listed record is incomplete, a get request reads the whole record. */
  async list(accountGroupId: string | undefined): Promise<ReadResource[]> {
    const group = accountGroupId ?? (await this.session.accountGroupId());
    const records = await this.#snapshot(group).records();
    const readResources = await Promise.all([...records].map(([id, record]) => this.#readListed(id, record, group)));
    return readResources.filter((resource) => resource !== undefined);
  }

  /** Reads a listed record. Returns undefined for a deleted record, which a list may still show. */
  async #readListed(id: string, listed: object, accountGroupId: string | undefined): Promise<ReadResource | undefined> {
    try {
      if (this.kind.isComplete(listed)) return this.#resourceOf(id, listed, {}, accountGroupId);
      const record = await this.kind.requests.get(this.session.client, id, accountGroupId);
      this.#snapshot(accountGroupId).put(record);
      return this.#resourceOf(id, record, {}, accountGroupId);
    } catch (error) {
      if (error instanceof NotFoundError) return undefined;
      throw error;
    }
  }

  async tryRead(accountGroupId: string | undefined): Promise<void> {
    const { requests } = this.kind;
    await (requests.listSome?.(this.session.client, accountGroupId) ?? this.#snapshot(accountGroupId).records());
  }

  async tryWrite(accountGroupId: string | undefined): Promise<void> {
    await this.kind.requests.update(this.session.client, nonexistentId, {}, accountGroupId);
  }

  #snapshot(accountGroupId: string | undefined): Snapshot {
    return recordsOf(this.session, this.kind, accountGroupId);
  }
}

/** Removes the properties that control the provider, because the state does not contain them. */
function withoutOptions(kind: RecordKind, inputs: Properties): Properties {
  return Object.fromEntries(Object.entries(inputs).filter(([property]) => !kind.providerOptions.includes(property)));
}
