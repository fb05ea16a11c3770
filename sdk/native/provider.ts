import * as pulumi from "../pulumi";
import { packageName } from "../token";
import { checkPlugin } from "./plugin-check";
import { type ProviderArgs, secretSettings } from "./provider-args";

/**
 * A provider with settings of its own, for resources and functions that name it: several services, credentials or account groups in one
 * program. Without one, resources and functions use the stack's configuration.
 *
 * @example
 * ```ts
 * const eu = new Provider("eu", { baseUrl: "https://api.eu.example.com", token: config.requireSecret("euToken") });
 * new Label("office", { name: "Office", matchType: "or", filters: [] }, { provider: eu });
 * ```
 */
export class Provider extends pulumi.ProviderResource {
  /**
   * @param name name of the provider, by which the engine identifies it
   * @param args its settings; a preview reports all invalid settings together
   * @param opts resource options
   */
  constructor(name: string, args: ProviderArgs = {}, opts: pulumi.ResourceOptions = {}) {
    checkPlugin(`Provider "${name}"`);
    const settings: Record<string, unknown> = { ...args };
    for (const secret of secretSettings) {
      if (settings[secret] !== undefined) settings[secret] = pulumi.secret(settings[secret]);
    }
    // The protocol of providers has text alone.
    const texts = Object.entries(settings).map(([setting, value]) => [
      setting,
      value === undefined ? undefined : textOf(value),
    ]);
    // A stack may move from dynamic providers to the plugin and back, as its resources do.
    const aliases = [{ type: "pulumi:providers:pulumi-nodejs" }];
    super(packageName, name, Object.fromEntries(texts) as pulumi.Inputs, pulumi.mergeOptions(opts, { aliases }));
  }
}

function textOf(value: unknown): pulumi.Output<string> {
  const known: pulumi.Output<unknown> = pulumi.output(value as pulumi.Input<string | number>);
  return known.apply((text) => (typeof text === "string" ? text : JSON.stringify(text)));
}
