/**
 * License usage and roles of the account. Only commands of this package read license usage and roles. The responses are
 * documented, but were never observed, so most members are optional.
 */
import { z } from "zod";
import { accountGroupQuery, identifier } from "./common";
import { operation } from "./operation";

const number = z.number().optional();

/** The current month's license usage by agents in all account groups of the organization. */
export const usage = z.looseObject({
  /** The current month. */
  usage: z.looseObject({
    /** License units per month that the contract includes. */
    quota: z
      .looseObject({
        /** Number of agents with the license for all features. */
        endpointAgentsIncluded: number,
        /** Number of agents with the essentials license. */
        endpointAgentsEssentialsIncluded: number,
        /** Embedded agents. */
        endpointAgentsEmbeddedIncluded: number,
      })
      .optional(),
    /** Highest number of enabled agents with the license for all features in any hour of the month. */
    endpointAgentsUsed: number,
    /** Highest number of enabled agents with the essentials license in any hour of the month. */
    endpointAgentsEssentialsUsed: number,
    /** Highest number of enabled embedded agents in any hour of the month. */
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
  /** The user's login account group. */
  loginAccountGroup: group.optional(),
  /** The user's roles by account group. */
  accountGroupRoles: z.array(
    z.looseObject({
      /** The account group. */
      accountGroup: group.optional(),
      /** The user's roles in the account group. */
      roles: roles.optional(),
    }),
  ),
  /** Roles of the user in all account groups. */
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
      /** Name of the permission in the product, such as `Edit endpoint tests`. */
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
