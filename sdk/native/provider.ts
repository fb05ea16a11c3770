import * as pulumi from "../pulumi";
import type { SettingName } from "../../api/setting-names";
import { type ProviderArgs as DynamicProviderArgs, settings } from "../provider";
import { packageName } from "../token";
import { checkPlugin } from "./plugin-check";

/**
 * Settings of a {@link Provider}. For an omitted setting, the provider uses the environment variable, or otherwise the default.
 */
export interface ProviderArgs extends DynamicProviderArgs {
  /** Order of the delete and create operations in a replacement. Default: `delete-first`. */
  replaceOrder?: pulumi.Input<"delete-first" | "create-first"> | undefined;
  /**
   * Whether previews show which agents are affected by a change to a label, tag or test. Default: `on`. A preview sends at most
   * 8 requests to find the agents.
   */
  previewReach?: pulumi.Input<"on" | "off"> | undefined;
}

const secretSettings = new Set(Object.entries(settings).flatMap(([name, value]) => (value === "secret" ? [name] : [])));

/**
 * A provider with its own settings, for the resources and functions that use the provider. With several providers, one program
 * can use several services, credentials or account groups. Resources and functions without a provider use the stack's
 * configuration.
 *
 * @example
 * ```ts
 * const eu = new Provider("eu", { baseUrl: "https://api.eu.example.com", token: config.requireSecret("euToken") });
 * new Label("office", { name: "Office", matchType: "or", filters: [] }, { provider: eu });
 * ```
 */
export class Provider extends pulumi.ProviderResource {
  /**
   * @param name name of the provider in the program
   * @param args settings of the provider. A preview reports all invalid settings at once
   * @param opts resource options
   */
  constructor(name: string, args: ProviderArgs = {}, opts: pulumi.ResourceOptions = {}) {
    checkPlugin(`Provider "${name}"`);
    // The compiler checks that the class has an argument for each setting.
    const values: { [Name in SettingName]?: ProviderArgs[Name] } = args;
    const inputs: pulumi.Inputs = {};
    for (const [setting, value] of Object.entries(values)) {
      if (value === undefined) continue;
      // The engine's protocol represents provider settings as strings.
      inputs[setting] = secretSettings.has(setting) ? pulumi.secret(textOf(value)) : textOf(value);
    }
    // Without the alias, a stack that moves between dynamic resources and the native plugin would replace the provider's
    // resources.
    const aliases = [{ type: "pulumi:providers:pulumi-nodejs" }];
    super(packageName, name, inputs, pulumi.mergeOptions(opts, { aliases }));
  }
}

function textOf(value: unknown): pulumi.Output<string> {
  const known: pulumi.Output<unknown> = pulumi.output(value as pulumi.Input<string | number>);
  return known.apply((text) => (typeof text === "string" ? text : JSON.stringify(text)));
}
