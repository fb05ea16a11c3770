import { z } from "zod";
import { operation } from "./operation";

/** Form body of a token request. Client id and secret may travel by HTTP Basic instead. */
export const tokenRequest = z.object({
  /** Always `client_credentials`. */
  grant_type: z.literal("client_credentials"),
  /** Identifier of the client. */
  client_id: z.string().optional(),
  /** Secret of the client. */
  client_secret: z.string().optional().meta({ sensitive: true }),
  /** Scopes of the token, space-separated. */
  scope: z.string().optional(),
  /**
   * Tenant, in the tenant-scoped flow. Whether it travels as a header or a form field is not stated; this package uses the
   * form.
   */
  x_tenant_id: z.string().optional(),
  /** Bearer token of the user on whose behalf the client asks. It is a secret. */
  service_bearer_token: z.string().optional().meta({ sensitive: true }),
});
export type TokenRequest = z.output<typeof tokenRequest>;

/** A token. Its shape is not published: assumed from RFC 6749, section 5.1. */
export const tokenResponse = z.looseObject({
  /** The token. It is a secret. */
  access_token: z.string().min(1).meta({ sensitive: true }),
  /** How the token is sent; `Bearer`. */
  token_type: z.string().optional(),
  /** Seconds until the token ends. Without it a token is used until the service refuses it. */
  expires_in: z.number().optional(),
  /** Scopes of the token, space-separated. */
  scope: z.string().optional(),
});
export type TokenResponse = z.output<typeof tokenResponse>;

export const tokenOperations = {
  issue: operation({
    id: "token.issue",
    method: "POST",
    path: "/v7/oauth2/token",
    body: tokenRequest,
    bodyType: "application/x-www-form-urlencoded",
    status: 200,
    response: tokenResponse,
    // A second token does no harm: asking again is how a lost answer is made up for.
    repeatable: true,
    writes: false,
    authenticated: false,
    budget: "none",
  }),
};
