import type { Entry, OperationLog } from "./operation-log";

/**
 * The possible ownership states of a record during an engine operation:
 * - `declared`: an existing resource manages the record.
 * - `acquired`: a new resource has created or adopted the record.
 * - `released`: a replacement has released the record.
 * - `contested`: the record prevented the creation of a resource, so the operation must not delete the record.
 * - `deleted`: the operation has deleted the record, although a list may still return it.
 */
type Ownership = "declared" | "acquired" | "released" | "contested" | "deleted";

export interface Mark {
  readonly ownership: Ownership;
  /** The resource that owns the record, or the number of the log entry if the owner is unknown. */
  readonly by: string;
  readonly entry: string;
  readonly previous: Mark | undefined;
  readonly account: string | undefined;
  /** Digests of the record's names, because names may be secret. */
  readonly names: ReadonlySet<string>;
}

let count = 0;

/**
 * The owner of each record, and further information that the provider processes of an operation share. Every process reads the same log
 * entries in the same order. The key of a record contains the service's origin, the resource type and the id.
 */
export class Marks {
  readonly #marks = new Map<string, Mark>();
  readonly #declared = new Map<string, string>();
  /** Maps each declared resource to a boolean: true if the engine still has to create the resource. */
  readonly #checked = new Map<string, boolean>();
  /** Resource types with at least one failed resource. The engine skips resources that depend on a failed resource. */
  readonly #failed = new Set<string>();
  /** Keys of records that the stack wrote recently and that the service's responses may not show yet. */
  readonly #named = new Set<string>();
  /** Number of pending create requests for each record name. */
  readonly #sending = new Map<string, number>();
  /** If a service has several origins, maps each origin to the origin that represents the service. */
  readonly #origins = new Map<string, string>();
  readonly #present = new Set<unknown>();
  #engine: unknown;

  constructor(private readonly log: OperationLog) {}

  /** The reason why this process cannot read the log entries of other processes. */
  get problem(): string | undefined {
    return this.log.problem;
  }

  /**
   * Appends an entry to the log, and applies all earlier entries first.
   *
   * @returns whether the entry took effect
   */
  append(entry?: Entry): boolean {
    const entryId = entry && `${process.pid}-${(count += 1)}`;
    let took = false;
    for (const each of this.log.append(entry && { ...entry, n: entryId })) {
      const applied = this.#apply(each);
      if (entryId !== undefined && each["n"] === entryId) took = applied;
    }
    return took;
  }

  // The read methods reflect the log entries up to the last call to `append`.

  markOf(of: string): Mark | undefined {
    return this.#marks.get(this.canonical(of));
  }

  get checked(): ReadonlyMap<string, boolean> {
    return this.#checked;
  }

  get failed(): ReadonlySet<string> {
    return this.#failed;
  }

  isNamed(of: string): boolean {
    return this.#named.has(this.canonical(of));
  }

  isSending(of: string): boolean {
    return (this.#sending.get(this.canonical(of)) ?? 0) > 0;
  }

  keepsRecord(by: string): boolean {
    return this.#declared.has(by);
  }

  elsewhere(service: string, kindAndId: string): { origin: string; mark: Mark }[] {
    const ownOrigin = this.#originOf(service);
    return [...new Set(this.#origins.values())].flatMap((origin) => {
      const mark = origin === ownOrigin ? undefined : this.#marks.get(`${origin} ${kindAndId}`);
      return mark ? [{ origin, mark }] : [];
    });
  }

  canonical(of: string): string {
    const end = of.indexOf(" ");
    return this.#originOf(of.slice(0, end)) + of.slice(end);
  }

  #originOf(origin: string): string {
    return this.#origins.get(origin) ?? origin;
  }

  #apply({ do: what, of: named, by, n, ...rest }: Entry): boolean {
    const of = typeof named === "string" ? this.canonical(named) : named;
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

  #undo(of: string, entry: unknown): boolean {
    const mark = this.#marks.get(of);
    if (mark?.entry !== entry) return false;
    if (mark?.previous) this.#marks.set(of, mark.previous);
    else this.#marks.delete(of);
    return true;
  }

  /** Notes that several origins belong to the same service. */
  #unite(origins: readonly string[]): true {
    const united = new Set(origins.map((origin) => this.#originOf(origin)));
    const [canonical = ""] = [...united].toSorted();
    for (const [origin, known] of this.#origins) if (united.has(known)) this.#origins.set(origin, canonical);
    for (const origin of origins) this.#origins.set(origin, canonical);
    const [marks, sending] = [Array.from(this.#marks), Array.from(this.#sending)];
    for (const each of [this.#marks, this.#sending]) each.clear();
    for (const [of, mark] of marks) {
      const key = this.canonical(of);
      if (!isOwned(this.#marks.get(key))) this.#marks.set(key, mark);
    }
    for (const of of this.#named) this.#named.add(this.canonical(of));
    for (const [by, of] of this.#declared) this.#declared.set(by, this.canonical(of));
    for (const [of, unanswered] of sending) {
      const key = this.canonical(of);
      this.#sending.set(key, (this.#sending.get(key) ?? 0) + unanswered);
    }
    return true;
  }

  /**
   * Adds a provider process. If all earlier processes have ended or the engine is new, the method first discards the entries of the earlier
   * operation.
   */
  #join(pid: unknown, engine: unknown): true {
    const isOther = engine !== undefined && this.#engine !== undefined && engine !== this.#engine;
    if (isOther || this.#present.size === 0) {
      const ofEarlier = [this.#marks, this.#declared, this.#checked, this.#failed, this.#named, this.#sending];
      for (const each of [...ofEarlier, this.#origins, this.#present]) each.clear();
    }
    this.#engine = engine ?? this.#engine;
    this.#present.add(pid);
    return true;
  }
}

export function isOwned(mark: Mark | undefined): boolean {
  return mark?.ownership === "declared" || mark?.ownership === "acquired";
}
