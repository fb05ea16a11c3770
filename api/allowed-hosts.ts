import { isRehearsal } from "./rehearsal";

/**
 * Environment variable with the hosts that may receive requests. A Pulumi program cannot change
 * ENDPOINT_MONITORING_ALLOWED_HOSTS.
 */
export const allowedHostsVariable = "ENDPOINT_MONITORING_ALLOWED_HOSTS";

/**
 * Returns the hosts that may receive requests; undefined if requests to all hosts are allowed. A value that contains only
 * commas allows no host.
 */
export function allowedHostsIn(env: NodeJS.ProcessEnv): string[] | undefined {
  const list = env[allowedHostsVariable] ?? "";
  if (list === "" || isRehearsal(env)) return undefined;
  const entries = list.split(",").map((entry) => entry.trim());
  return entries.filter(Boolean).map((entry) => URL.parse(`https://${entry}`)?.host ?? entry);
}

export function allowText(host: string, allowed: readonly string[]): string {
  return `If ${host} is right, set ${allowedHostsVariable}=${[...new Set([...allowed, host])].join(",")}`;
}
