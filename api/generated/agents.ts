// Written by `npm run generate` from the schemas; change it there.
import type { AgentRecord } from "./agent-record";
import type { PageLinks, SelfLinks } from "./common";

/** Body of an agent update. Other properties of an agent cannot be changed. */
export interface AgentUpdate {
  /** New display name. */
  name?: string;
  /** New license tier. */
  licenseType?: "advantage" | "embed-wireless-advantage" | "embed-wireless-essentials" | "embedded" | "essentials";
}

/**
 * Filters of a search for agents. An agent matches a list if its attribute has one of the values. The combination of several
 * lists is not documented.
 */
export interface AgentSearchFilters {
  /** Identifiers of agents, exact. */
  id?: string[];
  /** Names of agents, exact. */
  agentName?: string[];
  /** Host names of devices, exact. */
  computerName?: string[];
  /** Beginnings of user names; case does not matter. */
  username?: string[];
  /** Beginnings of login names (`user@domain`); case does not matter. */
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
  /** Beginnings of operating system versions; case does not matter. */
  osVersion?: string[];
  /** Models of network cards, exact and case-sensitive. */
  nicModel?: string[];
  /** Driver versions of network cards, exact and case-sensitive. */
  nicDriverVersion?: string[];
  /** Beginnings of serial numbers; case does not matter. At most 50, with at most 50 characters each. */
  serialNumber?: string[];
  /** Countries by their ISO codes, such as `DE`. */
  locationCountryISO?: string[];
  /** First-level regions by their codes, such as `ENG`. */
  locationSubdivision1Code?: string[];
  /** Beginnings of English city names. */
  locationCity?: string[];
  /** License tiers. */
  licenseType?: ("advantage" | "embed-wireless-advantage" | "embed-wireless-essentials" | "embedded" | "essentials")[];
  /** Device identifiers of the secure-client deployment. Agents have them in `externalMetadata`. */
  anyConnectDeviceId?: string[];
}

/** Conditions on the time since the last check-in. */
export interface AgentThresholds {
  /** Conditions on metrics. */
  filters?: {
    /** Metric to compare, in its unit. */
    name: "last-seen-ms";
    /** Number to compare the metric with. */
    value: number;
    /** `gte`: at least the value; `lte`: at most the value. */
    operator: "gte" | "lte";
  }[];
  /** `and`: all conditions must hold. `or`: one is enough. The default is not documented. */
  conditionalOperator?: "and" | "or";
}

/** A sort key for agents. */
export interface AgentSort {
  /** Metric or attribute to sort by. */
  sort: "city" | "name" | "osVersion" | "platform" | "serialNumber" | "userName";
  /** Ascending or descending. The default is not documented. */
  order?: "asc" | "desc";
}

/** Body of a search for agents. */
export interface AgentSearchRequest {
  /** Order of the rows, by the first key and then the others. */
  searchSort?: AgentSort[];
  /** Conditions on metrics. */
  thresholdFilter?: AgentThresholds;
  /** Conditions on attributes. A row matches a list if its attribute has one of the values. */
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
  /** Text with which an agent's installer registers the agent in the account group. It is a secret. */
  connectionString: string;
  /** Links of the record. */
  _links?: SelfLinks;
}
