// `npm run generate` writes this file from the schemas in api/schemas.
import type { PageLinks } from "./common";
import type { DynamicTestRecord } from "./dynamic-tests";
import type { ApplicationScore, DynamicResultRecordMembers, ResultRecordMembers } from "./result-record";
import type { ScheduledTestRecord } from "./scheduled-tests";

/** Conditions on network metrics. */
export interface NetworkThresholds {
  /** Conditions on metrics. */
  filters?: {
    /** Metric that the condition compares with `value`. */
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

/** A sort key for network results. */
export interface NetworkSort {
  /** Metric or attribute that determines the order. */
  sort: "cpu" | "jitter" | "latency" | "loss" | "memory" | "round-id" | "signal-quality";
  /** Ascending or descending order. The service does not document the default order. */
  order?: "asc" | "desc";
}

/** Filters for a search in the network results of one scheduled test. */
export interface NetworkResultFilters {
  /** Login names such as `user@domain`. */
  userPrincipalName?: string[];
  /** Identifiers of agents. */
  agentId?: string[];
  /** Models of network cards. */
  nicModel?: string[];
  /** Driver versions of network cards. */
  nicDriverVersion?: string[];
}

/** Filters for a search in the network results of many scheduled tests. */
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

/** Filters for a search in the network results of a dynamic test. */
export interface DynamicNetworkResultFilters extends NetworkResultFilters {
  /** Identifiers of Webex conferences. */
  webexConferenceId?: string[];
  /** Correlation identifiers of Webex sessions (UUIDs). */
  webexCorrelationId?: string[];
  /** Local identifiers of Webex SIP sessions. */
  webexLocalSipSessionId?: string[];
}

/** Request body to search the network results of one scheduled test. */
export interface NetworkResultSearch {
  /** Sort keys of the results. Each further key sorts the results that all earlier keys treat as equal. */
  searchSort?: NetworkSort[];
  /** Conditions on metrics. */
  thresholdFilter?: NetworkThresholds;
  /** Conditions on attributes. A result matches a filter if its attribute has one of the filter's values. */
  searchFilters?: NetworkResultFilters;
}

/** Request body to search the network results of many scheduled tests. */
export interface NetworkResultMultiSearch {
  /** Sort keys of the results. Each further key sorts the results that all earlier keys treat as equal. */
  searchSort?: NetworkSort[];
  /** Conditions on metrics. */
  thresholdFilter?: NetworkThresholds;
  /** Conditions on attributes. A result matches a filter if its attribute has one of the filter's values. */
  searchFilters?: NetworkResultMultiFilters;
}

/** Request body to search the network results of one dynamic test. */
export interface DynamicNetworkResultSearch {
  /** Sort keys of the results. Each further key sorts the results that all earlier keys treat as equal. */
  searchSort?: NetworkSort[];
  /** Conditions on metrics. */
  thresholdFilter?: NetworkThresholds;
  /** Conditions on attributes. A result matches a filter if its attribute has one of the filter's values. */
  searchFilters?: DynamicNetworkResultFilters;
}

/** Network metrics of one segment of a zero-trust path. */
export interface ZtaMetrics {
  /** Packet loss, in percent (unit inferred). */
  loss?: number;
  /** Mean latency, in milliseconds (unit inferred). */
  avgLatency?: number;
  /** Jitter, in milliseconds (unit inferred). */
  jitter?: number;
  /** Details of the error in the segment. */
  errorMessage?: string;
  /** Segment of the zero-trust path: `zta_ingress` or `zta_service`. */
  type?: string;
}

/**
 * Network metrics of one agent in one round of a scheduled test. The service documents no units. Times are probably in
 * milliseconds, and `loss` is probably in percent.
 */
export interface NetworkResult extends ResultRecordMembers {
  /** Mean latency, in milliseconds (unit inferred). */
  avgLatency?: number;
  /** Details of the measurement error. */
  errorDetails?: string;
  /** Jitter, in milliseconds (unit inferred). */
  jitter?: number;
  /** Quality of the user's experience. */
  score?: ApplicationScore;
  /** Network metrics of each segment of a zero-trust path. */
  ztaMetrics?: ZtaMetrics[];
  /** Whether the network blocks ICMP packets. */
  isIcmpBlocked?: boolean;
  /** Packet loss, in percent (unit inferred). */
  loss?: number;
  /** Longest latency, in milliseconds (unit inferred). */
  maxLatency?: number;
  /** Shortest latency, in milliseconds (unit inferred). */
  minLatency?: number;
}

/**
 * Network metrics of one session in one round of a dynamic test. The service documents no units. Times are probably in
 * milliseconds, and `loss` is probably in percent.
 */
export interface DynamicNetworkResult extends NetworkResult, DynamicResultRecordMembers {}

/** A page of network results. */
export interface NetworkResultPage {
  /** Results on the page. */
  results: NetworkResult[];
  /** Start of the requested time range (RFC 3339, UTC). */
  startDate?: string;
  /** End of the requested time range (RFC 3339, UTC). */
  endDate?: string;
  /** Links, such as the link to the next page. */
  _links?: PageLinks;
  /** Total number of results on all pages. */
  totalHits?: number;
}

/** A page of network results for one scheduled test. */
export interface NetworkResultPageOfTest extends NetworkResultPage {
  /** The test that produced the results. */
  test?: ScheduledTestRecord;
}

/** A page of network results for one dynamic test. */
export interface DynamicNetworkResultPage {
  /** Results on the page. */
  results: DynamicNetworkResult[];
  /** Start of the requested time range (RFC 3339, UTC). */
  startDate?: string;
  /** End of the requested time range (RFC 3339, UTC). */
  endDate?: string;
  /** Links, such as the link to the next page. */
  _links?: PageLinks;
  /** Total number of results on all pages. */
  totalHits?: number;
  /** The test that produced the results. */
  test?: DynamicTestRecord;
}
