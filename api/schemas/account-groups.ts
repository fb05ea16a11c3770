import { z } from "zod";
import { identifier, selfLinks } from "./common";
import { operation } from "./operation";

/** An account group, which contains agents, labels and tests. */
export const accountGroup = z.looseObject({
  /**
   * Identifier of the account group, a string of digits. In requests, the identifier is named `aid`. In this package's resources, the
   * identifier is named `accountGroupId`.
   */
  aid: identifier,
  /** Name of the account group. */
  accountGroupName: z.string().optional(),
  /** Whether requests without `aid` apply to this account group. */
  isCurrentAccountGroup: z.boolean().optional().meta({ owned: true }),
  /** Whether the account group is the user's login account group. */
  isDefaultAccountGroup: z.boolean().optional().meta({ owned: true }),
  /** Name of the organization that the account group belongs to. */
  organizationName: z.string().optional(),
  /** Identifier of the organization. */
  orgId: identifier.optional(),
});
export type AccountGroup = z.output<typeof accountGroup>;

/** The account groups that the token's user can access. */
export const accountGroups = z.looseObject({
  /** The account groups. The service returns all account groups on one page. */
  accountGroups: z.array(accountGroup),
  /** Links, such as the link to the list itself. */
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
