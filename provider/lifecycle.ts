import { UnauthorizedError } from "../api";
import { isReviewed, sendApproved } from "./approved";
import { check, type CheckResult } from "./check";
import { compare, describeDerived, isDerivedReplacement, isRecordedOnly, type Change } from "./compare";
import { DerivedReplacementError, PartialFailure } from "./failures";
import type { CreatedResource, ReadResource, KindHandler } from "./handler";
import { recordFacts } from "./identity";
import type { Kind } from "./kind";
import { reportedOnlyFailures } from "./reported-only";
import { sound } from "./shape";
import type { Session } from "./session";
import { writtenProperty } from "./read-lag";
import { inputsOf } from "./state";
import { type Properties, stringOf } from "./values";
import { noteText } from "./wording";
import {
  intactState,
  provably,
  requireService,
  tooRecentText,
  withUnknown,
  requireAllSeen,
  marked,
  adoptedAlready,
  conceal,
  hasRecord,
  writtenNow,
} from "./lifecycle-state";

/**
 * Implements the engine's operations (check, diff, create, read, update and delete) for every resource type. The class does not depend on a
 * resource type or on an engine protocol.
 *
 * The parameter `resource` is a URN, or another name that stays the same during an operation. Commands omit `resource`, because a command
 * does not manage resources.
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
   * Checks inputs without a request, fills in defaults, and reports all failures together. Notes omit the resource's name, so two resources
   * with the same problem get the same note.
   *
   * @param properties inputs of the existing resource, or an empty object for a new resource
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
    } = check(kind, declared, { accountGroupId: this.session.settings.accountGroupId }, exists);
    if (resource !== undefined && hasRecord(this.kind)) {
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
   * Compares a state with inputs. Damaged inputs count as omitted, because a refresh passes unchecked inputs from the state.
   *
   * `diff` throws an error if the only reason for a replacement is a returned value that a program cannot declare. In a refresh, `diff`
   * reports the undeclarable value as a difference without a replacement.
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
    requireService(this.session, state);
    const { kind, session } = this;
    const changes = compare(kind, intactState(this.kind, id, state), sound(kind, inputs).properties);
    if (resource === undefined || !hasRecord(this.kind)) return changes;
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

  /**
   * Whether the next diff concerns a resource that the program declares. In a refresh, the engine also requests diffs of resources that the
   * program no longer declares.
   */
  isDeclared(resource: string): boolean {
    return this.session.ledger.expectsDiff(this.kind, resource);
  }

  /**
   * Whether a replacement deletes the old resource first. Resources for existing objects, such as agents, are always deleted
   * first, because their deletion changes only the state.
   */
  get deletesFirst(): boolean {
    return this.kind.origin === "found" || this.session.settings.replaceOrder === "delete-first";
  }

  /**
   * @param report function that receives a line for each equal record that another process created at the same time
   * @throws PartialFailure, DuplicateError, OwnershipError, or a request error
   */
  async create(inputs: Properties, resource?: string, report?: (line: string) => void): Promise<CreatedResource> {
    const { kind, session } = this;
    conceal(this.session, this.kind, inputs);
    if (resource !== undefined && kind.origin === "found") session.ledger.recordDeclared(kind, resource, false);
    try {
      const created = await sendApproved(
        kind,
        inputs,
        ({ id }) => id,
        () => this.#handler.create(inputs, report),
      );
      return { ...created, state: marked(this.session, created.state, writtenNow(this.session, this.kind)) };
    } catch (error) {
      throw this.#markedFailure(error);
    }
  }

  /**
   * Reads a record from the service, including properties that are damaged in the state. Returns the previous state if the
   * service's response may be older than the stack's last write.
   *
   * @returns undefined if the record no longer exists
   * @throws UnprovenError, OtherServiceError, or a request error
   */
  async read(id: string, state: Properties, resource?: string): Promise<ReadResource | undefined> {
    requireService(this.session, state);
    conceal(this.session, this.kind, state);
    const { properties, damages } = sound(this.kind, state);
    const sentAt = performance.now();
    const readResource = await provably(this.kind, resource, () =>
      this.#handler.read(id, withUnknown(this.kind, properties, damages)),
    );
    const isRecent = this.session.readLag.leftMs(state, performance.now() - sentAt) > 0;
    if (isRecent) this.session.ledger.recordNamed(this.kind, id);
    const tooRecent = isRecent ? tooRecentText(this.kind, this.session.readLag, properties, damages, readResource) : undefined;
    if (tooRecent !== undefined) return { id, state, inputs: inputsOf(this.kind, properties), tooRecent };
    return readResource && { ...readResource, state: marked(this.session, readResource.state, state[writtenProperty]) };
  }

  /** @throws DamagedStateError, OtherServiceError, GoneError, PartialFailure, or a request error */
  async update(id: string, state: Properties, inputs: Properties, resource?: string): Promise<Properties> {
    requireService(this.session, state);
    const intact = intactState(this.kind, id, state);
    conceal(this.session, this.kind, state);
    conceal(this.session, this.kind, inputs);
    this.session.ledger.markUpdated(this.kind, id, resource);
    try {
      const updated = await sendApproved(
        this.kind,
        inputs,
        () => id,
        () => this.#handler.update(id, intact, inputs),
      );
      const isWritten = !isRecordedOnly(compare(this.kind, intact, inputs));
      return marked(this.session, updated, isWritten ? writtenNow(this.session, this.kind) : state[writtenProperty]);
    } catch (error) {
      throw this.#markedFailure(error);
    }
  }

  /** Lists the records of an account group. Returns undefined if the service cannot list this resource type. */
  async list(accountGroupId: string | undefined): Promise<ReadResource[] | undefined> {
    return this.#handler.list?.(accountGroupId);
  }

  /** Functions that check the caller's permissions and change nothing. See `KindHandler`. */
  get access(): Pick<KindHandler, "tryRead" | "tryWrite"> {
    const handler = this.#handler;
    return { tryRead: handler.tryRead?.bind(handler), tryWrite: handler.tryWrite?.bind(handler) };
  }

  /**
   * Deletes a record, unless another resource manages it. If another resource manages the record, the engine only removes the deleted
   * resource from the state. The method also succeeds if the record no longer exists.
   *
   * @param report function that receives lines about alert rules and streams that refer to the record
   * @throws OtherServiceError, OwnershipError, or a request error
   */
  async delete(id: string, state: Properties, resource?: string, report?: (line: string) => void): Promise<void> {
    requireService(this.session, state);
    conceal(this.session, this.kind, state);
    const { kind } = this;
    const { ledger } = this.session;
    const work = async (): Promise<void> => {
      if (report) for (const line of await this.referrers(id, state)) report(line);
      await provably(this.kind, resource, () => this.#handler.delete(id, sound(kind, state).properties));
    };
    if (!hasRecord(this.kind) || resource === undefined) return work();
    if (kind.origin === "found" && ledger.isReplaced(kind, id, resource)) return;
    requireAllSeen(this.kind, this.session.ledger, id);
    await ledger.delete(kind, id, work, async () => {
      const { properties } = sound(kind, state);
      const readResource = await this.#handler.read(id, properties);
      return readResource && recordFacts(kind, stringOf(state["accountGroupId"]), properties, readResource.state);
    });
  }

  /** Returns lines about alert rules and streams that refer to a record. */
  async referrers(id: string, state: Properties): Promise<string[]> {
    const { kind, session } = this;
    if (kind.referredAs === undefined) return [];
    return session.references.linesOf(kind, id, await session.accountGroupOf(sound(kind, state).properties));
  }

  #markedFailure(error: unknown): unknown {
    // After an `UnauthorizedError`, the service refuses every deletion, so records do not need protection from deletion.
    if (!(error instanceof UnauthorizedError)) this.session.ledger.recordFailed(this.kind);
    if (!(error instanceof PartialFailure)) return error;
    return error.withState(marked(this.session, error.state, writtenNow(this.session, this.kind)));
  }
}
