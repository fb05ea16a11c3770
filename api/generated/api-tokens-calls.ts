// Written by `npm run generate` from the schemas; change it there.
import type { ApiToken } from "./api-tokens";

/** Operations of `client.apiTokens`. */
export interface ApiTokensCalls {
  /**
   * `POST /v7/api-tokens`
   *
   * Replaces the request's token with a new one, which is valid for two years. The previous one stays valid for at most 14
   * days, and until then a second request is a 409 (docs/service/requests.md, Authentication).
   */
  readonly regenerate: (request?: { query?: Record<string, never>; signal?: AbortSignal }) => Promise<ApiToken>;
}
