import { ConfigurationError, readSettings, type Wait } from "../api";
import { allowedHostsVariable } from "../api/allowed-hosts";
import { settings, type ClientSetting, type SettingName } from "../api/setting-names";
import type { OperationLog } from "../provider/operation-log";
import { Session } from "../provider/session";
import { type Properties, hasUnknown } from "../provider/values";
import { waitText } from "../provider/wording";
import { secretProperties, type SecretParts } from "./values";

const secretSettings = Object.entries<ClientSetting>(settings).flatMap(([name, { secret }]) => (secret ? [name] : []));

/** Settings that are always secret in the provider's state. */
export const secretConfiguration: SecretParts | undefined = secretProperties(secretSettings);

/** Returns a provider setting as a string. A value that is not a string, such as a number, is converted to JSON. */
export function settingIn(values: Properties, name: SettingName): string | undefined {
  const value = values[name];
  if (value === undefined || value === null) return undefined;
  return typeof value === "string" ? value : JSON.stringify(value);
}

/**
 * Checks the settings of a provider, unless a setting is unknown until the update. The API client checks the allowed hosts before the first
 * request. If `configurationProblem` also checked the host, a forbidden host would stop the preview, and `review` could not report the
 * host.
 *
 * @returns a message with all problems, or undefined for valid settings
 */
export function configurationProblem(values: Properties): string | undefined {
  if (hasUnknown(values)) return undefined;
  const strange = Object.keys(values).filter((name) => !Object.hasOwn(settings, name) && !isOfEngine(name));
  if (strange.length > 0) return `Unknown setting ${strange.join(", ")}. Expected: ${Object.keys(settings).join(", ")}.`;
  try {
    readSettings((name) => settingIn(values, name), { ...process.env, [allowedHostsVariable]: undefined });
    return undefined;
  } catch (error) {
    if (error instanceof ConfigurationError) return error.message;
    throw error;
  }
}

function isOfEngine(name: string): boolean {
  return name === "version" || name === "pluginDownloadURL" || name.startsWith("__");
}

/**
 * Opens a session with the settings of a provider.
 *
 * @param interrupt signal that ends the waits before write requests, such as waits for a request budget
 * @throws ConfigurationError
 */
export function openSession(
  values: Properties,
  print: (line: string) => void,
  log: OperationLog,
  interrupt: AbortSignal,
): Session {
  const read = readSettings((name) => settingIn(values, name));
  const client = { ...read.client, interrupt, onWait: (wait: Wait) => print(waitText(wait)) };
  return new Session({ ...read, client }, undefined, log);
}
