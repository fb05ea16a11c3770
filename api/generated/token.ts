// `npm run generate` writes this file from the schemas in api/schemas.

/**
 * Form body of a token request. The form contains the client id and secret unless an HTTP Basic header contains the
 * credentials.
 */
export interface TokenRequest {
  /** Type of the OAuth 2.0 grant: always `client_credentials`. */
  grant_type: "client_credentials";
  /** Identifier of the OAuth 2.0 client. */
  client_id?: string;
  /** Client secret of the OAuth 2.0 client. */
  client_secret?: string;
  /** Scopes of the token, space-separated. */
  scope?: string;
  /**
   * Tenant identifier in the tenant-scoped flow. The service does not document whether the tenant identifier belongs in the
   * form or in a header. This package sends the tenant identifier in the form.
   */
  x_tenant_id?: string;
  /** Bearer token of the user that the client represents (secret). */
  service_bearer_token?: string;
}

/** An OAuth 2.0 token. The service's format is not documented, so the schema follows RFC 6749, section 5.1. */
export interface TokenResponse {
  /** The token (secret). */
  access_token: string;
  /** Type of the token: `Bearer`. */
  token_type?: string;
  /** Seconds until the token expires. If `expires_in` is missing, the client uses the token until the service refuses it. */
  expires_in?: number;
  /** Scopes of the token, space-separated. */
  scope?: string;
}
