// Written by `npm run generate` from the schemas; change it there.

/** Distribution of a metric over samples, in the unit of the metric. */
export interface Spread {
  /** Smallest sample. */
  min?: number;
  /** Largest sample. */
  max?: number;
  /** Mean of the samples. */
  mean?: number;
  /** Median of the samples. */
  median?: number;
  /** Standard deviation of the samples. */
  stdDev?: number;
  /** Number of samples. */
  count?: number;
}

/** Load of the device during the measurement. */
export interface SystemMetrics {
  /** Beginning of the samples, in milliseconds since 1970 (UTC). */
  startTimeMs?: number;
  /** End of the samples, in milliseconds since 1970 (UTC). */
  endTimeMs?: number;
  /** CPU usage, as a share from 0 to 1. */
  cpuUtilization?: Spread;
  /** Memory usage, in bytes. */
  physicalMemoryUsedBytes?: Spread;
  /** Installed memory, in bytes. */
  physicalMemoryTotalBytes?: number;
}

/** Echo requests to one target. The units are not documented; probably milliseconds, and percent for `loss` (inferred). */
export interface Ping {
  /** Mean round-trip time, in milliseconds (inferred). */
  avgRtt?: number;
  /** Longest round-trip time, in milliseconds (inferred). */
  maxRtt?: number;
  /** Packets without an answer, in percent (inferred). */
  loss?: number;
  /** Mean deviation of the round-trip time, in milliseconds (inferred). */
  meanDevRtt?: number;
  /** Shortest round-trip time, in milliseconds (inferred). */
  minRtt?: number;
  /** Number of answers. */
  pktsReceived?: number;
  /** Number of requests. */
  pktsSent?: number;
  /** The error of the measurement. */
  error?: string;
  /** The agent's remarks, such as that a firewall blocks ICMP. */
  infoFlags?: string[];
}

/** A TCP connection to one target. */
export interface TcpConnect {
  /** Time until the connection was established, in milliseconds (inferred). */
  rtt?: number;
  /** Code of the failure. */
  errorCode?: string;
  /** The error of the measurement. */
  error?: string;
  /** The agent's remarks. */
  infoFlags?: string[];
}

/** Path of packets to one target. */
export interface Traceroute {
  /** Target address of the path. */
  destination?: string;
  /** The error of the measurement. */
  error?: string;
  /** The agent's remarks, such as that a firewall blocks ICMP. */
  infoFlags?: string[];
  /** Internal errors of the agent. */
  internalErrors?: string[];
  /** Routers on the path, nearest first. */
  hops?: {
    /** Position on the path, from 1. */
    hop?: number;
    /** Address of the router. */
    ipAddress?: string;
    /** Network of the address. */
    prefix?: string;
    /** Autonomous system number of the address. */
    asn?: number;
    /** Round-trip time to the router, in milliseconds (inferred). */
    delay?: number;
    /** MPLS labels that the router reported. */
    mpls?: string[];
    /** Host name of the router. */
    name?: string;
  }[];
}
