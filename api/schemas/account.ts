/**
 * Facts about the account that only commands read. They are documented but were never recorded. So all members are optional,
 * except those that identify an answer of the service.
 */
import { z } from "zod";
import { accountGroupQuery, identifier } from "./common";
import { operation } from "./operation";

const number = z.number().optional();

/** The license usage of agents in the current month, for all account groups of the organization. */
export const usage = z.looseObject({
  /** The current month. */
  usage: z.looseObject({
    /** Units that the contract includes per month. */
    quota: z
      .looseObject({
        /** Agents with the license for all features. */
        endpointAgentsIncluded: number,
        /** Agents with the essentials license. */
        endpointAgentsEssentialsIncluded: number,
        /** Embedded agents. */
        endpointAgentsEmbeddedIncluded: number,
      })
      .optional(),
    /** Most agents with the license for all features that were enabled in the same hour of the month. */
    endpointAgentsUsed: number,
    /** Most agents with the essentials license that were enabled in the same hour of the month. */
    endpointAgentsEssentialsUsed: number,
    /** Most embedded agents that were enabled in the same hour of the month. */
    endpointAgentsEmbeddedUsed: number,
  }),
});
export type Usage = z.output<typeof usage>;

const roles = z.array(
  z.looseObject({
    /** Identifier of the role. */
    roleId: identifier.optional(),
    /** Name of the role. */
    name: z.string().optional(),
  }),
);
const group = z.looseObject({
  /** Identifier of the account group. */
  aid: identifier.optional(),
});

/** The token's user. */
export const currentUser = z.looseObject({
  /** The account group that the user logs in to. */
  loginAccountGroup: group.optional(),
  /** Roles by account group. */
  accountGroupRoles: z.array(
    z.looseObject({
      /** The account group. */
      accountGroup: group.optional(),
      /** The user's roles in the account group. */
      roles: roles.optional(),
    }),
  ),
  /** Roles in all account groups. */
  allAccountGroupRoles: roles.optional(),
});
export type CurrentUser = z.output<typeof currentUser>;

/** A role. */
export const role = z.looseObject({
  /** Identifier of the role. */
  roleId: identifier.optional(),
  /** Name of the role. */
  name: z.string().optional(),
  /** Permissions of the role. */
  permissions: z.array(
    z.looseObject({
      /** The product's name of the permission, such as `Edit endpoint tests`. */
      label: z.string().optional(),
    }),
  ),
});
export type Role = z.output<typeof role>;

const query = accountGroupQuery;

export const accountOperations = {
  usage: operation({
    id: "account.usage",
    method: "GET",
    path: "/v7/usage",
    query,
    status: 200,
    response: usage,
    permission: "View Billing",
  }),
  user: operation({ id: "account.user", method: "GET", path: "/v7/users/current", status: 200, response: currentUser }),
  role: operation({ id: "account.role", method: "GET", path: "/v7/roles/{id}", query, status: 200, response: role }),
};
