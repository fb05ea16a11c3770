/**
 * The formats of hosts, URLs and ids in requests. The provider refuses invalid strings before it sends a request. The emulator returns
 * status 400 for invalid strings.
 */
import { isIP } from "node:net";
import { domainToASCII } from "node:url";
import { z } from "zod";

const uuid = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i;

/** Id of an agent, which the API documentation declares as a UUID. */
export const agentIdShape = z
  .string()
  .regex(
    uuid,
    "the id of an agent, a UUID such as 0a3b9998-dc3a-4ff2-b50d-ac4a7cd986e1; getAgent finds it by the agent's name",
  );

/** Id of a tag, which the API documentation declares as a UUID. */
export const tagIdShape = z
  .string()
  .regex(
    uuid,
    "the id of a tag, a UUID such as c6b78e57-81a2-4c5f-a11a-d96c3c664d55; the id of an EndpointAgentTag, or of getTag",
  );

/**
 * Id of a label, in an undocumented format. Sample label ids in the documentation are 567 and abc-123-def. Observed label ids
 * have 15 digits.
 */
export const labelIdShape = z
  .string()
  .regex(/^(?=.*\d)[\w-]+$/, "the id of a label, such as 400000000000001; the id of a Label, or of getLabel, not its name");

/** Id of a test. */
export const testIdShape = z.string().regex(/^\d+$/, "the id of a test, which has digits only; testId of the test has it");

/** Maximum length of a DNS name, in characters. */
const maxNameLength = 253;
/**
 * Matches a part of a host name between two dots. The pattern does not check the length of the part. The host does not have to exist,
 * because the service accepts tests for unknown hosts.
 */
const namePart = /^[\p{L}\p{N}_]([\p{L}\p{N}_-]*[\p{L}\p{N}_])?$/u;

/** Whether a string is a domain name or an IP address. An IPv6 address may have brackets. */
export function isHost(text: string): boolean {
  if (isIP(text.replace(/^\[(.*)\]$/, "$1")) === 6) return true;
  const name = text.replace(/\.$/, "");
  // A host that ends in a number must be an IPv4 address (WHATWG URL standard, section 3.5).
  if (/(^|\.)\d+$/.test(name)) return isIP(name) === 4;
  return name.length <= maxNameLength && domainToASCII(name) !== "" && name.split(".").every((part) => namePart.test(part));
}

/** The parts of a test's HTTP or HTTPS URL. */
export interface HttpUrl {
  scheme: "http" | "https";
  hostname: string;
  port: number;
  /** Path, query and fragment of the URL, unchanged. */
  rest: string;
}

/**
 * Parses the URL of a test. The default scheme is HTTPS. Returns undefined for an invalid URL, or if the URL contains a user
 * name.
 */
export function httpUrlOf(text: string): HttpUrl | undefined {
  const [, scheme = "https", rest = text] = /^([a-z][a-z0-9+.-]*):\/\/(.*)$/is.exec(text) ?? [];
  const [authority = ""] = /^[^/?#]*/.exec(rest) ?? [];
  const [, hostname = authority, givenPort] = /^(.*):(\d+)$/.exec(authority) ?? [];
  const name = scheme.toLowerCase();
  if (name !== "http" && name !== "https") return undefined;
  const port = Number(givenPort ?? (name === "http" ? 80 : 443));
  const isAddress = URL.canParse(`${scheme}://${authority}`) && !/[@\s\\]|:$/.test(authority) && isHost(hostname);
  if (!isAddress || /\s/.test(rest) || port < 1) return undefined;
  return { scheme: name, hostname, port, rest: rest.slice(authority.length) };
}
