// Written by `npm run generate` from the schemas; change it there.
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
