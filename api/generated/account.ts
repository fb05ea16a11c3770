// Written by `npm run generate` from the schemas; change it there.

/** The license usage of agents in the current month, for all account groups of the organization. */
export interface Usage {
  /** The current month. */
  usage: {
    /** Units that the contract includes per month. */
    quota?: {
      /** Agents with the license for all features. */
      endpointAgentsIncluded?: number;
      /** Agents with the essentials license. */
      endpointAgentsEssentialsIncluded?: number;
      /** Embedded agents. */
      endpointAgentsEmbeddedIncluded?: number;
    };
    /** Most agents with the license for all features that were enabled in the same hour of the month. */
    endpointAgentsUsed?: number;
    /** Most agents with the essentials license that were enabled in the same hour of the month. */
    endpointAgentsEssentialsUsed?: number;
    /** Most embedded agents that were enabled in the same hour of the month. */
    endpointAgentsEmbeddedUsed?: number;
  };
}

/** The token's user. */
export interface CurrentUser {
  /** Roles by account group. */
  accountGroupRoles: {
    /** The account group. */
    accountGroup?: {
      /** Identifier of the account group. */
      aid?: string;
    };
    /** The user's roles in the account group. */
    roles?: {
      /** Identifier of the role. */
      roleId?: string;
      /** Name of the role. */
      name?: string;
    }[];
  }[];
  /** The account group that the user logs in to. */
  loginAccountGroup?: {
    /** Identifier of the account group. */
    aid?: string;
  };
  /** Roles in all account groups. */
  allAccountGroupRoles?: {
    /** Identifier of the role. */
    roleId?: string;
    /** Name of the role. */
    name?: string;
  }[];
}

/** A role. */
export interface Role {
  /** Permissions of the role. */
  permissions: {
    /** The product's name of the permission, such as `Edit endpoint tests`. */
    label?: string;
  }[];
  /** Identifier of the role. */
  roleId?: string;
  /** Name of the role. */
  name?: string;
}
