import { OwnershipError } from "./failures";
import { type Properties, stable } from "./values";

/** What the ledger has to know of a kind. */
interface Of {
  readonly name: string;
  readonly noun: string;
}

/** A resource that the state holds and the program declares, of which the engine has not said yet which record it stands for. */
interface Held {
  readonly kind: string;
  /** Its inputs as the state has them. */
  readonly olds: Properties;
  /** Its inputs as check returned them, as text. */
  readonly news: string;
}

/**
 * What has become of a record in this process:
 * - `declared`: a resource that was there before keeps it,
 * - `taken`: a resource was created that made or adopted it,
 * - `left`: its resource is replaced, and the replacement does not adopt it.
 */
type Fate = "declared" | "taken" | "left";

/**
 * Who stands for which record, in one process. A process serves one operation of the engine, so at its end the ledger knows
 * what the operation has come to: *a record that some resource stands for then is not deleted*, in whatever order the engine
 * calls. The protocol of dynamic providers has no resource names, so what is known comes from the calls alone.
 */
export class Ledger {
  readonly #fates = new Map<string, Fate>();
  /** Records that were deleted here, or are being deleted: a list may still show them. */
  readonly #deleted = new Set<string>();
  readonly #held: Held[] = [];

  /** Notes a resource that the state holds and the program declares: `check` was called with its old inputs. */
  markHeld(kind: Of, olds: Properties, news: Properties): void {
    this.#held.push({ kind: kind.name, olds, news: stable(news) });
  }

  /**
   * Whether a diff is that of the program, which follows the check whose result it brings. A refresh diffs without a check, also
   * what the program no longer declares; and the engine diffs the dependents of a replacement with unknown inputs, only to ask.
   */
  settleHeld(kind: Of, news: Properties): boolean {
    const text = stable(news);
    const at = this.#held.findIndex((held) => held.kind === kind.name && held.news === text);
    if (at >= 0) this.#held.splice(at, 1);
    return at >= 0;
  }

  /** Old inputs of resources that the state holds, whose records nobody has named: one record each belongs to them. */
  heldInputs(kind: Of): Properties[] {
    return this.#held.filter((held) => held.kind === kind.name).map(({ olds }) => olds);
  }

  /**
   * Marks a record as that of a resource which was there before and keeps it.
   *
   * @throws OwnershipError where another resource of the program stands for it
   */
  markDeclared(kind: Of, id: string): void {
    if (this.isOwned(kind, id)) throw sharedRecord(kind, id);
    this.#set(kind, id, "declared");
  }

  /** Marks a record as updated: its resource keeps it. */
  markUpdated(kind: Of, id: string): void {
    if (!this.isOwned(kind, id)) this.#set(kind, id, "declared");
  }

  /** Marks a record as made or adopted by a resource that is being created. */
  markTaken(kind: Of, id: string): void {
    this.#set(kind, id, "taken");
  }

  /** Marks a record as left by its resource, which is replaced. */
  markLeft(kind: Of, id: string): void {
    if (!this.isOwned(kind, id)) this.#set(kind, id, "left");
  }

  /** Takes back what was marked of a record, because the call that it was marked for has failed. */
  unmark(kind: Of, id: string): void {
    this.#fates.delete(key(kind, id));
  }

  /** Whether some resource stands for a record. */
  isOwned(kind: Of, id: string): boolean {
    const fate = this.#fate(kind, id);
    return fate === "declared" || fate === "taken";
  }

  isLeft(kind: Of, id: string): boolean {
    return this.#fate(kind, id) === "left";
  }

  /** Whether a create may adopt a record: nobody stands for it, nobody leaves it, and it was not deleted. */
  isFree(kind: Of, id: string): boolean {
    return this.#fate(kind, id) === undefined && !this.#deleted.has(key(kind, id));
  }

  /** Deletes a record, unless a resource stands for it: then the resource that is deleted only forgets it. */
  async delete(kind: Of, id: string, work: () => Promise<void>): Promise<void> {
    if (this.isOwned(kind, id)) return;
    this.#deleted.add(key(kind, id));
    try {
      await work();
    } catch (error) {
      this.#deleted.delete(key(kind, id));
      throw error;
    }
  }

  #fate(kind: Of, id: string): Fate | undefined {
    return this.#fates.get(key(kind, id));
  }

  #set(kind: Of, id: string, fate: Fate): void {
    this.#fates.set(key(kind, id), fate);
  }
}

/** The error of two resources of one program that stand for one record. `name` is what people know the record by. */
export function sharedRecord(kind: Of, id: string, name?: string): OwnershipError {
  const which = name === undefined ? id : `${id} ("${name}")`;
  return new OwnershipError(
    `Two ${kind.name} resources of this program stand for the ${kind.noun} ${which}. Declare it once: remove one of the two from ` +
      "the program, and where both are in the state, `pulumi state delete` the one that you remove. The service keeps the " +
      `${kind.noun}.`,
  );
}

function key(kind: Of, id: string): string {
  return `${kind.name} ${id}`;
}
