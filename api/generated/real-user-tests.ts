// Written by `npm run generate` from the schemas; change it there.

/** A profile of real user monitoring: the watched domains, and the agents. */
export interface RealUserTestProfile {
  /** Identifier of the profile. */
  profileId: string;
  /** Account group that the profile belongs to. */
  aid?: string;
  /** Name of the profile. */
  name?: string;
  /** Watched domains. */
  includedDomains?: string[];
  /** Domains that are not watched. */
  excludedDomains?: string[];
  /** Agents of the profile. */
  monitoringSettings?: {
    /** Identifier of the selection. */
    monitoringSettingsId?: string;
    /** Selector of the agents: `all-agents`, `specific-agents`, `agent-labels` or `agent-tags`. */
    monitoringSettingsType?: string;
    /** Identifiers of the agents, with `specific-agents`. */
    agentIds?: string[];
    /** Identifiers of the tags, with `agent-tags`. */
    tagIds?: string[];
    /** Identifiers of the labels, with `agent-labels`. */
    labelIds?: string[];
  };
}

/** The real user monitoring profiles of an account group. */
export interface RealUserTestProfiles {
  /** The profiles, all on one page. */
  realUserTests: RealUserTestProfile[];
}
