import { isIP } from "node:net";
import { inspect } from "node:util";
import { licenseType } from "../api/schemas";
import type { AgentUpdate } from "../api/types/agents";
import type { ProxyRecord } from "../api/types/proxies";
import { defaults } from "./defaults";
import { EmulatorError } from "./errors";
import type { Fault } from "./fault";
import { fault } from "./faults";
import { type AllowedTarget, parseAllowedTarget, withoutBrackets } from "./measure/targets";
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
   * Names under which the emulator is reached, beside `host` and the names of loopback: requests for other hosts are refused, so
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
  /** Milliseconds since 1970: what dates, token lifetimes and rate limits go by. @defaultValue `Date.now` */
  now?: () => number;
  /** Is called when a request or a round fails for a fault of the emulator itself. @defaultValue writes the stack to standard error */
  onError?: (error: unknown, activity: string) => void;
}

/** Credentials that the emulator did not issue: an API token, or a client, which may bring the token of a user. */
export type Credentials =
  | { readonly token: string }
  | { readonly clientId: string; readonly clientSecret: string; readonly serviceBearerToken?: string };

/** Settings of the twin of an account alone (twin/start.ts). */
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
export type Settings = Required<Omit<EmulatorOptions, "dataFile" | "allowTargets">> &
  Pick<EmulatorOptions, "dataFile"> & { allowTargets: readonly AllowedTarget[]; twin?: TwinSettings };

/** Fills in the defaults. @throws EmulatorError `INVALID_OPTION` for a number out of range */
export function settle(options: EmulatorOptions): Settings {
  const given = Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined));
  const { readOnlyToken: _readOnlyToken, editorToken: _editorToken, ...rest } = defaults;
  const withoutOptions = {
    ...rest,
    faults: [],
    licenses: {},
    proxies: [],
    allowHosts: [],
    now: Date.now,
    onError: writeStack,
    dataFile: undefined,
  };
  const settings: Settings = { ...withoutOptions, ...given, allowTargets: allowed(options) };
  const unknown = Object.keys(given).filter((name) => !(name in withoutOptions) && name !== "allowTargets");
  if (unknown.length > 0) {
    const known = Object.keys(settings).filter((name) => !unknown.includes(name));
    const message = `Emulator has no option ${unknown.join(", ")}; its options are ${known.toSorted().join(", ")}.`;
    throw new EmulatorError("INVALID_OPTION", message);
  }
  inRange("port", settings.port, 0, 65_535);
  inRange("tokenLifetimeSeconds", settings.tokenLifetimeSeconds, 1);
  inRange("pageSize", settings.pageSize, 1);
  inRange("agents", settings.agents, 0, 100_000);
  inRange("transferDelayMs", settings.transferDelayMs, 0);
  for (const [type, seats] of Object.entries(settings.licenses)) {
    if (!licenseType.safeParse(type).success) {
      const known = licenseType.options.join(", ");
      throw new EmulatorError("INVALID_OPTION", `Emulator option licenses names ${type}; there are ${known}.`);
    }
    inRange(`licenses.${type}`, seats, 0);
  }
  inRange("speed", settings.speed, 1, 60);
  if (settings.urlPort !== "added" && settings.urlPort !== "as-sent") {
    throw new EmulatorError(
      "INVALID_OPTION",
      `Emulator option urlPort is ${String(settings.urlPort)}; it must be added or as-sent.`,
    );
  }
  for (const name of ["clientId", "clientSecret", "token"] as const) {
    if (settings[name] !== "" && (name !== "token" || /^\S+$/.test(settings.token))) continue;
    const wrong = settings[name] === "" ? "is empty" : "has a space in it";
    throw new EmulatorError("INVALID_OPTION", `Emulator option ${name} ${wrong}; choose another one, or leave it out.`);
  }
  for (const host of settings.allowHosts) {
    if (/^[^\s:/?#@]+$/.test(host) || isIP(withoutBrackets(host)) !== 0) continue;
    const message = `Emulator option allowHosts has "${host}", which is no host name or address. Leave out scheme, port and path.`;
    throw new EmulatorError("INVALID_OPTION", message);
  }
  if (settings.rateLimit !== "off") inRange("rateLimit", settings.rateLimit, 1);
  if (!settings.faults.every((one) => fault.safeParse(one).success)) {
    throw new EmulatorError("INVALID_OPTION", "Emulator option faults holds one that POST /_emulator/faults would refuse.");
  }
  return settings;
}

function writeStack(error: unknown, activity: string): void {
  process.stderr.write(`endpoint-monitoring emulator: ${activity} failed\n${inspect(error)}\n`);
}

function allowed({ allowTargets = [] }: EmulatorOptions): AllowedTarget[] {
  return allowTargets.map((text) => {
    const target = parseAllowedTarget(text);
    if (target) return target;
    throw new EmulatorError(
      "INVALID_OPTION",
      `Emulator option allowTargets has "${text}", which is neither host nor host:port.`,
    );
  });
}

function inRange(name: string, value: number, min: number, max = Number.MAX_SAFE_INTEGER): void {
  if (Number.isSafeInteger(value) && value >= min && value <= max) return;
  const range = max === Number.MAX_SAFE_INTEGER ? `of at least ${min}` : `from ${min} to ${max}`;
  throw new EmulatorError("INVALID_OPTION", `Emulator option ${name} is ${value}; it must be a whole number ${range}.`);
}
