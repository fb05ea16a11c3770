// Written by `npm run generate` from the schemas; change it there.

/** A new API token. */
export interface ApiToken {
  /** The token. It is a secret, and the service shows it only here. */
  bearerToken: string;
  /** When it ends (RFC 3339, UTC). */
  validUntil?: string;
}
