import { z } from "zod";
import { accountGroupQuery, identifier, selfLinks } from "./common";
import { trigger } from "./enums";
import { ping, systemMetrics, traceroute } from "./measurements";
import { networkProfile } from "./network-profile";
import { operation, readByPost } from "./operation";
import { coordinates, resultPage, resultQuery } from "./result-record";
import { anyOf, surroundingsFilters } from "./search";
import { visitedPage, visitedPageDetail, visitedPagePage } from "./visited-pages";

/**
 * Filters for a search in real user tests. A website visit matches a filter if its attribute has one of the filter's values.
 */
export const realUserResultFilters = z.object({
  ...surroundingsFilters,
  /** IP addresses of websites. */
  destinationIp: anyOf,
  /** Domains of sites. */
  domain: anyOf,
  /** Trigger of the recording: the agent (`auto`) or the device's user (`user`). */
  trigger: z.array(trigger).optional(),
  /** Host names of websites. */
  visitedSite: anyOf,
});

export type RealUserResultFilters = z.output<typeof realUserResultFilters>;

/** Request body to search real user tests or their network metrics. */
export const realUserResultSearch = z.object({
  /** Conditions on attributes. */
  searchFilters: realUserResultFilters.optional(),
});

export type RealUserResultSearch = z.output<typeof realUserResultSearch>;

const visit = {
  /** Identifier of the real user test, which is one visit to a website. */
  id: identifier,
  /** Identifier of the agent. */
  agentId: identifier.optional(),
  /** Time when the agent reported the visit (RFC 3339, UTC). */
  committed: z.string().optional(),
  /** Start of the visit (RFC 3339, UTC). */
  date: z.string().optional(),
  /** Score of the user's experience, from 0 (bad) to 1 (good). */
  experienceScore: z.number().optional(),
  /** Number of pages that the user visited. */
  numberOfPages: z.number().optional(),
  /** Organization that operates the website's network. */
  organizationName: z.string().optional(),
  /** Port of the website. */
  port: z.number().optional(),
  /** Protocol of the website, such as `https`. */
  protocol: z.string().optional(),
  /** Identifier of the visit's round: a time in seconds since 1970 (unit inferred). */
  roundId: z.number().optional(),
  /** Public address of the agent. */
  sourceAddress: z.string().optional(),
  /** Host name of the website. */
  visitedSite: z.string().optional(),
};

/** One real user test, which is one visit to a website. */
export const realUserResult = z.looseObject({
  ...visit,
  /** Identifier of a page that the user visited. */
  pageId: z.string().optional(),
});

export type RealUserResult = z.output<typeof realUserResult>;

/** Measurements of the network during a website visit. */
export const visitNetwork = z.looseObject({
  /** Network of the agent. */
  networkProfile: networkProfile.optional(),
  /** Load of the device. */
  systemMetrics: systemMetrics.optional(),
  /** Ping measurements of the gateway. */
  gatewayPing: ping.optional(),
  /** Ping measurements of the website. */
  ping: ping.optional(),
  /** Path that packets take to the website. */
  traceroute: traceroute.optional(),
  /** Time until a TCP connection to the site was established, in milliseconds (unit inferred). */
  connectRtt: z.number().optional(),
  /** Whether the network blocks ICMP packets. */
  isIcmpBlocked: z.boolean().optional(),
  /** Errors that occurred on the page. */
  errors: z.array(z.string()).optional(),
  /** Ping measurements of the VPN gateway. */
  vpnPing: ping.optional(),
  /** Path that packets take to the VPN gateway. */
  vpnTraceroute: traceroute.optional(),
});

export type VisitNetwork = z.output<typeof visitNetwork>;

/** A website visit with its pages and network measurements. */
export const realUserDetail = z.looseObject({
  ...visit,
  /** Browser of the user. */
  browser: z
    .looseObject({
      /** Name of the browser. */
      name: z.string().optional(),
      /** Version of the browser. */
      version: z.string().optional(),
    })
    .optional(),
  /** Location of the agent. */
  coordinates: coordinates.optional(),
  /** The pages that the user visited. */
  pages: z.array(visitedPage).optional(),
  /** Measurements of the network during the visit. */
  network: visitNetwork.optional(),
});

export type RealUserDetail = z.output<typeof realUserDetail>;

/** Network metrics of one target. The documentation does not specify units, but times are probably in milliseconds. */
export const networkMetrics = z.looseObject({
  /** Jitter, in milliseconds (unit inferred). */
  jitter: z.number().optional(),
  /** Latency, in milliseconds (unit inferred). */
  latency: z.number().optional(),
  /** Packet loss, as a fraction or a percentage. The unit is not documented. Documented sample responses contain 0.1. */
  loss: z.number().optional(),
  /** Address of the measured target. */
  target: z.string().optional(),
});

export type NetworkMetrics = z.output<typeof networkMetrics>;

/** Network metrics of a website visit, for the paths to the website, the VPN and the proxy. */
export const realUserNetwork = z.looseObject({
  /** Identifier of the visit. */
  id: identifier,
  /** Identifier of the agent. */
  agentId: identifier.optional(),
  /** Time of the measurement (RFC 3339, UTC). */
  date: z.string().optional(),
  /** Identifier of the visit's round: a time in seconds since 1970 (unit inferred). */
  roundId: z.number().optional(),
  /** Metrics of the path to the website. */
  destination: networkMetrics.optional(),
  /** Metrics of the path to the VPN gateway. */
  vpn: networkMetrics.optional(),
  /** Metrics of the path to the proxy. */
  proxy: networkMetrics.optional(),
  /** Load of the device during the visit. */
  systemMetrics: systemMetrics.optional(),
});

export type RealUserNetwork = z.output<typeof realUserNetwork>;

/** A page of real user tests. */
export const realUserResultPage = z.looseObject({
  /** Results on the page. */
  results: z.array(realUserResult),
  ...resultPage,
});

export type RealUserResultPage = z.output<typeof realUserResultPage>;

/** A page of network metrics from real user tests. */
export const realUserNetworkPage = z.looseObject({
  /** Results on the page. */
  results: z.array(realUserNetwork),
  ...resultPage,
});

export type RealUserNetworkPage = z.output<typeof realUserNetworkPage>;

/** Response with one real user test. */
export const realUserDetails = z.looseObject({
  /** A list with the real user test as its only item. */
  results: z.array(realUserDetail),
  /** Links, such as the link to the record itself. */
  _links: selfLinks.optional(),
});

export type RealUserDetails = z.output<typeof realUserDetails>;

const path = "/v7/endpoint/test-results/real-user-tests";

export const realUserResultOperations = {
  filter: operation({
    ...readByPost,
    id: "results.realUser.filter",
    path: `${path}/filter`,
    query: resultQuery,
    body: realUserResultSearch.default({}),
    response: realUserResultPage,
  }),
  filterNetworks: operation({
    ...readByPost,
    id: "results.realUser.networks.filter",
    path: `${path}/networks/filter`,
    query: resultQuery,
    body: realUserResultSearch.default({}),
    response: realUserNetworkPage,
  }),
  filterPages: operation({
    ...readByPost,
    id: "results.realUser.pages.filter",
    path: `${path}/pages/filter`,
    query: resultQuery,
    // The filters are the whole request body. The operations `filter` and `filterNetworks` send the filters in the member
    // `searchFilters`.
    body: realUserResultFilters.default({}),
    response: visitedPagePage,
  }),
  get: operation({
    id: "results.realUser.get",
    method: "GET",
    path: `${path}/{id}`,
    query: accountGroupQuery,
    status: 200,
    response: realUserDetails,
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
