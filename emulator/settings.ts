import type { AgentUpdate } from "../api/generated/agents";
import type { ProxyRecord } from "../api/generated/proxies";
import type { Fault } from "./fault";
import type { AllowedTarget } from "./measure/targets";
import type { Caller } from "./organization";

/** Options of an emulator. All options have defaults. */
export interface EmulatorOptions {
  /**
   * TCP port. The value 0 selects a free port.
   *
   * @defaultValue `0`
   */
  port?: number;
  /**
   * Address to listen on. If the address is not a loopback address, other machines can use the emulator with its well-known credentials.
   *
   * @defaultValue `"127.0.0.1"`
   */
  host?: string;
  /**
   * SQLite file for the records. The emulator creates the file if it does not exist.
   *
   * @defaultValue no file, so that records are in memory only
   */
  dataFile?: string;
  /**
   * User API token of the administrator. The token never expires.
   *
   * @defaultValue `"emulator-token"`
   */
  token?: string;
  /**
   * Client id for the token operation.
   *
   * @defaultValue `"emulator"`
   */
  clientId?: string;
  /**
   * Client secret.
   *
   * @defaultValue `"emulator-secret"`
   */
  clientSecret?: string;
  /**
   * Lifetime of an issued token in seconds.
   *
   * @defaultValue `3600`
   */
  tokenLifetimeSeconds?: number;
  /**
   * Maximum number of requests per minute for the organization. The value `"off"` disables the limit and its headers.
   *
   * @defaultValue `240`
   */
  rateLimit?: number | "off";
  /**
   * Whether test names must be unique within a test type and account group.
   *
   * @defaultValue `false`
   */
  uniqueTestNames?: boolean;
  /**
   * Number of labels or agents on a page if the request has no `max`.
   *
   * @defaultValue `100`
   */
  pageSize?: number;
  /**
   * Number of agents in a new store, 0 to 100,000. The first agent represents this machine.
   *
   * @defaultValue `25`
   */
  agents?: number;
  /**
   * Whether agents sleep at night in their time zone. A sleeping agent does not check in, so it loses its labels after an hour.
   *
   * @defaultValue `false`
   */
  nights?: boolean;
  /**
   * Milliseconds between the acceptance of an agent's transfer and the agent's arrival.
   *
   * @defaultValue `300`
   */
  transferDelayMs?: number;
  /**
   * The organization's licenses by type. License types that the option does not list have no limit.
   *
   * @defaultValue no limits
   */
  licenses?: Partial<Record<NonNullable<AgentUpdate["licenseType"]>, number>>;
  /**
   * Speed factor of tests, 1 to 60. With a speed of 60, a test with an interval of one minute runs every second.
   *
   * @defaultValue `1`
   */
  speed?: number;
  /**
   * Targets on other machines that tests may contact: `host` or `host:port`.
   *
   * @defaultValue none: loopback only
   */
  allowTargets?: readonly string[];
  /**
   * Host names that the emulator accepts in addition to `host` and the loopback names. The emulator refuses requests for other hosts, so
   * that a web page cannot get access by resolving its own name to this machine.
   *
   * @defaultValue none
   */
  allowHosts?: readonly string[];
  /**
   * Format of an HTTP test's `url` in responses: `"added"` with scheme and port, as in the documented samples, or `"as-sent"`. The format
   * in the service's own responses is not known.
   *
   * @defaultValue `"added"`
   */
  urlPort?: "added" | "as-sent";
  /**
   * Proxy settings that the emulator returns in the list of proxies.
   *
   * @defaultValue none
   */
  proxies?: readonly ProxyRecord[];
  /**
   * Faults for the first matching requests, in the format of `POST /_emulator/faults`.
   *
   * @defaultValue none
   */
  faults?: readonly Fault[];
  /**
   * Returns the time in milliseconds since 1970, for dates, token lifetimes and rate limits.
   *
   * @defaultValue this machine's clock
   */
  now?: () => number;
  /**
   * Function that is called if a request or a measurement round fails because of an error in the emulator.
   *
   * @defaultValue a function that prints the error's stack trace to standard error
   */
  onError?: (error: unknown, activity: string) => void;
}

/** Credentials that the emulator did not issue: an API token, or a client that may also send a user's token. */
export type Credentials =
  | { readonly token: string }
  | { readonly clientId: string; readonly clientSecret: string; readonly serviceBearerToken?: string };

/** Settings of a twin, which is a copy of an account (twin/start.ts). */
export interface TwinSettings {
  /** The user that the twin's own credentials represent, with the account's account groups. */
  readonly caller: Caller;
  /** Returns the user for credentials that the twin did not issue. Returns undefined if the copied service refuses the credentials. */
  callerOf(credentials: Credentials): Promise<Caller | undefined>;
  /**
   * Copies account groups. Each account group is copied only once. Requests for an account group wait until the account group is copied.
   */
  copied(aids: readonly string[]): Promise<void>;
  /** Returns the reason why the copied account does not allow an operation, or undefined if the account allows the operation. */
  refusal(operation: string, aid: string): string | undefined;
  /** Function that is called for each request that does not match an operation of the twin. */
  stray(pathname: string): void;
  /** @param ms milliseconds from the request's arrival to its response */
  answered(operation: string, status: number, ms: number): void;
}

export type EmulatorSettings = Required<Omit<EmulatorOptions, "dataFile" | "allowTargets">> &
  Pick<EmulatorOptions, "dataFile"> & { allowTargets: readonly AllowedTarget[]; twin?: TwinSettings };
