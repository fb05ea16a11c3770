// Written by `npm run generate` from the schemas; change it there.

/** A profile of real user monitoring: which domains are watched, and on which agents. */
export interface RealUserTestProfile {
  /** Identifier of the profile. */
  profileId: string;
  /** Account group that the profile belongs to. */
  aid?: string;
  /** Name of the profile. */
  name?: string;
  /** Domains that are watched. */
  includedDomains?: string[];
  /** Domains that are left out. */
  excludedDomains?: string[];
  /** Agents of the profile. */
  monitoringSettings?: {
    /** Identifier of the selection. */
    monitoringSettingsId?: string;
    /** How agents are chosen: `all-agents`, `specific-agents`, `agent-labels` or `agent-tags`. */
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
  /** All of them, on one page. */
  realUserTests: RealUserTestProfile[];
}
