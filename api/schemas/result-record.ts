import { z } from "zod";
import { cursorQuery, identifier, pageLinks } from "./common";
import { batteryMetrics, cellularProfile, userProfile, vpnProfile } from "./device";
import { systemMetrics } from "./measurements";
import { networkProfile } from "./network-profile";
import { timeRange } from "./time-range";

/** Query of most results. */
export const resultQuery = cursorQuery.extend(timeRange);

/** What every row of test results tells: which test, on which agent, in which round, and in what surroundings. */
export const resultRecord = {
  aid: identifier.optional(),
  testId: identifier,
  agentId: identifier,
  /** Round of the test; in the samples it looks like seconds since the epoch. */
  roundId: z.number(),
  serverIp: z.string().optional(),
  networkProfile: networkProfile.optional(),
  systemMetrics: systemMetrics.optional(),
  originalTargetProfile: z
    .looseObject({
      remotePort: z.number().optional(),
      remoteIpAddress: z.string().optional(),
      protocol: z.string().optional(),
    })
    .optional(),
  /** Only with `expand=user-profile`, where the operation has it. */
  userProfile: userProfile.optional(),
  vpnProfile: vpnProfile.optional(),
  batteryMetrics: batteryMetrics.optional(),
  cellularProfile: cellularProfile.optional(),
  platform: z.string().optional(),
};

/** What a row tells of the session that a dynamic test followed. */
export const dynamicResultRecord = {
  application: z.string().optional(),
  protocol: z.string().optional(),
  tcpProbeMode: z.string().optional(),
  udpProbeMode: z.string().optional(),
  webex: z
    .looseObject({
      conferenceId: z.string().optional(),
      correlationId: z.string().optional(),
      localSipSessionId: z.string().optional(),
      meetingApp: z.string().optional(),
      remoteSipSessionId: z.string().optional(),
    })
    .optional(),
};

/** Quality as users feel it; `quality` is `great`, `good` or `poor`. */
export const applicationScore = z.looseObject({ applicationScore: z.number().optional(), quality: z.string().optional() });

/** Where the agent was. */
export const coordinates = z.looseObject({
  latitude: z.number().optional(),
  location: z.string().optional(),
  longitude: z.number().optional(),
});

/** What an answer with results carries beside its rows: the time that was asked for, and the way to the next page. */
export const resultPage = { startDate: z.string().optional(), endDate: z.string().optional(), _links: pageLinks.optional() };
