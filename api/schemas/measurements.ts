import { z } from "zod";

const spread = z.looseObject({
  min: z.number().optional(),
  max: z.number().optional(),
  mean: z.number().optional(),
  median: z.number().optional(),
  stdDev: z.number().optional(),
  count: z.number().optional(),
});

/** Load of the device while it measured. `cpuUtilization` is a share from 0 to 1. */
export const systemMetrics = z.looseObject({
  startTimeMs: z.number().optional(),
  endTimeMs: z.number().optional(),
  cpuUtilization: spread.optional(),
  physicalMemoryUsedBytes: spread.optional(),
  physicalMemoryTotalBytes: z.number().optional(),
});

/** Echo requests to one target. Units are not stated: we take milliseconds, and percent for `loss`. */
export const ping = z.looseObject({
  avgRtt: z.number().optional(),
  maxRtt: z.number().optional(),
  loss: z.number().optional(),
  meanDevRtt: z.number().optional(),
  minRtt: z.number().optional(),
  pktsReceived: z.number().optional(),
  pktsSent: z.number().optional(),
  error: z.string().optional(),
  infoFlags: z.array(z.string()).optional(),
});

export const tcpConnect = z.looseObject({
  rtt: z.number().optional(),
  errorCode: z.string().optional(),
  error: z.string().optional(),
  infoFlags: z.array(z.string()).optional(),
});

export const traceroute = z.looseObject({
  destination: z.string().optional(),
  error: z.string().optional(),
  infoFlags: z.array(z.string()).optional(),
  internalErrors: z.array(z.string()).optional(),
  hops: z
    .array(
      z.looseObject({
        hop: z.number().optional(),
        ipAddress: z.string().optional(),
        prefix: z.string().optional(),
        asn: z.number().optional(),
        delay: z.number().optional(),
        mpls: z.array(z.string()).optional(),
        name: z.string().optional(),
      }),
    )
    .optional(),
});
