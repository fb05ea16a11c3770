import { z } from "zod";

/** Distribution of a metric over samples, in the unit of the metric. */
export const spread = z.looseObject({
  /** Smallest sample. */
  min: z.number().optional(),
  /** Largest sample. */
  max: z.number().optional(),
  /** Mean of the samples. */
  mean: z.number().optional(),
  /** Median of the samples. */
  median: z.number().optional(),
  /** Standard deviation of the samples. */
  stdDev: z.number().optional(),
  /** Number of samples. */
  count: z.number().optional(),
});
export type Spread = z.output<typeof spread>;

/** Load of the device during the measurement. */
export const systemMetrics = z.looseObject({
  /** Beginning of the samples, in milliseconds since 1970 (UTC). */
  startTimeMs: z.number().optional(),
  /** End of the samples, in milliseconds since 1970 (UTC). */
  endTimeMs: z.number().optional(),
  /** CPU usage, as a share from 0 to 1. */
  cpuUtilization: spread.optional(),
  /** Memory usage, in bytes. */
  physicalMemoryUsedBytes: spread.optional(),
  /** Installed memory, in bytes. */
  physicalMemoryTotalBytes: z.number().optional(),
});
export type SystemMetrics = z.output<typeof systemMetrics>;

/** Echo requests to one target. The units are not documented; probably milliseconds, and percent for `loss` (inferred). */
export const ping = z.looseObject({
  /** Mean round-trip time, in milliseconds (inferred). */
  avgRtt: z.number().optional(),
  /** Longest round-trip time, in milliseconds (inferred). */
  maxRtt: z.number().optional(),
  /** Packets without an answer, in percent (inferred). */
  loss: z.number().optional(),
  /** Mean deviation of the round-trip time, in milliseconds (inferred). */
  meanDevRtt: z.number().optional(),
  /** Shortest round-trip time, in milliseconds (inferred). */
  minRtt: z.number().optional(),
  /** Number of answers. */
  pktsReceived: z.number().optional(),
  /** Number of requests. */
  pktsSent: z.number().optional(),
  /** The error of the measurement. */
  error: z.string().optional(),
  /** The agent's remarks, such as that a firewall blocks ICMP. */
  infoFlags: z.array(z.string()).optional(),
});
export type Ping = z.output<typeof ping>;

/** A TCP connection to one target. */
export const tcpConnect = z.looseObject({
  /** Time until the connection was established, in milliseconds (inferred). */
  rtt: z.number().optional(),
  /** Code of the failure. */
  errorCode: z.string().optional(),
  /** The error of the measurement. */
  error: z.string().optional(),
  /** The agent's remarks. */
  infoFlags: z.array(z.string()).optional(),
});
export type TcpConnect = z.output<typeof tcpConnect>;

/** Path of packets to one target. */
export const traceroute = z.looseObject({
  /** Target address of the path. */
  destination: z.string().optional(),
  /** The error of the measurement. */
  error: z.string().optional(),
  /** The agent's remarks, such as that a firewall blocks ICMP. */
  infoFlags: z.array(z.string()).optional(),
  /** Internal errors of the agent. */
  internalErrors: z.array(z.string()).optional(),
  /** Routers on the path, nearest first. */
  hops: z
    .array(
      z.looseObject({
        /** Position on the path, from 1. */
        hop: z.number().optional(),
        /** Address of the router. */
        ipAddress: z.string().optional(),
        /** Network of the address. */
        prefix: z.string().optional(),
        /** Autonomous system number of the address. */
        asn: z.number().optional(),
        /** Round-trip time to the router, in milliseconds (inferred). */
        delay: z.number().optional(),
        /** MPLS labels that the router reported. */
        mpls: z.array(z.string()).optional(),
        /** Host name of the router. */
        name: z.string().optional(),
      }),
    )
    .optional(),
});
export type Traceroute = z.output<typeof traceroute>;
