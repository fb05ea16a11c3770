/**
 * Environment variable that a rehearsal sets. The value lists the URL of the service's copy, followed by the URLs of the
 * replaced services.
 */
export const rehearsalVariable = "ENDPOINT_MONITORING_REHEARSAL";

/** Path for requests to a service that the copy does not replace. The copy refuses such requests. */
export const elsewherePath = "/_rehearsal/";

/**
 * Returns the destination of requests for a base URL. In a rehearsal, every request goes to the copy of the service, whatever
 * the base URL is.
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
