// `npm run generate` writes this file from the schemas in api/schemas.
import type { AccountGroups } from "./account-groups";

/** Operations of `client.accountGroups`. */
export interface AccountGroupsCalls {
  /** `GET /v7/account-groups` */
  readonly list: (request?: { query?: Record<string, never>; signal?: AbortSignal }) => Promise<AccountGroups>;
}
