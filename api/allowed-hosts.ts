import { isRehearsal } from "./rehearsal";

/** Environment variable with the hosts that may get requests: set where a change of the program cannot reach. */
export const allowedHostsVariable = "ENDPOINT_MONITORING_ALLOWED_HOSTS";

/**
 * Returns the hosts that may get requests, as a URL spells them; undefined if every host may. A list with separators only allows no host.
 * A rehearsal sends its requests to a copy of the service.
 */
export function allowedHostsIn(env: NodeJS.ProcessEnv): string[] | undefined {
  const list = env[allowedHostsVariable] ?? "";
  if (list === "" || isRehearsal(env)) return undefined;
  const entries = list.split(",").map((entry) => entry.trim());
  return entries.filter(Boolean).map((entry) => URL.parse(`https://${entry}`)?.host ?? entry);
}

/** Returns the way to allow one more host, as a sentence. */
export function allowText(host: string, allowed: readonly string[]): string {
  return `If ${host} is right, set ${allowedHostsVariable}=${[...new Set([...allowed, host])].join(",")}`;
}
