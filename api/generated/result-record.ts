// `npm run generate` writes this file from the schemas in api/schemas.
import type { BatteryMetrics, CellularProfile, UserProfile, VpnProfile } from "./device";
import type { SystemMetrics } from "./measurements";
import type { NetworkProfile } from "./network-profile";

/** Quality of the user's experience. */
export interface ApplicationScore {
  /** Quality as a number. The best quality is probably 100. */
  applicationScore?: number;
  /** Quality as a word: `great`, `good` or `poor`. */
  quality?: string;
}

/** Location of the agent. */
export interface Coordinates {
  /** Degrees north, negative in the south. */
  latitude?: number;
  /** Name of the location. */
  location?: string;
  /** Degrees east, negative in the west. */
  longitude?: number;
}

/** Members that every test result contains: the test, the agent, the round and the device. */
export interface ResultRecordMembers {
  /** Account group that contains the test. */
  aid?: string;
  /** Identifier of the test, a string of digits. */
  testId: string;
  /** Identifier of the agent, a UUID. */
  agentId: string;
  /** Identifier of the test round: a time in seconds since 1970 (unit inferred). */
  roundId: number;
  /** Address of the measured server. */
  serverIp?: string;
  /** Network of the agent. */
  networkProfile?: NetworkProfile;
  /** Load of the device during the measurement. */
  systemMetrics?: SystemMetrics;
  /** The original target of the measurement, before a proxy or a VPN changed the target (inferred). */
  originalTargetProfile?: {
    /** Port of the target. */
    remotePort?: number;
    /** Address of the target. */
    remoteIpAddress?: string;
    /** Protocol of the measurement: `tcp`, `icmp` or `udp`. */
    protocol?: string;
  };
  /**
   * User account of the session. The service returns the user account only if `expand` contains `user-profile`, and only for some
   * operations.
   */
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

/** Members that every result of a dynamic test contains. */
export interface DynamicResultRecordMembers {
  /** Application that the test measured: `webex`, `zoom` or `microsoft-teams`. */
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
    /** Correlation identifier of the session (UUID). */
    correlationId?: string;
    /** Local identifier of the SIP session. */
    localSipSessionId?: string;
    /** Application that runs the meeting. */
    meetingApp?: string;
    /** Remote identifier of the SIP session. */
    remoteSipSessionId?: string;
  };
}
