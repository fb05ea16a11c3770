// Written by `npm run generate` from the schemas; change it there.
import type { SelfLinks } from "./common";

/** An account group. It contains agents, labels and tests. */
export interface AccountGroup {
  /** Identifier of the account group, a string of digits. It is `accountGroupId` elsewhere. */
  aid: string;
  /** Name of the account group. */
  accountGroupName?: string;
  /** Whether the token works in this account group unless a request names another. */
  isCurrentAccountGroup?: boolean;
  /** Whether it is the account group that the user logs in to. */
  isDefaultAccountGroup?: boolean;
  /** Name of the organization that the account group belongs to. */
  organizationName?: string;
  /** Identifier of the organization. */
  orgId?: string;
}

/** The account groups that the token's user may see. */
export interface AccountGroups {
  /** The account groups, all on one page. */
  accountGroups: AccountGroup[];
  /** Links of the list. */
  _links?: SelfLinks;
}
