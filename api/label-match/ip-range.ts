import { isIPv4, isIPv6 } from "node:net";

/** The first and last address of an IP range, as returned by {@link addressKey}. */
export interface IpRange {
  readonly first: string;
  readonly last: string;
}

/**
 * Converts an IP address to hexadecimal digits that sort like the address. An IPv4-mapped IPv6 address becomes an IPv4 address.
 * The result omits the zone of an address, such as `%eth0`. Returns undefined for text that is not an IP address.
 */
export function addressKey(text: string): string | undefined {
  const [address = ""] = text.trim().split("%");
  if (isIPv4(address)) return hexOfIPv4(address);
  if (!isIPv6(address)) return undefined;
  const key = hexOfIPv6(address);
  return key.startsWith(mappedPrefix) ? key.slice(mappedPrefix.length) : key;
}

/**
 * Returns the range of a CIDR block or of a single address; undefined for other text. The function ignores the address bits
 * after the prefix of a CIDR block.
 */
export function ipRange(text: string): IpRange | undefined {
  const [address = "", prefix, ...rest] = text.trim().split("/");
  const key = addressKey(address);
  if (key === undefined || rest.length > 0) return undefined;
  const width = key.length * 4;
  if (prefix === undefined) return { first: key, last: key };
  if (!/^\d{1,3}$/.test(prefix)) return undefined;
  // The prefix length of an IPv4-mapped address refers to 128 bits, but `addressKey` drops the first 96 bits.
  const bits = Number(prefix) - (width === 32 && address.includes(":") ? 96 : 0);
  if (bits < 0 || bits > width) return undefined;
  return { first: fill(key, bits, "0"), last: fill(key, bits, "f") };
}

export function contains({ first, last }: IpRange, key: string): boolean {
  return key.length === first.length && key >= first && key <= last;
}

const mappedPrefix = `${"0".repeat(20)}ffff`;

function hexOfIPv4(address: string): string {
  return address
    .split(".")
    .map((part) => Number(part).toString(16).padStart(2, "0"))
    .join("");
}

function hexOfIPv6(address: string): string {
  const dotted = /^(.*:)(\d+\.[\d.]+)$/.exec(address);
  const tail = dotted ? hexOfIPv4(dotted[2] ?? "") : "";
  const text = dotted ? `${dotted[1]}${tail.slice(0, 4)}:${tail.slice(4)}` : address.toLowerCase();
  const [head = [], end = []] = text.split("::").map((half) => half.split(":").filter((group) => group !== ""));
  const groups = [...head, ...Array<string>(8 - head.length - end.length).fill("0"), ...end];
  return groups.map((group) => group.toLowerCase().padStart(4, "0")).join("");
}

/** Keeps the first `bits` bits of an address. All later bits become 0 if `digit` is `0`, and 1 if `digit` is `f`. */
function fill(key: string, bits: number, digit: "0" | "f"): string {
  const whole = Math.floor(bits / 4);
  if (whole === key.length) return key;
  const free = 0xf >> (bits % 4);
  const split = Number.parseInt(key[whole] ?? "0", 16);
  const mixed = digit === "0" ? split & ~free : split | free;
  return key.slice(0, whole) + mixed.toString(16) + digit.repeat(key.length - whole - 1);
}
