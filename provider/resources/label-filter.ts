import { isIP } from "node:net";
import { vpnTypes, type FilterKey } from "../../api";

/** Whether text is an IP address or a CIDR block. */
function isNetwork(text: string): boolean {
  const [address = "", bits, ...rest] = text.split("/");
  const family = isIP(address);
  if (family === 0 || rest.length > 0) return false;
  return bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= (family === 4 ? 32 : 128));
}

const oneOf = (...words: readonly string[]) => ({
  allowed: `one of ${words.join(", ")}`,
  fits: (text: string) => words.includes(text),
});
const network = { allowed: "an IP address or a CIDR block such as 10.1.0.0/16", fits: isNetwork };
const address = { allowed: "an IP address", fits: (text: string) => isIP(text) !== 0 };
const pattern = { allowed: "text, with * for any run of characters and ? for one", fits: () => true };

/**
 * The syntax of a filter's values, by its key (docs/service/labels.md, Filters). Wildcards work in ssid, hostname and username. For other
 * keys the complete value must match, so a wildcard would match nothing.
 */
const valueSyntax: Record<FilterKey, { allowed: string; fits: (text: string) => boolean }> = {
  "agent-id": { allowed: "an agent identifier, without wildcards", fits: (text) => !/[*?]/.test(text) },
  "public-network": network,
  "local-network": network,
  connection: oneOf("Ethernet", "Wireless"),
  gateway: address,
  // Documented as Mac, Windows, Linux; recordings also have lower case.
  platform: { allowed: "one of Mac, Windows, Linux", fits: (text) => /^(mac|windows|linux)$/i.test(text) },
  "agent-type": oneOf("endpoint", "endpoint-pulse", "endpoint-csc"),
  "vpn-vendor": oneOf(...vpnTypes),
  "vpn-gateway-address": address,
  "vpn-client-network": network,
  "vpn-client-address": address,
  "ip-address-family": oneOf("ipv4", "ipv6"),
  ssid: pattern,
  bssid: {
    allowed: "a BSSID in lower case with colons, such as 00:1b:44:11:3a:b7",
    fits: (text) => /^([0-9a-f]{2}:){5}[0-9a-f]{2}$/.test(text),
  },
  hostname: pattern,
  username: pattern,
  asn: { allowed: "an AS number in digits", fits: (text) => /^\d{1,10}$/.test(text) },
};

/** Returns what is wrong with one value of a filter, if anything. */
export function valueProblem(key: FilterKey, value: string): string | undefined {
  const syntax = valueSyntax[key];
  if (value === "") return "must not be empty";
  if (syntax.fits(value)) return undefined;
  const wildcard = syntax !== pattern && /[*?]/.test(value) ? "; wildcards are for ssid, hostname and username only" : "";
  return `must be ${syntax.allowed}${wildcard}`;
}
