import { createClient, ForbiddenError, NotFoundError, type Answer, type Client, type Settings } from "../api";
import { Ledger } from "./ledger";
import { memoryLog, type OperationLog } from "./operation-log";
import type { References } from "./references/references";
import { ServiceClock } from "./service-clock";
import { ReadLag } from "./read-lag";
import { type RecordSource, Snapshot } from "./snapshot";
import { stringOf } from "./values";

/** An account group that the caller may see. `aid` is undefined if the id of the token's account group is not known. */
interface VisibleAccountGroup {
  aid: string | undefined;
  isCurrentAccountGroup?: boolean;
  isDefaultAccountGroup?: boolean;
}

/** The objects that all resources of a process share, such as the API client. */
export class Session {
  readonly client: Client;
  readonly clock = new ServiceClock();
  readonly readLag: ReadLag;
  readonly ledger: Ledger;
  /** Origin of the service, such as `https://api.thousandeyes.com`. */
  readonly service: string;
  readonly #snapshots = new Map<string, Snapshot>();
  readonly #concealed = new Set<string>();
  #accountGroups: Promise<VisibleAccountGroup[]> | undefined;
  #references: References | undefined;

  /** @param limit function that wraps the API client, for example to limit its requests */
  constructor(
    readonly settings: Settings,
    limit: (client: Client) => Client = (client) => client,
    log: OperationLog = memoryLog(),
  ) {
    this.service = new URL(settings.client.baseUrl).origin;
    this.ledger = new Ledger(log, this.service, settings.movedFrom);
    this.readLag = new ReadLag(settings.readLag, this.clock, settings.client.onWait);
    const onAnswer = (answer: Answer): void => {
      this.clock.observe(answer);
      settings.client.onAnswer?.(answer);
    };
    this.client = limit(createClient({ ...settings.client, onAnswer, secrets: () => this.#concealed }));
  }

  /**
   * The finder of alert rules and streams that refer to records. The module `references.ts` is loaded on demand, because only deletions and
   * replacements need references.
   */
  get references(): References {
    const { References: Loaded } = require("./references/references") as typeof import("./references/references");
    return (this.#references ??= new Loaded(this.client));
  }

  /** Masks a secret value in all later messages, because the service's error responses may repeat the value. */
  conceal(value: string): void {
    this.#concealed.add(value);
  }

  /** Returns the snapshot of a list. The session requests each list only once. See `recordsOf`. */
  snapshot(name: string, source: RecordSource): Snapshot {
    const snapshot = this.#snapshots.get(name) ?? new Snapshot(source);
    this.#snapshots.set(name, snapshot);
    return snapshot;
  }

  /**
   * Returns the default account group of resources, from the settings or from the token. The account group is stored in the state, so
   * resources do not move when the token changes.
   */
  async accountGroupId(): Promise<string | undefined> {
    if (this.settings.accountGroupId !== undefined) return this.settings.accountGroupId;
    const groups = await this.accountGroups();
    return (groups.find((group) => group.isCurrentAccountGroup) ?? groups.find((group) => group.isDefaultAccountGroup))?.aid;
  }

  async accountGroupOf(properties: Record<string, unknown>): Promise<string | undefined> {
    return stringOf(properties["accountGroupId"]) ?? this.accountGroupId();
  }

  /**
   * Whether the caller can see an account group. If the caller may not list account groups, every account group counts as
   * visible.
   */
  async isVisible(accountGroupId: string | undefined): Promise<boolean> {
    if (accountGroupId === undefined) return true;
    const groups = await this.accountGroups();
    return groups.some(({ aid }) => aid === undefined || aid === accountGroupId);
  }

  /** Returns the account groups that the caller may see. If the request for the account groups fails, the next call repeats the request. */
  accountGroups(): Promise<VisibleAccountGroup[]> {
    if (this.#accountGroups === undefined) {
      const request = this.#requestAccountGroups();
      this.#accountGroups = request;
      request.catch(() => (this.#accountGroups = undefined));
    }
    return this.#accountGroups;
  }

  async #requestAccountGroups(): Promise<VisibleAccountGroup[]> {
    try {
      return (await this.client.accountGroups.list()).accountGroups;
    } catch (error) {
      // A caller without the permission to list account groups has access to one account group with an unknown id.
      if (error instanceof ForbiddenError || error instanceof NotFoundError) return [{ aid: undefined }];
      throw error;
    }
  }
}
