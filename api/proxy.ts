import { ConfigurationError } from "./errors";

/** The proxies of an environment, as other programs read them too; what is not set is absent. */
export interface Proxies {
  /** URL of the proxy for plain HTTP, and for HTTPS where that has none of its own. */
  http?: string;
  /** URL of the proxy for HTTPS. */
  https?: string;
  /** Hosts that are asked directly, comma-separated: names, with their subdomains, `*` for all; a port may follow. */
  none?: string;
}

/** Variables that name proxies, in their order: the one in small letters wins, as it does for curl. */
const variables = {
  http: ["http_proxy", "HTTP_PROXY"],
  https: ["https_proxy", "HTTPS_PROXY"],
  none: ["no_proxy", "NO_PROXY"],
} as const satisfies Record<keyof Proxies, readonly string[]>;

/**
 * Reads `HTTPS_PROXY`, `HTTP_PROXY` and `NO_PROXY`, in either case.
 *
 * @throws ConfigurationError naming the variable that holds no URL; never its value, which may hold a password
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

/** A proxy without a scheme is an HTTP proxy, as other programs take it. */
function proxyUrl(variable: string, given: string): string {
  const text = given.includes("://") ? given : `http://${given}`;
  const url = URL.parse(text);
  if (url && /^https?:$/.test(url.protocol) && url.hostname !== "") return text;
  throw new ConfigurationError(
    `${variable} is not the URL of a proxy; give it like http://proxy.example.com:3128 (socks is not supported).`,
  );
}
