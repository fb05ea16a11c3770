// `npm run generate` writes this file from the schemas in api/schemas.
import type { SelfLinks } from "./common";

/** An account group, which contains agents, labels and tests. */
export interface AccountGroup {
  /**
   * Identifier of the account group, a string of digits. In requests, the identifier is named `aid`. In this package's resources, the
   * identifier is named `accountGroupId`.
   */
  aid: string;
  /** Name of the account group. */
  accountGroupName?: string;
  /** Whether requests without `aid` apply to this account group. */
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
  /** The account groups. The service returns all account groups on one page. */
  accountGroups: AccountGroup[];
  /** Links, such as the link to the list itself. */
  _links?: SelfLinks;
}
