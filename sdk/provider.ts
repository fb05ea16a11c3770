import * as pulumi from "./pulumi";
import { packageName } from "./token";
import type { settings as serviceSettings, SettingName } from "../api/setting-names";

/**
 * Settings of a {@link Provider}. An omitted setting comes from the stack, then from the environment, or is the default. A
 * `token` replaces all credentials of the stack, and a `clientId` replaces the stack's token.
 */
export interface ProviderArgs {
  /** Base URL of the service, such as `https://api.thousandeyes.com`. */
  baseUrl?: pulumi.Input<string> | undefined;
  /** A user's API token. Always secret. */
  token?: pulumi.Input<string> | undefined;
  /** Client id of the client-credentials grant, instead of a token. */
  clientId?: pulumi.Input<string> | undefined;
  /** Client secret for the client id. Always secret. */
  clientSecret?: pulumi.Input<string> | undefined;
  /** How the client sends its id and secret. Default: `form`. */
  clientAuthentication?: pulumi.Input<"form" | "basic"> | undefined;
  /** Scope of the token request, space-separated. If omitted, the service decides. */
  scope?: pulumi.Input<string> | undefined;
  /** `x_tenant_id` of the token request. */
  tenantId?: pulumi.Input<string> | undefined;
  /** `service_bearer_token` of the token request: the user that the client represents. Always secret. */
  serviceBearerToken?: pulumi.Input<string> | undefined;
  /** Seconds without progress after which a request fails. Default: 30. */
  timeout?: pulumi.Input<number> | undefined;
  /** Seconds after which a request fails, even if parts of its answer have arrived. Default: 120, or four times `timeout` if that is longer. */
  deadline?: pulumi.Input<number> | undefined;
  /** Seconds that the provider looks for a record after a create with an unknown outcome. Default: 60. */
  createOutcomeTimeout?: pulumi.Input<number> | undefined;
  /** Seconds until the service's reads show a write. Default: 120. */
  readLag?: pulumi.Input<number> | undefined;
  /** Account group (`aid`) of resources that declare none. Default: the token's own. */
  accountGroupId?: pulumi.Input<string> | undefined;
  /** With `identical`, a create adopts an existing record that equals the resource, to recover after a crash. */
  adopt?: pulumi.Input<"identical"> | undefined;
  /** Former origins of the service, comma-separated. States with one of these origins belong to this service. */
  movedFrom?: pulumi.Input<string> | undefined;
}

/**
 * All settings, and whether each is secret. The compiler checks this list, because a program does not load the module with the
 * settings. The order of replacements is not included: it belongs to the stack, since a resource does not know its provider's
 * settings. `previewReach` is not included: previews of dynamic resources do not report agents.
 */
export const settings: {
  readonly [Name in SettingName]: (typeof serviceSettings)[Name] extends { secret: true } ? "secret" : "open";
} = {
  baseUrl: "open",
  token: "secret",
  clientId: "open",
  clientSecret: "secret",
  clientAuthentication: "open",
  scope: "open",
  tenantId: "open",
  serviceBearerToken: "secret",
  timeout: "open",
  deadline: "open",
  createOutcomeTimeout: "open",
  readLag: "open",
  accountGroupId: "open",
  adopt: "open",
  movedFrom: "open",
  replaceOrder: "open",
  previewReach: "open",
};

/**
 * Manages resources with settings that differ from the stack's: another account, account group or service. Pass it as the
 * resource option `provider`, or in `providers` of a component. Omitted settings are the stack's.
 *
 * Like the stack's settings, the engine encrypts secret settings in the state. Each provider is a process of its own, with its
 * own token and request budget. Functions and commands use the stack's settings, not those of a provider.
 *
 * @example
 * ```ts
 * const emea = new Provider("emea", { token: config.requireSecret("emeaToken"), accountGroupId: "1234" });
 * new Label("office", { name: "Office", matchType: "or", filters: [{ key: "platform", values: ["Mac"] }] }, { provider: emea });
 * ```
 */
export class Provider extends pulumi.ProviderResource {
  /**
   * @param name name that identifies the provider in the engine
   * @param args settings that differ from the stack's
   * @param opts resource options
   */
  constructor(name: string, args: ProviderArgs = {}, opts?: pulumi.ResourceOptions) {
    // A stack may move between dynamic providers and the plugin, together with its resources.
    const aliases = [{ type: `pulumi:providers:${packageName}` }];
    super("pulumi-nodejs", name, inputsOf(args), pulumi.mergeOptions(opts, { aliases }));
  }
}

/**
 * Returns the inputs that Pulumi's own provider would get from the stack's configuration, with these settings in place of the
 * stack's.
 */
function inputsOf(args: ProviderArgs): Record<string, pulumi.Input<string>> {
  const config = new pulumi.Config("endpoint-monitoring");
  const ownClient = args.token === undefined && (args.clientId ?? args.clientSecret) !== undefined;
  const declared: Partial<Record<keyof typeof settings, pulumi.Input<string | number> | undefined>> = args;
  const inputs: Record<string, pulumi.Input<string>> = {};
  for (const name of Object.keys(settings) as (keyof typeof settings)[]) {
    // A token takes precedence over a client id.
    const fallback = ownClient && name === "token" ? undefined : config.get(name);
    const effective = declared[name] ?? fallback;
    if (effective === undefined) continue;
    const value = pulumi.output(effective).apply(String);
    inputs[`endpoint-monitoring:${name}`] = settings[name] === "secret" ? pulumi.secret(value) : value;
  }
  if (ownClient) inputs["endpoint-monitoring:credentials"] = "client";
  return inputs;
}
