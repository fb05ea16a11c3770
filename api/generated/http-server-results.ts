// Written by `npm run generate` from the schemas; change it there.
import type { PageLinks } from "./common";
import type { HttpServerTestRecord } from "./http-server-tests";
import type { NetworkResultFilters } from "./network-results";
import type { ApplicationScore, ResultRecordMembers } from "./result-record";

/** Filters of a search for HTTP-server results. */
export interface HttpServerResultFilters extends NetworkResultFilters {
  /** Identifiers of tests; they narrow a search in the results of many tests. */
  testId?: string[];
}

/** Conditions on the metrics of HTTP-server results. */
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
  /** Whether all conditions must hold (`and`) or one is enough (`or`). The default is not documented. */
  conditionalOperator?: "and" | "or";
}

/** A key of the order of HTTP-server results. */
export interface HttpServerSort {
  /** Figure or attribute to sort by. */
  sort: "connect-time" | "dns-time" | "response-code" | "response-time" | "round-id" | "ssl-time" | "wait-time" | "wire-size";
  /** Ascending or descending. The default is not documented. */
  order?: "asc" | "desc";
}

/** Body of a search in HTTP-server results, of one test or of many. */
export interface HttpServerResultSearch {
  /** Order of the rows: the first key counts most. */
  searchSort?: HttpServerSort[];
  /** Conditions on metrics. */
  thresholdFilter?: HttpServerThresholds;
  /** Conditions on attributes: each list holds values of which one must fit. */
  searchFilters?: HttpServerResultFilters;
}

/** One agent's request in one round of an HTTP-server test. The unit of its times is not stated: milliseconds (inferred). */
export interface HttpServerResult extends ResultRecordMembers {
  /** Quality as users feel it. */
  score?: ApplicationScore;
  /** Time until the TCP connection was established, in milliseconds (inferred). */
  connectTime?: number;
  /** Time until the host name was resolved, in milliseconds (inferred). */
  dnsTime?: number;
  /** Phase that failed: `dns`, `connect`, `ssl`, `send`, `receive` or `http`; `none` where nothing did. */
  errorType?: string;
  /** Details of the error. */
  errorDetails?: string;
  /** Header fields as text; only with `header` in `expand`. */
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
  /** Time that redirects took, in milliseconds (inferred). */
  redirectTime?: number;
  /** HTTP status of the answer. */
  responseCode?: number;
  /** Time until the first byte of the answer, DNS, connection and TLS included, in milliseconds (inferred). */
  responseTime?: number;
  /** Time of the TLS handshake, in milliseconds (inferred). */
  sslTime?: number;
  /** Time until the last byte of the answer, in milliseconds (inferred). */
  totalTime?: number;
  /** Time from the request to the first byte of the answer, in milliseconds (inferred). */
  waitTime?: number;
  /** Bytes received. */
  wireSize?: number;
  /** Speed of receiving. The unit is not stated: kilobytes a second (inferred). */
  throughput?: number;
}

/** A page of HTTP-server results. */
export interface HttpServerResultPage {
  /** The rows of the page. */
  results: HttpServerResult[];
  /** Beginning of the time of the results (RFC 3339, UTC). */
  startDate?: string;
  /** End of the time of the results (RFC 3339, UTC). */
  endDate?: string;
  /** Links of the page. */
  _links?: PageLinks;
  /** Number of rows on all pages. */
  totalHits?: number;
}

/** A page of results of one HTTP-server test. */
export interface HttpServerResultPageOfTest extends HttpServerResultPage {
  /** The test. */
  test?: HttpServerTestRecord;
}
