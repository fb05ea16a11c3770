import { lookup } from "node:dns/promises";
import { BlockList, isIP } from "node:net";

export interface Target {
  /** Host name or IP address. An IPv6 address has no brackets. */
  readonly host: string;
  readonly port: number;
}

/** An entry in the option `allowTargets`. An entry without a port allows all ports of the host. */
export interface AllowedTarget {
  readonly host: string;
  readonly port?: number;
}

const loopback = new BlockList();
loopback.addSubnet("127.0.0.0", 8, "ipv4");
loopback.addAddress("::1", "ipv6");

/** Whether packets to an IP address never leave the machine. */
export function isLoopback(address: string): boolean {
  const version = isIP(address);
  return version !== 0 && loopback.check(address, version === 4 ? "ipv4" : "ipv6");
}

/** Reads an allowed target: `host`, `host:port`, `::1` or `[::1]:port`. */
export function parseAllowedTarget(text: string): AllowedTarget | undefined {
  if (isIP(text) !== 0) return { host: text };
  const [, host = "", port] = /^(\[[^\]]+\]|[^:[\]/\s]+)(?::(\d{1,5}))?$/.exec(text) ?? [];
  const bare = withoutBrackets(host);
  if (bare === "" || Number(port ?? 1) < 1 || Number(port ?? 1) > 65_535) return undefined;
  return { host: bare.toLowerCase(), ...(port !== undefined && { port: Number(port) }) };
}

export function withoutBrackets(host: string): string {
  return host.startsWith("[") && host.endsWith("]") ? host.slice(1, -1) : host;
}

export function targetOf(url: URL): Target {
  const port = url.port === "" ? (url.protocol === "https:" ? 443 : 80) : Number(url.port);
  return { host: withoutBrackets(url.hostname), port };
}

/**
 * Whether tests may contact a target: a loopback address, `localhost`, or an allowed target.
 *
 * The check does not resolve names, so a refused name causes no DNS query.
 */
export function mayContact({ host, port }: Target, allowed: readonly AllowedTarget[]): boolean {
  return host.toLowerCase() === "localhost" || isLoopback(host) || isAllowed({ host, port }, allowed);
}

function isAllowed({ host, port }: Target, allowed: readonly AllowedTarget[]): boolean {
  return allowed.some((entry) => entry.host === host.toLowerCase() && (entry.port ?? port) === port);
}

export interface TargetAddress {
  readonly address: string;
  readonly family: number;
}

/**
 * Returns the address of an allowed target, according to the test's IP version policy.
 *
 * @throws Error if the name has no address of the required IP version, or resolves to another machine that is not allowed
 */
export async function addressOf(target: Target, ipVersion: string, allowed: readonly AllowedTarget[]): Promise<TargetAddress> {
  const literal = isIP(target.host);
  const addresses = literal ? [{ address: target.host, family: literal }] : await lookup(target.host, { all: true });
  if (!isAllowed(target, allowed) && !addresses.every(({ address }) => isLoopback(address))) {
    throw new Error(`${target.host} resolves to another machine, which is not an allowed target`);
  }
  const of = (family: number) => addresses.find((entry) => entry.family === family);
  const choices: Record<string, TargetAddress | undefined> = {
    V4_ONLY: of(4),
    V6_ONLY: of(6),
    V6_PREFER: of(6) ?? addresses[0],
    OS_DEFAULT: addresses[0],
  };
  const chosen = ipVersion in choices ? choices[ipVersion] : addresses[0];
  if (!chosen) throw new Error(`${target.host} has no address for the IP version policy ${ipVersion}`);
  return chosen;
}
