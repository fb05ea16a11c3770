/** Refuses requests from unrelated web pages that are open in a browser while the emulator runs. */
import { hostname, networkInterfaces } from "node:os";
import { isLoopback, withoutBrackets } from "./measure/targets";
import type { EmulatorSettings } from "./settings";
import { Problem } from "./problem";
import type { RawRequest } from "./request";

/** Header that control requests without a JSON body must contain. Web pages from other sites cannot send this header without permission. */
export const controlHeader = "x-emulator-control";

/**
 * Refuses a request for a host name of another machine.
 *
 * Without this check, a web page could read all data through DNS rebinding.
 *
 * @throws Problem 421
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
    `This emulator does not accept requests for the host ${name}. Use the emulator's own address, or start the emulator with --allow-hosts ${name} (option allowHosts).`,
  );
}

function isOwnName(name: string, { host, allowHosts }: Pick<EmulatorSettings, "host" | "allowHosts">): boolean {
  // In a browser, `localhost` and names that end with `.localhost` always refer to this machine (RFC 6761, section 6.3).
  if (name === "localhost" || name.endsWith(".localhost") || isLoopback(name)) return true;
  if ([host, ...allowHosts].some((allowed) => bare(allowed) === name)) return true;
  return (host === "0.0.0.0" || host === "::") && ownNames().includes(name);
}

/**
 * The names and addresses of this machine. An emulator that listens on all addresses accepts requests for all names and addresses of this
 * machine.
 */
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
 * Refuses control requests that a web page from another site could send without permission.
 *
 * Browsers send a CORS preflight request before a control request with the required header.
 *
 * @throws Problem 403
 */
export function requireControlAccess({ method, headers, origin, fromLoopback }: RawRequest): void {
  if (!fromLoopback) throw new Problem(403, "Only this machine may use the control API.");
  const site = headers["sec-fetch-site"];
  const foreignSite = site !== undefined && site !== "same-origin" && site !== "none";
  if (foreignSite || (headers.origin !== undefined && headers.origin !== origin)) {
    throw new Problem(403, "The control API does not answer web pages from other sites.");
  }
  if (method === "GET" || method === "HEAD" || isDeliberate(headers)) return;
  throw new Problem(
    403,
    `A control request requires content-type: application/json, or the header ${controlHeader} (any value).`,
  );
}

function isDeliberate(headers: RawRequest["headers"]): boolean {
  const json = /^application\/json\s*(;|$)/i.test(headers["content-type"] ?? "");
  // Browsers add stored Basic credentials even to requests from other sites' web pages, so Basic credentials do not count as permission.
  return json || headers[controlHeader] !== undefined || /^Bearer /i.test(headers.authorization ?? "");
}
