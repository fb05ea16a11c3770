import { z } from "zod";
import { booleanParameter, listParameter } from "./common";
import { httpServerResultExpands, httpServerSortKey, httpServerThreshold } from "./enums";
import { httpServerTest } from "./http-server-tests";
import { operation, readByPost } from "./operation";
import { applicationScore, resultPage, resultQuery, resultRecord } from "./result-record";
import { anyOf, deviceFilters, search, sortBy, thresholds } from "./search";

/** Filters of a search for HTTP server results. */
export const httpServerResultFilters = z.object({
  /** Identifiers of tests. They restrict a search in the results of many tests. */
  testId: anyOf,
  /** Login names (`user@domain`). */
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

/** Body of a search in HTTP server results of one test or of many tests. */
export const httpServerResultSearch = z.object(search(httpServerSort, httpServerThresholds, httpServerResultFilters));
export type HttpServerResultSearch = z.output<typeof httpServerResultSearch>;

/**
 * One agent's request in one round of an HTTP server test. The unit of its times is not documented; probably milliseconds
 * (inferred).
 */
export const httpServerResult = z.looseObject({
  ...resultRecord,
  /** Quality in the user's experience. */
  score: applicationScore.optional(),
  /** Time until the TCP connection was established, in milliseconds (inferred). */
  connectTime: z.number().optional(),
  /** Time until the host name was resolved, in milliseconds (inferred). */
  dnsTime: z.number().optional(),
  /** Phase that failed: `dns`, `connect`, `ssl`, `send`, `receive` or `http`; `none` if no phase failed. */
  errorType: z.string().optional(),
  /** Details of the error. */
  errorDetails: z.string().optional(),
  /** Header fields as text. Only with `header` in `expand`. */
  headers: z
    .looseObject({
      /** Request line and header fields as the agent sent them. */
      requestHeaders: z.string().optional(),
      /** Status line and header fields as the server answered. */
      responseHeaders: z.string().optional(),
    })
    .optional(),
  /** Number of redirects that the agent followed. */
  numRedirects: z.number().optional(),
  /** Time from the first to the last byte of the answer, in milliseconds (inferred). */
  receiveTime: z.number().optional(),
  /** Duration of redirects, in milliseconds (inferred). */
  redirectTime: z.number().optional(),
  /** HTTP status of the answer. */
  responseCode: z.number().optional(),
  /** Time until the first byte of the answer, including DNS, connection and TLS, in milliseconds (inferred). */
  responseTime: z.number().optional(),
  /** Time of the TLS handshake, in milliseconds (inferred). */
  sslTime: z.number().optional(),
  /** Time until the last byte of the answer, in milliseconds (inferred). */
  totalTime: z.number().optional(),
  /** Time from the request to the first byte of the answer, in milliseconds (inferred). */
  waitTime: z.number().optional(),
  /** Bytes received. */
  wireSize: z.number().optional(),
  /** Receiving speed. The unit is not documented; probably kilobytes per second (inferred). */
  throughput: z.number().optional(),
});
export type HttpServerResult = z.output<typeof httpServerResult>;

/** A page of HTTP server results. */
export const httpServerResultPage = z.looseObject({
  /** The rows of the page. */
  results: z.array(httpServerResult),
  /** Number of rows on all pages. */
  totalHits: z.number().optional(),
  ...resultPage,
});
export type HttpServerResultPage = z.output<typeof httpServerResultPage>;

/** A page of results of one HTTP server test. */
export const httpServerResultPageOfTest = httpServerResultPage.extend({
  /** The test of the results. */
  test: httpServerTest.optional(),
});
export type HttpServerResultPageOfTest = z.output<typeof httpServerResultPageOfTest>;

const path = "/v7/endpoint/test-results/scheduled-tests";
const query = resultQuery.extend({
  /** Optional parts to include. */
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
      /** Whether to include results of all account groups that the token's user may see. Default: false. */
      useAllPermittedAids: booleanParameter,
    }),
    body,
    response: httpServerResultPage,
  }),
};
