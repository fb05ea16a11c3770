import { OwnershipError } from "./failures";
import { isOwned, type Mark, Marks } from "./marks";
import { OperationFacts, resourceKey } from "./operation-facts";
import { memoryLog, type OperationLog } from "./operation-log";
import {
  digestsOf,
  isRival,
  type LedgerKind,
  type RecordFacts,
  type Rival,
  rivalRecord,
  sameRecord,
  sharedAcrossOrigins,
  sharedRecord,
} from "./rivals";

/**
 * Records which resource manages each record during an engine operation, so that the provider never deletes another resource's record. All
 * provider processes of the operation share the ledger through a log.
 */
export class Ledger extends OperationFacts {
  /**
   * @param service origin of the service, because two services may use the same ids
   * @param movedFrom other URL origins of the same service
   */
  constructor(log: OperationLog = memoryLog(), service = "", movedFrom: readonly string[] = []) {
    super(new Marks(log), service);
    if (movedFrom.length > 0) this.marks.append({ do: "same", origins: [service, ...movedFrom].join(" ") });
  }

  /** Whether the deletion of a resource is part of a replacement. */
  isReplaced(kind: LedgerKind, id: string, resource: string | undefined): boolean {
    if (this.#markOf(kind, id)?.ownership === "released") return true;
    if (resource !== undefined && this.marks.checked.has(resourceKey(kind, resource))) return true;
    return [...this.marks.checked].some(([by, awaitsCreate]) => awaitsCreate && by.startsWith(resourceKey(kind, "")));
  }

  /**
   * Notes that an existing resource manages a record.
   *
   * @throws OwnershipError if another resource of the program manages the record
   */
  markDeclared(kind: LedgerKind, id: string, resource?: string, facts?: RecordFacts): void {
    if (!this.#mark("declare", kind, id, resource, facts)) throw sharedRecord(kind, id);
    const owners = this.#rivals(kind, id).filter(({ mark }) => isOwned(mark));
    const rival = sameRecord(owners, facts);
    if (rival) throw sharedAcrossOrigins(kind, id, this.service, rival);
  }

  markUpdated(kind: LedgerKind, id: string, resource?: string): void {
    this.#mark("keep", kind, id, resource);
  }

  markAcquired(kind: LedgerKind, id: string, facts?: RecordFacts): void {
    this.#mark("create", kind, id, undefined, facts);
  }

  /**
   * Adopts a record, unless another resource manages the record or the operation deleted it.
   *
   * @returns whether the record is adopted
   * @throws OwnershipError if the provider cannot read the log, or if another provider may manage the record
   */
  adopt(kind: LedgerKind, id: string, facts?: RecordFacts): boolean {
    return this.#claimForAdoption("adopt", kind, id, facts) !== undefined;
  }

  /**
   * Adopts an object that Pulumi does not create, such as an agent. If another resource has released the object, the object is available
   * again.
   *
   * @returns a function that releases the object, or undefined if another resource manages the object
   * @throws OwnershipError if the provider cannot read the log
   */
  take(kind: LedgerKind, id: string): (() => void) | undefined {
    return this.#claimForAdoption("take", kind, id);
  }

  markReleased(kind: LedgerKind, id: string, resource?: string): void {
    this.#mark("release", kind, id, resource);
  }

  /** Notes that existing records prevented the creation of a resource. */
  markContested(kind: LedgerKind, ids: readonly string[]): void {
    for (const id of ids) this.#mark("contest", kind, id);
  }

  isOwned(kind: LedgerKind, id: string): boolean {
    return isOwned(this.#markOf(kind, id));
  }

  /** Whether a record is available for adoption. */
  isFree(kind: LedgerKind, id: string): boolean {
    return this.#markOf(kind, id) === undefined;
  }

  /**
   * Deletes a record, unless another resource manages the record. If another resource manages the record, the engine only
   * removes the deleted resource from the state.
   *
   * @param facts function that returns the record's current properties, or undefined if the record no longer exists
   * @throws OwnershipError if the provider cannot read the log, or if another provider may manage the record
   */
  async delete(
    kind: LedgerKind,
    id: string,
    work: () => Promise<void>,
    facts: () => Promise<RecordFacts | undefined> = () => Promise.resolve({}),
  ): Promise<void> {
    const giveBack = this.#claim("delete", kind, id, "deleted");
    if (giveBack) {
      try {
        const current = this.#rivals(kind, id).length > 0 ? await facts() : undefined;
        const problem = current && this.#rivalProblem(kind, id, "deleted", current);
        if (problem) throw problem;
        await work();
      } catch (error) {
        giveBack();
        throw error;
      }
    } else if (this.marks.markOf(this.key(kind, id))?.ownership === "contested") {
      throw new OwnershipError(
        `The ${kind.noun} ${id} was not deleted, because another resource of this program conflicts with it, as reported above. ` +
          "If you renamed or moved the resource, set its old name or parent in the resource option aliases.",
      );
    }
  }

  /** Notes that the engine's state contains a record, so no create request of this operation can have created the record. */
  recordNamed(kind: LedgerKind, id: string): void {
    this.marks.append({ do: "name", of: this.key(kind, id) });
  }

  isNamed(kind: LedgerKind, id: string, facts: RecordFacts): boolean {
    this.marks.append();
    return this.marks.isNamed(this.key(kind, id)) || this.#rivalProblem(kind, id, "adopted", facts) !== undefined;
  }

  #markOf(kind: LedgerKind, id: string): Mark | undefined {
    this.marks.append();
    return this.marks.markOf(this.key(kind, id));
  }

  #mark(
    what: string,
    kind: LedgerKind,
    id: string,
    resource?: string,
    { accountGroupId, names = [] }: RecordFacts = {},
  ): boolean {
    const by = resource === undefined ? undefined : resourceKey(kind, resource);
    const digests = digestsOf(names).join(" ");
    return this.marks.append({
      do: what,
      of: this.key(kind, id),
      by,
      account: accountGroupId,
      ...(digests !== "" && { names: digests }),
    });
  }

  /** Returns the log entries for an id from provider processes that use a different host name for the service. */
  #rivals(kind: LedgerKind, id: string): Rival[] {
    return this.marks.elsewhere(this.service, `${kind.name} ${id}`).filter(isRival);
  }

