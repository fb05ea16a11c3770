import { isHost } from "../../api";
import type { CheckFailure } from "../kind";

/** Converts a host to a form for comparisons: lower case, without a port and without a final dot. */
export function hostOf(server: string): string {
  const host = normalHost(server);
  const bracketed = /^\[(?<address>[^\]]+)\](:\d+)?$/.exec(host)?.groups?.["address"];
  if (bracketed !== undefined) return bracketed;
  return /^[^:]+:\d+$/.test(host) ? host.slice(0, host.indexOf(":")) : host;
}

function normalHost(server: string): string {
  return server.trim().toLowerCase().replace(/\.$/, "");
}

export function sameHost(a: unknown, b: unknown): boolean {
  return hostOf(String(a)) === hostOf(String(b));
}

/**
 * Converts a URL to a form for comparisons. The service assumes https for a URL without a scheme (docs/service/tests.md,
 * Requests and responses).
 */
export function canonicalUrl(url: string): string {
  const text = /^[a-z][a-z0-9+.-]*:\/\//i.test(url) ? url : `https://${url}`;
  // `URL` converts scheme and host to lower case, and removes the scheme's default port.
  return URL.canParse(text) ? new URL(text).href : url;
}

/** Returns a URL without the scheme's default port, which the service adds. */
export function normalizeUrl(url: unknown): unknown {
  return typeof url === "string"
    ? url.replace(/^(https:\/\/[^/?#]+):443(?=[/?#]|$)|^(http:\/\/[^/?#]+):80(?=[/?#]|$)/i, "$1$2")
    : url;
}

export function sameUrl(a: unknown, b: unknown): boolean {
  return canonicalUrl(String(a)) === canonicalUrl(String(b));
}

/** Whether two ports are equal. An invalid port is equal to any port, because the service reports the port -1 for an ICMP test. */
export function samePort(a: unknown, b: unknown): boolean {
  return a === b || Number(a) < 1 || Number(b) < 1;
}

/** Checks that `server` is a host without scheme, path and port, because `port` is a separate property. */
export function serverRules({ server }: { server?: string }): CheckFailure[] {
  if (server === undefined || isHost(server)) return [];
  return [{ path: "server", reason: "must be only a host name or an IP address; the port goes into port" }];
}
