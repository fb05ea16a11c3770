// `npm run generate` writes this file from the schemas in api/schemas.
import type { PageLinks } from "./common";
import type { HttpServerTestRecord } from "./http-server-tests";
import type { NetworkResultFilters } from "./network-results";
import type { ApplicationScore, ResultRecordMembers } from "./result-record";

/** Filters for a search in HTTP server results. */
export interface HttpServerResultFilters extends NetworkResultFilters {
  /** Identifiers of tests, for a search in the results of many tests. */
  testId?: string[];
}

/** Conditions on the metrics of HTTP server results. */
export interface HttpServerThresholds {
  /** Conditions on metrics. */
  filters?: {
    /** Metric that the condition compares with `value`. */
    name: "application-score" | "connect-time" | "dns-time" | "response-time" | "ssl-time" | "throughput" | "wait-time";
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

/** A sort key for HTTP server results. */
export interface HttpServerSort {
  /** Metric or attribute that determines the order. */
  sort: "connect-time" | "dns-time" | "response-code" | "response-time" | "round-id" | "ssl-time" | "wait-time" | "wire-size";
  /** Ascending or descending order. The service does not document the default order. */
  order?: "asc" | "desc";
}

/** Request body to search the HTTP server results of one test or many tests. */
export interface HttpServerResultSearch {
  /** Sort keys of the results. Each further key sorts the results that all earlier keys treat as equal. */
  searchSort?: HttpServerSort[];
  /** Conditions on metrics. */
  thresholdFilter?: HttpServerThresholds;
  /** Conditions on attributes. A result matches a filter if its attribute has one of the filter's values. */
  searchFilters?: HttpServerResultFilters;
}

/**
 * Result of one agent in one round of an HTTP server test. Times are probably in milliseconds, but the documentation does not specify a
 * unit.
 */
export interface HttpServerResult extends ResultRecordMembers {
  /** Quality of the user's experience. */
  score?: ApplicationScore;
  /** Time until the TCP connection was established, in milliseconds (unit inferred). */
  connectTime?: number;
  /** Time until the host name was resolved, in milliseconds (unit inferred). */
  dnsTime?: number;
  /** Phase of the request that failed: `dns`, `connect`, `ssl`, `send`, `receive` or `http`. `none` means success. */
  errorType?: string;
  /** Details of the error. */
  errorDetails?: string;
  /** Header fields as strings, returned only if `expand` contains `header`. */
  headers?: {
    /** Request line and header fields that the agent sent. */
    requestHeaders?: string;
    /** Status line and header fields that the server returned. */
    responseHeaders?: string;
  };
  /** Number of redirects that the agent followed. */
  numRedirects?: number;
  /** Time from the first to the last byte of the response, in milliseconds (unit inferred). */
  receiveTime?: number;
  /** Total duration of all redirects, in milliseconds (unit inferred). */
  redirectTime?: number;
  /** HTTP status of the response. */
  responseCode?: number;
  /** Time until the first byte of the response, including DNS, connection and TLS, in milliseconds (unit inferred). */
  responseTime?: number;
  /** Time of the TLS handshake, in milliseconds (unit inferred). */
  sslTime?: number;
  /** Time until the last byte of the response, in milliseconds (unit inferred). */
  totalTime?: number;
  /** Time from the request to the first byte of the response, in milliseconds (unit inferred). */
  waitTime?: number;
  /** Number of bytes that the agent received. */
  wireSize?: number;
  /** Download throughput, probably in kilobytes per second. The unit is not documented. */
  throughput?: number;
}

/** A page of HTTP server results. */
export interface HttpServerResultPage {
  /** Results on the page. */
  results: HttpServerResult[];
  /** Start of the requested time range (RFC 3339, UTC). */
  startDate?: string;
  /** End of the requested time range (RFC 3339, UTC). */
  endDate?: string;
  /** Links, such as the link to the next page. */
  _links?: PageLinks;
  /** Total number of results on all pages. */
  totalHits?: number;
}

/** A page of results for one HTTP server test. */
export interface HttpServerResultPageOfTest extends HttpServerResultPage {
  /** The test that produced the results. */
  test?: HttpServerTestRecord;
}
