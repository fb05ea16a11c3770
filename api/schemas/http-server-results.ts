import { z } from "zod";
import { booleanParameter, listParameter } from "./common";
import { httpServerResultExpands, httpServerSortKey, httpServerThreshold } from "./enums";
import { httpServerTest } from "./http-server-tests";
import { operation, readByPost } from "./operation";
import { applicationScore, resultPage, resultQuery, resultRecord } from "./result-record";
import { anyOf, searchSort, thresholdFilter } from "./search";

/** Body of a search in HTTP-server results, of one test or of many. `testId` narrows the latter. */
export const httpServerResultSearch = z.object({
  searchSort: searchSort(httpServerSortKey),
  thresholdFilter: thresholdFilter(httpServerThreshold),
  searchFilters: z
    .object({ testId: anyOf, agentId: anyOf, userPrincipalName: anyOf, nicModel: anyOf, nicDriverVersion: anyOf })
    .optional(),
});

/** One agent's request in one round. The unit of its times is not stated: we take milliseconds. */
export const httpServerResult = z.looseObject({
  ...resultRecord,
  score: applicationScore.optional(),
  connectTime: z.number().optional(),
  dnsTime: z.number().optional(),
  /** Phase that failed: `dns`, `connect`, `ssl`, `send`, `receive` or `http`; `none` where nothing did. */
  errorType: z.string().optional(),
  errorDetails: z.string().optional(),
  /** Header fields as text; only with `expand=header`. */
  headers: z.looseObject({ requestHeaders: z.string().optional(), responseHeaders: z.string().optional() }).optional(),
  numRedirects: z.number().optional(),
  receiveTime: z.number().optional(),
  redirectTime: z.number().optional(),
  responseCode: z.number().optional(),
  responseTime: z.number().optional(),
  sslTime: z.number().optional(),
  totalTime: z.number().optional(),
  /** Time to the first byte. */
  waitTime: z.number().optional(),
  wireSize: z.number().optional(),
  throughput: z.number().optional(),
});
export type HttpServerResult = z.output<typeof httpServerResult>;

/** A page of HTTP-server results; `totalHits` counts the rows of all pages. */
export const httpServerResultPage = z.looseObject({
  results: z.array(httpServerResult),
  totalHits: z.number().optional(),
  ...resultPage,
});

const path = "/v7/endpoint/test-results/scheduled-tests";
const query = resultQuery.extend({ expand: listParameter(httpServerResultExpands) });
const body = httpServerResultSearch.default({});

export const httpServerResultOperations = {
  list: operation({
    id: "results.scheduled.httpServer.list",
    method: "GET",
    path: `${path}/{testId}/http-server`,
    query,
    status: 200,
    response: httpServerResultPage.extend({ test: httpServerTest.optional() }),
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
    query: query.extend({ useAllPermittedAids: booleanParameter }),
    body,
    response: httpServerResultPage,
  }),
};
