/** Refuses requests from web pages that a user has open beside the emulator. */
import { hostname, networkInterfaces } from "node:os";
import { isLoopback, withoutBrackets } from "./measure/targets";
import type { EmulatorSettings } from "./settings";
import { Problem } from "./problem";
import type { RawRequest } from "./request";

/** Header by which a control request without a JSON body shows that no web page of another site sent it. */
export const controlHeader = "x-emulator-control";

/**
 * Refuses a request for a host that this emulator is not: a web page that had its own name resolved to this machine (DNS rebinding)
 * would else read everything. @throws Problem 421
 */
export function requireOwnHost(
  { origin }: Pick<RawRequest, "origin">,
  settings: Pick<EmulatorSettings, "host" | "allowHosts">,
): void {
  if (origin === "") return;
  const name = bare(new URL(origin).hostname);
  if (isOwnName(name, settings)) return;
  throw new Problem(
    421,
    `This emulator does not answer for the host ${name}. Use its own address, or start it with --allow-hosts ${name} (option allowHosts).`,
  );
}

function isOwnName(name: string, { host, allowHosts }: Pick<EmulatorSettings, "host" | "allowHosts">): boolean {
  // Browsers never look up `localhost` and the names below it elsewhere (RFC 6761, section 6.3).
  if (name === "localhost" || name.endsWith(".localhost") || isLoopback(name)) return true;
  if ([host, ...allowHosts].some((allowed) => bare(allowed) === name)) return true;
  return (host === "0.0.0.0" || host === "::") && ownNames().includes(name);
}

/** Names and addresses of this machine, where the emulator listens on all of them. */
function ownNames(): string[] {
  const addresses = Object.values(networkInterfaces()).flatMap((networkAddresses) =>
    (networkAddresses ?? []).map(({ address }) => address),
  );
  return [hostname(), ...addresses].map(bare);
}

function bare(name: string): string {
  return withoutBrackets(name).replace(/\.$/, "").toLowerCase();
}

/**
 * Refuses what a web page of another site may send unasked: a control request must come from no page at all or from the
 * emulator's own, and one that changes something must have a header that a browser sends to other sites with their consent only.
 *
 * @throws Problem 403
 */
export function requireControlAccess({ method, headers, origin, fromLoopback }: RawRequest): void {
  if (!fromLoopback) throw new Problem(403, "The control API is for this machine only.");
  const site = headers["sec-fetch-site"];
  const foreignSite = site !== undefined && site !== "same-origin" && site !== "none";
  if (foreignSite || (headers.origin !== undefined && headers.origin !== origin)) {
    throw new Problem(403, "The control API does not answer web pages of other sites.");
  }
  if (method === "GET" || method === "HEAD" || isDeliberate(headers)) return;
  throw new Problem(403, `A control request needs content-type: application/json, or the header ${controlHeader} (any value).`);
}

function isDeliberate(headers: RawRequest["headers"]): boolean {
  const json = /^application\/json\s*(;|$)/i.test(headers["content-type"] ?? "");
  // Not Basic: a browser sends credentials that it remembers to any site that asks for them.
  return json || headers[controlHeader] !== undefined || /^Bearer /i.test(headers.authorization ?? "");
}
