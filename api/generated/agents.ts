// `npm run generate` writes this file from the schemas in api/schemas.
import type { AgentRecord } from "./agent-record";
import type { PageLinks, SelfLinks } from "./common";

/** Request body to update an agent. An update can change only the name and the license tier (docs/service/agents.md, Records). */
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
  /** Prefixes of user names. The comparison is case-insensitive. */
  username?: string[];
  /** Prefixes of login names such as `user@domain`. The comparison is case-insensitive. */
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
  /** Prefixes of operating system versions. The comparison is case-insensitive. */
  osVersion?: string[];
  /** Exact models of network cards. The comparison is case-sensitive. */
  nicModel?: string[];
  /** Exact driver versions of network cards. The comparison is case-sensitive. */
  nicDriverVersion?: string[];
  /**
   * Prefixes of serial numbers. The comparison is case-insensitive. A request may contain at most 50 serial numbers of at most
   * 50 characters each.
   */
  serialNumber?: string[];
  /** ISO codes of countries, such as `DE`. */
  locationCountryISO?: string[];
  /** Codes of first-level regions, such as `ENG`. */
  locationSubdivision1Code?: string[];
  /** Prefixes of English city names. */
  locationCity?: string[];
  /** License tiers. */
  licenseType?: ("advantage" | "embed-wireless-advantage" | "embed-wireless-essentials" | "embedded" | "essentials")[];
  /** Device identifiers from a secure-client deployment, as in an agent's `externalMetadata`. */
  anyConnectDeviceId?: string[];
}

/** Conditions on the time since an agent last contacted the service. */
export interface AgentThresholds {
  /** Conditions on metrics. */
  filters?: {
    /** Metric that the condition compares with `value`. */
    name: "last-seen-ms";
    /** Number that the condition compares with the metric, in the metric's unit. */
    value: number;
    /** With `gte`, the metric must be at least the value. With `lte`, the metric must be at most the value. */
    operator: "gte" | "lte";
  }[];
  /**
   * With `and`, a result must meet all conditions. With `or`, a result must meet at least one condition. The service does not
   * document the default operator.
   */
  conditionalOperator?: "and" | "or";
}

/** A sort key for agents. */
export interface AgentSort {
  /** Metric or attribute that determines the order. */
  sort: "city" | "name" | "osVersion" | "platform" | "serialNumber" | "userName";
  /** Ascending or descending order. The service does not document the default order. */
  order?: "asc" | "desc";
}

/** Request body of an agent search. */
export interface AgentSearchRequest {
  /** Sort keys of the results. Each further key sorts the results that all earlier keys treat as equal. */
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
  /** Total number of agents on all pages. */
  totalAgents?: number;
  /** Links, such as the link to the next page. */
  _links?: PageLinks;
}

/** The connection string of an account group. */
export interface ConnectionString {
  /** Secret that an agent's installer uses to register the agent in the account group. */
  connectionString: string;
  /** Links, such as the link to the record itself. */
  _links?: SelfLinks;
}
