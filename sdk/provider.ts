import * as pulumi from "./pulumi";
import { packageName } from "./token";
import type { settings as serviceSettings, SettingName } from "../api/setting-names";

/**
 * Settings of a {@link Provider}. For an omitted setting, the provider uses the stack's setting, the environment variable or
 * the default, in this order. `token` replaces all credentials of the stack. `clientId` replaces only the stack's token.
 */
export interface ProviderArgs {
  /** Base URL of the service, such as `https://api.thousandeyes.com`. */
  baseUrl?: pulumi.Input<string> | undefined;
  /** A user's API token. Always secret. */
  token?: pulumi.Input<string> | undefined;
  /** Client id for the client-credentials grant, as an alternative to `token`. */
  clientId?: pulumi.Input<string> | undefined;
  /** Client secret for `clientId`. Always secret. */
  clientSecret?: pulumi.Input<string> | undefined;
  /** Whether the client sends its id and secret in the form body (`form`) or in a header (`basic`). Default: `form`. */
  clientAuthentication?: pulumi.Input<"form" | "basic"> | undefined;
  /** Scopes of the token request, separated by spaces. If omitted, the service chooses the scopes. */
  scope?: pulumi.Input<string> | undefined;
  /** Tenant of the token request (`x_tenant_id`). */
  tenantId?: pulumi.Input<string> | undefined;
  /** Token of the user that the client represents (`service_bearer_token` in the token request). Always secret. */
  serviceBearerToken?: pulumi.Input<string> | undefined;
  /** Seconds without progress after which a request fails. Default: 30. */
  timeout?: pulumi.Input<number> | undefined;
  /**
   * Seconds after which a request fails, even if parts of its response have arrived. Default: 120, or four times `timeout` if
   * that is longer.
   */
  deadline?: pulumi.Input<number> | undefined;
  /** Seconds during which the provider searches for a record after a create request with an unknown outcome. Default: 60. */
  createOutcomeTimeout?: pulumi.Input<number> | undefined;
  /**
   * Maximum number of seconds between a write and the moment when the service's responses contain the written values. Default:
   * 120.
   */
  readLag?: pulumi.Input<number> | undefined;
  /** Account group (`aid`) of resources that do not declare an account group. Default: the token's account group. */
  accountGroupId?: pulumi.Input<string> | undefined;
  /** Set `identical` after a crash. The provider then adopts existing records that are identical to the declared resources. */
  adopt?: pulumi.Input<"identical"> | undefined;
  /** Former base URLs of the service, separated by commas. The provider accepts states with records from a former base URL. */
  movedFrom?: pulumi.Input<string> | undefined;
}

/**
 * Names of all settings, and whether each setting is secret. Programs do not load `api/setting-names.ts`, so the compiler
 * checks that this copy matches the settings in that module. `ProviderArgs` has no `replaceOrder`, because a dynamic resource
 * does not know its provider's settings. `ProviderArgs` has no `previewReach`, because previews of dynamic resources do not
 * report agents.
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
 * A provider with its own settings, for an account, account group or service other than the stack's. Pass the provider to a
 * resource as the option `provider`, or to a component in `providers`. For an omitted setting, the provider uses the stack's
 * setting.
 *
 * The engine encrypts secret settings in the state. Each provider runs in its own process, with a separate token and a separate
 * request rate. Functions and commands always use the stack's settings.
 *
 * @example
 * ```ts
 * const emea = new Provider("emea", { token: config.requireSecret("emeaToken"), accountGroupId: "1234" });
 * new Label("office", { name: "Office", matchType: "or", filters: [{ key: "platform", values: ["Mac"] }] }, { provider: emea });
 * ```
 */
export class Provider extends pulumi.ProviderResource {
  /**
   * @param name name of the provider in the program
   * @param args settings that differ from the stack's settings
   * @param opts resource options
   */
  constructor(name: string, args: ProviderArgs = {}, opts?: pulumi.ResourceOptions) {
    // Without the alias, a stack that moves between dynamic resources and the native plugin would replace the provider's
    // resources.
    const aliases = [{ type: `pulumi:providers:${packageName}` }];
    super("pulumi-nodejs", name, inputsOf(args), pulumi.mergeOptions(opts, { aliases }));
  }
}

/** Returns the stack's settings by their keys in the stack configuration. Values in `args` take precedence. */
function inputsOf(args: ProviderArgs): Record<string, pulumi.Input<string>> {
  const config = new pulumi.Config("endpoint-monitoring");
  const ownClient = args.token === undefined && (args.clientId ?? args.clientSecret) !== undefined;
  const declared: Partial<Record<keyof typeof settings, pulumi.Input<string | number> | undefined>> = args;
  const inputs: Record<string, pulumi.Input<string>> = {};
  for (const name of Object.keys(settings) as (keyof typeof settings)[]) {
    // A token takes precedence over a client id, so a provider with its own client id must not use the stack's token.
    const fallback = ownClient && name === "token" ? undefined : config.get(name);
    const effective = declared[name] ?? fallback;
    if (effective === undefined) continue;
    const value = pulumi.output(effective).apply(String);
    inputs[`endpoint-monitoring:${name}`] = settings[name] === "secret" ? pulumi.secret(value) : value;
  }
  if (ownClient) inputs["endpoint-monitoring:credentials"] = "client";
  return inputs;
}
