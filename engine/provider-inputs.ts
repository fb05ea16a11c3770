import { type SettingName, settings } from "../api/setting-names";
import { serviceProperty } from "../provider/lifecycle-state";
import { isUnknown, stringOf } from "../provider/values";
import { packageName } from "../sdk/token";
import { type EngineResource, kindNameOf, opened } from "./state";
import { secretMask } from "../common/text";

/** Prefixes of the setting names in a provider's inputs, by provider type. */
const prefixes: Readonly<Record<string, string>> = {
  "pulumi:providers:pulumi-nodejs": `${packageName}:`,
  [`pulumi:providers:${packageName}`]: "",
};

/**
 * Returns the settings in a provider's inputs, with decrypted secrets.
 *
 * @returns undefined for a resource that is not a provider of this package
 */
export function providerSettings({ type, inputs = {} }: EngineResource): Partial<Record<SettingName, unknown>> | undefined {
  const prefix = prefixes[type];
  if (prefix === undefined) return undefined;
  const names = Object.keys(settings) as SettingName[];
  return Object.fromEntries(
    names.flatMap((name) => {
      const value = opened(inputs[prefix + name]);
      return value === undefined || value === null ? [] : [[name, value]];
    }),
  );
}

/**
 * Returns the host of a provider's base URL. `unknown` is true if the URL is unknown until the update.
 *
 * @returns undefined if the provider has no valid base URL, or if the URL is secret
 */
export function providerHost(resource: EngineResource | undefined): { host: string } | { unknown: true } | undefined {
  const baseUrl = resource && providerSettings(resource)?.baseUrl;
  if (isUnknown(baseUrl)) return { unknown: true };
  const host = hostOf(stringOf(baseUrl));
  return host === undefined ? undefined : { host };
}

/** Returns the hosts that the last update used, according to the records and providers in the stack's state. */
export function hostsInState(resources: readonly EngineResource[]): string[] {
  return resources.flatMap((resource) => {
    const provider = providerHost(resource);
    const ofProvider = provider && "host" in provider ? provider.host : undefined;
    const ofRecord = kindNameOf(resource.type) && hostOf(stringOf(resource.outputs?.[serviceProperty]));
    return ofProvider ?? ofRecord ?? [];
  });
}

function hostOf(url: string | undefined): string | undefined {
  return url === undefined || url === secretMask ? undefined : URL.parse(url)?.host || undefined;
}
