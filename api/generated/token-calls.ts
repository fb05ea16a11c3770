// `npm run generate` writes this file from the schemas in api/schemas.
import type { TokenRequest, TokenResponse } from "./token";

/** Operations of `client.token`. */
export interface TokenCalls {
  /** `POST /v7/oauth2/token` */
  readonly issue: (request: {
    query?: Record<string, never>;
    body: TokenRequest;
    signal?: AbortSignal;
  }) => Promise<TokenResponse>;
}
