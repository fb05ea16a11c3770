import { isIP } from "node:net";
import { vpnTypes, type FilterKey } from "../../api";
import { unknownWord } from "../explain";

function isNetwork(text: string): boolean {
  const [address = "", bits, ...rest] = text.split("/");
  const family = isIP(address);
  if (family === 0 || rest.length > 0) return false;
  return bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= (family === 4 ? 32 : 128));
}

interface Syntax {
  readonly allowed: string;
  readonly fits: (text: string) => boolean;
  /** Known values of the filter, if later versions of the service may accept further values. */
  readonly words?: readonly string[];
}

const oneOf = (words: readonly string[], fits = (text: string) => words.includes(text)): Syntax => ({
  allowed: `one of ${words.join(", ")}`,
  fits,
  words,
});
const network = { allowed: "an IP address or a CIDR block such as 10.1.0.0/16", fits: isNetwork };
const address = { allowed: "an IP address", fits: (text: string) => isIP(text) !== 0 };
const pattern = { allowed: "text, with * for any run of characters and ? for one", fits: () => true };

/**
 * The syntax of a filter's values, by the filter's key (docs/service/labels.md, Filters). Only the filters ssid, hostname and
 * username allow wildcards.
 */
const valueSyntax: Record<FilterKey, Syntax> = {
  "agent-id": { allowed: "an agent identifier, without wildcards", fits: (text) => !/[*?]/.test(text) },
  "public-network": network,
  "local-network": network,
  connection: oneOf(["Ethernet", "Wireless"]),
  gateway: address,
  // The service's documentation lists Mac, Windows and Linux. Recorded responses also contain the lowercase values mac, windows and linux.
  platform: oneOf(["Mac", "Windows", "Linux"], (text) => /^(mac|windows|linux)$/i.test(text)),
  "agent-type": oneOf(["endpoint", "endpoint-pulse", "endpoint-csc"]),
  "vpn-vendor": oneOf(vpnTypes),
  "vpn-gateway-address": address,
  "vpn-client-network": network,
  "vpn-client-address": address,
  "ip-address-family": oneOf(["ipv4", "ipv6"]),
  ssid: pattern,
  bssid: {
    allowed: "a BSSID in lower case with colons, such as 00:1b:44:11:3a:b7",
    fits: (text) => /^([0-9a-f]{2}:){5}[0-9a-f]{2}$/.test(text),
  },
  hostname: pattern,
  username: pattern,
  asn: { allowed: "an AS number in digits", fits: (text) => /^\d{1,10}$/.test(text) },
};

/** Returns a note about a filter value that this package does not know, although the service may accept the value. */
export function unknownValueNote(key: string, value: string): string | undefined {
  const { words, fits } = syntaxOf(key) ?? {};
  return words && !fits?.(value) && !/[*?]/.test(value) ? unknownWord(value, words) : undefined;
}

function syntaxOf(key: string): Syntax | undefined {
  return Object.hasOwn(valueSyntax, key) ? valueSyntax[key as FilterKey] : undefined;
}

export function valueProblem(key: string, value: string): string | undefined {
  const syntax = syntaxOf(key);
  if (value === "") return "must not be empty";
  if (!syntax || syntax.fits(value) || (syntax.words && !/[*?]/.test(value))) return undefined;
  const wildcard = syntax !== pattern && /[*?]/.test(value) ? "; wildcards are for ssid, hostname and username only" : "";
  return `must be ${syntax.allowed}${wildcard}`;
}
