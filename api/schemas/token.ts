import { z } from "zod";
import { operation } from "./operation";

/**
 * Form body of a token request. The form contains the client id and secret unless an HTTP Basic header contains the
 * credentials.
 */
export const tokenRequest = z.object({
  /** Type of the OAuth 2.0 grant: always `client_credentials`. */
  grant_type: z.literal("client_credentials"),
  /** Identifier of the OAuth 2.0 client. */
  client_id: z.string().optional(),
  /** Client secret of the OAuth 2.0 client. */
  client_secret: z.string().optional().meta({ sensitive: true }),
  /** Scopes of the token, space-separated. */
  scope: z.string().optional(),
  /**
   * Tenant identifier in the tenant-scoped flow. The service does not document whether the tenant identifier belongs in the
   * form or in a header. This package sends the tenant identifier in the form.
   */
  x_tenant_id: z.string().optional(),
  /** Bearer token of the user that the client represents (secret). */
  service_bearer_token: z.string().optional().meta({ sensitive: true }),
});
export type TokenRequest = z.output<typeof tokenRequest>;

/** An OAuth 2.0 token. The service's format is not documented, so the schema follows RFC 6749, section 5.1. */
export const tokenResponse = z.looseObject({
  /** The token (secret). */
  access_token: z.string().min(1).meta({ sensitive: true }),
  /** Type of the token: `Bearer`. */
  token_type: z.string().optional(),
  /** Seconds until the token expires. If `expires_in` is missing, the client uses the token until the service refuses it. */
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
    // A repeated token request is safe, because a second token does no harm.
    repeatable: true,
    writes: false,
    authenticated: false,
    budget: "none",
  }),
};
