import type { Marks } from "./marks";
import { digest, type LedgerKind } from "./rivals";
import type { Properties } from "./values";

/**
 * A resource in the state that the engine has checked but not yet compared with the program. Until the comparison, the
 * resource counts as the manager of its record.
 */
export interface Unmatched {
  readonly heldInputs: Properties;
  /** Whether the engine replaces the resource without requesting a diff, as after `--replace`. */
  isReplaced: boolean;
}

/**
 * Tracks information about an operation's resources, such as the resource types with failures. The provider processes of the operation
 * share most of the tracked information.
 */
export class OperationFacts {
  readonly #unmatched = new Map<string, Unmatched & { kind: string }>();

  constructor(
    protected readonly marks: Marks,
    protected readonly service: string,
  ) {}

  /**
   * Notes that the engine has requested a check of a resource.
   *
   * @param heldInputs inputs in the state, or undefined if the engine creates or replaces the resource
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
   * Whether the next diff is about a resource that the program declares. In a refresh, the engine also requests diffs of resources that the
   * program no longer declares. The engine does not check resources that the program no longer declares.
   */
  expectsDiff(kind: LedgerKind, resource: string): boolean {
    return this.#unmatched.has(resourceKey(kind, resource));
  }

  recordDiff(kind: LedgerKind, resource: string): void {
    this.#unmatched.delete(resourceKey(kind, resource));
  }

  unmatched(kind: LedgerKind): Unmatched[] {
    return [...this.#unmatched.values()].filter((resource) => resource.kind === kind.name);
  }

  /**
   * Notes that the program declares a resource.
   *
   * @param awaitsCreate whether the engine will create the resource
   */
  recordDeclared(kind: LedgerKind, resource: string, awaitsCreate: boolean): void {
    this.marks.append({ do: "check", by: resourceKey(kind, resource), awaitsCreate });
  }

  recordFailed(kind: LedgerKind): void {
    this.marks.append({ do: "fail", by: kind.name });
  }

  hasFailed(kind: LedgerKind): boolean {
    this.marks.append();
    return this.marks.failed.has(kind.name);
  }

  /** Returns the name of a resource type with a failed resource, if `exported` contains the type's registry name. */
  failedOf(exported: readonly string[]): string | undefined {
    this.marks.append();
    return [...this.marks.failed].find((name) => exported.includes(name.charAt(0).toLowerCase() + name.slice(1)));
  }

  /**
   * Notes that the provider sends a create request. Until the service answers, any new record with the same name may come from the create
   * request.
   *
   * @param what string that contains the account group and name of the new record
   * @returns a function that the caller must call after the response
   */
  recordSending(kind: LedgerKind, what: string): () => void {
    const of = this.key(kind, digest(what));
    this.marks.append({ do: "send", of, by: 1 });
    return () => void this.marks.append({ do: "send", of, by: -1 });
  }

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
