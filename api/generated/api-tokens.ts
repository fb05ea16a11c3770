// Written by `npm run generate` from the schemas; change it there.

/** A new API token. */
export interface ApiToken {
  /** The token. It is a secret, and only this answer contains it. */
  bearerToken: string;
  /** End of its validity (RFC 3339, UTC). */
  validUntil?: string;
}
