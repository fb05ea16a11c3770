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
 * Records which resource manages which record during one engine operation. So the operation never deletes a record that a
 * resource manages at its end, whatever the order of the engine's calls and whichever provider process receives them. The
 * ledger learns only from the engine's calls. Every mark is an entry of a log that the processes share; each process
 * applies all entries in the same order.
 */
export class Ledger extends OperationFacts {
  /**
   * @param log entries of all processes of the operation
   * @param service origin of the service, since two services may use the same ids
   * @param movedFrom other origins of the same service
   */
  constructor(log: OperationLog = memoryLog(), service = "", movedFrom: readonly string[] = []) {
    super(new Marks(log), service);
    if (movedFrom.length > 0) this.marks.append({ do: "same", origins: [service, ...movedFrom].join(" ") });
  }

  /**
   * Whether a replacement left the record that is being deleted. If so, its resource is still declared, or a resource of the
   * same kind is still to be created, possibly the same resource under a new name.
   */
  isReplaced(kind: LedgerKind, id: string, resource: string | undefined): boolean {
    if (this.#markOf(kind, id)?.ownership === "released") return true;
    if (resource !== undefined && this.marks.checked.has(resourceKey(kind, resource))) return true;
    return [...this.marks.checked].some(([by, awaitsCreate]) => awaitsCreate && by.startsWith(resourceKey(kind, "")));
  }

  /**
   * Marks a record as managed by an existing resource, which keeps it.
   *
   * @throws OwnershipError if another resource of the program manages it, or probably manages it at another origin
   */
  markDeclared(kind: LedgerKind, id: string, resource?: string, facts?: RecordFacts): void {
    if (!this.#mark("declare", kind, id, resource, facts)) throw sharedRecord(kind, id);
    const owners = this.#rivals(kind, id).filter(({ mark }) => isOwned(mark));
    const rival = sameRecord(owners, facts);
    if (rival) throw sharedAcrossOrigins(kind, id, this.service, rival);
  }

  /** Marks a record as updated, so its resource keeps it. */
  markUpdated(kind: LedgerKind, id: string, resource?: string): void {
    this.#mark("keep", kind, id, resource);
  }

  /** Marks a record that a resource created or recognized as its own. */
  markAcquired(kind: LedgerKind, id: string, facts?: RecordFacts): void {
    this.#mark("create", kind, id, undefined, facts);
  }

  /**
   * Adopts a record for a resource that is being created, if no resource manages or releases it and it was not deleted.
   *
   * @returns whether the record is adopted
   * @throws OwnershipError if the other processes of the operation cannot be reached, or if one of them may manage the record
   * at another origin
   */
  adopt(kind: LedgerKind, id: string, facts?: RecordFacts): boolean {
    return this.#claimForAdoption("adopt", kind, id, facts) !== undefined;
  }

  /**
   * Adopts an object that exists by itself, such as an agent. Another resource may have released it.
   *
   * @returns a function that releases the object after a failure; undefined if another resource manages it
   * @throws OwnershipError if the other processes of the operation cannot be reached
   */
  take(kind: LedgerKind, id: string): (() => void) | undefined {
    return this.#claimForAdoption("take", kind, id);
  }

  /** Marks a record as released by its resource, which is replaced. */
  markReleased(kind: LedgerKind, id: string, resource?: string): void {
    this.#mark("release", kind, id, resource);
  }

  /** Marks the records that prevented the create of a resource. */
  markContested(kind: LedgerKind, ids: readonly string[]): void {
    for (const id of ids) this.#mark("contest", kind, id);
  }

  /** Whether a resource manages a record. */
  isOwned(kind: LedgerKind, id: string): boolean {
    return isOwned(this.#markOf(kind, id));
  }

  /** Whether a create may adopt a record: no resource manages or releases it, and it was not deleted. */
  isFree(kind: LedgerKind, id: string): boolean {
    return this.#markOf(kind, id) === undefined;
  }

  /**
   * Deletes a record. If another resource manages it, the deleted resource is only removed from state.
   *
   * @param facts returns the record's current facts; undefined if it no longer exists. Called if another process may manage the
   * record at another origin
   * @throws OwnershipError if the record is contested, if the other processes of the operation cannot be reached, or if one of
   * them may manage the record at another origin; and the errors of `work`
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
        `The ${kind.noun} ${id} was not deleted: its record prevents the creation of another resource of this program, as reported above. ` +
          "If you renamed or moved the resource, give its old name or parent in the resource option aliases.",
      );
    }
  }

  /** Records that the engine named a record, so this operation did not create it. */
  recordNamed(kind: LedgerKind, id: string): void {
    this.marks.append({ do: "name", of: this.key(kind, id) });
  }

  /**
   * Whether a record is older than this operation's creates: the engine named it, or a process manages a record with the same id and name
   * at another origin.
   */
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

  /**
   * Returns the marks at other origins with the same kind and id. The resources with these marks manage the record, or were not
   * created because of it.
   */
  #rivals(kind: LedgerKind, id: string): Rival[] {
    return this.marks.elsewhere(this.service, `${kind.name} ${id}`).filter(isRival);
  }

  /** Returns the error for a record that another process may manage under another host name; undefined if the records differ. */
  #rivalProblem(kind: LedgerKind, id: string, participle: string, facts?: RecordFacts): OwnershipError | undefined {
    const rival = sameRecord(this.#rivals(kind, id), facts);
    return rival && rivalRecord(kind, id, participle, this.service, rival);
  }

  /**
   * Marks a record for a step that no other process may contradict.
   *
   * @returns a function that restores the previous mark; undefined if the record is not available
   * @throws OwnershipError if the processes of the operation cannot see each other's marks
   */
  #claim(what: string, kind: LedgerKind, id: string, participle: string, facts?: RecordFacts): (() => void) | undefined {
    const isClaimed = this.#mark(what, kind, id, undefined, facts);
    const of = this.key(kind, id);
    const entry = this.marks.markOf(of)?.entry;
    const giveBack = isClaimed ? () => void this.marks.append({ do: "undo", of, entry }) : undefined;
    if (this.marks.problem === undefined) return giveBack;
    giveBack?.();
    throw new OwnershipError(
      `The ${kind.noun} ${id} was not ${participle}: another provider process of this operation may manage it, and their shared file cannot ` +
        `be used: ${this.marks.problem}. Then run the operation again.`,
    );
  }

  /** Marks a record as `#claim` does. @throws OwnershipError also if another process may manage the record at another origin */
  #claimForAdoption(what: string, kind: LedgerKind, id: string, facts?: RecordFacts): (() => void) | undefined {
    const giveBack = this.#claim(what, kind, id, "adopted", facts);
    const problem = giveBack && this.#rivalProblem(kind, id, "adopted", facts);
    if (problem === undefined) return giveBack;
    giveBack?.();
    throw problem;
  }
}
