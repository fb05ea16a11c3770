// Written by `npm run generate` from the schemas; change it there.
import type { PageLinks, SelfLinks } from "./common";
import type { Ping, SystemMetrics, Traceroute } from "./measurements";
import type { NetworkProfile } from "./network-profile";
import type { Coordinates } from "./result-record";
import type { SurroundingsFiltersMembers } from "./search";
import type { VisitedPage } from "./visited-pages";

/** Filters of a search for real user tests. A visit matches a list if its attribute has one of the values. */
export interface RealUserResultFilters extends SurroundingsFiltersMembers {
  /** Addresses of sites. */
  destinationIp?: string[];
  /** Domains of sites. */
  domain?: string[];
  /** Trigger of the recording: `auto` by the agent, `user` by its user. */
  trigger?: ("auto" | "user")[];
  /** Host names of sites. */
  visitedSite?: string[];
}

/** Body of a search in real user tests and in their networks. */
export interface RealUserResultSearch {
  /** Conditions on attributes. */
  searchFilters?: RealUserResultFilters;
}

/** A visit of a site, which is one real user test. */
export interface RealUserResult extends VisitMembers {
  /** Identifier of a page of the visit. */
  pageId?: string;
}

/** The network during a visit. */
export interface VisitNetwork {
  /** Network of the agent. */
  networkProfile?: NetworkProfile;
  /** Load of the device. */
  systemMetrics?: SystemMetrics;
  /** Echo requests to the gateway. */
  gatewayPing?: Ping;
  /** Echo requests to the site. */
  ping?: Ping;
  /** Path of packets to the site. */
  traceroute?: Traceroute;
  /** Time until a TCP connection to the site was established, in milliseconds (inferred). */
  connectRtt?: number;
  /** Whether the network blocks ICMP. */
  isIcmpBlocked?: boolean;
  /** Errors of the page. */
  errors?: string[];
  /** Echo requests to the VPN gateway. */
  vpnPing?: Ping;
  /** Path of packets to the VPN gateway. */
  vpnTraceroute?: Traceroute;
}

/** A visit with its pages and its network. */
export interface RealUserDetail extends VisitMembers {
  /** Browser of the visit. */
  browser?: {
    /** Name of the browser. */
    name?: string;
    /** Version of the browser. */
    version?: string;
  };
  /** Location of the agent. */
  coordinates?: Coordinates;
  /** The pages of the visit. */
  pages?: VisitedPage[];
  /** The network during the visit. */
  network?: VisitNetwork;
}

/** Network metrics of one target. The units are not documented; probably milliseconds (inferred). */
export interface NetworkMetrics {
  /** Jitter, in milliseconds (inferred). */
  jitter?: number;
  /** Latency, in milliseconds (inferred). */
  latency?: number;
  /** Packet loss. The unit is not documented, and could be a share or percent. Samples have 0.1. */
  loss?: number;
  /** Measured address. */
  target?: string;
}

/** Network metrics of a visit: to its site, and to the VPN and the proxy on the way. */
export interface RealUserNetwork {
  /** Identifier of the visit. */
  id: string;
  /** Identifier of the agent. */
  agentId?: string;
  /** Time of the measurement (RFC 3339, UTC). */
  date?: string;
  /** Round of the visit, in seconds since 1970 (inferred). */
  roundId?: number;
  /** Metrics of the path to the site. */
  destination?: NetworkMetrics;
  /** Metrics of the path to the VPN gateway. */
  vpn?: NetworkMetrics;
  /** Metrics of the path to the proxy. */
  proxy?: NetworkMetrics;
  /** Load of the device during the visit. */
  systemMetrics?: SystemMetrics;
}

/** A page of real user tests. */
export interface RealUserResultPage {
  /** The rows of the page. */
  results: RealUserResult[];
  /** Beginning of the results' time range (RFC 3339, UTC). */
  startDate?: string;
  /** End of the results' time range (RFC 3339, UTC). */
  endDate?: string;
  /** Links of the page. */
  _links?: PageLinks;
}

/** A page of network metrics of real user tests. */
export interface RealUserNetworkPage {
  /** The rows of the page. */
  results: RealUserNetwork[];
  /** Beginning of the results' time range (RFC 3339, UTC). */
  startDate?: string;
  /** End of the results' time range (RFC 3339, UTC). */
  endDate?: string;
  /** Links of the page. */
  _links?: PageLinks;
}

/** One real user test. */
export interface RealUserDetails {
  /** The real user test, as the only item. */
  results: RealUserDetail[];
  /** Links of the record. */
  _links?: SelfLinks;
}

export interface VisitMembers {
  /** Identifier of the real user test, which is one visit of one site. */
  id: string;
  /** Identifier of the agent. */
  agentId?: string;
  /** Time of the agent's report about the visit (RFC 3339, UTC). */
  committed?: string;
  /** Beginning of the visit (RFC 3339, UTC). */
  date?: string;
  /** Experience of the user, from 0 (bad) to 1 (good). */
  experienceScore?: number;
  /** Number of pages of the visit. */
  numberOfPages?: number;
  /** Organization of the site's network. */
  organizationName?: string;
  /** Port of the site. */
  port?: number;
  /** Protocol of the site, such as `https`. */
  protocol?: string;
  /** Round of the visit, in seconds since 1970 (inferred). */
  roundId?: number;
  /** Public address of the agent. */
  sourceAddress?: string;
  /** Host name of the site. */
  visitedSite?: string;
}
