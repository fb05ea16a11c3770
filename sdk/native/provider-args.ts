// Written by `npm run generate` from the dynamic front; change it there.
import type * as pulumi from "@pulumi/pulumi";

/** Settings of a {@link Provider}. One that is omitted comes from the environment, not from the stack's configuration. */
export interface ProviderArgs {
  /** Root of the service, such as https://api.thousandeyes.com. */
  baseUrl?: pulumi.Input<string> | undefined;
  /** A user's API token. Secret. */
  token?: pulumi.Input<string> | undefined;
  /** Client id of the client-credentials grant, instead of a token. */
  clientId?: pulumi.Input<string> | undefined;
  /** Client secret for the client id. Secret. */
  clientSecret?: pulumi.Input<string> | undefined;
  /** form (default) or basic: how the client id and secret are sent. */
  clientAuthentication?: pulumi.Input<string> | undefined;
  /** Scope of the token request, space-separated. */
  scope?: pulumi.Input<string> | undefined;
  /** x_tenant_id of the token request. */
  tenantId?: pulumi.Input<string> | undefined;
  /** service_bearer_token of the token request: the user on whose behalf the client acts. Secret. */
  serviceBearerToken?: pulumi.Input<string> | undefined;
  /** Seconds without progress after which a request fails; default 30. */
  timeout?: pulumi.Input<number> | undefined;
  /** Seconds after which a request fails, even if parts of its answer have arrived; default 120, or four times timeout if that is more. */
  deadline?: pulumi.Input<number> | undefined;
  /** Seconds for which the provider looks for a record after a create whose outcome is unknown; default 60. It should exceed the time that the service and proxies may take for a request. */
  createOutcomeTimeout?: pulumi.Input<number> | undefined;
  /** Seconds for which the service's reads may lag behind writes; default 120. A record that the stack wrote within that time does not count as deleted or changed. Set 0 if every read shows every write, as the emulator's do. */
  readLag?: pulumi.Input<number> | undefined;
  /** Account group (aid) of resources and functions that set none; default is the token's own. */
  accountGroupId?: pulumi.Input<string> | undefined;
  /** identical: adopt exact duplicates of the resources to create, to recover after a crash. */
  adopt?: pulumi.Input<string> | undefined;
  /** Origins at which the service was before, comma-separated: states of them belong to this service. The state of any other origin stops. */
  movedFrom?: pulumi.Input<string> | undefined;
  /** delete-first (default) or create-first: the order of the steps of a replacement. */
  replaceOrder?: pulumi.Input<string> | undefined;
  /** on (default) or off: whether previews show which agents a change of a label, tag or test reaches. It takes at most 8 requests a preview. */
  previewReach?: pulumi.Input<string> | undefined;
}

/** Settings that are always secret. */
export const secretSettings = ["token", "clientSecret", "serviceBearerToken"] as const;
