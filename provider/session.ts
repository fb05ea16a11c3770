import { createClient, ForbiddenError, NotFoundError, type Client, type Settings } from "../api";
import { Ledger } from "./ledger";
import { Snapshot, type Listed } from "./snapshot";
import { stringOf } from "./values";

/** An account group as far as resources ask; `aid` undefined is the token's own, of which no more is known. */
interface Group {
  aid: string | undefined;
  isCurrentAccountGroup?: boolean;
  isDefaultAccountGroup?: boolean;
}

/** What all resources of one process share: one client with one token and one rate governor, and what was learned with it. */
export class Session {
  readonly client: Client;
  /** Who stands for which record, in this process. */
  readonly ledger = new Ledger();
  readonly #shared = new Map<string, unknown>();
  readonly #concealed = new Set<string>();
  #accountGroups: Promise<Group[]> | undefined;

  constructor(readonly settings: Settings) {
    this.client = createClient({ ...settings.client, secrets: () => this.#concealed });
  }

  /** Keeps a value out of messages from now on: the service may hold it, and echo it where the request did not carry it. */
  conceal(value: string): void {
    this.#concealed.add(value);
  }

  /** What is made once a session, by a key of its maker's. */
  shared<T>(key: string, make: () => T): T {
    if (!this.#shared.has(key)) this.#shared.set(key, make());
    // A key belongs to one maker, which always asks for the same type.
    return this.#shared.get(key) as T;
  }

  snapshot(of: Listed, aid: string | undefined): Snapshot {
    return this.shared(`snapshot ${of.name} ${aid ?? ""}`, () => new Snapshot(of, aid));
  }

  /**
   * The account group a resource without one lives in: the one of the settings, else the token's own, asked for once. So `aid`
   * is always sent and recorded, and a later change of the token's login group does not move anything.
   */
  async accountGroupId(): Promise<string | undefined> {
    if (this.settings.accountGroupId !== undefined) return this.settings.accountGroupId;
    const groups = await this.accountGroups();
    return (groups.find((g) => g.isCurrentAccountGroup) ?? groups.find((g) => g.isDefaultAccountGroup))?.aid;
  }

  /** The account group that inputs or a state name, else the one of a resource that names none. */
  async groupOf(properties: Record<string, unknown>): Promise<string | undefined> {
    return stringOf(properties["accountGroupId"]) ?? this.accountGroupId();
  }

  /** The account groups the caller may see, asked for once. A failure is not kept. */
  accountGroups(): Promise<Group[]> {
    if (this.#accountGroups === undefined) {
      const asked = this.#askAccountGroups();
      this.#accountGroups = asked;
      asked.catch(() => (this.#accountGroups = undefined));
    }
    return this.#accountGroups;
  }

  async #askAccountGroups(): Promise<Group[]> {
    try {
      return (await this.client.accountGroups.list()).accountGroups;
    } catch (error) {
      // A role without the permission to list account groups works in its own one, unnamed.
      if (error instanceof ForbiddenError || error instanceof NotFoundError) return [{ aid: undefined }];
      throw error;
    }
  }
}
