// Written by `npm run generate` from the schemas; change it there.
import type { AgentRecord } from "./agent-record";
import type { PageLinks, SelfLinks } from "./common";

/** Body of an agent update. Nothing else of an agent can be changed. */
export interface AgentUpdate {
  /** New display name. */
  name?: string;
  /** New license tier. */
  licenseType?: "advantage" | "embed-wireless-advantage" | "embed-wireless-essentials" | "embedded" | "essentials";
}

/**
 * Filters of a search for agents: each list holds values of which one must fit. How several lists are joined is not
 * documented.
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
  /** Models of network cards, exact, case included. */
  nicModel?: string[];
  /** Driver versions of network cards, exact, case included. */
  nicDriverVersion?: string[];
  /** Beginnings of serial numbers; case does not matter. At most 50 of at most 50 characters. */
  serialNumber?: string[];
  /** Countries by their ISO codes, such as `DE`. */
  locationCountryISO?: string[];
  /** First-level regions by their codes, such as `ENG`. */
  locationSubdivision1Code?: string[];
  /** Beginnings of English city names. */
  locationCity?: string[];
  /** License tiers. */
  licenseType?: ("advantage" | "embed-wireless-advantage" | "embed-wireless-essentials" | "embedded" | "essentials")[];
  /** Device identifiers of the secure-client deployment; an agent has its own in `externalMetadata`. */
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
  /** Whether all conditions must hold (`and`) or one is enough (`or`). The default is not documented. */
  conditionalOperator?: "and" | "or";
}

/** A key of the order of agents. */
export interface AgentSort {
  /** Figure or attribute to sort by. */
  sort: "city" | "name" | "osVersion" | "platform" | "serialNumber" | "userName";
  /** Ascending or descending. The default is not documented. */
  order?: "asc" | "desc";
}

/** Body of a search for agents. */
export interface AgentSearchRequest {
  /** Order of the rows: the first key counts most. */
  searchSort?: AgentSort[];
  /** Conditions on metrics. */
  thresholdFilter?: AgentThresholds;
  /** Conditions on attributes: each list holds values of which one must fit. */
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
  /** Text with which the installer of an agent registers it in the account group. It is a secret. */
  connectionString: string;
  /** Links of the record. */
  _links?: SelfLinks;
}
