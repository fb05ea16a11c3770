import { z } from "zod";
import { accountGroupQuery, identifier, selfLinks } from "./common";
import { asnDetails } from "./device";
import { dynamicTest } from "./dynamic-tests";
import { operation } from "./operation";
import { dynamicResultRecord, resultPage, resultQuery, resultRecord } from "./result-record";
import { scheduledTest } from "./scheduled-tests";

const traceMode = {
  /** Identifier of the path. */
  pathId: identifier.optional(),
  /** Protocol of the probes: `icmp`, `tcp` or `udp`. */
  protocol: z.string().optional(),
  /** Mode of TCP probes, such as `syn` or `data-in-session`. */
  tcpPathTraceMode: z.string().optional(),
  /** Mode of UDP probes, such as `stun-pcap`. */
  udpPathTraceMode: z.string().optional(),
};

/** A network path without its routers. */
export const pathTrace = z.looseObject({
  ...traceMode,
  /** Target address of the path. */
  ipAddress: z.string().optional(),
  /** Number of routers on the path. */
  numberOfHops: z.number().optional(),
  /** Round-trip time of the whole path, in milliseconds (unit inferred). */
  responseTime: z.number().optional(),
});
export type PathTrace = z.output<typeof pathTrace>;

/** A network path with its routers. */
export const pathRoute = z.looseObject({
  ...traceMode,
  /** Routers on the path, the nearest first. */
  hops: z
    .array(
      z.looseObject({
        /** Position of the router on the path, counted from 1. */
        hop: z.number().optional(),
        /** Address of the router. */
        ipAddress: z.string().optional(),
        /** Network prefix that contains the router's address. */
        prefix: z.string().optional(),
        /** Host name of the router's address, according to DNS. */
        rdns: z.string().optional(),
        /** Operator and autonomous system of the network. */
        network: z.string().optional(),
        /** Round-trip time to the router, in milliseconds (unit inferred). */
        responseTime: z.number().optional(),
        /** Location of the router. */
        location: z.string().optional(),
      }),
    )
    .optional(),
});
export type PathRoute = z.output<typeof pathRoute>;

const tracedPath = {
  ...resultRecord,
  /** Autonomous system of the agent's public address. */
  asnDetails: asnDetails.optional(),
  /** Target of the test with its port. */
  server: z.string().optional(),
  /** Source address of the path. */
  sourceIp: z.string().optional(),
  /** Network that contains `sourceIp`. */
  sourcePrefix: z.string().optional(),
};

/** The network paths of one agent in one round, without routers. */
export const pathResult = z.looseObject({
  ...tracedPath,
  /** Location of the agent. */
  location: z.string().optional(),
  /** The traced paths. */
  pathTraces: z.array(pathTrace).optional(),
});
export type PathResult = z.output<typeof pathResult>;

/** The network paths of one agent in one round, with routers. */
export const pathDetail = z.looseObject({
  ...tracedPath,
  /** The traced paths. */
  pathTraces: z.array(pathRoute).optional(),
  /** The traced paths inside a VPN. */
  vpnPathTraces: z.array(pathRoute).optional(),
});
export type PathDetail = z.output<typeof pathDetail>;

/** The network paths of one session in one round of a dynamic test, without routers. */
export const dynamicPathResult = pathResult.extend(dynamicResultRecord);
export type DynamicPathResult = z.output<typeof dynamicPathResult>;

/** The network paths of one session in one round of a dynamic test, with routers. */
export const dynamicPathDetail = pathDetail.extend(dynamicResultRecord);
export type DynamicPathDetail = z.output<typeof dynamicPathDetail>;

/** A page of network paths for a scheduled test. */
export const pathResultPage = z.looseObject({
  /** Results on the page. */
  results: z.array(pathResult),
  /** The test that produced the paths. */
  test: scheduledTest.optional(),
  ...resultPage,
});
export type PathResultPage = z.output<typeof pathResultPage>;

/** The network paths of one agent in one round of a scheduled test. */
export const pathDetails = z.looseObject({
  /** The paths. */
  results: z.array(pathDetail),
  /** The test that produced the paths. */
  test: scheduledTest.optional(),
  /** Links, such as the link to the record itself. */
  _links: selfLinks.optional(),
});
export type PathDetails = z.output<typeof pathDetails>;

/** A page of network paths for a dynamic test. */
export const dynamicPathResultPage = z.looseObject({
  /** Results on the page. */
  results: z.array(dynamicPathResult),
  /** The test that produced the paths. */
  test: dynamicTest.optional(),
  /** Total number of results on all pages. */
  totalHits: z.number().optional(),
  ...resultPage,
});
export type DynamicPathResultPage = z.output<typeof dynamicPathResultPage>;

/** The network paths of one agent in one round of a dynamic test. */
export const dynamicPathDetails = z.looseObject({
  /** The paths. */
  results: z.array(dynamicPathDetail),
  /** The test that produced the paths. */
  test: dynamicTest.optional(),
  /** Links, such as the link to the record itself. */
  _links: selfLinks.optional(),
});
export type DynamicPathDetails = z.output<typeof dynamicPathDetails>;

// Early documentation and sample responses spell the path `/pathvis`. Later versions of the documentation spell the path
// `/path-vis` (docs/service/requests.md, Versions).
const scheduled = "/v7/endpoint/test-results/scheduled-tests/{testId}";
const dynamic = "/v7/endpoint/test-results/dynamic-tests/{testId}";
const round = "agent/{agentId}/round/{roundId}";

export const pathVisualizationOperations = {
  list: operation({
    id: "results.scheduled.pathVis.list",
    method: "GET",
    path: `${scheduled}/pathvis`,
    alias: `${scheduled}/path-vis`,
    query: resultQuery,
    status: 200,
    response: pathResultPage,
  }),
  get: operation({
    id: "results.scheduled.pathVis.get",
    method: "GET",
    path: `${scheduled}/pathvis/${round}`,
    alias: `${scheduled}/path-vis/${round}`,
    query: accountGroupQuery,
    status: 200,
    response: pathDetails,
  }),
  listDynamic: operation({
    id: "results.dynamic.pathVis.list",
    method: "GET",
    path: `${dynamic}/pathvis`,
    alias: `${dynamic}/path-vis`,
    query: resultQuery,
    status: 200,
    response: dynamicPathResultPage,
  }),
  getDynamic: operation({
    id: "results.dynamic.pathVis.get",
    method: "GET",
    path: `${dynamic}/pathvis/${round}`,
    alias: `${dynamic}/path-vis/${round}`,
    query: accountGroupQuery,
    status: 200,
    response: dynamicPathDetails,
  }),
};
