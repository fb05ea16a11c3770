import type { AgentUpdate } from "../api/generated/agents";
import type { ProxyRecord } from "../api/generated/proxies";
import type { Fault } from "./fault";
import type { AllowedTarget } from "./measure/targets";
import type { Caller } from "./organization";

/** How an emulator is started; everything has a default. */
export interface EmulatorOptions {
  /** TCP port; 0 takes a free one. @defaultValue `0` */
  port?: number;
  /** Address to listen on. Anything but loopback lets others in, with well-known credentials. @defaultValue `"127.0.0.1"` */
  host?: string;
  /** SQLite file that keeps the records; it is created when missing. @defaultValue none: records are kept in memory and lost at the end */
  dataFile?: string;
  /** User API token of the administrator; it never expires. @defaultValue `"emulator-token"` */
  token?: string;
  /** Client id that the token operation takes. @defaultValue `"emulator"` */
  clientId?: string;
  /** Its secret. @defaultValue `"emulator-secret"` */
  clientSecret?: string;
  /** Lifetime of an issued token in seconds. @defaultValue `3600` */
  tokenLifetimeSeconds?: number;
  /** Requests a minute of the organization; `"off"` for no limit and no headers. @defaultValue `240` */
  rateLimit?: number | "off";
  /** Whether two tests of a kind in an account group may not share a name. @defaultValue `false` */
  uniqueTestNames?: boolean;
  /** Labels or agents on a page when the request has no `max`. @defaultValue `100` */
  pageSize?: number;
  /** Agents that a new store is filled with, 0 to 100,000; the first one is this machine. @defaultValue `25` */
  agents?: number;
  /**
   * Whether agents sleep at night, by the time of their place: they do not check in, and an hour later they have lost their labels.
   * @defaultValue `false`
   */
  nights?: boolean;
  /** Milliseconds between an accepted transfer of an agent and its arrival. @defaultValue `300` */
  transferDelayMs?: number;
  /** Licenses of the organization, by type; a type that is not named has no limit. @defaultValue none named */
  licenses?: Partial<Record<NonNullable<AgentUpdate["licenseType"]>, number>>;
  /** How many times faster than their interval tests run, 1 to 60: with 60, one of every minute runs every second. @defaultValue `1` */
  speed?: number;
  /** Targets off this machine that tests may contact: `host` or `host:port`. @defaultValue none: loopback only */
  allowTargets?: readonly string[];
  /**
   * Names under which the emulator is reached, in addition to `host` and the names of loopback: requests for other hosts are refused, so
   * that no web page gets in by having its own name resolved to this machine. @defaultValue none
   */
  allowHosts?: readonly string[];
  /**
   * How the `url` of an HTTP test comes back: `"added"` with scheme and port, as the samples show it, or `"as-sent"`. Which of them
   * the service does is not known. @defaultValue `"added"`
   */
  urlPort?: "added" | "as-sent";
  /** The list of proxies. @defaultValue none */
  proxies?: readonly ProxyRecord[];
  /** Faults for the first matching requests, as `POST /_emulator/faults` takes them. @defaultValue none */
  faults?: readonly Fault[];
  /** Milliseconds since 1970: the time of dates, token lifetimes and rate limits. @defaultValue the clock of this machine */
  now?: () => number;
  /** Is called when a request or a round fails for a fault of the emulator itself. @defaultValue writes the stack to standard error */
  onError?: (error: unknown, activity: string) => void;
}

/** Credentials that the emulator did not issue: an API token, or a client, which may bring the token of a user. */
export type Credentials =
  | { readonly token: string }
  | { readonly clientId: string; readonly clientSecret: string; readonly serviceBearerToken?: string };

/** Settings that only the twin of an account has (twin/start.ts). */
export interface TwinSettings {
  /** The caller with the twin's own credentials, with the account groups of the account. */
  readonly caller: Caller;
  /** Returns the caller with other credentials; nobody if the service that the twin is a copy of refuses them. */
  callerOf(credentials: Credentials): Promise<Caller | undefined>;
  /** Copies account groups, unless they have been. Whatever is answered about them waits for it. */
  copied(aids: readonly string[]): Promise<void>;
  /** Returns the reason why the account refuses an operation to the token that reads it; nothing if it answers. */
  refusal(operation: string, aid: string): string | undefined;
  /** Is told of a request that is meant for another service: the twin stands for all that a rehearsal's requests go to. */
  stray(pathname: string): void;
  /** Is told of each answer. @param ms from the request's arrival to its answer */
  answered(operation: string, status: number, ms: number): void;
}

/** Options with the defaults filled in. */
export type EmulatorSettings = Required<Omit<EmulatorOptions, "dataFile" | "allowTargets">> &
  Pick<EmulatorOptions, "dataFile"> & { allowTargets: readonly AllowedTarget[]; twin?: TwinSettings };
