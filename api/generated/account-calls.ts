// `npm run generate` writes this file from the schemas in api/schemas.
import type { CurrentUser, Role, Usage } from "./account";

/** Operations of `client.account`. */
export interface AccountCalls {
  /** `GET /v7/usage` */
  readonly usage: (request?: {
    query?: {
      /** Account group that the request applies to. Default: the login account group of the token's user. */
      aid?: string;
    };
    signal?: AbortSignal;
  }) => Promise<Usage>;
  /** `GET /v7/users/current` */
  readonly user: (request?: { query?: Record<string, never>; signal?: AbortSignal }) => Promise<CurrentUser>;
  /** `GET /v7/roles/{id}` */
  readonly role: (request: {
    path: { id: string };
    query?: {
      /** Account group that the request applies to. Default: the login account group of the token's user. */
      aid?: string;
    };
    signal?: AbortSignal;
  }) => Promise<Role>;
}
