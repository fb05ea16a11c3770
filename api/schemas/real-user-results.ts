import { z } from "zod";
import { accountGroupQuery, identifier, selfLinks } from "./common";
import { trigger } from "./enums";
import { ping, systemMetrics, traceroute } from "./measurements";
import { networkProfile } from "./network-profile";
import { operation, readByPost } from "./operation";
import { coordinates, resultPage, resultQuery } from "./result-record";
import { anyOf, surroundingsFilters } from "./search";
import { visitedPage, visitedPageDetail, visitedPagePage } from "./visited-pages";

/** Filters of a search for real user tests. A visit matches a list if its attribute has one of the values. */
export const realUserResultFilters = z.object({
  ...surroundingsFilters,
  /** Addresses of sites. */
  destinationIp: anyOf,
  /** Domains of sites. */
  domain: anyOf,
  /** Trigger of the recording: `auto` by the agent, `user` by its user. */
  trigger: z.array(trigger).optional(),
  /** Host names of sites. */
  visitedSite: anyOf,
});

export type RealUserResultFilters = z.output<typeof realUserResultFilters>;

/** Body of a search in real user tests and in their networks. */
export const realUserResultSearch = z.object({
  /** Conditions on attributes. */
  searchFilters: realUserResultFilters.optional(),
});

export type RealUserResultSearch = z.output<typeof realUserResultSearch>;

const visit = {
  /** Identifier of the real user test, which is one visit of one site. */
  id: identifier,
  /** Identifier of the agent. */
  agentId: identifier.optional(),
  /** Time of the agent's report about the visit (RFC 3339, UTC). */
  committed: z.string().optional(),
  /** Beginning of the visit (RFC 3339, UTC). */
  date: z.string().optional(),
  /** Experience of the user, from 0 (bad) to 1 (good). */
  experienceScore: z.number().optional(),
  /** Number of pages of the visit. */
  numberOfPages: z.number().optional(),
  /** Organization of the site's network. */
  organizationName: z.string().optional(),
  /** Port of the site. */
  port: z.number().optional(),
  /** Protocol of the site, such as `https`. */
  protocol: z.string().optional(),
  /** Round of the visit, in seconds since 1970 (inferred). */
  roundId: z.number().optional(),
  /** Public address of the agent. */
  sourceAddress: z.string().optional(),
  /** Host name of the site. */
  visitedSite: z.string().optional(),
};

/** A visit of a site, which is one real user test. */
export const realUserResult = z.looseObject({
  ...visit,
  /** Identifier of a page of the visit. */
  pageId: z.string().optional(),
});

export type RealUserResult = z.output<typeof realUserResult>;

/** The network during a visit. */
export const visitNetwork = z.looseObject({
  /** Network of the agent. */
  networkProfile: networkProfile.optional(),
  /** Load of the device. */
  systemMetrics: systemMetrics.optional(),
  /** Echo requests to the gateway. */
  gatewayPing: ping.optional(),
  /** Echo requests to the site. */
  ping: ping.optional(),
  /** Path of packets to the site. */
  traceroute: traceroute.optional(),
  /** Time until a TCP connection to the site was established, in milliseconds (inferred). */
  connectRtt: z.number().optional(),
  /** Whether the network blocks ICMP. */
  isIcmpBlocked: z.boolean().optional(),
  /** Errors of the page. */
  errors: z.array(z.string()).optional(),
  /** Echo requests to the VPN gateway. */
  vpnPing: ping.optional(),
  /** Path of packets to the VPN gateway. */
  vpnTraceroute: traceroute.optional(),
});

export type VisitNetwork = z.output<typeof visitNetwork>;

/** A visit with its pages and its network. */
export const realUserDetail = z.looseObject({
  ...visit,
  /** Browser of the visit. */
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
  /** The pages of the visit. */
  pages: z.array(visitedPage).optional(),
  /** The network during the visit. */
  network: visitNetwork.optional(),
});

export type RealUserDetail = z.output<typeof realUserDetail>;

/** Network metrics of one target. The units are not documented; probably milliseconds (inferred). */
export const networkMetrics = z.looseObject({
  /** Jitter, in milliseconds (inferred). */
  jitter: z.number().optional(),
  /** Latency, in milliseconds (inferred). */
  latency: z.number().optional(),
  /** Packet loss. The unit is not documented, and could be a share or percent. Samples have 0.1. */
  loss: z.number().optional(),
  /** Measured address. */
  target: z.string().optional(),
});

export type NetworkMetrics = z.output<typeof networkMetrics>;

/** Network metrics of a visit: to its site, and to the VPN and the proxy on the way. */
export const realUserNetwork = z.looseObject({
  /** Identifier of the visit. */
  id: identifier,
  /** Identifier of the agent. */
  agentId: identifier.optional(),
  /** Time of the measurement (RFC 3339, UTC). */
  date: z.string().optional(),
  /** Round of the visit, in seconds since 1970 (inferred). */
  roundId: z.number().optional(),
  /** Metrics of the path to the site. */
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
  /** The rows of the page. */
  results: z.array(realUserResult),
  ...resultPage,
});

export type RealUserResultPage = z.output<typeof realUserResultPage>;

/** A page of network metrics of real user tests. */
export const realUserNetworkPage = z.looseObject({
  /** The rows of the page. */
  results: z.array(realUserNetwork),
  ...resultPage,
});

export type RealUserNetworkPage = z.output<typeof realUserNetworkPage>;

/** One real user test. */
export const realUserDetails = z.looseObject({
  /** The real user test, as the only item. */
  results: z.array(realUserDetail),
  /** Links of the record. */
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
    // The filters are the body itself. The other two searches nest them in `searchFilters`.
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
