import { z } from "zod";
import { booleanParameter, listParameter } from "./common";
import { httpServerResultExpands, httpServerSortKey, httpServerThreshold } from "./enums";
import { httpServerTest } from "./http-server-tests";
import { operation, readByPost } from "./operation";
import { applicationScore, resultPage, resultQuery, resultRecord } from "./result-record";
import { anyOf, deviceFilters, search, sortBy, thresholds } from "./search";

/** Filters for a search in HTTP server results. */
export const httpServerResultFilters = z.object({
  /** Identifiers of tests, for a search in the results of many tests. */
  testId: anyOf,
  /** Login names such as `user@domain`. */
  userPrincipalName: anyOf,
  ...deviceFilters,
});
export type HttpServerResultFilters = z.output<typeof httpServerResultFilters>;

/** Conditions on the metrics of HTTP server results. */
export const httpServerThresholds = thresholds(httpServerThreshold);
export type HttpServerThresholds = z.output<typeof httpServerThresholds>;

/** A sort key for HTTP server results. */
export const httpServerSort = sortBy(httpServerSortKey);
export type HttpServerSort = z.output<typeof httpServerSort>;

/** Request body to search the HTTP server results of one test or many tests. */
export const httpServerResultSearch = z.object(search(httpServerSort, httpServerThresholds, httpServerResultFilters));
export type HttpServerResultSearch = z.output<typeof httpServerResultSearch>;

/**
 * Result of one agent in one round of an HTTP server test. Times are probably in milliseconds, but the documentation does not specify a
 * unit.
 */
export const httpServerResult = z.looseObject({
  ...resultRecord,
  /** Quality of the user's experience. */
  score: applicationScore.optional(),
  /** Time until the TCP connection was established, in milliseconds (unit inferred). */
  connectTime: z.number().optional(),
  /** Time until the host name was resolved, in milliseconds (unit inferred). */
  dnsTime: z.number().optional(),
  /** Phase of the request that failed: `dns`, `connect`, `ssl`, `send`, `receive` or `http`. `none` means success. */
  errorType: z.string().optional(),
  /** Details of the error. */
  errorDetails: z.string().optional(),
  /** Header fields as strings, returned only if `expand` contains `header`. */
  headers: z
    .looseObject({
      /** Request line and header fields that the agent sent. */
      requestHeaders: z.string().optional(),
      /** Status line and header fields that the server returned. */
      responseHeaders: z.string().optional(),
    })
    .optional(),
  /** Number of redirects that the agent followed. */
  numRedirects: z.number().optional(),
  /** Time from the first to the last byte of the response, in milliseconds (unit inferred). */
  receiveTime: z.number().optional(),
  /** Total duration of all redirects, in milliseconds (unit inferred). */
  redirectTime: z.number().optional(),
  /** HTTP status of the response. */
  responseCode: z.number().optional(),
  /** Time until the first byte of the response, including DNS, connection and TLS, in milliseconds (unit inferred). */
  responseTime: z.number().optional(),
  /** Time of the TLS handshake, in milliseconds (unit inferred). */
  sslTime: z.number().optional(),
  /** Time until the last byte of the response, in milliseconds (unit inferred). */
  totalTime: z.number().optional(),
  /** Time from the request to the first byte of the response, in milliseconds (unit inferred). */
  waitTime: z.number().optional(),
  /** Number of bytes that the agent received. */
  wireSize: z.number().optional(),
  /** Download throughput, probably in kilobytes per second. The unit is not documented. */
  throughput: z.number().optional(),
});
export type HttpServerResult = z.output<typeof httpServerResult>;

/** A page of HTTP server results. */
export const httpServerResultPage = z.looseObject({
  /** Results on the page. */
  results: z.array(httpServerResult),
  /** Total number of results on all pages. */
  totalHits: z.number().optional(),
  ...resultPage,
});
export type HttpServerResultPage = z.output<typeof httpServerResultPage>;

/** A page of results for one HTTP server test. */
export const httpServerResultPageOfTest = httpServerResultPage.extend({
  /** The test that produced the results. */
  test: httpServerTest.optional(),
});
export type HttpServerResultPageOfTest = z.output<typeof httpServerResultPageOfTest>;

const path = "/v7/endpoint/test-results/scheduled-tests";
const query = resultQuery.extend({
  /** Optional members to include in the response. */
  expand: listParameter(httpServerResultExpands),
});
const body = httpServerResultSearch.default({});

export const httpServerResultOperations = {
  list: operation({
    id: "results.scheduled.httpServer.list",
    method: "GET",
    path: `${path}/{testId}/http-server`,
    query,
    status: 200,
    response: httpServerResultPageOfTest,
  }),
  filter: operation({
    ...readByPost,
    id: "results.scheduled.httpServer.filter",
    path: `${path}/{testId}/http-server/filter`,
    query,
    body,
    response: httpServerResultPage,
  }),
  filterMulti: operation({
    ...readByPost,
    id: "results.scheduled.httpServer.filterMulti",
    path: `${path}/http-server/filter`,
    query: query.extend({
      /** Whether the search includes results from all account groups that the token's user can access. Default: false. */
      useAllPermittedAids: booleanParameter,
    }),
    body,
    response: httpServerResultPage,
  }),
};
