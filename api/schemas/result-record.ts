import { z } from "zod";
import { cursorQuery, identifier, pageLinks } from "./common";
import { batteryMetrics, cellularProfile, userProfile, vpnProfile } from "./device";
import { systemMetrics } from "./measurements";
import { networkProfile } from "./network-profile";
import { timeRange } from "./time-range";

/** Query of most results. */
export const resultQuery = cursorQuery.extend(timeRange);

/** Members of every row of test results: the test, the agent, the round and the environment. */
export const resultRecord = {
  /** Account group that the test belongs to. */
  aid: identifier.optional(),
  /** Identifier of the test, a string of digits. */
  testId: identifier,
  /** Identifier of the agent, a UUID. */
  agentId: identifier,
  /** Round of the test, in seconds since 1970 (inferred). */
  roundId: z.number(),
  /** Address of the measured server. */
  serverIp: z.string().optional(),
  /** Network of the agent. */
  networkProfile: networkProfile.optional(),
  /** Load of the device during the measurement. */
  systemMetrics: systemMetrics.optional(),
  /** The target before a proxy or a VPN changed it (inferred). */
  originalTargetProfile: z
    .looseObject({
      /** Port of the target. */
      remotePort: z.number().optional(),
      /** Address of the target. */
      remoteIpAddress: z.string().optional(),
      /** Protocol: `tcp`, `icmp` or `udp`. */
      protocol: z.string().optional(),
    })
    .optional(),
  /** Account of the user. Only with `user-profile` in `expand`, if the function supports it. */
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

/** Members of a row about a session of a dynamic test. */
export const dynamicResultRecord = {
  /** Application of the session: `webex`, `zoom` or `microsoft-teams`. */
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
      /** Correlation identifier of the session, a UUID. */
      correlationId: z.string().optional(),
      /** Local identifier of the SIP session. */
      localSipSessionId: z.string().optional(),
      /** Application of the meeting. */
      meetingApp: z.string().optional(),
      /** Remote identifier of the SIP session. */
      remoteSipSessionId: z.string().optional(),
    })
    .optional(),
};

/** Quality in the user's experience. */
export const applicationScore = z.looseObject({
  /** Quality as a number; 100 is the best (inferred). */
  applicationScore: z.number().optional(),
  /** Quality in words: `great`, `good` or `poor`. */
  quality: z.string().optional(),
});
export type ApplicationScore = z.output<typeof applicationScore>;

/** Location of the agent. */
export const coordinates = z.looseObject({
  /** Degrees north, negative in the south. */
  latitude: z.number().optional(),
  /** Name of the place. */
  location: z.string().optional(),
  /** Degrees east, negative in the west. */
  longitude: z.number().optional(),
});
export type Coordinates = z.output<typeof coordinates>;

/** Members of an answer with results other than its rows: the requested time range, and the link to the next page. */
export const resultPage = {
  /** Beginning of the results' time range (RFC 3339, UTC). */
  startDate: z.string().optional(),
  /** End of the results' time range (RFC 3339, UTC). */
  endDate: z.string().optional(),
  /** Links of the page. */
  _links: pageLinks.optional(),
};
