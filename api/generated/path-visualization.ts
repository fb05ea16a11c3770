// `npm run generate` writes this file from the schemas in api/schemas.
import type { PageLinks, SelfLinks } from "./common";
import type { AsnDetails } from "./device";
import type { DynamicTestRecord } from "./dynamic-tests";
import type { DynamicResultRecordMembers, ResultRecordMembers } from "./result-record";
import type { ScheduledTestRecord } from "./scheduled-tests";

/** A network path without its routers. */
export interface PathTrace extends TraceModeMembers {
  /** Target address of the path. */
  ipAddress?: string;
  /** Number of routers on the path. */
  numberOfHops?: number;
  /** Round-trip time of the whole path, in milliseconds (unit inferred). */
  responseTime?: number;
}

/** A network path with its routers. */
export interface PathRoute extends TraceModeMembers {
  /** Routers on the path, the nearest first. */
  hops?: {
    /** Position of the router on the path, counted from 1. */
    hop?: number;
    /** Address of the router. */
    ipAddress?: string;
    /** Network prefix that contains the router's address. */
    prefix?: string;
    /** Host name of the router's address, according to DNS. */
    rdns?: string;
    /** Operator and autonomous system of the network. */
    network?: string;
    /** Round-trip time to the router, in milliseconds (unit inferred). */
    responseTime?: number;
    /** Location of the router. */
    location?: string;
  }[];
}

/** The network paths of one agent in one round, without routers. */
export interface PathResult extends TracedPathMembers {
  /** Location of the agent. */
  location?: string;
  /** The traced paths. */
  pathTraces?: PathTrace[];
}

/** The network paths of one agent in one round, with routers. */
export interface PathDetail extends TracedPathMembers {
  /** The traced paths. */
  pathTraces?: PathRoute[];
  /** The traced paths inside a VPN. */
  vpnPathTraces?: PathRoute[];
}

/** The network paths of one session in one round of a dynamic test, without routers. */
export interface DynamicPathResult extends PathResult, DynamicResultRecordMembers {}

/** The network paths of one session in one round of a dynamic test, with routers. */
export interface DynamicPathDetail extends PathDetail, DynamicResultRecordMembers {}

/** A page of network paths for a scheduled test. */
export interface PathResultPage {
  /** Results on the page. */
  results: PathResult[];
  /** Start of the requested time range (RFC 3339, UTC). */
  startDate?: string;
  /** End of the requested time range (RFC 3339, UTC). */
  endDate?: string;
  /** Links, such as the link to the next page. */
  _links?: PageLinks;
  /** The test that produced the paths. */
  test?: ScheduledTestRecord;
}

/** The network paths of one agent in one round of a scheduled test. */
export interface PathDetails {
  /** The paths. */
  results: PathDetail[];
  /** The test that produced the paths. */
  test?: ScheduledTestRecord;
  /** Links, such as the link to the record itself. */
  _links?: SelfLinks;
}

/** A page of network paths for a dynamic test. */
export interface DynamicPathResultPage {
  /** Results on the page. */
  results: DynamicPathResult[];
  /** Start of the requested time range (RFC 3339, UTC). */
  startDate?: string;
  /** End of the requested time range (RFC 3339, UTC). */
  endDate?: string;
  /** Links, such as the link to the next page. */
  _links?: PageLinks;
  /** The test that produced the paths. */
  test?: DynamicTestRecord;
  /** Total number of results on all pages. */
  totalHits?: number;
}

/** The network paths of one agent in one round of a dynamic test. */
export interface DynamicPathDetails {
  /** The paths. */
  results: DynamicPathDetail[];
  /** The test that produced the paths. */
  test?: DynamicTestRecord;
  /** Links, such as the link to the record itself. */
  _links?: SelfLinks;
}

export interface TraceModeMembers {
  /** Identifier of the path. */
  pathId?: string;
  /** Protocol of the probes: `icmp`, `tcp` or `udp`. */
  protocol?: string;
  /** Mode of TCP probes, such as `syn` or `data-in-session`. */
  tcpPathTraceMode?: string;
  /** Mode of UDP probes, such as `stun-pcap`. */
  udpPathTraceMode?: string;
}

export interface TracedPathMembers extends ResultRecordMembers {
  /** Autonomous system of the agent's public address. */
  asnDetails?: AsnDetails;
  /** Target of the test with its port. */
  server?: string;
  /** Source address of the path. */
  sourceIp?: string;
  /** Network that contains `sourceIp`. */
  sourcePrefix?: string;
}