  /** Returns an error if a provider that uses a different host name for the service may manage the same record. */
  #rivalProblem(kind: LedgerKind, id: string, participle: string, facts?: RecordFacts): OwnershipError | undefined {
    const rival = sameRecord(this.#rivals(kind, id), facts);
    return rival && rivalRecord(kind, id, participle, this.service, rival);
  }

  /**
   * Claims a record for an adoption or a deletion, which must not conflict with other provider processes.
   *
   * @returns a function that restores the previous owner, or undefined if the record is not available
   * @throws OwnershipError if the provider cannot read the log
   */
  #claim(what: string, kind: LedgerKind, id: string, participle: string, facts?: RecordFacts): (() => void) | undefined {
    const isClaimed = this.#mark(what, kind, id, undefined, facts);
    const of = this.key(kind, id);
    const entry = this.marks.markOf(of)?.entry;
    const giveBack = isClaimed ? () => void this.marks.append({ do: "undo", of, entry }) : undefined;
    if (this.marks.problem === undefined) return giveBack;
    giveBack?.();
    throw new OwnershipError(
      `The ${kind.noun} ${id} was not ${participle}, because another provider process in this operation may manage the record. ` +
        `The provider processes cannot use their shared log file: ${this.marks.problem}. Solve the problem with the log file, then run the operation again.`,
    );
  }

  /** @throws OwnershipError if the provider cannot read the log, or if another provider may manage the record */
  #claimForAdoption(what: string, kind: LedgerKind, id: string, facts?: RecordFacts): (() => void) | undefined {
    const giveBack = this.#claim(what, kind, id, "adopted", facts);
    const problem = giveBack && this.#rivalProblem(kind, id, "adopted", facts);
    if (problem === undefined) return giveBack;
    giveBack?.();
    throw problem;
  }
}
