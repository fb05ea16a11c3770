// `npm run generate` writes this file from the schemas in api/schemas.

/** The current month's license usage by agents in all account groups of the organization. */
export interface Usage {
  /** The current month. */
  usage: {
    /** License units per month that the contract includes. */
    quota?: {
      /** Number of agents with the license for all features. */
      endpointAgentsIncluded?: number;
      /** Number of agents with the essentials license. */
      endpointAgentsEssentialsIncluded?: number;
      /** Embedded agents. */
      endpointAgentsEmbeddedIncluded?: number;
    };
    /** Highest number of enabled agents with the license for all features in any hour of the month. */
    endpointAgentsUsed?: number;
    /** Highest number of enabled agents with the essentials license in any hour of the month. */
    endpointAgentsEssentialsUsed?: number;
    /** Highest number of enabled embedded agents in any hour of the month. */
    endpointAgentsEmbeddedUsed?: number;
  };
}

/** The token's user. */
export interface CurrentUser {
  /** The user's roles by account group. */
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
  /** The user's login account group. */
  loginAccountGroup?: {
    /** Identifier of the account group. */
    aid?: string;
  };
  /** Roles of the user in all account groups. */
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
    /** Name of the permission in the product, such as `Edit endpoint tests`. */
    label?: string;
  }[];
  /** Identifier of the role. */
  roleId?: string;
  /** Name of the role. */
  name?: string;
}
