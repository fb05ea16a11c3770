import { OwnershipError } from "./failures";
import { type Properties, stable } from "./values";

/** The facts of a kind that the ledger uses. */
interface LedgerKind {
  readonly name: string;
  readonly noun: string;
}

/** A resource that is in both the state and the program. Until its diff arrives, the id of its record is not known. */
interface ManagedResource {
  readonly kind: string;
  /** Inputs in the state. */
  readonly heldInputs: Properties;
  /** Inputs that check returned, as stable JSON text. */
  readonly declaredInputs: string;
}

/**
 * Which resource manages a record, as far as this process knows:
 * - `declared`: an existing resource keeps it,
 * - `acquired`: a resource that was created in this process created or adopted it,
 * - `released`: its resource is replaced, and the replacement does not adopt it.
 */
type Ownership = "declared" | "acquired" | "released";

/**
 * Records which resource manages which record, in one process. A process serves one operation of the engine, so the ledger ensures
 * that the operation never deletes a record that a resource manages at its end, in whatever order the engine calls. The protocol of
 * dynamic providers does not pass resource names, so the ledger learns from the calls alone.
 */
export class Ledger {
  readonly #owners = new Map<string, Ownership>();
  /** Records that this process deleted or is deleting; a list may still return them. */
  readonly #deleted = new Set<string>();
  /** Checked resources whose diff has not arrived. */
  readonly #unmatched: ManagedResource[] = [];

  /** Records a resource that is in both the state and the program: the engine called `check` with the inputs in the state. */
  recordCheck(kind: LedgerKind, heldInputs: Properties, declaredInputs: Properties): void {
    this.#unmatched.push({ kind: kind.name, heldInputs, declaredInputs: stable(declaredInputs) });
  }

  /**
   * Matches a diff with the check that preceded it. Only the diff of a declared resource has one: a refresh diffs without a check,
   * including resources that the program no longer declares, and the engine diffs the dependents of a replacement with unknown
   * inputs.
   *
   * @returns whether the diff belongs to a resource that the program declares
   */
  matchDiff(kind: LedgerKind, inputs: Properties): boolean {
    const text = stable(inputs);
    const at = this.#unmatched.findIndex((resource) => resource.kind === kind.name && resource.declaredInputs === text);
    if (at >= 0) this.#unmatched.splice(at, 1);
    return at >= 0;
  }

  /** Returns the inputs in the state of each resource whose diff has not arrived. Each of them manages one record. */
  unmatchedInputs(kind: LedgerKind): Properties[] {
    return this.#unmatched.filter((resource) => resource.kind === kind.name).map(({ heldInputs }) => heldInputs);
  }

  /**
   * Marks a record as managed by an existing resource, which keeps it.
   *
   * @throws OwnershipError if another resource of the program manages it
   */
  markDeclared(kind: LedgerKind, id: string): void {
    if (this.isOwned(kind, id)) throw sharedRecord(kind, id);
    this.#set(kind, id, "declared");
  }

  /** Marks a record as updated, so its resource keeps it. */
  markUpdated(kind: LedgerKind, id: string): void {
    if (!this.isOwned(kind, id)) this.#set(kind, id, "declared");
  }

  /** Marks a record as created or adopted by a resource that is being created. */
  markAcquired(kind: LedgerKind, id: string): void {
    this.#set(kind, id, "acquired");
  }

  /** Marks a record as released by its resource, which is replaced. */
  markReleased(kind: LedgerKind, id: string): void {
    if (!this.isOwned(kind, id)) this.#set(kind, id, "released");
  }

  /** Removes the mark of a record after the call that marked it has failed. */
  unmark(kind: LedgerKind, id: string): void {
    this.#owners.delete(key(kind, id));
  }

  /** Whether a resource manages a record. */
  isOwned(kind: LedgerKind, id: string): boolean {
    const ownership = this.#ownershipOf(kind, id);
    return ownership === "declared" || ownership === "acquired";
  }

  isReleased(kind: LedgerKind, id: string): boolean {
    return this.#ownershipOf(kind, id) === "released";
  }

  /** Whether a create may adopt a record: no resource manages or releases it, and it was not deleted. */
  isFree(kind: LedgerKind, id: string): boolean {
    return this.#ownershipOf(kind, id) === undefined && !this.#deleted.has(key(kind, id));
  }

  /** Deletes a record. If another resource manages it, the deleted resource only forgets it. */
  async delete(kind: LedgerKind, id: string, work: () => Promise<void>): Promise<void> {
    if (this.isOwned(kind, id)) return;
    this.#deleted.add(key(kind, id));
    try {
      await work();
    } catch (error) {
      this.#deleted.delete(key(kind, id));
      throw error;
    }
  }

  #ownershipOf(kind: LedgerKind, id: string): Ownership | undefined {
    return this.#owners.get(key(kind, id));
  }

  #set(kind: LedgerKind, id: string, ownership: Ownership): void {
    this.#owners.set(key(kind, id), ownership);
  }
}

/**
 * Returns the error for two resources of one program that manage the same record.
 *
 * @param name name by which people know the record
 */
export function sharedRecord(kind: LedgerKind, id: string, name?: string): OwnershipError {
  const which = name === undefined ? id : `${id} ("${name}")`;
  return new OwnershipError(
    `Two ${kind.name} resources of this program manage the ${kind.noun} ${which}. Declare it once: delete one of the two from ` +
      "the program. If both are in the state, also run `pulumi state delete` for that one. The service keeps the " +
      `${kind.noun}.`,
  );
}

function key(kind: LedgerKind, id: string): string {
  return `${kind.name} ${id}`;
}
