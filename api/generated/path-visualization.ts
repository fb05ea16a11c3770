// Written by `npm run generate` from the schemas; change it there.
import type { PageLinks, SelfLinks } from "./common";
import type { AsnDetails } from "./device";
import type { DynamicTestRecord } from "./dynamic-tests";
import type { DynamicResultRecordMembers, ResultRecordMembers } from "./result-record";
import type { ScheduledTestRecord } from "./scheduled-tests";

/** A traced path without its hops. */
export interface PathTrace extends TraceModeMembers {
  /** Target address of the path. */
  ipAddress?: string;
  /** Number of routers on the path. */
  numberOfHops?: number;
  /** Round-trip time of the whole path, in milliseconds (inferred). */
  responseTime?: number;
}

/** A traced path with its hops. */
export interface PathRoute extends TraceModeMembers {
  /** Routers on the path, nearest first. */
  hops?: {
    /** Position on the path, from 1. */
    hop?: number;
    /** Address of the router. */
    ipAddress?: string;
    /** Network of the address. */
    prefix?: string;
    /** Host name that the address resolves to. */
    rdns?: string;
    /** Operator of the network, with its autonomous system. */
    network?: string;
    /** Round-trip time to the router, in milliseconds (inferred). */
    responseTime?: number;
    /** Location of the router. */
    location?: string;
  }[];
}

/** The paths of one agent in one round, without their hops. */
export interface PathResult extends TracedPathMembers {
  /** Location of the agent. */
  location?: string;
  /** The traced paths. */
  pathTraces?: PathTrace[];
}

/** The paths of one agent in one round, with their hops. */
export interface PathDetail extends TracedPathMembers {
  /** The traced paths. */
  pathTraces?: PathRoute[];
  /** The traced paths inside a VPN. */
  vpnPathTraces?: PathRoute[];
}

/** The paths of one session in one round of a dynamic test, without their hops. */
export interface DynamicPathResult extends PathResult, DynamicResultRecordMembers {}

/** The paths of one session in one round of a dynamic test, with their hops. */
export interface DynamicPathDetail extends PathDetail, DynamicResultRecordMembers {}

/** A page of paths of a scheduled test. */
export interface PathResultPage {
  /** The rows of the page. */
  results: PathResult[];
  /** Beginning of the results' time range (RFC 3339, UTC). */
  startDate?: string;
  /** End of the results' time range (RFC 3339, UTC). */
  endDate?: string;
  /** Links of the page. */
  _links?: PageLinks;
  /** The test of the paths. */
  test?: ScheduledTestRecord;
}

/** The paths of one agent in one round of a scheduled test. */
export interface PathDetails {
  /** The paths. */
  results: PathDetail[];
  /** The test of the paths. */
  test?: ScheduledTestRecord;
  /** Links of the record. */
  _links?: SelfLinks;
}

/** A page of paths of a dynamic test. */
export interface DynamicPathResultPage {
  /** The rows of the page. */
  results: DynamicPathResult[];
  /** Beginning of the results' time range (RFC 3339, UTC). */
  startDate?: string;
  /** End of the results' time range (RFC 3339, UTC). */
  endDate?: string;
  /** Links of the page. */
  _links?: PageLinks;
  /** The test of the paths. */
  test?: DynamicTestRecord;
  /** Number of rows on all pages. */
  totalHits?: number;
}

/** The paths of one agent in one round of a dynamic test. */
export interface DynamicPathDetails {
  /** The paths. */
  results: DynamicPathDetail[];
  /** The test of the paths. */
  test?: DynamicTestRecord;
  /** Links of the record. */
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
  /** Target of the test, with its port. */
  server?: string;
  /** Start address of the path. */
  sourceIp?: string;
  /** Network of `sourceIp`. */
  sourcePrefix?: string;
}
