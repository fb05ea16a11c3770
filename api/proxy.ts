import { BlockList, isIP } from "node:net";
import { ConfigurationError } from "./errors";

/** Proxy settings from the environment. A property is absent if its environment variable is not set. */
export interface Proxies {
  /** URL of the proxy for HTTPS requests, with the scheme `http`, `https` or `socks5`. */
  https?: string;
  /** URL of the proxy if `https` is not set. */
  all?: string;
  /** URL of the proxy if neither `https` nor `all` is set. */
  http?: string;
  /**
   * Hosts to contact without a proxy, separated by commas. An entry is a host name, an IP address or an address range such as `10.0.0.0/8`.
   * The entry `*` means all hosts. A host name in the list also matches its subdomains. A port may follow a host name or an IP address.
   */
  none?: string;
}

/** Environment variables that configure proxies. As in curl, the lower-case name of a variable takes precedence. */
const variables = {
  https: ["https_proxy", "HTTPS_PROXY"],
  all: ["all_proxy", "ALL_PROXY"],
  http: ["http_proxy", "HTTP_PROXY"],
  none: ["no_proxy", "NO_PROXY"],
} as const satisfies Record<keyof Proxies, readonly string[]>;

/** Reads `HTTPS_PROXY`, `ALL_PROXY`, `HTTP_PROXY` and `NO_PROXY`, in upper or lower case. */
export function proxiesOf(env: NodeJS.ProcessEnv): Proxies {
  const kinds = Object.keys(variables) as (keyof Proxies)[];
  const values = kinds.map((kind) => [kind, variables[kind].map((name) => env[name]).find(Boolean)]);
  return Object.fromEntries(values.filter(([, value]) => value !== undefined)) as Proxies;
}

/**
 * Returns the proxy for requests to a URL; undefined if these requests need no proxy.
 *
 * @throws ConfigurationError with the name of a variable that does not contain a proxy URL. The error omits the variable's
 * value, which may contain a password
 */
export function proxyOf(target: URL, proxies: Proxies, env: NodeJS.ProcessEnv = process.env): URL | undefined {
  // A proxy cannot reach the loopback addresses of this machine.
  if (isLoopback(target.hostname) || isExempt(target, proxies.none ?? "")) return undefined;
  // Only loopback targets may use plain HTTP, so all other targets use HTTPS.
  const kind = (["https", "all", "http"] as const).find((name) => proxies[name]);
  if (kind === undefined) return undefined;
  const value = proxies[kind] ?? "";
  // By convention, a URL without a scheme means an HTTP proxy. This client treats socks5 like socks5h: the proxy resolves host
  // names.
  const url = URL.parse((value.includes("://") ? value : `http://${value}`).replace(/^socks(5h)?:/i, "socks5:"));
  if (url && /^(https?|socks5):$/.test(url.protocol) && url.hostname !== "" && isDecodable(url)) return url;
  const name = variables[kind].find((variable) => env[variable] === value) ?? `proxies.${kind}`;
  const examples = "http://proxy.example.com:3128 or socks5://proxy.example.com:1080";
  throw new ConfigurationError(
    `${name} is not a proxy URL. Use a URL such as ${examples}, or add ${target.hostname} to NO_PROXY.`,
  );
}

export function shownProxy({ protocol, host }: URL): string {
  return `${protocol}//${host}`;
}

export function isLoopback(hostname: string): boolean {
  return hostname === "localhost" || hostname === "[::1]" || /^127(\.\d{1,3}){3}$/.test(hostname);
}

/**
 * Whether `NO_PROXY` contains a host. Host names do not match address ranges, because this comparison does not resolve host
 * names.
 */
function isExempt({ hostname, port }: URL, none: string): boolean {
  const host = withoutBrackets(hostname.toLowerCase().replace(/\.$/, ""));
  const usedPort = port || "443";
  return none.split(/[\s,]+/).some((entry) => {
    if (entry === "") return false;
    const isAddress = isIP(withoutBrackets(entry)) > 0;
    const [, name = "", onlyPort = usedPort] = (!isAddress && /^(.+):(\d+)$/.exec(entry)) || ["", entry];
    if (onlyPort !== usedPort) return false;
    if (name === "*") return true;
    if (isIP(host) > 0) return isInRange(host, withoutBrackets(name));
    const suffix = name
      .toLowerCase()
      .replace(/^\*?\./, "")
      .replace(/\.$/, "");
    return host.endsWith(`.${suffix}`) || (host === suffix && !name.startsWith("*"));
  });
}

/** Whether an IP address is in a range such as `10.0.0.0/8`. A single address also counts as a range. */
function isInRange(host: string, range: string): boolean {
  const [address = "", prefix] = range.split("/");
  const version = isIP(address);
  const bits = version === 4 ? 32 : 128;
  if (version === 0 || !(prefix === undefined || (/^\d+$/.test(prefix) && Number(prefix) <= bits))) return false;
  const family = version === 4 ? "ipv4" : "ipv6";
  const list = new BlockList();
  list.addSubnet(address, Number(prefix ?? bits), family);
  return list.check(host, isIP(host) === 4 ? "ipv4" : "ipv6");
}

/** Returns an IPv6 address without its brackets, and any other host unchanged. */
export function withoutBrackets(host: string): string {
  return host.replace(/^\[(.+)\]$/, "$1");
}

function isDecodable({ username, password }: URL): boolean {
  try {
    decodeURIComponent(username + password);
    return true;
  } catch {
    return false;
  }
}
