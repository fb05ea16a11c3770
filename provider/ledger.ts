import { createHash } from "node:crypto";
import { OwnershipError } from "./failures";
import { type Entry, memoryLog, type OperationLog } from "./operation-log";
import type { Properties } from "./values";

/** The facts of a kind that the ledger uses. */
interface LedgerKind {
  readonly name: string;
  readonly noun: string;
}

/** Facts that distinguish records of two services with the same id. Unknown facts prove no difference. */
export interface RecordFacts {
  readonly accountGroupId?: string | undefined;
  /** Names that the record has, had or gets in this operation. */
  readonly names?: readonly (string | undefined)[];
}

/**
 * Which resource manages a record, as far as this operation knows:
 * - `declared`: an existing resource keeps it,
 * - `acquired`: a resource that was created in this operation created or adopted it,
 * - `released`: its resource is replaced, and the replacement does not adopt it,
 * - `contested`: a resource was not created because of it, so a delete would leave the program without its record,
 * - `deleted`: it was deleted or is being deleted; a list may still return it.
 */
type Ownership = "declared" | "acquired" | "released" | "contested" | "deleted";

interface Mark {
  readonly ownership: Ownership;
  /** The resource that made the mark, or the entry if the resource is not known. */
  readonly by: string;
  readonly entry: string;
  /** The mark that this one replaced. */
  readonly previous: Mark | undefined;
  readonly account: string | undefined;
  /** Digests of the names. */
  readonly names: ReadonlySet<string>;
}

let count = 0;

/** A resource in the state that keeps its record, although its diff has not arrived. */
export interface Unmatched {
  /** The inputs in its state. */
  readonly heldInputs: Properties;
  /** Whether its create follows, since it is replaced by force: then no diff arrives. */
  isReplaced: boolean;
}

/**
 * Records which resource manages which record, in one operation of the engine, so that the operation never deletes a record that a
 * resource manages at its end, in whatever order the engine calls, and whichever of its provider processes it calls. The ledger learns
 * from the calls alone. Every mark is an entry of a log that the processes share; each process applies all entries in the same order.
 */
export class Ledger {
  readonly #marks = new Map<string, Mark>();
  /** The record that each resource keeps, by resource. */
  readonly #declared = new Map<string, string>();
  /** Existing resources whose diff has not arrived, each with the inputs in its state. Each of them manages one record. */
  readonly #unmatched = new Map<string, Unmatched & { kind: string }>();
  /** Resources that the program declares, and whether each waits for its create. */
  readonly #checked = new Map<string, boolean>();
  /** Kinds of resources that failed, so that the engine skips the resources which depend on them. */
  readonly #failed = new Set<string>();
  /** Records that the engine named although reads may not show them yet. */
  readonly #named = new Set<string>();
  /** Number of creates without an answer, by what they create. */
  readonly #sending = new Map<string, number>();
  /** Every origin of a service with a mark, and the representative of all origins of the same service. */
  readonly #origins = new Map<string, string>();
  /** The processes of the operation, and what tells its engine from others. */
  readonly #present = new Set<unknown>();
  #engine: unknown;

  /**
   * @param log entries of all processes of the operation
   * @param service origin of the service: the ids of two services may be alike
   * @param movedFrom other origins of the same service
   */
  constructor(
    private readonly log: OperationLog = memoryLog(),
    private readonly service = "",
    movedFrom: readonly string[] = [],
  ) {
    if (movedFrom.length > 0) this.#append({ do: "same", origins: [service, ...movedFrom].join(" ") });
  }

