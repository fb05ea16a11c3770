// `npm run generate` writes this file from the schemas in api/schemas.

/** A profile of real user monitoring: the monitored domains and the agents that monitor them. */
export interface RealUserTestProfile {
  /** Identifier of the profile. */
  profileId: string;
  /** Account group that contains the profile. */
  aid?: string;
  /** Name of the profile. */
  name?: string;
  /** Domains that agents monitor. */
  includedDomains?: string[];
  /** Domains that agents do not monitor. */
  excludedDomains?: string[];
  /** Agents that use the profile. */
  monitoringSettings?: {
    /** Identifier of the agent selection. */
    monitoringSettingsId?: string;
    /** Type of the agent selection: `all-agents`, `specific-agents`, `agent-labels` or `agent-tags`. */
    monitoringSettingsType?: string;
    /** Identifiers of the selected agents, for `specific-agents` only. */
    agentIds?: string[];
    /** Identifiers of the selected tags, for `agent-tags` only. */
    tagIds?: string[];
    /** Identifiers of the selected labels, for `agent-labels` only. */
    labelIds?: string[];
  };
}

/** The real user monitoring profiles of an account group. */
export interface RealUserTestProfiles {
  /** The profiles. The service returns all profiles on one page. */
  realUserTests: RealUserTestProfile[];
}
