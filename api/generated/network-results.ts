// Written by `npm run generate` from the schemas; change it there.
import type { PageLinks } from "./common";
import type { DynamicTestRecord } from "./dynamic-tests";
import type { ApplicationScore, DynamicResultRecordMembers, ResultRecordMembers } from "./result-record";
import type { ScheduledTestRecord } from "./scheduled-tests";

/** Conditions on network metrics. */
export interface NetworkThresholds {
  /** Conditions on metrics. */
  filters?: {
    /** Metric to compare, in its unit. */
    name:
      | "application-score"
      | "cpu"
      | "jitter"
      | "latency"
      | "loss"
      | "memory"
      | "signal-quality"
      | "zta-ingress-avg-latency"
      | "zta-ingress-jitter"
      | "zta-ingress-loss"
      | "zta-service-avg-latency"
      | "zta-service-jitter"
      | "zta-service-loss";
    /** Number to compare the metric with. */
    value: number;
    /** `gte`: at least the value; `lte`: at most the value. */
    operator: "gte" | "lte";
  }[];
  /** `and`: all conditions must hold. `or`: one is enough. The default is not documented. */
  conditionalOperator?: "and" | "or";
}

/** A sort key for network results. */
export interface NetworkSort {
  /** Metric or attribute to sort by. */
  sort: "cpu" | "jitter" | "latency" | "loss" | "memory" | "round-id" | "signal-quality";
  /** Ascending or descending. The default is not documented. */
  order?: "asc" | "desc";
}

/** Filters of a search for network results of one scheduled test. */
export interface NetworkResultFilters {
  /** Login names (`user@domain`). */
  userPrincipalName?: string[];
  /** Identifiers of agents. */
  agentId?: string[];
  /** Models of network cards. */
  nicModel?: string[];
  /** Driver versions of network cards. */
  nicDriverVersion?: string[];
}

/** Filters of a search for network results of many scheduled tests. */
export interface NetworkResultMultiFilters {
  /** Identifiers of tests. */
  testId?: string[];
  /** Identifiers of agents. */
  agentId?: string[];
  /** Models of network cards. */
  nicModel?: string[];
  /** Driver versions of network cards. */
  nicDriverVersion?: string[];
}

/** Filters of a search for network results of a dynamic test. */
export interface DynamicNetworkResultFilters extends NetworkResultFilters {
  /** Identifiers of Webex conferences. */
  webexConferenceId?: string[];
  /** Correlation identifiers of Webex sessions, UUIDs. */
  webexCorrelationId?: string[];
  /** Local identifiers of Webex SIP sessions. */
  webexLocalSipSessionId?: string[];
}

/** Body of a search in the network results of one scheduled test. */
export interface NetworkResultSearch {
  /** Order of the rows, by the first key and then the others. */
  searchSort?: NetworkSort[];
  /** Conditions on metrics. */
  thresholdFilter?: NetworkThresholds;
  /** Conditions on attributes. A row matches a list if its attribute has one of the values. */
  searchFilters?: NetworkResultFilters;
}

/** Body of a search in the network results of many scheduled tests. */
export interface NetworkResultMultiSearch {
  /** Order of the rows, by the first key and then the others. */
  searchSort?: NetworkSort[];
  /** Conditions on metrics. */
  thresholdFilter?: NetworkThresholds;
  /** Conditions on attributes. A row matches a list if its attribute has one of the values. */
  searchFilters?: NetworkResultMultiFilters;
}

/** Body of a search in the network results of one dynamic test. */
export interface DynamicNetworkResultSearch {
  /** Order of the rows, by the first key and then the others. */
  searchSort?: NetworkSort[];
  /** Conditions on metrics. */
  thresholdFilter?: NetworkThresholds;
  /** Conditions on attributes. A row matches a list if its attribute has one of the values. */
  searchFilters?: DynamicNetworkResultFilters;
}

/** Network metrics of one segment of a zero-trust path. */
export interface ZtaMetrics {
  /** Packet loss, in percent (inferred). */
  loss?: number;
  /** Mean latency, in milliseconds (inferred). */
  avgLatency?: number;
  /** Jitter, in milliseconds (inferred). */
  jitter?: number;
  /** Details of the error. */
  errorMessage?: string;
  /** Segment of the path: `zta_ingress` or `zta_service`. */
  type?: string;
}

/**
 * Network metrics of one agent in one round of a scheduled test. The units are not documented; probably milliseconds, and
 * percent for `loss` (inferred).
 */
export interface NetworkResult extends ResultRecordMembers {
  /** Mean latency, in milliseconds (inferred). */
  avgLatency?: number;
  /** Details of the error. */
  errorDetails?: string;
  /** Jitter, in milliseconds (inferred). */
  jitter?: number;
  /** Quality in the user's experience. */
  score?: ApplicationScore;
  /** Metrics by segment of a zero-trust path. */
  ztaMetrics?: ZtaMetrics[];
  /** Whether the network blocks ICMP. */
  isIcmpBlocked?: boolean;
  /** Packet loss, in percent (inferred). */
  loss?: number;
  /** Longest latency, in milliseconds (inferred). */
  maxLatency?: number;
  /** Shortest latency, in milliseconds (inferred). */
  minLatency?: number;
}

/**
 * Network metrics of one session in one round of a dynamic test. The units are not documented; probably milliseconds, and
 * percent for `loss` (inferred).
 */
export interface DynamicNetworkResult extends NetworkResult, DynamicResultRecordMembers {}

/** A page of network results. */
export interface NetworkResultPage {
  /** The rows of the page. */
  results: NetworkResult[];
  /** Beginning of the results' time range (RFC 3339, UTC). */
  startDate?: string;
  /** End of the results' time range (RFC 3339, UTC). */
  endDate?: string;
  /** Links of the page. */
  _links?: PageLinks;
  /** Number of rows on all pages. */
  totalHits?: number;
}

/** A page of network results of one scheduled test. */
export interface NetworkResultPageOfTest extends NetworkResultPage {
  /** The test of the results. */
  test?: ScheduledTestRecord;
}

/** A page of network results of one dynamic test. */
export interface DynamicNetworkResultPage {
  /** The rows of the page. */
  results: DynamicNetworkResult[];
  /** Beginning of the results' time range (RFC 3339, UTC). */
  startDate?: string;
  /** End of the results' time range (RFC 3339, UTC). */
  endDate?: string;
  /** Links of the page. */
  _links?: PageLinks;
  /** Number of rows on all pages. */
  totalHits?: number;
  /** The test of the results. */
  test?: DynamicTestRecord;
}
