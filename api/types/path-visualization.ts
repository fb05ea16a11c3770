// Written by `npm run generate` from the schemas; change it there.
import type { PageLinks, SelfLinks } from "./common";
import type { AsnDetails, BatteryMetrics, CellularProfile, UserProfile, VpnProfile } from "./device";
import type { DynamicTestRecord } from "./dynamic-tests";
import type { SystemMetrics } from "./measurements";
import type { NetworkProfile } from "./network-profile";
import type { ScheduledTestRecord } from "./scheduled-tests";

/** A traced path without its hops. */
export interface PathTrace {
  /** Address that the path leads to. */
  ipAddress?: string;
  /** Number of routers on the path. */
  numberOfHops?: number;
  /** Round-trip time of the whole path, in milliseconds (inferred). */
  responseTime?: number;
  /** Identifier of the path. */
  pathId?: string;
  /** Protocol of the probes: `icmp`, `tcp` or `udp`. */
  protocol?: string;
  /** How TCP probes were sent, such as `syn` or `data-in-session`. */
  tcpPathTraceMode?: string;
  /** How UDP probes were sent, such as `stun-pcap`. */
  udpPathTraceMode?: string;
}

/** A traced path with its hops. */
export interface PathRoute {
  /** Routers on the path, nearest first. */
  hops?: {
    /** Place on the path, from 1. */
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
    /** Place of the router. */
    location?: string;
  }[];
  /** Identifier of the path. */
  pathId?: string;
  /** Protocol of the probes: `icmp`, `tcp` or `udp`. */
  protocol?: string;
  /** How TCP probes were sent, such as `syn` or `data-in-session`. */
  tcpPathTraceMode?: string;
  /** How UDP probes were sent, such as `stun-pcap`. */
  udpPathTraceMode?: string;
}

/** The paths of one agent in one round, without their hops. */
export interface PathResult {
  /** Identifier of the test, a string of digits. */
  testId: string;
  /** Identifier of the agent, a UUID. */
  agentId: string;
  /** Round of the test, in seconds since 1970 (inferred). */
  roundId: number;
  /** Place of the agent. */
  location?: string;
  /** The traced paths. */
  pathTraces?: PathTrace[];
  /** Autonomous system of the agent's public address. */
  asnDetails?: AsnDetails;
  /** Target of the test, with its port. */
  server?: string;
  /** Address that the path begins at. */
  sourceIp?: string;
  /** Network of `sourceIp`. */
  sourcePrefix?: string;
  /** Account group that the test belongs to. */
  aid?: string;
  /** Address of the server that was measured. */
  serverIp?: string;
  /** The network that the agent was in. */
  networkProfile?: NetworkProfile;
  /** Load of the device while it measured. */
  systemMetrics?: SystemMetrics;
  /** The target before a proxy or a VPN changed it (inferred). */
  originalTargetProfile?: {
    /** Port of the target. */
    remotePort?: number;
    /** Address of the target. */
    remoteIpAddress?: string;
    /** Protocol: `tcp`, `icmp` or `udp`. */
    protocol?: string;
  };
  /** Account of the user; only with `user-profile` in `expand`, where the function has it. */
  userProfile?: UserProfile;
  /** VPN connection of the device. */
  vpnProfile?: VpnProfile;
  /** Battery of the device. */
  batteryMetrics?: BatteryMetrics;
  /** Cellular connection of a mobile device. */
  cellularProfile?: CellularProfile;
  /** Family of the operating system, such as `windows` or `mac`. */
  platform?: string;
}

