import { z } from "zod";
import { cursorQuery, identifier, pageLinks } from "./common";
import { batteryMetrics, cellularProfile, userProfile, vpnProfile } from "./device";
import { systemMetrics } from "./measurements";
import { networkProfile } from "./network-profile";
import { timeRange } from "./time-range";

/** Query parameters of most requests for results. */
export const resultQuery = cursorQuery.extend(timeRange);

/** Members that every test result contains: the test, the agent, the round and the device. */
export const resultRecord = {
  /** Account group that contains the test. */
  aid: identifier.optional(),
  /** Identifier of the test, a string of digits. */
  testId: identifier,
  /** Identifier of the agent, a UUID. */
  agentId: identifier,
  /** Identifier of the test round: a time in seconds since 1970 (unit inferred). */
  roundId: z.number(),
  /** Address of the measured server. */
  serverIp: z.string().optional(),
  /** Network of the agent. */
  networkProfile: networkProfile.optional(),
  /** Load of the device during the measurement. */
  systemMetrics: systemMetrics.optional(),
  /** The original target of the measurement, before a proxy or a VPN changed the target (inferred). */
  originalTargetProfile: z
    .looseObject({
      /** Port of the target. */
      remotePort: z.number().optional(),
      /** Address of the target. */
      remoteIpAddress: z.string().optional(),
      /** Protocol of the measurement: `tcp`, `icmp` or `udp`. */
      protocol: z.string().optional(),
    })
    .optional(),
  /**
   * User account of the session. The service returns the user account only if `expand` contains `user-profile`, and only for some
   * operations.
   */
  userProfile: userProfile.optional(),
  /** VPN connection of the device. */
  vpnProfile: vpnProfile.optional(),
  /** Battery of the device. */
  batteryMetrics: batteryMetrics.optional(),
  /** Cellular connection of a mobile device. */
  cellularProfile: cellularProfile.optional(),
  /** Family of the operating system, such as `windows` or `mac`. */
  platform: z.string().optional(),
};

/** Members that every result of a dynamic test contains. */
export const dynamicResultRecord = {
  /** Application that the test measured: `webex`, `zoom` or `microsoft-teams`. */
  application: z.string().optional(),
  /** Protocol of the probes, such as `tcp` or `udp`. */
  protocol: z.string().optional(),
  /** TCP probe mode, such as `sack` or `syn`. */
  tcpProbeMode: z.string().optional(),
  /** UDP probe mode, such as `stun-pcap`. */
  udpProbeMode: z.string().optional(),
  /** Identifiers of a Webex session. */
  webex: z
    .looseObject({
      /** Identifier of the conference. */
      conferenceId: z.string().optional(),
      /** Correlation identifier of the session (UUID). */
      correlationId: z.string().optional(),
      /** Local identifier of the SIP session. */
      localSipSessionId: z.string().optional(),
      /** Application that runs the meeting. */
      meetingApp: z.string().optional(),
      /** Remote identifier of the SIP session. */
      remoteSipSessionId: z.string().optional(),
    })
    .optional(),
};

/** Quality of the user's experience. */
export const applicationScore = z.looseObject({
  /** Quality as a number. The best quality is probably 100. */
  applicationScore: z.number().optional(),
  /** Quality as a word: `great`, `good` or `poor`. */
  quality: z.string().optional(),
});
export type ApplicationScore = z.output<typeof applicationScore>;

/** Location of the agent. */
export const coordinates = z.looseObject({
  /** Degrees north, negative in the south. */
  latitude: z.number().optional(),
  /** Name of the location. */
  location: z.string().optional(),
  /** Degrees east, negative in the west. */
  longitude: z.number().optional(),
});
export type Coordinates = z.output<typeof coordinates>;

/** Members of a response with results: the requested time range, and the link to the next page. */
export const resultPage = {
  /** Start of the requested time range (RFC 3339, UTC). */
  startDate: z.string().optional(),
  /** End of the requested time range (RFC 3339, UTC). */
  endDate: z.string().optional(),
  /** Links, such as the link to the next page. */
  _links: pageLinks.optional(),
};
