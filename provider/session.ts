import { createClient, ForbiddenError, NotFoundError, type AccountGroup, type Client, type Settings } from "../api";
import { Snapshot, type Listed } from "./snapshot";

/** What all resources of one process share: one client with one token and one rate governor, and the snapshots. */
export class Session {
  readonly client: Client;
  readonly #snapshots = new Map<string, Snapshot>();
  #ownAccountGroup: Promise<string | undefined> | undefined;
  /** Ids of records that belong to a resource of this process, by kind: no create may adopt them. */
  readonly #claimed = new Map<string, Set<string>>();

  constructor(readonly settings: Settings) {
    this.client = createClient(settings.client);
  }

  snapshot(of: Listed, aid: string | undefined): Snapshot {
    const key = `${of.name} ${aid ?? ""}`;
    let snapshot = this.#snapshots.get(key);
    if (!snapshot) {
      snapshot = new Snapshot(of, aid);
      this.#snapshots.set(key, snapshot);
    }
    return snapshot;
  }

  /**
   * The account group a resource without one lives in: the one of the settings, else the token's own, asked for once. So `aid`
   * is always sent and recorded, and a later change of the token's login group does not move anything.
   */
  accountGroupId(): Promise<string | undefined> {
    if (this.settings.accountGroupId !== undefined) return Promise.resolve(this.settings.accountGroupId);
    if (this.#ownAccountGroup === undefined) {
      const asked = this.#askAccountGroup();
      this.#ownAccountGroup = asked;
      asked.catch(() => (this.#ownAccountGroup = undefined));
    }
    return this.#ownAccountGroup;
  }

  async #askAccountGroup(): Promise<string | undefined> {
    let accountGroups: AccountGroup[];
    try {
      ({ accountGroups } = await this.client.accountGroups.list());
    } catch (error) {
      // A role without the permission to list account groups works in its own one, unnamed.
      if (error instanceof ForbiddenError || error instanceof NotFoundError) return undefined;
      throw error;
    }
    const own = accountGroups.find((g) => g.isCurrentAccountGroup) ?? accountGroups.find((g) => g.isDefaultAccountGroup);
    return own?.aid;
  }

  /** Marks a record as belonging to a resource of this process. */
  claim(kind: { name: string }, id: string): void {
    this.#claimedOf(kind.name).add(id);
  }

  isClaimed(kind: { name: string }, id: string): boolean {
    return this.#claimedOf(kind.name).has(id);
  }

  #claimedOf(kindName: string): Set<string> {
    let ids = this.#claimed.get(kindName);
    if (!ids) this.#claimed.set(kindName, (ids = new Set()));
    return ids;
  }
}
