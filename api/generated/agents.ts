// `npm run generate` writes this file from the schemas in api/schemas.
import type { AgentRecord } from "./agent-record";
import type { PageLinks, SelfLinks } from "./common";

/** Request body to update an agent. Other properties of an agent cannot change (docs/service/agents.md, Records). */
export interface AgentUpdate {
  /** New display name. */
  name?: string;
  /** New license tier. */
  licenseType?: "advantage" | "embed-wireless-advantage" | "embed-wireless-essentials" | "embedded" | "essentials";
}

/**
 * Filters for an agent search. An agent matches a filter if its attribute has one of the filter's values. The service does not
 * document how several filters combine.
 */
export interface AgentSearchFilters {
  /** Exact identifiers of agents. */
  id?: string[];
  /** Exact names of agents. */
  agentName?: string[];
  /** Exact host names of devices. */
  computerName?: string[];
  /** Beginnings of user names. Case does not matter. */
  username?: string[];
  /** Beginnings of login names such as `user@domain`. Case does not matter. */
  userPrincipalName?: string[];
  /** Families of operating systems. */
  platform?: (
    | "android"
    | "cisco-wireless"
    | "cisco-wireless-cloud"
    | "elux"
    | "linux"
    | "mac"
    | "phoneos"
    | "roomos"
    | "unknown"
    | "windows"
  )[];
  /** Beginnings of operating system versions. Case does not matter. */
  osVersion?: string[];
  /** Exact models of network cards. Case matters. */
  nicModel?: string[];
  /** Exact driver versions of network cards. Case matters. */
  nicDriverVersion?: string[];
  /** Beginnings of serial numbers. Case does not matter. The limits are 50 serial numbers with 50 characters each. */
  serialNumber?: string[];
  /** ISO codes of countries, such as `DE`. */
  locationCountryISO?: string[];
  /** Codes of first-level regions, such as `ENG`. */
  locationSubdivision1Code?: string[];
  /** Beginnings of English city names. */
  locationCity?: string[];
  /** License tiers. */
  licenseType?: ("advantage" | "embed-wireless-advantage" | "embed-wireless-essentials" | "embedded" | "essentials")[];
  /** Device identifiers from a secure-client deployment, which `externalMetadata` of an agent contains. */
  anyConnectDeviceId?: string[];
}

/** Conditions on the time since an agent last contacted the service. */
export interface AgentThresholds {
  /** Conditions on metrics. */
  filters?: {
    /** Metric that the condition compares, in the unit of the metric. */
    name: "last-seen-ms";
    /** Number that the condition compares with the metric. */
    value: number;
    /** `gte` means at least the value, `lte` means at most the value. */
    operator: "gte" | "lte";
  }[];
  /** `and`: a result must meet all conditions. `or`: one condition is enough. The default is not documented. */
  conditionalOperator?: "and" | "or";
}

/** A sort key for agents. */
export interface AgentSort {
  /** Metric or attribute that determines the order. */
  sort: "city" | "name" | "osVersion" | "platform" | "serialNumber" | "userName";
  /** Ascending or descending order. The default is not documented. */
  order?: "asc" | "desc";
}

/** Request body of an agent search. */
export interface AgentSearchRequest {
  /** Sort keys of the results. A later key decides between results with equal earlier keys. */
  searchSort?: AgentSort[];
  /** Conditions on metrics. */
  thresholdFilter?: AgentThresholds;
  /** Conditions on attributes. A result matches a filter if its attribute has one of the filter's values. */
  searchFilters?: AgentSearchFilters;
}

/** A page of agents. */
export interface AgentPage {
  /** The agents of the page. */
  agents: AgentRecord[];
  /** Number of agents on all pages. */
  totalAgents?: number;
  /** Links of the page. */
  _links?: PageLinks;
}

/** The connection string of an account group. */
export interface ConnectionString {
  /** Secret text with which an agent's installer registers the agent in the account group. */
  connectionString: string;
  /** Links of the record. */
  _links?: SelfLinks;
}
