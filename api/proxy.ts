import { ConfigurationError } from "./errors";

/** The proxy settings of an environment. Settings that are not set are absent. */
export interface Proxies {
  /** URL of the proxy for plain HTTP, and for HTTPS if `https` is absent. */
  http?: string;
  /** URL of the proxy for HTTPS. */
  https?: string;
  /** Hosts that are reached without a proxy, comma-separated: names, including their subdomains, or `*` for all. A port may follow. */
  none?: string;
}

/** Environment variables of proxies. Lower case takes precedence, as it does for curl. */
const variables = {
  http: ["http_proxy", "HTTP_PROXY"],
  https: ["https_proxy", "HTTPS_PROXY"],
  none: ["no_proxy", "NO_PROXY"],
} as const satisfies Record<keyof Proxies, readonly string[]>;

/**
 * Reads `HTTPS_PROXY`, `HTTP_PROXY` and `NO_PROXY`, in either case.
 *
 * @throws ConfigurationError with the name of a variable that holds no URL, but never its value, which may hold a password
 */
export function proxiesOf(env: NodeJS.ProcessEnv): Proxies {
  const read = (kind: keyof Proxies): { name: string; value: string } | undefined => {
    const name = variables[kind].find((variable) => env[variable]);
    return name === undefined ? undefined : { name, value: env[name] ?? "" };
  };
  const url = (kind: "http" | "https"): string | undefined => {
    const given = read(kind);
    return given && proxyUrl(given.name, given.value);
  };
  return { http: url("http"), https: url("https"), none: read("none")?.value };
}

/** Checks the URL of a proxy. A URL without a scheme is an HTTP proxy, as in other programs. */
function proxyUrl(variable: string, given: string): string {
  const text = given.includes("://") ? given : `http://${given}`;
  const url = URL.parse(text);
  if (url && /^https?:$/.test(url.protocol) && url.hostname !== "") return text;
  throw new ConfigurationError(
    `${variable} is not the URL of a proxy; use a URL such as http://proxy.example.com:3128 (socks is not supported).`,
  );
}