/** The paths of one agent in one round, with their hops. */
export interface PathDetail {
  /** Identifier of the test, a string of digits. */
  testId: string;
  /** Identifier of the agent, a UUID. */
  agentId: string;
  /** Round of the test, in seconds since 1970 (inferred). */
  roundId: number;
  /** The traced paths. */
  pathTraces?: PathRoute[];
  /** The traced paths inside a VPN. */
  vpnPathTraces?: PathRoute[];
  /** Autonomous system of the agent's public address. */
  asnDetails?: AsnDetails;
  /** Target of the test, with its port. */
  server?: string;
  /** Address that the path begins at. */
  sourceIp?: string;
  /** Network of `sourceIp`. */
  sourcePrefix?: string;
  /** Account group that the test belongs to. */
  aid?: string;
  /** Address of the server that was measured. */
  serverIp?: string;
  /** The network that the agent was in. */
  networkProfile?: NetworkProfile;
  /** Load of the device while it measured. */
  systemMetrics?: SystemMetrics;
  /** The target before a proxy or a VPN changed it (inferred). */
  originalTargetProfile?: {
    /** Port of the target. */
    remotePort?: number;
    /** Address of the target. */
    remoteIpAddress?: string;
    /** Protocol: `tcp`, `icmp` or `udp`. */
    protocol?: string;
  };
  /** Account of the user; only with `user-profile` in `expand`, where the function has it. */
  userProfile?: UserProfile;
  /** VPN connection of the device. */
  vpnProfile?: VpnProfile;
  /** Battery of the device. */
  batteryMetrics?: BatteryMetrics;
  /** Cellular connection of a mobile device. */
  cellularProfile?: CellularProfile;
  /** Family of the operating system, such as `windows` or `mac`. */
  platform?: string;
}

/** The paths of one session in one round of a dynamic test, without their hops. */
export interface DynamicPathResult {
  /** Identifier of the test, a string of digits. */
  testId: string;
  /** Identifier of the agent, a UUID. */
  agentId: string;
  /** Round of the test, in seconds since 1970 (inferred). */
  roundId: number;
  /** Place of the agent. */
  location?: string;
  /** The traced paths. */
  pathTraces?: PathTrace[];
  /** Autonomous system of the agent's public address. */
  asnDetails?: AsnDetails;
  /** Target of the test, with its port. */
  server?: string;
  /** Address that the path begins at. */
  sourceIp?: string;
  /** Network of `sourceIp`. */
  sourcePrefix?: string;
  /** Account group that the test belongs to. */
  aid?: string;
  /** Address of the server that was measured. */
  serverIp?: string;
  /** The network that the agent was in. */
  networkProfile?: NetworkProfile;
  /** Load of the device while it measured. */
  systemMetrics?: SystemMetrics;
  /** The target before a proxy or a VPN changed it (inferred). */
  originalTargetProfile?: {
    /** Port of the target. */
    remotePort?: number;
    /** Address of the target. */
    remoteIpAddress?: string;
    /** Protocol: `tcp`, `icmp` or `udp`. */
    protocol?: string;
  };
  /** Account of the user; only with `user-profile` in `expand`, where the function has it. */
  userProfile?: UserProfile;
  /** VPN connection of the device. */
  vpnProfile?: VpnProfile;
  /** Battery of the device. */
  batteryMetrics?: BatteryMetrics;
  /** Cellular connection of a mobile device. */
  cellularProfile?: CellularProfile;
  /** Family of the operating system, such as `windows` or `mac`. */
  platform?: string;
  /** Application of the session: `webex`, `zoom` or `microsoft-teams`. */
  application?: string;
  /** Protocol of the probes, such as `tcp` or `udp`. */
  protocol?: string;
  /** How TCP probes were sent, such as `sack` or `syn`. */
  tcpProbeMode?: string;
  /** How UDP probes were sent, such as `stun-pcap`. */
  udpProbeMode?: string;
  /** Identifiers of a Webex session. */
  webex?: {
    /** Identifier of the conference. */
    conferenceId?: string;
    /** Correlation identifier of the session, a UUID. */
    correlationId?: string;
    /** Identifier of the SIP session on the side of the agent. */
    localSipSessionId?: string;
    /** Application of the meeting. */
    meetingApp?: string;
    /** Identifier of the SIP session on the other side. */
    remoteSipSessionId?: string;
  };
}

