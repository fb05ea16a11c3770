// Written by `npm run generate` from the schemas; change it there.
import type { PageLinks } from "./common";
import type { HttpServerTestRecord } from "./http-server-tests";
import type { NetworkResultFilters } from "./network-results";
import type { ApplicationScore, ResultRecordMembers } from "./result-record";

/** Filters of a search for HTTP server results. */
export interface HttpServerResultFilters extends NetworkResultFilters {
  /** Identifiers of tests. They restrict a search in the results of many tests. */
  testId?: string[];
}

/** Conditions on the metrics of HTTP server results. */
export interface HttpServerThresholds {
  /** Conditions on metrics. */
  filters?: {
    /** Metric to compare, in its unit. */
    name: "application-score" | "connect-time" | "dns-time" | "response-time" | "ssl-time" | "throughput" | "wait-time";
    /** Number to compare the metric with. */
    value: number;
    /** `gte`: at least the value; `lte`: at most the value. */
    operator: "gte" | "lte";
  }[];
  /** `and`: all conditions must hold. `or`: one is enough. The default is not documented. */
  conditionalOperator?: "and" | "or";
}

/** A sort key for HTTP server results. */
export interface HttpServerSort {
  /** Metric or attribute to sort by. */
  sort: "connect-time" | "dns-time" | "response-code" | "response-time" | "round-id" | "ssl-time" | "wait-time" | "wire-size";
  /** Ascending or descending. The default is not documented. */
  order?: "asc" | "desc";
}

/** Body of a search in HTTP server results of one test or of many tests. */
export interface HttpServerResultSearch {
  /** Order of the rows, by the first key and then the others. */
  searchSort?: HttpServerSort[];
  /** Conditions on metrics. */
  thresholdFilter?: HttpServerThresholds;
  /** Conditions on attributes. A row matches a list if its attribute has one of the values. */
  searchFilters?: HttpServerResultFilters;
}

/**
 * One agent's request in one round of an HTTP server test. The unit of its times is not documented; probably milliseconds
 * (inferred).
 */
export interface HttpServerResult extends ResultRecordMembers {
  /** Quality in the user's experience. */
  score?: ApplicationScore;
  /** Time until the TCP connection was established, in milliseconds (inferred). */
  connectTime?: number;
  /** Time until the host name was resolved, in milliseconds (inferred). */
  dnsTime?: number;
  /** Phase that failed: `dns`, `connect`, `ssl`, `send`, `receive` or `http`; `none` if no phase failed. */
  errorType?: string;
  /** Details of the error. */
  errorDetails?: string;
  /** Header fields as text. Only with `header` in `expand`. */
  headers?: {
    /** Request line and header fields as the agent sent them. */
    requestHeaders?: string;
    /** Status line and header fields as the server answered. */
    responseHeaders?: string;
  };
  /** Number of redirects that the agent followed. */
  numRedirects?: number;
  /** Time from the first to the last byte of the answer, in milliseconds (inferred). */
  receiveTime?: number;
  /** Duration of redirects, in milliseconds (inferred). */
  redirectTime?: number;
  /** HTTP status of the answer. */
  responseCode?: number;
  /** Time until the first byte of the answer, including DNS, connection and TLS, in milliseconds (inferred). */
  responseTime?: number;
  /** Time of the TLS handshake, in milliseconds (inferred). */
  sslTime?: number;
  /** Time until the last byte of the answer, in milliseconds (inferred). */
  totalTime?: number;
  /** Time from the request to the first byte of the answer, in milliseconds (inferred). */
  waitTime?: number;
  /** Bytes received. */
  wireSize?: number;
  /** Receiving speed. The unit is not documented; probably kilobytes per second (inferred). */
  throughput?: number;
}

/** A page of HTTP server results. */
export interface HttpServerResultPage {
  /** The rows of the page. */
  results: HttpServerResult[];
  /** Beginning of the results' time range (RFC 3339, UTC). */
  startDate?: string;
  /** End of the results' time range (RFC 3339, UTC). */
  endDate?: string;
  /** Links of the page. */
  _links?: PageLinks;
  /** Number of rows on all pages. */
  totalHits?: number;
}

/** A page of results of one HTTP server test. */
export interface HttpServerResultPageOfTest extends HttpServerResultPage {
  /** The test of the results. */
  test?: HttpServerTestRecord;
}
