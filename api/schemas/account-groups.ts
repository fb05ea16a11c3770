import { z } from "zod";
import { selfLinks } from "./common";
import { operation } from "./operation";

export const accountGroup = z.looseObject({
  aid: z.string(),
  accountGroupName: z.string().optional(),
  isCurrentAccountGroup: z.boolean().optional(),
  isDefaultAccountGroup: z.boolean().optional(),
  organizationName: z.string().optional(),
  orgId: z.string().optional(),
});
export type AccountGroup = z.output<typeof accountGroup>;

export const accountGroupOperations = {
  list: operation({
    id: "accountGroups.list",
    method: "GET",
    path: "/v7/account-groups",
    status: 200,
    response: z.looseObject({ accountGroups: z.array(accountGroup).default([]), _links: selfLinks.optional() }),
  }),
};