/** The paths of one session in one round of a dynamic test, with their hops. */
export interface DynamicPathDetail {
  /** Identifier of the test, a string of digits. */
  testId: string;
  /** Identifier of the agent, a UUID. */
  agentId: string;
  /** Round of the test, in seconds since 1970 (inferred). */
  roundId: number;
  /** The traced paths. */
  pathTraces?: PathRoute[];
  /** The traced paths inside a VPN. */
  vpnPathTraces?: PathRoute[];
  /** Autonomous system of the agent's public address. */
  asnDetails?: AsnDetails;
  /** Target of the test, with its port. */
  server?: string;
  /** Address that the path begins at. */
  sourceIp?: string;
  /** Network of `sourceIp`. */
  sourcePrefix?: string;
  /** Account group that the test belongs to. */
  aid?: string;
  /** Address of the server that was measured. */
  serverIp?: string;
  /** The network that the agent was in. */
  networkProfile?: NetworkProfile;
  /** Load of the device while it measured. */
  systemMetrics?: SystemMetrics;
  /** The target before a proxy or a VPN changed it (inferred). */
  originalTargetProfile?: {
    /** Port of the target. */
    remotePort?: number;
    /** Address of the target. */
    remoteIpAddress?: string;
    /** Protocol: `tcp`, `icmp` or `udp`. */
    protocol?: string;
  };
  /** Account of the user; only with `user-profile` in `expand`, where the function has it. */
  userProfile?: UserProfile;
  /** VPN connection of the device. */
  vpnProfile?: VpnProfile;
  /** Battery of the device. */
  batteryMetrics?: BatteryMetrics;
  /** Cellular connection of a mobile device. */
  cellularProfile?: CellularProfile;
  /** Family of the operating system, such as `windows` or `mac`. */
  platform?: string;
  /** Application of the session: `webex`, `zoom` or `microsoft-teams`. */
  application?: string;
  /** Protocol of the probes, such as `tcp` or `udp`. */
  protocol?: string;
  /** How TCP probes were sent, such as `sack` or `syn`. */
  tcpProbeMode?: string;
  /** How UDP probes were sent, such as `stun-pcap`. */
  udpProbeMode?: string;
  /** Identifiers of a Webex session. */
  webex?: {
    /** Identifier of the conference. */
    conferenceId?: string;
    /** Correlation identifier of the session, a UUID. */
    correlationId?: string;
    /** Identifier of the SIP session on the side of the agent. */
    localSipSessionId?: string;
    /** Application of the meeting. */
    meetingApp?: string;
    /** Identifier of the SIP session on the other side. */
    remoteSipSessionId?: string;
  };
}

/** A page of paths of a scheduled test. */
export interface PathResultPage {
  /** The rows of the page. */
  results: PathResult[];
  /** Beginning of the time of the results (RFC 3339, UTC). */
  startDate?: string;
  /** End of the time of the results (RFC 3339, UTC). */
  endDate?: string;
  /** Links of the page. */
  _links?: PageLinks;
  /** The test. */
  test?: ScheduledTestRecord;
}

/** The paths of one agent in one round of a scheduled test. */
export interface PathDetails {
  /** The paths. */
  results: PathDetail[];
  /** The test. */
  test?: ScheduledTestRecord;
  /** Links of the record. */
  _links?: SelfLinks;
}

/** A page of paths of a dynamic test. */
export interface DynamicPathResultPage {
  /** The rows of the page. */
  results: DynamicPathResult[];
  /** Beginning of the time of the results (RFC 3339, UTC). */
  startDate?: string;
  /** End of the time of the results (RFC 3339, UTC). */
  endDate?: string;
  /** Links of the page. */
  _links?: PageLinks;
  /** The test. */
  test?: DynamicTestRecord;
  /** Number of rows on all pages. */
  totalHits?: number;
}

/** The paths of one agent in one round of a dynamic test. */
export interface DynamicPathDetails {
  /** The paths. */
  results: DynamicPathDetail[];
  /** The test. */
  test?: DynamicTestRecord;
  /** Links of the record. */
  _links?: SelfLinks;
}
