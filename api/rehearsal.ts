/**
 * Environment variable that the `rehearse` command sets. The variable contains the URL of the copy, and then the URLs of the
 * services that the copy replaces.
 */
export const rehearsalVariable = "ENDPOINT_MONITORING_REHEARSAL";

/** Path prefix for requests to services that the rehearsal does not replace. The copy of the service refuses such requests. */
export const elsewherePath = "/_rehearsal/";

/**
 * Returns the URL that receives the requests for a base URL. In a rehearsal, every request goes to the copy of the service,
 * whatever the base URL is.
 */
export function destinationOf(baseUrl: string, env: NodeJS.ProcessEnv = process.env): string {
  if (!isRehearsal(env)) return baseUrl;
  const [twin = "", ...services] = env[rehearsalVariable]?.split(" ") ?? [];
  const isKnown = [twin, ...services].some((known) => rootOf(known) === rootOf(baseUrl));
  return isKnown ? twin : `${twin}${elsewherePath}${encodeURIComponent(rootOf(baseUrl))}`;
}

/** Whether this process takes part in a rehearsal, which uses a copy of the service. */
export function isRehearsal(env: NodeJS.ProcessEnv = process.env): boolean {
  return (env[rehearsalVariable] ?? "") !== "";
}

export function rootOf(baseUrl: string): string {
  const url = new URL(baseUrl);
  return url.origin + url.pathname.replace(/\/+$/, "").replace(/\/v7$/, "");
}
