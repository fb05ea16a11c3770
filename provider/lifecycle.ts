import { UnauthorizedError } from "../api";
import { isRehearsal } from "../api/rehearsal";
import { isReviewed, sendApproved } from "./approved";
import { check, type CheckResult } from "./check";
import { compare, describeDerived, isDerivedReplacement, isRecordedOnly, listOf, type Change } from "./compare";
import {
  DamagedStateError,
  DerivedReplacementError,
  OtherServiceError,
  OwnershipError,
  PartialFailure,
  UnprovenError,
} from "./failures";
import type { CreatedResource, ReadResource, KindHandler } from "./handler";
import { recordFacts } from "./identity";
import type { Kind } from "./kind";
import { reportedOnlyFailures } from "./reported-only";
import { type Damage, isEqual, sound } from "./shape";
import type { Session } from "./session";
import { writtenProperty } from "./read-lag";
import { inputsOf } from "./state";
import { compact, type Properties, stringOf, withArticle } from "./values";
import { forgetText, noteText } from "./wording";

/** Property of a state that holds the origin of the service that has the record. The engine shows no property with such a name. */
export const serviceProperty = "__service";

/**
 * Implements check, diff, create, read, update and delete for any kind from its declaration, and the rule who may delete which record. It
 * knows no kind by name, and nothing of the protocol between engine and provider.
 *
 * Requests of the engine name the resource that they are about (`resource`): by its URN, or by what else is the same in all requests of
 * one operation. Commands name none, since they change no record for a resource.
 */
export class Lifecycle {
  readonly #handler: KindHandler;

  constructor(
    readonly kind: Kind,
    private readonly session: Session,
  ) {
    this.#handler = kind.handler(session);
  }

  /**
   * Checks inputs, fills in defaults, and reports all failures together. Sends nothing. The notes of a result are for a person, and are
   * the same for all resources that they concern.
   *
   * @param properties inputs of the existing resource; empty for a new one and for a replacement
   * @param discreet whether the notes must not show values
   */
  check(
    declared: Properties,
    properties: Properties = {},
    resource?: string,
    discreet = true,
  ): CheckResult & { notes: readonly string[] } {
    const { kind } = this;
    const exists = Object.keys(properties).length > 0;
    const {
      inputs,
      failures: checked,
      advice = [],
    } = check(kind, declared, { accountGroupId: this.session.settings.accountGroupId });
    if (resource !== undefined && this.#hasRecord) {
      this.session.ledger.recordCheck(kind, resource, exists ? properties : undefined);
      if (kind.origin === "found") this.session.ledger.recordDeclared(kind, resource, !exists);
    }
    const failures = [...checked, ...reportedOnlyFailures(kind, inputs, properties)];
    if (failures.length > 0) this.session.ledger.recordFailed(kind);
    const adopted = exists && inputs["adopt"] === true ? [adoptedAlready] : [];
    return {
      inputs,
      failures,
      notes: [...adopted, ...advice.map((note) => noteText(note, discreet))],
    };
  }

  /**
   * Compares a state with inputs and returns the changes, each with whether it replaces. Sends nothing. A refresh takes the inputs from
   * the state without a check, so damaged inputs count as not declared.
   *
   * A value that no program can declare replaces nothing by itself: the diff of a declared resource fails. Any other diff, such as that of
   * a refresh, returns it as a difference.
   *
   * @throws DamagedStateError, OtherServiceError, OwnershipError, DerivedReplacementError
   */
  diff(id: string, state: Properties, inputs: Properties, resource?: string): Change[] {
    try {
      return this.#diff(id, state, inputs, resource);
    } catch (error) {
      this.session.ledger.recordFailed(this.kind);
      throw error;
    }
  }

