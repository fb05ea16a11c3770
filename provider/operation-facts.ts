import type { Marks } from "./marks";
import { digest, type LedgerKind } from "./rivals";
import type { Properties } from "./values";

/** A resource in the state that still waits for its diff. Until then it keeps its record. */
export interface Unmatched {
  /** The inputs in its state. */
  readonly heldInputs: Properties;
  /** Whether a forced replacement creates it again. If so, no diff arrives. */
  isReplaced: boolean;
}

/**
 * The facts that the provider processes of one operation know about its resources: the engine has checked them, they failed,
 * or they are being created.
 */
export class OperationFacts {
  /**
   * Existing resources without a diff so far, each with the inputs in its state. Each of these resources manages one record.
   */
  readonly #unmatched = new Map<string, Unmatched & { kind: string }>();

  /** @param service origin of the service */
  constructor(
    protected readonly marks: Marks,
    protected readonly service: string,
  ) {}

  /**
   * Records that the engine checks a resource.
   *
   * @param heldInputs inputs in the state; undefined if the resource is created or replaced, so that it no longer keeps its
   * record
   */
  recordCheck(kind: LedgerKind, resource: string, heldInputs: Properties | undefined): void {
    const by = resourceKey(kind, resource);
    const unmatched = this.#unmatched.get(by);
    if (heldInputs) this.#unmatched.set(by, { kind: kind.name, heldInputs, isReplaced: false });
    else {
      if (unmatched) unmatched.isReplaced = true;
      if (this.marks.keepsRecord(by)) this.marks.append({ do: "withdraw", by });
    }
  }

  /**
   * Whether the next diff is about a resource that the program declares, which the engine has checked before. A refresh diffs
   * without a check, including resources that the program no longer declares. The engine also diffs the dependents of a
   * replacement, with unknown inputs.
   */
  expectsDiff(kind: LedgerKind, resource: string): boolean {
    return this.#unmatched.has(resourceKey(kind, resource));
  }

  /** Records that the diff of a resource has arrived. */
  recordDiff(kind: LedgerKind, resource: string): void {
    this.#unmatched.delete(resourceKey(kind, resource));
  }

  /** Returns the resources without a diff so far. */
  unmatched(kind: LedgerKind): Unmatched[] {
    return [...this.#unmatched.values()].filter((resource) => resource.kind === kind.name);
  }

  /**
   * Records that the program declares a resource, whether it has a record or not.
   *
   * @param awaitsCreate whether its create follows
   */
  recordDeclared(kind: LedgerKind, resource: string, awaitsCreate: boolean): void {
    this.marks.append({ do: "check", by: resourceKey(kind, resource), awaitsCreate });
  }

  /** Records that a resource of a kind failed. */
  recordFailed(kind: LedgerKind): void {
    this.marks.append({ do: "fail", by: kind.name });
  }

  hasFailed(kind: LedgerKind): boolean {
    this.marks.append();
    return this.marks.failed.has(kind.name);
  }

  /** Returns the name of a kind with a resource that failed in this operation, from the given names of exported kinds. */
  failedOf(exported: readonly string[]): string | undefined {
    this.marks.append();
    return [...this.marks.failed].find((name) => exported.includes(name.charAt(0).toLowerCase() + name.slice(1)));
  }

  /**
   * Records that a create is sent. While creates of the same name have no answer, a new record may belong to any of them.
   *
   * @param what account group and name of the new record
   * @returns a function that records its answer
   */
  recordSending(kind: LedgerKind, what: string): () => void {
    const of = this.key(kind, digest(what));
    this.marks.append({ do: "send", of, by: 1 });
    return () => void this.marks.append({ do: "send", of, by: -1 });
  }

  /** Whether a create of the same name has no answer yet. */
  isSending(kind: LedgerKind, what: string): boolean {
    this.marks.append();
    return this.marks.isSending(this.key(kind, digest(what)));
  }

  protected key(kind: LedgerKind, id: string): string {
    return `${this.service} ${kind.name} ${id}`;
  }
}

export function resourceKey(kind: LedgerKind, resource: string): string {
  return `${kind.name} ${resource}`;
}
