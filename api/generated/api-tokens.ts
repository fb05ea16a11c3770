// `npm run generate` writes this file from the schemas in api/schemas.

/** A new API token. */
export interface ApiToken {
  /** The new API token (secret). No later answer contains the token. */
  bearerToken: string;
  /** End of the token's validity (RFC 3339, UTC). */
  validUntil?: string;
}
