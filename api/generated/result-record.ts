// Written by `npm run generate` from the schemas; change it there.
import type { BatteryMetrics, CellularProfile, UserProfile, VpnProfile } from "./device";
import type { SystemMetrics } from "./measurements";
import type { NetworkProfile } from "./network-profile";

/** Quality as users feel it. */
export interface ApplicationScore {
  /** Quality as a number; 100 is the best (inferred). */
  applicationScore?: number;
  /** Quality in words: `great`, `good` or `poor`. */
  quality?: string;
}

/** Where the agent was. */
export interface Coordinates {
  /** Degrees north, negative in the south. */
  latitude?: number;
  /** Name of the place. */
  location?: string;
  /** Degrees east, negative in the west. */
  longitude?: number;
}

/** Members of every row of test results: the test, the agent, the round and the surroundings. */
export interface ResultRecordMembers {
  /** Account group that the test belongs to. */
  aid?: string;
  /** Identifier of the test, a string of digits. */
  testId: string;
  /** Identifier of the agent, a UUID. */
  agentId: string;
  /** Round of the test, in seconds since 1970 (inferred). */
  roundId: number;
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

/** Members of a row about the session that a dynamic test followed. */
export interface DynamicResultRecordMembers {
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
