// Written by `npm run generate` from the schemas; change it there.

/** Form body of a token request. Client id and secret may travel by HTTP Basic instead. */
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
   * Tenant, in the tenant-scoped flow. Whether it travels as a header or a form field is not stated; this package uses the
   * form.
   */
  x_tenant_id?: string;
  /** Bearer token of the user on whose behalf the client asks. It is a secret. */
  service_bearer_token?: string;
}

/** A token. Its shape is not published: assumed from RFC 6749, section 5.1. */
export interface TokenResponse {
  /** The token. It is a secret. */
  access_token: string;
  /** How the token is sent; `Bearer`. */
  token_type?: string;
  /** Seconds until the token ends. Without it a token is used until the service refuses it. */
  expires_in?: number;
  /** Scopes of the token, space-separated. */
  scope?: string;
}
