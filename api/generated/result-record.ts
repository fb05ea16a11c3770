// Written by `npm run generate` from the schemas; change it there.
import type { BatteryMetrics, CellularProfile, UserProfile, VpnProfile } from "./device";
import type { SystemMetrics } from "./measurements";
import type { NetworkProfile } from "./network-profile";

/** Quality in the user's experience. */
export interface ApplicationScore {
  /** Quality as a number; 100 is the best (inferred). */
  applicationScore?: number;
  /** Quality in words: `great`, `good` or `poor`. */
  quality?: string;
}

/** Location of the agent. */
export interface Coordinates {
  /** Degrees north, negative in the south. */
  latitude?: number;
  /** Name of the place. */
  location?: string;
  /** Degrees east, negative in the west. */
  longitude?: number;
}

/** Members of every row of test results: the test, the agent, the round and the environment. */
export interface ResultRecordMembers {
  /** Account group that the test belongs to. */
  aid?: string;
  /** Identifier of the test, a string of digits. */
  testId: string;
  /** Identifier of the agent, a UUID. */
  agentId: string;
  /** Round of the test, in seconds since 1970 (inferred). */
  roundId: number;
  /** Address of the measured server. */
  serverIp?: string;
  /** Network of the agent. */
  networkProfile?: NetworkProfile;
  /** Load of the device during the measurement. */
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
  /** Account of the user. Only with `user-profile` in `expand`, if the function supports it. */
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

/** Members of a row about a session of a dynamic test. */
export interface DynamicResultRecordMembers {
  /** Application of the session: `webex`, `zoom` or `microsoft-teams`. */
  application?: string;
  /** Protocol of the probes, such as `tcp` or `udp`. */
  protocol?: string;
  /** TCP probe mode, such as `sack` or `syn`. */
  tcpProbeMode?: string;
  /** UDP probe mode, such as `stun-pcap`. */
  udpProbeMode?: string;
  /** Identifiers of a Webex session. */
  webex?: {
    /** Identifier of the conference. */
    conferenceId?: string;
    /** Correlation identifier of the session, a UUID. */
    correlationId?: string;
    /** Local identifier of the SIP session. */
    localSipSessionId?: string;
    /** Application of the meeting. */
    meetingApp?: string;
    /** Remote identifier of the SIP session. */
    remoteSipSessionId?: string;
  };
}
