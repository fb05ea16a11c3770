import { createClient, ForbiddenError, NotFoundError, type Client, type Settings } from "../api";
import { Ledger } from "./ledger";
import type { RecordKind } from "./record-kind";
import { Snapshot } from "./snapshot";
import { stringOf } from "./values";

/** An account group as far as resources ask; `aid` undefined is the token's own, of which no more is known. */
interface AccountGroup {
  aid: string | undefined;
  isCurrentAccountGroup?: boolean;
  isDefaultAccountGroup?: boolean;
}

/** What all resources of one process share: one client with one token and one rate governor, and what was learned with it. */
export class Session {
  readonly client: Client;
  /** Who stands for which record, in this process. */
  readonly ledger = new Ledger();
  /** Creates that have no answer yet: how many, by kind, account group and name of what they create. */
  readonly unansweredCreates = new Map<string, number>();
  readonly #snapshots = new Map<string, Snapshot>();
  readonly #concealed = new Set<string>();
  #accountGroups: Promise<AccountGroup[]> | undefined;

  constructor(readonly settings: Settings) {
    this.client = createClient({ ...settings.client, secrets: () => this.#concealed });
  }

  /** Keeps a value out of messages from now on: the service may hold it, and echo it where the request did not carry it. */
  conceal(value: string): void {
    this.#concealed.add(value);
  }

  /** The records of a kind in an account group, listed once a session. */
  snapshot(kind: RecordKind, accountGroupId: string | undefined): Snapshot {
    const key = `${kind.name} ${accountGroupId ?? ""}`;
    let snapshot = this.#snapshots.get(key);
    if (!snapshot) {
      const list = (): Promise<object[]> => kind.requests.list(this.client, accountGroupId);
      this.#snapshots.set(key, (snapshot = new Snapshot({ idOf: (record) => kind.idOf(record), list })));
    }
    return snapshot;
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
  async accountGroupOf(properties: Record<string, unknown>): Promise<string | undefined> {
    return stringOf(properties["accountGroupId"]) ?? this.accountGroupId();
  }

  /** The account groups the caller may see, asked for once. A failure is not kept. */
  accountGroups(): Promise<AccountGroup[]> {
    if (this.#accountGroups === undefined) {
      const asked = this.#askAccountGroups();
      this.#accountGroups = asked;
      asked.catch(() => (this.#accountGroups = undefined));
    }
    return this.#accountGroups;
  }

  async #askAccountGroups(): Promise<AccountGroup[]> {
    try {
      return (await this.client.accountGroups.list()).accountGroups;
    } catch (error) {
      // A role without the permission to list account groups works in its own one, unnamed.
      if (error instanceof ForbiddenError || error instanceof NotFoundError) return [{ aid: undefined }];
      throw error;
    }
  }
}
