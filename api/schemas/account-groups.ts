import { z } from "zod";
import { identifier, selfLinks } from "./common";
import { operation } from "./operation";

export const accountGroup = z.looseObject({
  aid: identifier,
  accountGroupName: z.string().optional(),
  isCurrentAccountGroup: z.boolean().optional(),
  isDefaultAccountGroup: z.boolean().optional(),
  organizationName: z.string().optional(),
  orgId: identifier.optional(),
});
export type AccountGroup = z.output<typeof accountGroup>;

export const accountGroupOperations = {
  list: operation({
    id: "accountGroups.list",
    method: "GET",
    path: "/v7/account-groups",
    status: 200,
    response: z.looseObject({ accountGroups: z.array(accountGroup), _links: selfLinks.optional() }),
  }),
};
