import { operations } from "../../api/schemas";
import { handle } from "../handler";
import { organization } from "../organization";

export const accountGroupRoutes = [
  handle(operations.accountGroups.list, ({ caller, self }) => ({
    body: {
      accountGroups: caller.accountGroups.map((group, at) => ({
        ...organization,
        ...group,
        isCurrentAccountGroup: at === 0,
        isDefaultAccountGroup: at === 0,
      })),
      _links: { self: { href: self } },
    },
  })),
];
