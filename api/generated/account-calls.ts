// Written by `npm run generate` from the schemas; change it there.
import type { CurrentUser, Role, Usage } from "./account";

/** Operations of `client.account`. */
export interface AccountCalls {
  /** `GET /v7/usage` */
  readonly usage: (request?: {
    query?: {
      /** Account group to ask. Default: the one that the token's owner logs in to. */
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
      /** Account group to ask. Default: the one that the token's owner logs in to. */
      aid?: string;
    };
    signal?: AbortSignal;
  }) => Promise<Role>;
}
