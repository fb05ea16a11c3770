import { isRehearsal } from "./rehearsal";

/** Environment variable with the hosts that may receive requests. A change of the program cannot set this variable. */
export const allowedHostsVariable = "ENDPOINT_MONITORING_ALLOWED_HOSTS";

/**
 * Returns the hosts that may receive requests, as URLs spell them; undefined if all hosts may. A list with only separators
 * allows no host. A rehearsal sends its requests to a copy of the service.
 */
export function allowedHostsIn(env: NodeJS.ProcessEnv): string[] | undefined {
  const list = env[allowedHostsVariable] ?? "";
  if (list === "" || isRehearsal(env)) return undefined;
  const entries = list.split(",").map((entry) => entry.trim());
  return entries.filter(Boolean).map((entry) => URL.parse(`https://${entry}`)?.host ?? entry);
}

/** Returns a sentence that explains how to allow another host. */
export function allowText(host: string, allowed: readonly string[]): string {
  return `If ${host} is right, set ${allowedHostsVariable}=${[...new Set([...allowed, host])].join(",")}`;
}
