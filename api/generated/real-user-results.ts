// `npm run generate` writes this file from the schemas in api/schemas.
import type { PageLinks, SelfLinks } from "./common";
import type { Ping, SystemMetrics, Traceroute } from "./measurements";
import type { NetworkProfile } from "./network-profile";
import type { Coordinates } from "./result-record";
import type { SurroundingsFiltersMembers } from "./search";
import type { VisitedPage } from "./visited-pages";

/** Filters for a search in real user tests. A website visit matches a filter if its attribute has one of the filter's values. */
export interface RealUserResultFilters extends SurroundingsFiltersMembers {
  /** IP addresses of websites. */
  destinationIp?: string[];
  /** Domains of sites. */
  domain?: string[];
  /** Trigger of the recording: the agent (`auto`) or the device's user (`user`). */
  trigger?: ("auto" | "user")[];
  /** Host names of websites. */
  visitedSite?: string[];
}

/** Request body to search real user tests or their network metrics. */
export interface RealUserResultSearch {
  /** Conditions on attributes. */
  searchFilters?: RealUserResultFilters;
}

/** One real user test, which is one visit to a website. */
export interface RealUserResult extends VisitMembers {
  /** Identifier of a page that the user visited. */
  pageId?: string;
}

/** Measurements of the network during a website visit. */
export interface VisitNetwork {
  /** Network of the agent. */
  networkProfile?: NetworkProfile;
  /** Load of the device. */
  systemMetrics?: SystemMetrics;
  /** Ping measurements of the gateway. */
  gatewayPing?: Ping;
  /** Ping measurements of the website. */
  ping?: Ping;
  /** Path that packets take to the website. */
  traceroute?: Traceroute;
  /** Time until a TCP connection to the site was established, in milliseconds (unit inferred). */
  connectRtt?: number;
  /** Whether the network blocks ICMP packets. */
  isIcmpBlocked?: boolean;
  /** Errors that occurred on the page. */
  errors?: string[];
  /** Ping measurements of the VPN gateway. */
  vpnPing?: Ping;
  /** Path that packets take to the VPN gateway. */
  vpnTraceroute?: Traceroute;
}

/** A website visit with its pages and network measurements. */
export interface RealUserDetail extends VisitMembers {
  /** Browser of the user. */
  browser?: {
    /** Name of the browser. */
    name?: string;
    /** Version of the browser. */
    version?: string;
  };
  /** Location of the agent. */
  coordinates?: Coordinates;
  /** The pages that the user visited. */
  pages?: VisitedPage[];
  /** Measurements of the network during the visit. */
  network?: VisitNetwork;
}

/** Network metrics of one target. The documentation does not specify units, but times are probably in milliseconds. */
export interface NetworkMetrics {
  /** Jitter, in milliseconds (unit inferred). */
  jitter?: number;
  /** Latency, in milliseconds (unit inferred). */
  latency?: number;
  /** Packet loss, as a fraction or a percentage. The unit is not documented. Documented sample responses contain 0.1. */
  loss?: number;
  /** Address of the measured target. */
  target?: string;
}

/** Network metrics of a website visit, for the paths to the website, the VPN and the proxy. */
export interface RealUserNetwork {
  /** Identifier of the visit. */
  id: string;
  /** Identifier of the agent. */
  agentId?: string;
  /** Time of the measurement (RFC 3339, UTC). */
  date?: string;
  /** Identifier of the visit's round: a time in seconds since 1970 (unit inferred). */
  roundId?: number;
  /** Metrics of the path to the website. */
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
  /** Results on the page. */
  results: RealUserResult[];
  /** Start of the requested time range (RFC 3339, UTC). */
  startDate?: string;
  /** End of the requested time range (RFC 3339, UTC). */
  endDate?: string;
  /** Links, such as the link to the next page. */
  _links?: PageLinks;
}

/** A page of network metrics from real user tests. */
export interface RealUserNetworkPage {
  /** Results on the page. */
  results: RealUserNetwork[];
  /** Start of the requested time range (RFC 3339, UTC). */
  startDate?: string;
  /** End of the requested time range (RFC 3339, UTC). */
  endDate?: string;
  /** Links, such as the link to the next page. */
  _links?: PageLinks;
}

/** Response with one real user test. */
export interface RealUserDetails {
  /** A list with the real user test as its only item. */
  results: RealUserDetail[];
  /** Links, such as the link to the record itself. */
  _links?: SelfLinks;
}

export interface VisitMembers {
  /** Identifier of the real user test, which is one visit to a website. */
  id: string;
  /** Identifier of the agent. */
  agentId?: string;
  /** Time when the agent reported the visit (RFC 3339, UTC). */
  committed?: string;
  /** Start of the visit (RFC 3339, UTC). */
  date?: string;
  /** Score of the user's experience, from 0 (bad) to 1 (good). */
  experienceScore?: number;
  /** Number of pages that the user visited. */
  numberOfPages?: number;
  /** Organization that operates the website's network. */
  organizationName?: string;
  /** Port of the website. */
  port?: number;
  /** Protocol of the website, such as `https`. */
  protocol?: string;
  /** Identifier of the visit's round: a time in seconds since 1970 (unit inferred). */
  roundId?: number;
  /** Public address of the agent. */
  sourceAddress?: string;
  /** Host name of the website. */
  visitedSite?: string;
}
