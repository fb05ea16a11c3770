// `npm run generate` writes this file from the schemas in api/schemas.

/** A new API token. */
export interface ApiToken {
  /** The new API token (secret). The service never returns the token again. */
  bearerToken: string;
  /** Expiry time of the token (RFC 3339, UTC). */
  validUntil?: string;
}
