// `npm run generate` writes this file from the schemas in api/schemas.
import type { ApiToken } from "./api-tokens";

/** Operations of `client.apiTokens`. */
export interface ApiTokensCalls {
  /**
   * `POST /v7/api-tokens`
   *
   * Replaces the API token that authenticates the request. The new token is valid for two years. The previous token stays valid for up to
   * 14 days. While the previous token is valid, another replacement fails with status 409 (docs/service/requests.md, Authentication).
   */
  readonly regenerate: (request?: { query?: Record<string, never>; signal?: AbortSignal }) => Promise<ApiToken>;
}
