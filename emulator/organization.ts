/**
 * The permissions of roles, under the emulator's own names. The service does not publish its names for permissions on labels, agents and
 * personal data.
 */
export type Permission = "edit" | "edit-endpoint-tests" | "view-personal-data" | "view-account";

export interface OrganizationRole {
  readonly name: string;
  readonly permissions: readonly Permission[];
}

export interface OrganizationGroup {
  readonly aid: string;
  readonly accountGroupName: string;
  /**
   * Id of the user's organization.
   *
   * @defaultValue {@link organization}
   */
  readonly orgId?: string;
  readonly organizationName?: string;
}

/** The user or client that a token belongs to. */
export interface Caller {
  readonly userId: string;
  readonly name: string;
  readonly role: OrganizationRole;
  /** Account groups of the user. The first account group is the login account group. */
  readonly accountGroups: readonly [OrganizationGroup, ...OrganizationGroup[]];
}

export const organization = { orgId: "10001", organizationName: "Example organization" } as const;

const headquarters: OrganizationGroup = { aid: "1001", accountGroupName: "Headquarters" };
const branches: OrganizationGroup = { aid: "1002", accountGroupName: "Branch offices" };
const contractors: OrganizationGroup = { aid: "1003", accountGroupName: "Contractors" };

export const administrator: Caller = {
  userId: "1",
  name: "Administrator",
  role: { name: "Organization Admin", permissions: ["edit", "edit-endpoint-tests", "view-personal-data", "view-account"] },
  accountGroups: [headquarters, branches, contractors],
};

export const reader: Caller = {
  userId: "2",
  name: "Reader",
  role: { name: "Read only", permissions: [] },
  accountGroups: [headquarters, branches],
};

/** A user with edit permission, but without permission to view agents' personal data or to change endpoint-agent tags. */
export const editor: Caller = {
  userId: "3",
  name: "Editor",
  role: { name: "Editor without personal data", permissions: ["edit", "edit-endpoint-tests"] },
  accountGroups: [headquarters, branches],
};

export const users: readonly Caller[] = [administrator, reader, editor];
