/**
 * Environment variable that the `rehearse` command sets. The variable contains the URL of the service's copy, followed by the
 * URLs of the services that the copy replaces.
 */
export const rehearsalVariable = "ENDPOINT_MONITORING_REHEARSAL";

/**
 * Path prefix of requests to services that the `rehearse` command does not replace. The service's copy refuses requests with
 * the path prefix `/_rehearsal/`.
 */
export const elsewherePath = "/_rehearsal/";

/**
 * Returns the URL that receives the requests for a base URL. During the `rehearse` command, every request goes to the service's
 * copy, regardless of the base URL.
 */
export function destinationOf(baseUrl: string, env: NodeJS.ProcessEnv = process.env): string {
  if (!isRehearsal(env)) return baseUrl;
  const [twin = "", ...services] = env[rehearsalVariable]?.split(" ") ?? [];
  const isKnown = [twin, ...services].some((known) => rootOf(known) === rootOf(baseUrl));
  return isKnown ? twin : `${twin}${elsewherePath}${encodeURIComponent(rootOf(baseUrl))}`;
}

/** Whether the `rehearse` command started this process, so that all requests go to a copy of the service. */
export function isRehearsal(env: NodeJS.ProcessEnv = process.env): boolean {
  return (env[rehearsalVariable] ?? "") !== "";
}

export function rootOf(baseUrl: string): string {
  const url = new URL(baseUrl);
  return url.origin + url.pathname.replace(/\/+$/, "").replace(/\/v7$/, "");
}
