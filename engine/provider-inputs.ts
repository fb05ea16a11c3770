import { type SettingName, settings } from "../api/setting-names";
import { serviceProperty } from "../provider/lifecycle-state";
import { isUnknown, stringOf } from "../provider/values";
import { packageName } from "../sdk/token";
import { type EngineResource, kindNameOf, opened } from "./state";
import { secretMask } from "../common/text";

/** Prefixes of settings in the inputs of a provider, by the type of the provider: dynamic resources, native plugin. */
const prefixes: Readonly<Record<string, string>> = {
  "pulumi:providers:pulumi-nodejs": `${packageName}:`,
  [`pulumi:providers:${packageName}`]: "",
};

/**
 * Returns the settings in the inputs of a provider, by name, with decrypted secrets. Works for dynamic resources and the native plugin,
 * and for states and previews.
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
 * Returns the host of a provider's base URL. `unknown` is true if the update determines it.
 *
 * @returns undefined if the provider has no base URL, hides it as a secret, or has one that is not a URL
 */
export function providerHost(resource: EngineResource | undefined): { host: string } | { unknown: true } | undefined {
  const baseUrl = resource && providerSettings(resource)?.baseUrl;
  if (isUnknown(baseUrl)) return { unknown: true };
  const host = hostOf(stringOf(baseUrl));
  return host === undefined ? undefined : { host };
}

/** Returns the hosts that the last update used, from the state of records and of providers. */
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