  /**
   * Records that the engine checks a resource.
   *
   * @param heldInputs inputs in the state; undefined if the resource is created or replaced, so that it no longer keeps its record
   */
  recordCheck(kind: LedgerKind, resource: string, heldInputs: Properties | undefined): void {
    const by = resourceKey(kind, resource);
    const unmatched = this.#unmatched.get(by);
    if (heldInputs) this.#unmatched.set(by, { kind: kind.name, heldInputs, isReplaced: false });
    else {
      if (unmatched) unmatched.isReplaced = true;
      if (this.#declared.has(by)) this.#append({ do: "withdraw", by });
    }
  }

  /**
   * Whether the next diff of a resource is that of one that the program declares, which the engine has checked before. A refresh diffs
   * without a check, including resources that the program no longer declares, and the engine diffs the dependents of a replacement with
   * unknown inputs.
   */
  expectsDiff(kind: LedgerKind, resource: string): boolean {
    return this.#unmatched.has(resourceKey(kind, resource));
  }

  /** Records that the diff of a resource has arrived. */
  recordDiff(kind: LedgerKind, resource: string): void {
    this.#unmatched.delete(resourceKey(kind, resource));
  }

  /** Returns each resource whose diff has not arrived. */
  unmatched(kind: LedgerKind): Unmatched[] {
    return [...this.#unmatched.values()].filter((one) => one.kind === kind.name);
  }

  /**
   * Records that the program declares a resource, whatever record it had or gets.
   *
   * @param awaitsCreate whether its create follows
   */
  recordDeclared(kind: LedgerKind, resource: string, awaitsCreate: boolean): void {
    this.#append({ do: "check", by: resourceKey(kind, resource), awaitsCreate });
  }

  /**
   * Whether a record that is deleted was left by a replacement: its resource is still declared, or one of its kind waits for its create,
   * which may be the same one under a new name.
   */
  isReplaced(kind: LedgerKind, id: string, resource: string | undefined): boolean {
    if (this.#markOf(kind, id)?.ownership === "released") return true;
    if (resource !== undefined && this.#checked.has(resourceKey(kind, resource))) return true;
    return [...this.#checked].some(([by, awaitsCreate]) => awaitsCreate && by.startsWith(resourceKey(kind, "")));
  }

  /**
   * Marks a record as managed by an existing resource, which keeps it.
   *
   * @throws OwnershipError if another resource of the program manages it
   */
  markDeclared(kind: LedgerKind, id: string, resource?: string, facts?: RecordFacts): void {
    if (!this.#mark("declare", kind, id, resource, facts)) throw sharedRecord(kind, id);
  }

  /** Marks a record as updated, so its resource keeps it. */
  markUpdated(kind: LedgerKind, id: string, resource?: string): void {
    this.#mark("keep", kind, id, resource);
  }

  /** Marks a record that a resource created, or found to be its own. */
  markAcquired(kind: LedgerKind, id: string, facts?: RecordFacts): void {
    this.#mark("create", kind, id, undefined, facts);
  }

  /**
   * Adopts a record for a resource that is being created, if no resource manages or releases it and it was not deleted.
   *
   * @returns whether the record is adopted
   * @throws OwnershipError if the other processes of the operation cannot be asked, or one of them may manage the record at another origin
   */
  adopt(kind: LedgerKind, id: string, facts?: RecordFacts): boolean {
    return this.#claimForAdoption("adopt", kind, id, facts) !== undefined;
  }

  /**
   * Adopts an object that exists by itself, which another resource may have released.
   *
   * @returns a function that gives it back after a failure; undefined if another resource manages it
   * @throws OwnershipError if the other processes of the operation cannot be asked
   */
  take(kind: LedgerKind, id: string): (() => void) | undefined {
    return this.#claimForAdoption("take", kind, id);
  }

  /** Marks a record as released by its resource, which is replaced. */
  markReleased(kind: LedgerKind, id: string, resource?: string): void {
    this.#mark("release", kind, id, resource);
  }

  /** Marks the records because of which a resource was not created. */
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
   * Deletes a record. If another resource manages it, the deleted resource only forgets it.
   *
   * @param facts returns the facts of the record now; undefined if it no longer exists. Called if a process may manage it at another origin
   * @throws OwnershipError if the record is contested, the other processes of the operation cannot be asked, or one of them may manage the
   *   record at another origin; and the errors of `work`
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
    } else if (this.#marks.get(this.#key(kind, id))?.ownership === "contested") {
      throw new OwnershipError(
        `The ${kind.noun} ${id} was not deleted: a resource of this program was not created because the record exists, which is reported above. ` +
          "If you renamed or moved the resource, give its old name or parent in the resource option aliases.",
      );
    }
  }

  /** Records that the engine named a record, so that no create of this operation made it. */
  recordNamed(kind: LedgerKind, id: string): void {
    this.#append({ do: "name", of: this.#key(kind, id) });
  }

  /**
   * Whether a record is older than this operation's creates: the engine named it, or a process manages a record with the same id and name
   * at another origin.
   */
  isNamed(kind: LedgerKind, id: string, facts: RecordFacts): boolean {
    this.#append();
    return this.#named.has(this.#key(kind, id)) || this.#rivalProblem(kind, id, "adopted", facts) !== undefined;
  }

  /** Records that a resource of a kind failed. */
  recordFailed(kind: LedgerKind): void {
    this.#append({ do: "fail", by: kind.name });
  }

  /** Returns the name of a kind with a resource that failed in this operation, out of the kinds that the provider exports under some names. */
  failedOf(exported: readonly string[]): string | undefined {
    this.#append();
    return [...this.#failed].find((name) => exported.includes(name.charAt(0).toLowerCase() + name.slice(1)));
  }

  /**
   * Records that a create is sent. While creates of the same thing have no answer, a new record may belong to any of them.
   *
   * @param what what is created, such as account group and name
   * @returns a function that records its answer
   */
  recordSending(kind: LedgerKind, what: string): () => void {
    const of = this.#key(kind, digest(what));
    this.#append({ do: "send", of, by: 1 });
    return () => this.#append({ do: "send", of, by: -1 });
  }

  /** Whether a create of the same thing has no answer yet. */
  isSending(kind: LedgerKind, what: string): boolean {
    this.#append();
    return (this.#sending.get(this.#key(kind, digest(what))) ?? 0) > 0;
  }

  #markOf(kind: LedgerKind, id: string): Mark | undefined {
    this.#append();
    return this.#marks.get(this.#key(kind, id));
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
    return this.#append({
      do: what,
      of: this.#key(kind, id),
      by,
      account: accountGroupId,
      ...(digests !== "" && { names: digests }),
    });
  }

  /** Marks at other origins, with the same kind and id, of resources that manage their record or were not created because of it. */
  #rivals(kind: LedgerKind, id: string): { origin: string; mark: Mark }[] {
    const own = this.#originOf(this.service);
    return [...new Set(this.#origins.values())].flatMap((origin) => {
      const mark = origin === own ? undefined : this.#marks.get(`${origin} ${kind.name} ${id}`);
      return mark && (isOwned(mark) || mark.ownership === "contested") ? [{ origin, mark }] : [];
    });
  }

  /** Returns the error for a record that another process may manage under another host name; undefined if the records differ. */
  #rivalProblem(kind: LedgerKind, id: string, participle: string, facts: RecordFacts = {}): OwnershipError | undefined {
    const { accountGroupId, names = [] } = facts;
    const digests = digestsOf(names);
    const rival = this.#rivals(kind, id).find(({ mark }) => {
      if (accountGroupId !== undefined && mark.account !== undefined && accountGroupId !== mark.account) return false;
      return digests.length === 0 || mark.names.size === 0 || digests.some((name) => mark.names.has(name));
    });
    if (rival === undefined) return undefined;
    return new OwnershipError(
      `The ${kind.noun} ${id} at ${this.service} was not ${participle}: a provider of this operation uses ${rival.origin}, and one of its ` +
        `resources manages a ${kind.noun} with the same id, which may be the same record. If both origins are one service, set movedFrom of ` +
        `the provider at ${this.service} to ${rival.origin}. If they are two services, run this step on its own with --target.`,
    );
  }

  #originOf(origin: string): string {
    return this.#origins.get(origin) ?? origin;
  }

  /** Notes that several origins are one service, and moves the marks of all of them to one. */
  #unite(origins: readonly string[]): true {
    const united = new Set(origins.map((origin) => this.#originOf(origin)));
    const [canonical = ""] = [...united].toSorted();
    for (const [origin, known] of this.#origins) if (united.has(known)) this.#origins.set(origin, canonical);
    for (const origin of origins) this.#origins.set(origin, canonical);
    const [marks, sending] = [Array.from(this.#marks), Array.from(this.#sending)];
    for (const each of [this.#marks, this.#sending]) each.clear();
    for (const [of, mark] of marks) {
      const key = this.#canonical(of);
      if (!isOwned(this.#marks.get(key))) this.#marks.set(key, mark);
    }
    for (const of of this.#named) this.#named.add(this.#canonical(of));
    for (const [by, of] of this.#declared) this.#declared.set(by, this.#canonical(of));
    for (const [of, unanswered] of sending) {
      const key = this.#canonical(of);
      this.#sending.set(key, (this.#sending.get(key) ?? 0) + unanswered);
    }
    return true;
  }

  /** Returns the key of a record with the origin that stands for its service. */
  #canonical(of: string): string {
    const end = of.indexOf(" ");
    return this.#originOf(of.slice(0, end)) + of.slice(end);
  }

  /**
   * Marks a record for a step that no other process may contradict.
   *
   * @returns a function that restores the mark before; undefined if the record is not to be had
   * @throws OwnershipError if the other processes do not see the mark, or this one does not see theirs
   */
  #claim(what: string, kind: LedgerKind, id: string, participle: string, facts?: RecordFacts): (() => void) | undefined {
    const isClaimed = this.#mark(what, kind, id, undefined, facts);
    const of = this.#key(kind, id);
    const entry = this.#marks.get(of)?.entry;
    const giveBack = isClaimed ? () => void this.#append({ do: "undo", of, entry }) : undefined;
    if (this.log.problem === undefined) return giveBack;
    giveBack?.();
    throw new OwnershipError(
      `The ${kind.noun} ${id} was not ${participle}: another provider process of this operation may manage it, and their common file cannot ` +
        `be used: ${this.log.problem}. Then run the operation again.`,
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

  /** Appends an entry and applies all that precede it. @returns whether it took effect */
  #append(entry?: Entry): boolean {
    const own = entry && `${process.pid}-${(count += 1)}`;
    let took = false;
    for (const each of this.log.append(entry && { ...entry, n: own })) {
      const applied = this.#apply(each);
      if (own !== undefined && each["n"] === own) took = applied;
    }
    return took;
  }

  #apply({ do: what, of: named, by, n, ...rest }: Entry): boolean {
    const of = typeof named === "string" ? this.#canonical(named) : named;
    switch (what) {
      case "same":
        return this.#unite(String(rest["origins"]).split(" "));
      case "join":
        return this.#join(rest["pid"], rest["engine"]);
      case "leave":
        return this.#present.delete(rest["pid"]);
      case "check":
        this.#checked.set(String(by), rest["awaitsCreate"] === true);
        return true;
      case "send":
        this.#sending.set(String(of), (this.#sending.get(String(of)) ?? 0) + Number(by));
        return true;
      case "name":
        return this.#named.add(String(of)).size > 0;
      case "fail":
        return this.#failed.add(String(by)).size > 0;
      case "withdraw":
        return this.#withdraw(String(by), String(n));
      case "undo":
        return this.#undo(String(of), rest["entry"]);
      default:
        return this.#set(String(what), String(of), String(by ?? n), String(n), rest);
    }
  }

  /** Applies an entry about one record. @returns whether it took effect */
  #set(what: string, of: string, by: string, entry: string, { account, names }: Entry): boolean {
    const origin = of.slice(0, of.indexOf(" "));
    if (!this.#origins.has(origin)) this.#origins.set(origin, origin);
    const previous = this.#marks.get(of);
    const facts = {
      account: account === undefined ? previous?.account : String(account),
      names: new Set([...(previous?.names ?? []), ...(names === undefined ? [] : String(names).split(" "))]),
    };
    const isOthers = isOwned(previous) && previous?.by !== by;
    const put = (ownership: Ownership): true => {
      // A mark that is made again takes the place of the first one.
      const isAgain = previous?.ownership === ownership && previous.by === by;
      this.#marks.set(of, { ownership, by, entry, previous: isAgain ? previous.previous : previous, ...facts });
      if (ownership === "declared") this.#declared.set(by, of);
      return true;
    };
    switch (what) {
      case "declare":
        return !isOthers && put("declared");
      case "keep":
        return isOwned(previous) || put("declared");
      case "adopt":
        return previous === undefined && put("acquired");
      case "take":
        return !isOwned(previous) && put("acquired");
      case "release":
        return !isOthers && put("released");
      case "contest":
        return previous === undefined && put("contested");
      case "delete":
        return !isOwned(previous) && previous?.ownership !== "contested" && put("deleted");
      default:
        return put("acquired");
    }
  }

  #withdraw(by: string, entry: string): boolean {
    const of = this.#declared.get(by);
    this.#declared.delete(by);
    const previous = of === undefined ? undefined : this.#marks.get(of);
    if (of === undefined || previous?.by !== by) return false;
    this.#marks.set(of, { ...previous, ownership: "released", by, entry, previous });
    return true;
  }

  /** Restores the mark that an entry replaced, unless another entry replaced its mark since. */
  #undo(of: string, entry: unknown): boolean {
    const mark = this.#marks.get(of);
    if (mark?.entry !== entry) return false;
    if (mark?.previous) this.#marks.set(of, mark.previous);
    else this.#marks.delete(of);
    return true;
  }

  /** Adds a process. An earlier operation, which had the same address, has ended if all its processes have left, or its engine is another. */
  #join(pid: unknown, engine: unknown): true {
    const isOther = engine !== undefined && this.#engine !== undefined && engine !== this.#engine;
    if (isOther || this.#present.size === 0) {
      for (const each of [
        this.#marks,
        this.#declared,
        this.#checked,
        this.#failed,
        this.#named,
        this.#sending,
        this.#origins,
        this.#present,
      ])
        each.clear();
    }
    this.#engine = engine ?? this.#engine;
    this.#present.add(pid);
    return true;
  }

  #key(kind: LedgerKind, id: string): string {
    return this.#canonical(`${this.service} ${kind.name} ${id}`);
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

function isOwned(mark: Mark | undefined): boolean {
  return mark?.ownership === "declared" || mark?.ownership === "acquired";
}

function resourceKey(kind: LedgerKind, resource: string): string {
  return `${kind.name} ${resource}`;
}

function digestsOf(names: readonly (string | undefined)[]): string[] {
  return names.flatMap((name) => (name === undefined ? [] : digest(name)));
}

/** Keeps names, which may be secret, out of the log. */
function digest(text: string): string {
  return createHash("sha256").update(text).digest("base64url").slice(0, 22);
}
