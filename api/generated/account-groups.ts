// `npm run generate` writes this file from the schemas in api/schemas.
import type { SelfLinks } from "./common";

/** An account group, which contains agents, labels and tests. */
export interface AccountGroup {
  /**
   * Identifier of the account group, a string of digits. The identifier is `aid` in requests, and `accountGroupId` in resources
   * of this package.
   */
  aid: string;
  /** Name of the account group. */
  accountGroupName?: string;
  /** Whether requests without `aid` use the account group. */
  isCurrentAccountGroup?: boolean;
  /** Whether the account group is the user's login account group. */
  isDefaultAccountGroup?: boolean;
  /** Name of the organization that the account group belongs to. */
  organizationName?: string;
  /** Identifier of the organization. */
  orgId?: string;
}

/** The account groups that the token's user can access. */
export interface AccountGroups {
  /** The account groups. The list has only one page. */
  accountGroups: AccountGroup[];
  /** Links of the list. */
  _links?: SelfLinks;
}
