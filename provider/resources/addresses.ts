import type { Failure } from "../kind";

/** A host in the form it compares in: lower case, without a port that came with it. IPv6 addresses keep their colons. */
export function hostOf(server: string): string {
  const host = server.toLowerCase();
  const bracketed = /^\[(?<address>[^\]]+)\](:\d+)?$/.exec(host)?.groups?.["address"];
  if (bracketed !== undefined) return bracketed;
  return /^[^:]+:\d+$/.test(host) ? host.slice(0, host.indexOf(":")) : host;
}

export function sameHost(a: unknown, b: unknown): boolean {
  return hostOf(String(a)) === hostOf(String(b));
}

/**
 * A URL in the form it compares in: the service assumes https where the scheme is left out, and may return scheme and port that
 * the request left out (shared/api/README.md, Requests and responses differ in shape). Text that is no URL compares as it is.
 */
export function canonicalUrl(url: string): string {
  const text = /^[a-z][a-z0-9+.-]*:\/\//i.test(url) ? url : `https://${url}`;
  // URL folds the case of scheme and host, and drops the scheme's own port.
  return URL.canParse(text) ? new URL(text).href : url;
}

/** A URL without the scheme's own port, which the service adds and people leave out. Anything else stays as it is written. */
export function normalizeUrl(url: unknown): unknown {
  return typeof url === "string"
    ? url.replace(/^(https:\/\/[^/?#]+):443(?=[/?#]|$)|^(http:\/\/[^/?#]+):80(?=[/?#]|$)/i, "$1$2")
    : url;
}

export function sameUrl(a: unknown, b: unknown): boolean {
  return canonicalUrl(String(a)) === canonicalUrl(String(b));
}

/** A server is given without a port: that has a property of its own. */
export function serverRules({ server }: { server?: string }): Failure[] {
  if (server === undefined || hostOf(server) === server.toLowerCase()) return [];
  return [{ path: "server", reason: "must be a host name or an IP address alone; the port goes into port" }];
}
