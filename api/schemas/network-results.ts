import { z } from "zod";
import { booleanParameter, listParameter } from "./common";
import { dynamicTest } from "./dynamic-tests";
import { networkResultExpands, networkSortKey, networkThreshold } from "./enums";
import { operation, readByPost } from "./operation";
import { applicationScore, dynamicResultRecord, resultPage, resultQuery, resultRecord } from "./result-record";
import { scheduledTest } from "./scheduled-tests";
import { anyOf, searchSort, thresholdFilter } from "./search";

const search = { searchSort: searchSort(networkSortKey), thresholdFilter: thresholdFilter(networkThreshold) };
const device = { agentId: anyOf, nicModel: anyOf, nicDriverVersion: anyOf };

/** Body of a search in the network results of one scheduled test. */
export const networkResultSearch = z.object({
  ...search,
  searchFilters: z.object({ ...device, userPrincipalName: anyOf }).optional(),
});

/** Body of a search in the network results of many scheduled tests. */
export const networkResultMultiSearch = z.object({
  ...search,
  searchFilters: z.object({ ...device, testId: anyOf }).optional(),
});

/** Body of a search in the network results of one dynamic test. */
export const dynamicNetworkResultSearch = z.object({
  ...search,
  searchFilters: z
    .object({
      ...device,
      userPrincipalName: anyOf,
      webexConferenceId: anyOf,
      webexCorrelationId: anyOf,
      webexLocalSipSessionId: anyOf,
    })
    .optional(),
});

const ztaMetrics = z.looseObject({
  loss: z.number().optional(),
  avgLatency: z.number().optional(),
  jitter: z.number().optional(),
  errorMessage: z.string().optional(),
  /** Segment of the zero-trust path: `zta_ingress` or `zta_service`. */
  type: z.string().optional(),
});

/** Network metrics of one agent in one round. Units are not stated: we take milliseconds, and percent for `loss`. */
export const networkResult = z.looseObject({
  ...resultRecord,
  avgLatency: z.number().optional(),
  errorDetails: z.string().optional(),
  jitter: z.number().optional(),
  score: applicationScore.optional(),
  ztaMetrics: z.array(ztaMetrics).optional(),
  isIcmpBlocked: z.boolean().optional(),
  loss: z.number().optional(),
  maxLatency: z.number().optional(),
  minLatency: z.number().optional(),
});
export type NetworkResult = z.output<typeof networkResult>;

export const dynamicNetworkResult = networkResult.extend(dynamicResultRecord);
export type DynamicNetworkResult = z.output<typeof dynamicNetworkResult>;

/** A page of network results; `totalHits` counts the rows of all pages. */
export const networkResultPage = z.looseObject({
  results: z.array(networkResult),
  totalHits: z.number().optional(),
  ...resultPage,
});

const path = "/v7/endpoint/test-results";
const query = resultQuery.extend({ expand: listParameter(networkResultExpands) });

/** Reads, though they travel by POST. Pages of one search must be asked for with the same body. */
export const networkResultOperations = {
  filter: operation({
    ...readByPost,
    id: "results.scheduled.network.filter",
    path: `${path}/scheduled-tests/{testId}/network/filter`,
    query,
    body: networkResultSearch.default({}),
    response: networkResultPage.extend({ test: scheduledTest.optional() }),
  }),
  filterMulti: operation({
    ...readByPost,
    id: "results.scheduled.network.filterMulti",
    path: `${path}/scheduled-tests/network/filter`,
    query: query.extend({ max: z.coerce.number().int().min(1).optional(), useAllPermittedAids: booleanParameter }),
    body: networkResultMultiSearch.default({}),
    response: networkResultPage,
  }),
  filterDynamic: operation({
    ...readByPost,
    id: "results.dynamic.network.filter",
    path: `${path}/dynamic-tests/{testId}/network/filter`,
    query,
    body: dynamicNetworkResultSearch.default({}),
    response: networkResultPage.extend({ results: z.array(dynamicNetworkResult), test: dynamicTest.optional() }),
  }),
};
