import { z } from "zod";
import { booleanParameter, listParameter } from "./common";
import { dynamicTest } from "./dynamic-tests";
import { networkResultExpands, networkSortKey, networkThreshold } from "./enums";
import { operation, readByPost } from "./operation";
import { applicationScore, dynamicResultRecord, resultPage, resultQuery, resultRecord } from "./result-record";
import { scheduledTest } from "./scheduled-tests";
import { anyOf, deviceFilters, search, sortBy, thresholds } from "./search";

/** Conditions on network metrics. */
export const networkThresholds = thresholds(networkThreshold);
export type NetworkThresholds = z.output<typeof networkThresholds>;

/** A sort key for network results. */
export const networkSort = sortBy(networkSortKey);
export type NetworkSort = z.output<typeof networkSort>;

/** Filters for a search in the network results of one scheduled test. */
export const networkResultFilters = z.object({
  ...deviceFilters,
  /** Login names such as `user@domain`. */
  userPrincipalName: anyOf,
});
export type NetworkResultFilters = z.output<typeof networkResultFilters>;

/** Filters for a search in the network results of many scheduled tests. */
export const networkResultMultiFilters = z.object({
  ...deviceFilters,
  /** Identifiers of tests. */
  testId: anyOf,
});
export type NetworkResultMultiFilters = z.output<typeof networkResultMultiFilters>;

/** Filters for a search in the network results of a dynamic test. */
export const dynamicNetworkResultFilters = z.object({
  ...deviceFilters,
  /** Login names such as `user@domain`. */
  userPrincipalName: anyOf,
  /** Identifiers of Webex conferences. */
  webexConferenceId: anyOf,
  /** Correlation identifiers of Webex sessions (UUIDs). */
  webexCorrelationId: anyOf,
  /** Local identifiers of Webex SIP sessions. */
  webexLocalSipSessionId: anyOf,
});
export type DynamicNetworkResultFilters = z.output<typeof dynamicNetworkResultFilters>;

/** Request body to search the network results of one scheduled test. */
export const networkResultSearch = z.object(search(networkSort, networkThresholds, networkResultFilters));
export type NetworkResultSearch = z.output<typeof networkResultSearch>;

/** Request body to search the network results of many scheduled tests. */
export const networkResultMultiSearch = z.object(search(networkSort, networkThresholds, networkResultMultiFilters));
export type NetworkResultMultiSearch = z.output<typeof networkResultMultiSearch>;

/** Request body to search the network results of one dynamic test. */
export const dynamicNetworkResultSearch = z.object(search(networkSort, networkThresholds, dynamicNetworkResultFilters));
export type DynamicNetworkResultSearch = z.output<typeof dynamicNetworkResultSearch>;

/** Network metrics of one segment of a zero-trust path. */
export const ztaMetrics = z.looseObject({
  /** Packet loss, in percent (unit inferred). */
  loss: z.number().optional(),
  /** Mean latency, in milliseconds (unit inferred). */
  avgLatency: z.number().optional(),
  /** Jitter, in milliseconds (unit inferred). */
  jitter: z.number().optional(),
  /** Details of the error in the segment. */
  errorMessage: z.string().optional(),
  /** Segment of the zero-trust path: `zta_ingress` or `zta_service`. */
  type: z.string().optional(),
});
export type ZtaMetrics = z.output<typeof ztaMetrics>;

/**
 * Network metrics of one agent in one round of a scheduled test. The service documents no units. Times are probably in
 * milliseconds, and `loss` is probably in percent.
 */
export const networkResult = z.looseObject({
  ...resultRecord,
  /** Mean latency, in milliseconds (unit inferred). */
  avgLatency: z.number().optional(),
  /** Details of the measurement error. */
  errorDetails: z.string().optional(),
  /** Jitter, in milliseconds (unit inferred). */
  jitter: z.number().optional(),
  /** Quality of the user's experience. */
  score: applicationScore.optional(),
  /** Network metrics of each segment of a zero-trust path. */
  ztaMetrics: z.array(ztaMetrics).optional(),
  /** Whether the network blocks ICMP packets. */
  isIcmpBlocked: z.boolean().optional(),
  /** Packet loss, in percent (unit inferred). */
  loss: z.number().optional(),
  /** Longest latency, in milliseconds (unit inferred). */
  maxLatency: z.number().optional(),
  /** Shortest latency, in milliseconds (unit inferred). */
  minLatency: z.number().optional(),
});
export type NetworkResult = z.output<typeof networkResult>;

/**
 * Network metrics of one session in one round of a dynamic test. The service documents no units. Times are probably in
 * milliseconds, and `loss` is probably in percent.
 */
export const dynamicNetworkResult = networkResult.extend(dynamicResultRecord);
export type DynamicNetworkResult = z.output<typeof dynamicNetworkResult>;

/** A page of network results. */
export const networkResultPage = z.looseObject({
  /** Results on the page. */
  results: z.array(networkResult),
  /** Total number of results on all pages. */
  totalHits: z.number().optional(),
  ...resultPage,
});
export type NetworkResultPage = z.output<typeof networkResultPage>;

/** A page of network results for one scheduled test. */
export const networkResultPageOfTest = networkResultPage.extend({
  /** The test that produced the results. */
  test: scheduledTest.optional(),
});
export type NetworkResultPageOfTest = z.output<typeof networkResultPageOfTest>;

/** A page of network results for one dynamic test. */
export const dynamicNetworkResultPage = networkResultPage.extend({
  /** Results on the page. */
  results: z.array(dynamicNetworkResult),
  /** The test that produced the results. */
  test: dynamicTest.optional(),
});
export type DynamicNetworkResultPage = z.output<typeof dynamicNetworkResultPage>;

const path = "/v7/endpoint/test-results";
const query = resultQuery.extend({
  /** Optional members to include in the response. */
  expand: listParameter(networkResultExpands),
});

/** Searches for network results use POST, but only read data. A search must send the same body for every page. */
export const networkResultOperations = {
  filter: operation({
    ...readByPost,
    id: "results.scheduled.network.filter",
    path: `${path}/scheduled-tests/{testId}/network/filter`,
    query,
    body: networkResultSearch.default({}),
    response: networkResultPageOfTest,
  }),
  filterMulti: operation({
    ...readByPost,
    id: "results.scheduled.network.filterMulti",
    path: `${path}/scheduled-tests/network/filter`,
    query: query.extend({
      /** Requested number of items per page, at least 1. The service may return a different number of items. */
      max: z.coerce.number().int().min(1).optional(),
      /** Whether the search includes results from all account groups that the token's user can access. Default: false. */
      useAllPermittedAids: booleanParameter,
    }),
    body: networkResultMultiSearch.default({}),
    response: networkResultPage,
  }),
  filterDynamic: operation({
    ...readByPost,
    id: "results.dynamic.network.filter",
    path: `${path}/dynamic-tests/{testId}/network/filter`,
    query,
    body: dynamicNetworkResultSearch.default({}),
    response: dynamicNetworkResultPage,
  }),
};
