/** Environment variable of a rehearsal: the twin's URL, then those of the services that it stands for, separated by spaces. */
export const rehearsalVariable = "ENDPOINT_MONITORING_REHEARSAL";

/** Path of a twin below which it takes what is meant for a service that it is no copy of. */
export const elsewherePath = "/_rehearsal/";

/**
 * Returns where requests for a base URL go: there, except in a rehearsal. A rehearsal sends every request to the twin, whatever a program
 * and a state say, and none to any other host. What is meant for another service, the twin refuses.
 */
export function destinationOf(baseUrl: string, env: NodeJS.ProcessEnv = process.env): string {
  if (!isRehearsal(env)) return baseUrl;
  const [twin = "", ...services] = env[rehearsalVariable]?.split(" ") ?? [];
  const isKnown = [twin, ...services].some((known) => rootOf(known) === rootOf(baseUrl));
  return isKnown ? twin : `${twin}${elsewherePath}${encodeURIComponent(rootOf(baseUrl))}`;
}

/** Whether this process takes part in a rehearsal: nothing is measured there. */
export function isRehearsal(env: NodeJS.ProcessEnv = process.env): boolean {
  return (env[rehearsalVariable] ?? "") !== "";
}

/** The root of a service: a final `/v7` and slashes do not matter. */
export function rootOf(baseUrl: string): string {
  const url = new URL(baseUrl);
  return url.origin + url.pathname.replace(/\/+$/, "").replace(/\/v7$/, "");
}
