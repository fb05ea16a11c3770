// Written by `npm run generate` from the schemas; change it there.

/** Form body of a token request. Client id and secret may be in an HTTP Basic header instead. */
export interface TokenRequest {
  /** Always `client_credentials`. */
  grant_type: "client_credentials";
  /** Identifier of the client. */
  client_id?: string;
  /** Secret of the client. */
  client_secret?: string;
  /** Scopes of the token, space-separated. */
  scope?: string;
  /**
   * Tenant, in the tenant-scoped flow. It is not documented whether it belongs in a header or in the form; this package uses
   * the form.
   */
  x_tenant_id?: string;
  /** Bearer token of the user that the client represents. It is a secret. */
  service_bearer_token?: string;
}

/** A token. Its format is not published, so it is assumed to follow RFC 6749, section 5.1. */
export interface TokenResponse {
  /** The token. It is a secret. */
  access_token: string;
  /** Type of the token: `Bearer`. */
  token_type?: string;
  /** Seconds until the token expires. Without it, a token is used until the service refuses it. */
  expires_in?: number;
  /** Scopes of the token, space-separated. */
  scope?: string;
}
