/**
 * Environment variable of a rehearsal: the URL of the twin (the copy of the service) and the URLs of the services that it
 * replaces, separated by spaces.
 */
export const rehearsalVariable = "ENDPOINT_MONITORING_REHEARSAL";

/** Path of the twin for requests to a service that it does not copy. */
export const elsewherePath = "/_rehearsal/";

/**
 * Returns the destination of requests for a base URL: the same URL, except in a rehearsal. A rehearsal sends every request to
 * the twin, even if a program or a state contains another URL. The twin refuses requests for other services.
 */
export function destinationOf(baseUrl: string, env: NodeJS.ProcessEnv = process.env): string {
  if (!isRehearsal(env)) return baseUrl;
  const [twin = "", ...services] = env[rehearsalVariable]?.split(" ") ?? [];
  const isKnown = [twin, ...services].some((known) => rootOf(known) === rootOf(baseUrl));
  return isKnown ? twin : `${twin}${elsewherePath}${encodeURIComponent(rootOf(baseUrl))}`;
}

/** Whether this process takes part in a rehearsal. A rehearsal measures nothing. */
export function isRehearsal(env: NodeJS.ProcessEnv = process.env): boolean {
  return (env[rehearsalVariable] ?? "") !== "";
}

/** Returns the base URL of a service without a final `/v7` and final slashes. */
export function rootOf(baseUrl: string): string {
  const url = new URL(baseUrl);
  return url.origin + url.pathname.replace(/\/+$/, "").replace(/\/v7$/, "");
}
