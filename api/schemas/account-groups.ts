import { z } from "zod";
import { identifier, selfLinks } from "./common";
import { operation } from "./operation";

/** An account group. It contains agents, labels and tests. */
export const accountGroup = z.looseObject({
  /** Identifier of the account group, a string of digits. It is `accountGroupId` elsewhere. */
  aid: identifier,
  /** Name of the account group. */
  accountGroupName: z.string().optional(),
  /** Whether the token works in this account group unless a request names another. */
  isCurrentAccountGroup: z.boolean().optional().meta({ owned: true }),
  /** Whether it is the account group that the user logs in to. */
  isDefaultAccountGroup: z.boolean().optional().meta({ owned: true }),
  /** Name of the organization that the account group belongs to. */
  organizationName: z.string().optional(),
  /** Identifier of the organization. */
  orgId: identifier.optional(),
});
export type AccountGroup = z.output<typeof accountGroup>;

/** The account groups that the token's user may see. */
export const accountGroups = z.looseObject({
  /** The account groups, all on one page. */
  accountGroups: z.array(accountGroup),
  /** Links of the list. */
  _links: selfLinks.optional(),
});
export type AccountGroups = z.output<typeof accountGroups>;

export const accountGroupOperations = {
  list: operation({
    id: "accountGroups.list",
    method: "GET",
    path: "/v7/account-groups",
    status: 200,
    response: accountGroups,
  }),
};
