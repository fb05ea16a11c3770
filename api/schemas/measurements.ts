import { z } from "zod";

/** Statistics of a metric's samples, in the unit of the metric. */
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
  /** Time of the first sample, in milliseconds since 1970 (UTC). */
  startTimeMs: z.number().optional(),
  /** Time of the last sample, in milliseconds since 1970 (UTC). */
  endTimeMs: z.number().optional(),
  /** CPU usage, as a fraction from 0 to 1. */
  cpuUtilization: spread.optional(),
  /** Memory usage, in bytes. */
  physicalMemoryUsedBytes: spread.optional(),
  /** Installed memory, in bytes. */
  physicalMemoryTotalBytes: z.number().optional(),
});
export type SystemMetrics = z.output<typeof systemMetrics>;

/**
 * Ping measurements of one target. The service documents no units. Times are probably in milliseconds, and `loss` is probably
 * in percent.
 */
export const ping = z.looseObject({
  /** Mean round-trip time, in milliseconds (unit inferred). */
  avgRtt: z.number().optional(),
  /** Longest round-trip time, in milliseconds (unit inferred). */
  maxRtt: z.number().optional(),
  /** Packet loss, in percent (unit inferred). */
  loss: z.number().optional(),
  /** Mean deviation of the round-trip time, in milliseconds (unit inferred). */
  meanDevRtt: z.number().optional(),
  /** Shortest round-trip time, in milliseconds (unit inferred). */
  minRtt: z.number().optional(),
  /** Number of received ping replies. */
  pktsReceived: z.number().optional(),
  /** Number of sent ping requests. */
  pktsSent: z.number().optional(),
  /** The error that ended the measurement. */
  error: z.string().optional(),
  /** Notes from the agent, such as a note about a firewall that blocks ICMP. */
  infoFlags: z.array(z.string()).optional(),
});
export type Ping = z.output<typeof ping>;

/** Measurement of a TCP connection to one target. */
export const tcpConnect = z.looseObject({
  /** Time until the connection was established, in milliseconds (unit inferred). */
  rtt: z.number().optional(),
  /** Code of the connection failure. */
  errorCode: z.string().optional(),
  /** The error that ended the measurement. */
  error: z.string().optional(),
  /** The agent's remarks. */
  infoFlags: z.array(z.string()).optional(),
});
export type TcpConnect = z.output<typeof tcpConnect>;

/** Path that packets take to one target. */
export const traceroute = z.looseObject({
  /** Target address of the path. */
  destination: z.string().optional(),
  /** The error that ended the measurement. */
  error: z.string().optional(),
  /** Notes from the agent, such as a note about a firewall that blocks ICMP. */
  infoFlags: z.array(z.string()).optional(),
  /** Errors that occurred in the agent. */
  internalErrors: z.array(z.string()).optional(),
  /** Routers on the path, the nearest first. */
  hops: z
    .array(
      z.looseObject({
        /** Position of the router on the path, counted from 1. */
        hop: z.number().optional(),
        /** Address of the router. */
        ipAddress: z.string().optional(),
        /** Network prefix that contains the router's address. */
        prefix: z.string().optional(),
        /** Autonomous system number of the router's address. */
        asn: z.number().optional(),
        /** Round-trip time to the router, in milliseconds (unit inferred). */
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
