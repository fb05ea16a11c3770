import { z } from "zod";
import { accountGroupQuery, identifier, selfLinks } from "./common";
import { dynamicTest } from "./dynamic-tests";
import { operation } from "./operation";
import { dynamicResultRecord, resultPage, resultQuery, resultRecord } from "./result-record";
import { scheduledTest } from "./scheduled-tests";

const traceMode = {
  pathId: identifier.optional(),
  protocol: z.string().optional(),
  tcpPathTraceMode: z.string().optional(),
  udpPathTraceMode: z.string().optional(),
};

/** A traced path in a list: its length and time, without its hops. */
export const pathTrace = z.looseObject({
  ...traceMode,
  /** Address that the path leads to. */
  ipAddress: z.string().optional(),
  numberOfHops: z.number().optional(),
  responseTime: z.number().optional(),
});

/** A traced path with its hops. */
export const pathRoute = z.looseObject({
  ...traceMode,
  hops: z
    .array(
      z.looseObject({
        /** Place in the path. */
        hop: z.number().optional(),
        ipAddress: z.string().optional(),
        prefix: z.string().optional(),
        rdns: z.string().optional(),
        network: z.string().optional(),
        responseTime: z.number().optional(),
        location: z.string().optional(),
      }),
    )
    .optional(),
});

const base = {
  ...resultRecord,
  asnDetails: z.looseObject({ asName: z.string().optional(), asNumber: z.number().optional() }).optional(),
  server: z.string().optional(),
  sourceIp: z.string().optional(),
  sourcePrefix: z.string().optional(),
};

/** The paths of one agent in one round, as a list shows them. */
export const pathResult = z.looseObject({
  ...base,
  location: z.string().optional(),
  pathTraces: z.array(pathTrace).optional(),
});
export type PathResult = z.output<typeof pathResult>;

/** The same with the hops; paths inside a VPN apart. */
export const pathDetail = z.looseObject({
  ...base,
  pathTraces: z.array(pathRoute).optional(),
  vpnPathTraces: z.array(pathRoute).optional(),
});
export type PathDetail = z.output<typeof pathDetail>;

export const dynamicPathResult = pathResult.extend(dynamicResultRecord);
export const dynamicPathDetail = pathDetail.extend(dynamicResultRecord);

// The seed's interface spells them `/pathvis`, as do links in sample answers; later versions spell them `/path-vis`
// (shared/api/README.md, Where the seed and the public interface disagree).
const scheduled = "/v7/endpoint/test-results/scheduled-tests/{testId}";
const dynamic = "/v7/endpoint/test-results/dynamic-tests/{testId}";
const round = "agent/{agentId}/round/{roundId}";

const detail = { results: z.array(pathDetail), _links: selfLinks.optional() };

export const pathVisualizationOperations = {
  list: operation({
    id: "results.scheduled.pathVis.list",
    method: "GET",
    path: `${scheduled}/pathvis`,
    alias: `${scheduled}/path-vis`,
    query: resultQuery,
    status: 200,
    response: z.looseObject({
      results: z.array(pathResult),
      test: scheduledTest.optional(),
      ...resultPage,
    }),
  }),
  get: operation({
    id: "results.scheduled.pathVis.get",
    method: "GET",
    path: `${scheduled}/pathvis/${round}`,
    alias: `${scheduled}/path-vis/${round}`,
    query: accountGroupQuery,
    status: 200,
    response: z.looseObject({ ...detail, test: scheduledTest.optional() }),
  }),
  listDynamic: operation({
    id: "results.dynamic.pathVis.list",
    method: "GET",
    path: `${dynamic}/pathvis`,
    alias: `${dynamic}/path-vis`,
    query: resultQuery,
    status: 200,
    response: z.looseObject({
      results: z.array(dynamicPathResult),
      test: dynamicTest.optional(),
      totalHits: z.number().optional(),
      ...resultPage,
    }),
  }),
  getDynamic: operation({
    id: "results.dynamic.pathVis.get",
    method: "GET",
    path: `${dynamic}/pathvis/${round}`,
    alias: `${dynamic}/path-vis/${round}`,
    query: accountGroupQuery,
    status: 200,
    response: z.looseObject({ ...detail, results: z.array(dynamicPathDetail), test: dynamicTest.optional() }),
  }),
};
