import { isIP } from "node:net";
import { domainToASCII } from "node:url";
import { withoutBrackets } from "./measure/targets";

const maxNameLength = 253;
/** Its length is not looked at: a name that no resolver knows is a test that fails, not a bad request. */
const label = /^[\p{L}\p{N}_]([\p{L}\p{N}_-]*[\p{L}\p{N}_])?$/u;

/** Whether a text names a host: a domain name, an IPv4 address, or an IPv6 address with or without brackets. */
export function isHost(text: string): boolean {
  if (isIP(withoutBrackets(text)) === 6) return true;
  const name = text.replace(/\.$/, "");
  // What ends in a number is an address or nothing (WHATWG URL, section 3.5).
  if (/(^|\.)\d+$/.test(name)) return isIP(name) === 4;
  return name.length <= maxNameLength && domainToASCII(name) !== "" && name.split(".").every((part) => label.test(part));
}
