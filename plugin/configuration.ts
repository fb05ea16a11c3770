import { ConfigurationError, readSettings, type Wait } from "../api";
import { allowedHostsVariable } from "../api/allowed-hosts";
import { settings, type ClientSetting, type SettingName } from "../api/setting-names";
import type { OperationLog } from "../provider/operation-log";
import { Session } from "../provider/session";
import { type Properties, hasUnknown } from "../provider/values";
import { waitText } from "../provider/wording";
import { secretProperties, type SecretParts } from "./values";

/** Names of the settings that are secret. */
const secretSettings = Object.entries<ClientSetting>(settings).flatMap(([name, { secret }]) => (secret ? [name] : []));

/** The settings of the provider that are always secret in its state. */
export const secretConfiguration: SecretParts | undefined = secretProperties(secretSettings);

/** Returns a setting of the provider as text: programs may pass numbers, and SDKs pass JSON text. */
export function settingIn(values: Properties, name: SettingName): string | undefined {
  const value = values[name];
  if (value === undefined || value === null) return undefined;
  return typeof value === "string" ? value : JSON.stringify(value);
}

/**
 * Checks the settings of a provider. A setting that is not known yet may be valid, so nothing is checked before all are known. The allowed
 * hosts are checked before the first request: an error here would hide the provider from the preview, and a review would not show its host.
 *
 * @returns what is wrong, as one text; undefined if nothing is
 */
export function configurationProblem(values: Properties): string | undefined {
  if (hasUnknown(values)) return undefined;
  const strange = Object.keys(values).filter((name) => !Object.hasOwn(settings, name) && !isOfEngine(name));
  if (strange.length > 0)
    return `There is no setting ${strange.join(", ")}. The settings are ${Object.keys(settings).join(", ")}.`;
  try {
    readSettings((name) => settingIn(values, name), { ...process.env, [allowedHostsVariable]: undefined });
    return undefined;
  } catch (error) {
    if (error instanceof ConfigurationError) return error.message;
    throw error;
  }
}

/** Whether a member of the configuration is the engine's own. */
function isOfEngine(name: string): boolean {
  return name === "version" || name === "pluginDownloadURL" || name.startsWith("__");
}

/**
 * Opens a session with the settings of a provider.
 *
 * @param print takes lines about waits
 * @param log entries that the processes of the operation share
 * @param interrupt ends the waits of writes that are not sent yet
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
