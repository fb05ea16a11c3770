// Written by `npm run generate` from the schemas; change it there.
import type { ApiToken } from "./api-tokens";

/** Operations of `client.apiTokens`. */
export interface ApiTokensCalls {
  /**
   * `POST /v7/api-tokens`
   *
   * Makes the token that the request carries give way to a new one, which is valid for two years; the old one lasts 14 days
   * at most, and until then a second request is a 409 (docs/service/requests.md, Authentication).
   */
  readonly regenerate: (request?: { query?: Record<string, never>; signal?: AbortSignal }) => Promise<ApiToken>;
}
