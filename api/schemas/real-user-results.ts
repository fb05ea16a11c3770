import { z } from "zod";
import { accountGroupQuery, identifier, selfLinks } from "./common";
import { trigger } from "./enums";
import { ping, systemMetrics, traceroute } from "./measurements";
import { networkProfile } from "./network-profile";
import { operation, readByPost } from "./operation";
import { coordinates, resultPage, resultQuery } from "./result-record";
import { anyOf, surroundingsFilters } from "./search";

/** What real user tests are searched by. */
export const realUserResultFilters = z.object({
  ...surroundingsFilters,
  destinationIp: anyOf,
  domain: anyOf,
  trigger: z.array(trigger).optional(),
  visitedSite: anyOf,
});

/** Body of a search in real user tests and in their networks. */
export const realUserResultSearch = z.object({ searchFilters: realUserResultFilters.optional() });

const visit = {
  /** Identifier of the real user test, which is one visit of one site. */
  id: identifier,
  agentId: identifier.optional(),
  committed: z.string().optional(),
  date: z.string().optional(),
  /** From 0 to 1. */
  experienceScore: z.number().optional(),
  numberOfPages: z.number().optional(),
  /** Whose network the site is in. */
  organizationName: z.string().optional(),
  port: z.number().optional(),
  protocol: z.string().optional(),
  roundId: z.number().optional(),
  sourceAddress: z.string().optional(),
  visitedSite: z.string().optional(),
};

/** A visit as a list shows it. */
export const realUserResult = z.looseObject({ ...visit, pageId: z.string().optional() });
export type RealUserResult = z.output<typeof realUserResult>;

/** A page of a visit. */
export const visitedPage = z.looseObject({
  pageId: identifier,
  pageTitle: z.string().optional(),
  pageUrl: z.string().optional(),
  loadDate: z.string().optional(),
  responseCode: z.number().optional(),
  pageTimings: z.looseObject({ onContentLoad: z.number().optional(), onLoad: z.number().optional() }).optional(),
});
export type VisitedPage = z.output<typeof visitedPage>;

/** A page of a visit as a search finds it. */
export const visitedPageResult = visitedPage.extend({
  /** The visit it belongs to. */
  id: identifier,
  agentId: identifier.optional(),
  roundId: z.number().optional(),
  responseTime: z.number().optional(),
  systemMetrics: systemMetrics.optional(),
});
export type VisitedPageResult = z.output<typeof visitedPageResult>;

/** The network as it was during a visit. */
export const visitNetwork = z.looseObject({
  networkProfile: networkProfile.optional(),
  systemMetrics: systemMetrics.optional(),
  gatewayPing: ping.optional(),
  ping: ping.optional(),
  traceroute: traceroute.optional(),
  connectRtt: z.number().optional(),
  isIcmpBlocked: z.boolean().optional(),
  errors: z.array(z.string()).optional(),
  vpnPing: ping.optional(),
  vpnTraceroute: traceroute.optional(),
});

/** A visit with its pages and its network. */
export const realUserDetail = z.looseObject({
  ...visit,
  browser: z.looseObject({ name: z.string().optional(), version: z.string().optional() }).optional(),
  coordinates: coordinates.optional(),
  pages: z.array(visitedPage).optional(),
  network: visitNetwork.optional(),
});
export type RealUserDetail = z.output<typeof realUserDetail>;

const networkMetrics = z.looseObject({
  jitter: z.number().optional(),
  latency: z.number().optional(),
  loss: z.number().optional(),
  target: z.string().optional(),
});

/** Network metrics of a visit: of its site, and of the VPN and the proxy on the way there. */
export const realUserNetwork = z.looseObject({
  /** The visit they belong to. */
  id: identifier,
  agentId: identifier.optional(),
  date: z.string().optional(),
  roundId: z.number().optional(),
  destination: networkMetrics.optional(),
  vpn: networkMetrics.optional(),
  proxy: networkMetrics.optional(),
  systemMetrics: systemMetrics.optional(),
});
export type RealUserNetwork = z.output<typeof realUserNetwork>;

/** How a page loaded, as a HAR 1.2 object. */
export const visitedPageDetail = z.looseObject({
  har: z.record(z.string(), z.unknown()),
  _links: selfLinks.optional(),
});

const path = "/v7/endpoint/test-results/real-user-tests";

export const realUserResultOperations = {
  filter: operation({
    ...readByPost,
    id: "results.realUser.filter",
    path: `${path}/filter`,
    query: resultQuery,
    body: realUserResultSearch.default({}),
    response: z.looseObject({ results: z.array(realUserResult), ...resultPage }),
  }),
  filterNetworks: operation({
    ...readByPost,
    id: "results.realUser.networks.filter",
    path: `${path}/networks/filter`,
    query: resultQuery,
    body: realUserResultSearch.default({}),
    response: z.looseObject({ results: z.array(realUserNetwork), ...resultPage }),
  }),
  filterPages: operation({
    ...readByPost,
    id: "results.realUser.pages.filter",
    path: `${path}/pages/filter`,
    query: resultQuery,
    // The filters themselves, not inside `searchFilters` like those of the other two.
    body: realUserResultFilters.default({}),
    response: z.looseObject({ results: z.array(visitedPageResult), ...resultPage }),
  }),
  get: operation({
    id: "results.realUser.get",
    method: "GET",
    path: `${path}/{id}`,
    query: accountGroupQuery,
    status: 200,
    response: z.looseObject({ results: z.array(realUserDetail), _links: selfLinks.optional() }),
  }),
  getPage: operation({
    id: "results.realUser.pages.get",
    method: "GET",
    path: `${path}/{id}/pages/{pageId}`,
    query: accountGroupQuery,
    status: 200,
    response: visitedPageDetail,
  }),
};