  #diff(id: string, state: Properties, inputs: Properties, resource?: string): Change[] {
    this.#requireService(state);
    const { kind, session } = this;
    const changes = compare(kind, this.#intact(id, state), sound(kind, inputs).properties);
    if (resource === undefined || !this.#hasRecord) return changes;
    const isDeclared = this.isDeclared(resource);
    const isUnasked = isDerivedReplacement(changes) && !isReviewed();
    session.ledger.recordDiff(kind, resource);
    if (changes.some((change) => change.replaces) && !isUnasked) session.ledger.markReleased(kind, id, resource);
    else if (isDeclared) {
      const facts = recordFacts(kind, stringOf(state["accountGroupId"]), state, inputs);
      session.ledger.markDeclared(kind, id, resource, facts);
    }
    if (!isUnasked) return changes;
    if (!isDeclared) return changes.map((change) => ({ ...change, replaces: false }));
    const differences = changes.filter(({ derived }) => derived);
    throw new DerivedReplacementError(
      `${kind.noun} ${id}`,
      kind.replacementCost,
      differences.map((change) => ({ property: change.property, text: describeDerived(change) })),
    );
  }

  /** Whether the next diff of a resource is that of one that the program declares: a refresh also diffs others. */
  isDeclared(resource: string): boolean {
    return this.session.ledger.expectsDiff(this.kind, resource);
  }

  /**
   * Whether a replacement deletes first. What exists by itself is only forgotten, which leaves no gap. Forgotten last, a failed update
   * would leave it to the next update, which does not learn that it was replaced.
   */
  get deletesFirst(): boolean {
    return this.kind.origin === "found" || this.session.settings.replaceOrder === "delete-first";
  }

  /**
   * @param report takes lines about equal records that appeared at the same time
   * @throws PartialFailure, DuplicateError, OwnershipError and the client's errors
   */
  async create(inputs: Properties, resource?: string, report?: (line: string) => void): Promise<CreatedResource> {
    const { kind, session } = this;
    this.#conceal(inputs);
    if (resource !== undefined && kind.origin === "found") session.ledger.recordDeclared(kind, resource, false);
    try {
      const created = await sendApproved(
        kind,
        inputs,
        ({ id }) => id,
        () => this.#handler.create(inputs, report),
      );
      return { ...created, state: this.#marked(created.state, this.#writtenNow()) };
    } catch (error) {
      throw this.#markedFailure(error);
    }
  }

  /**
   * Reads a record from the service, including properties that are damaged in the state. While reads may lag behind the last write, the
   * state stays as it is, and the result has the reason.
   *
   * @param resource names the resource in a message
   * @returns undefined if the record no longer exists
   * @throws UnprovenError, OtherServiceError and the client's errors
   */
  async read(id: string, state: Properties, resource?: string): Promise<ReadResource | undefined> {
    this.#requireService(state);
    this.#conceal(state);
    const { properties, damages } = sound(this.kind, state);
    const sentAt = performance.now();
    const readResource = await this.#provably(resource, () =>
      this.#handler.read(id, withUnknown(this.kind, properties, damages)),
    );
    const isRecent = this.session.readLag.leftMs(state, performance.now() - sentAt) > 0;
    if (isRecent) this.session.ledger.recordNamed(this.kind, id);
    const tooRecent = isRecent ? this.#tooRecent(properties, damages, readResource) : undefined;
    if (tooRecent !== undefined) return { id, state, inputs: inputsOf(this.kind, properties), tooRecent };
    return readResource && { ...readResource, state: this.#marked(readResource.state, state[writtenProperty]) };
  }

  /** Returns the reason why a read within `readLag` of the last write proves nothing; undefined if it shows that write. */
  #tooRecent(state: Properties, damages: readonly Damage[], readResource: ReadResource | undefined): string | undefined {
    const { kind } = this;
    const age = this.session.readLag.describe(state);
    if (!readResource) return `the service does not show it, but ${age}, so it stays in state. Refresh again later`;
    // A damaged property has no value that could be kept.
    if (damages.length > 0) return undefined;
    const older = Object.keys(kind.properties).filter(
      (property) =>
        !kind.providerOptions.includes(property) && !isEqual(kind, property, state[property], readResource.state[property]),
    );
    if (older.length === 0) return undefined;
    return `the service shows other values (${older.join(", ")}), but ${age}, so the state keeps its values. Refresh again later`;
  }

  /** Adds to an error without proof how a user who knows that the record was deleted removes the resource from state. */
  async #provably<T>(resource: string | undefined, work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof UnprovenError && error.mayBeForgotten)) throw error;
      throw new UnprovenError(`${error.message} ${forgetText(this.kind, resource)}`, { cause: error.cause });
    }
  }

  /** @throws DamagedStateError, OtherServiceError, GoneError, PartialFailure and the client's errors */
  async update(id: string, state: Properties, inputs: Properties, resource?: string): Promise<Properties> {
    this.#requireService(state);
    const intact = this.#intact(id, state);
    this.#conceal(state);
    this.#conceal(inputs);
    this.session.ledger.markUpdated(this.kind, id, resource);
    try {
      const updated = await sendApproved(
        this.kind,
        inputs,
        () => id,
        () => this.#handler.update(id, intact, inputs),
      );
      const isWritten = !isRecordedOnly(compare(this.kind, intact, inputs));
      return this.#marked(updated, isWritten ? this.#writtenNow() : state[writtenProperty]);
    } catch (error) {
      throw this.#markedFailure(error);
    }
  }

  /** Lists the records of an account group; undefined if the service cannot list this kind. */
  async list(accountGroupId: string | undefined): Promise<ReadResource[] | undefined> {
    return this.#handler.list?.(accountGroupId);
  }

  /** Checks of what the caller may do with this kind, which change nothing. See `KindHandler`. */
  get access(): Pick<KindHandler, "tryRead" | "tryWrite"> {
    const handler = this.#handler;
    return { tryRead: handler.tryRead?.bind(handler), tryWrite: handler.tryWrite?.bind(handler) };
  }

  /**
   * Deletes a record. If another resource manages it, the deleted resource only forgets it; so does a resource that is replaced, if its
   * kind only adopts what exists by itself. Deleting what no longer exists succeeds.
   *
   * @param report takes lines about who names the record, before it is deleted
   * @throws OtherServiceError, OwnershipError and the client's errors
   */
  async delete(id: string, state: Properties, resource?: string, report?: (line: string) => void): Promise<void> {
    this.#requireService(state);
    this.#conceal(state);
    const { kind } = this;
    const { ledger } = this.session;
    const work = async (): Promise<void> => {
      if (report) for (const line of await this.referrers(id, state)) report(line);
      await this.#provably(resource, () => this.#handler.delete(id, sound(kind, state).properties));
    };
    if (!this.#hasRecord || resource === undefined) return work();
    if (kind.origin === "found" && ledger.isReplaced(kind, id, resource)) return;
    this.#requireAllSeen(id);
    await ledger.delete(kind, id, work, async () => {
      const { properties } = sound(kind, state);
      const readResource = await this.#handler.read(id, properties);
      return readResource && recordFacts(kind, stringOf(state["accountGroupId"]), properties, readResource.state);
    });
  }

  /**
   * An engine that goes on after a failure skips the resources that depend on the failed one. One of them may manage the record: an
   * adoption leaves it in the state of two resources if the engine is killed before its deletes. A failed resource of an object that exists
   * by itself may also be the new name of the one that is deleted.
   *
   * @throws OwnershipError
   */
  #requireAllSeen(id: string): void {
    const { kind } = this;
    const { ledger } = this.session;
    if (!ledger.isFree(kind, id)) return;
    const referred = ledger.failedOf(Object.values(kind.refersTo).flatMap((name) => name ?? []));
    const failed = referred ?? (kind.origin === "found" && ledger.hasFailed(kind) ? kind.name : undefined);
    if (failed === undefined) return;
    throw new OwnershipError(
      `The ${kind.noun} ${id} was not deleted: ${withArticle(failed)} resource failed, so a resource that manages the same ${kind.noun} may ` +
        "be missing in this operation. Correct the failure that is reported above, then run the operation again.",
    );
  }

  /** Returns lines about who names a record that is deleted or replaced. */
  async referrers(id: string, state: Properties): Promise<string[]> {
    const { kind, session } = this;
    if (kind.referredAs === undefined) return [];
    return session.references.linesOf(kind, id, await session.accountGroupOf(sound(kind, state).properties));
  }

  /** A kind that cannot be listed has no records: two resources may share an id, and a delete changes nothing. */
  get #hasRecord(): boolean {
    return this.kind.origin !== undefined;
  }

  /**
   * Records of another service have other ids: what this one answers about them proves nothing.
   *
   * @throws OtherServiceError
   */
  #requireService(state: Properties): void {
    const { service, settings } = this.session;
    const stateOrigin = originOf(stringOf(state[serviceProperty]));
    // A rehearsal works on a copy of the state, and sends nothing to the services that it names.
    if (stateOrigin === undefined || stateOrigin === service || settings.movedFrom.includes(stateOrigin) || isRehearsal())
      return;
    throw new OtherServiceError(stateOrigin, service);
  }

  /** Adds to a state the service that has the record, and the time of the last write. */
  #marked(state: Properties, written: unknown): Properties {
    return compact({ ...state, [serviceProperty]: this.session.service, [writtenProperty]: written });
  }

  #markedFailure(error: unknown): unknown {
    // Without valid credentials, no delete can succeed either.
    if (!(error instanceof UnauthorizedError)) this.session.ledger.recordFailed(this.kind);
    if (!(error instanceof PartialFailure)) return error;
    return error.withState(this.#marked(error.state, this.#writtenNow()));
  }

  /** Returns the time of a write that has just ended; undefined for a kind that cannot be listed. */
  #writtenNow(): string | undefined {
    return this.#hasRecord ? this.session.clock.latestText() : undefined;
  }

  /** Keeps write-only values, such as passwords, out of messages. */
  #conceal(properties: Properties): void {
    for (const property of this.kind.writeOnly) {
      const value = properties[property];
      if (typeof value === "string") this.session.conceal(value);
    }
  }

  /** @throws DamagedStateError, since a comparison with a damaged property might replace a record that needs no change */
  #intact(id: string, state: Properties): Properties {
    const { properties, damages } = sound(this.kind, state);
    if (damages.length === 0) return properties;
    throw new DamagedStateError(
      `The state of the ${this.kind.noun} ${id} is damaged: ${damages.map(({ path, reason }) => `${path} ${reason}`).join("; ")}. ` +
        "Run `pulumi refresh`, which reads it again from the service, then repeat this operation.",
    );
  }
}

const adoptedAlready =
  "adopt: true has no effect on a resource that exists. Remove it: a second stack of this program would adopt the same record, and its " +
  "destroy would delete it";

/** Lists damaged write-only properties as unknown: their value is lost, which must not show as a difference. */
function withUnknown(kind: Kind, state: Properties, damages: readonly Damage[]): Properties {
  const lost = kind.writeOnly.filter((property) => damages.some((damage) => damage.property === property));
  return lost.length === 0 ? state : { ...state, unknownFields: [...listOf(state["unknownFields"]), ...lost] };
}

/** Returns the origin that a state names. A text that is none is damage, and names no service. */
function originOf(text: string | undefined): string | undefined {
  return text !== undefined && URL.parse(text)?.origin === text ? text : undefined;
}
