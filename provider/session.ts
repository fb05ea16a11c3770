import { createClient, ForbiddenError, NotFoundError, type Answer, type Client, type Settings } from "../api";
import { Ledger } from "./ledger";
import { memoryLog, type OperationLog } from "./operation-log";
import type { References } from "./references/references";
import { ServiceClock } from "./service-clock";
import { ReadLag } from "./read-lag";
import { type RecordSource, Snapshot } from "./snapshot";
import { stringOf } from "./values";

/**
 * An account group that the caller may see. `aid` is undefined for the token's own group, if nothing else about the group is
 * known.
 */
interface VisibleAccountGroup {
  aid: string | undefined;
  isCurrentAccountGroup?: boolean;
  isDefaultAccountGroup?: boolean;
}

/**
 * The state that all resources of one process share: one client with one token and one rate governor, and the records that it
 * returned.
 */
export class Session {
  readonly client: Client;
  readonly clock = new ServiceClock();
  readonly readLag: ReadLag;
  /** Records which resource manages which record in this operation. */
  readonly ledger: Ledger;
  /** Origin of the service, such as `https://api.thousandeyes.com`. */
  readonly service: string;
  readonly #snapshots = new Map<string, Snapshot>();
  readonly #concealed = new Set<string>();
  #accountGroups: Promise<VisibleAccountGroup[]> | undefined;
  #references: References | undefined;

  /**
   * @param limit returns a client that limits the requests of the session's client
   * @param log entries that the processes of one operation share
   */
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

  /** References of alert rules and streams to records, read once. Loaded if a record is deleted or replaced. */
  get references(): References {
    const { References: Loaded } = require("./references/references") as typeof import("./references/references");
    return (this.#references ??= new Loaded(this.client));
  }

  /** Masks a value in all later messages. The service may return the value even if the request did not contain it. */
  conceal(value: string): void {
    this.#concealed.add(value);
  }

  /** Returns a snapshot of records, which a session lists once. See `recordsOf`. */
  snapshot(name: string, source: RecordSource): Snapshot {
    const snapshot = this.#snapshots.get(name) ?? new Snapshot(source);
    this.#snapshots.set(name, snapshot);
    return snapshot;
  }

  /**
   * Returns the account group of a resource that declares none: the one in the settings, or the token's own, which is
   * requested once. The provider always sends and records it, so a later change of the token's login group moves nothing.
   */
  async accountGroupId(): Promise<string | undefined> {
    if (this.settings.accountGroupId !== undefined) return this.settings.accountGroupId;
    const groups = await this.accountGroups();
    return (groups.find((group) => group.isCurrentAccountGroup) ?? groups.find((group) => group.isDefaultAccountGroup))?.aid;
  }

  /** Returns the account group in inputs or a state, or the default one. */
  async accountGroupOf(properties: Record<string, unknown>): Promise<string | undefined> {
    return stringOf(properties["accountGroupId"]) ?? this.accountGroupId();
  }

  /**
   * Whether the caller can see an account group. True for an undefined id, which means the caller's own group, and for all
   * groups if the caller may not list them.
   */
  async isVisible(accountGroupId: string | undefined): Promise<boolean> {
    if (accountGroupId === undefined) return true;
    const groups = await this.accountGroups();
    return groups.some(({ aid }) => aid === undefined || aid === accountGroupId);
  }

  /** Returns the account groups that the caller may see. Requests them once, and again after a failure. */
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
      // A role without permission to list account groups uses its own group. The group's id is not known.
      if (error instanceof ForbiddenError || error instanceof NotFoundError) return [{ aid: undefined }];
      throw error;
    }
  }
}
