// `npm run generate` writes this file from the schemas in api/schemas.

/** Statistics of a metric's samples, in the unit of the metric. */
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
  /** Time of the first sample, in milliseconds since 1970 (UTC). */
  startTimeMs?: number;
  /** Time of the last sample, in milliseconds since 1970 (UTC). */
  endTimeMs?: number;
  /** CPU usage, as a fraction from 0 to 1. */
  cpuUtilization?: Spread;
  /** Memory usage, in bytes. */
  physicalMemoryUsedBytes?: Spread;
  /** Installed memory, in bytes. */
  physicalMemoryTotalBytes?: number;
}

/**
 * Ping measurements of one target. The service documents no units. Times are probably in milliseconds, and `loss` is probably
 * in percent.
 */
export interface Ping {
  /** Mean round-trip time, in milliseconds (unit inferred). */
  avgRtt?: number;
  /** Longest round-trip time, in milliseconds (unit inferred). */
  maxRtt?: number;
  /** Packet loss, in percent (unit inferred). */
  loss?: number;
  /** Mean deviation of the round-trip time, in milliseconds (unit inferred). */
  meanDevRtt?: number;
  /** Shortest round-trip time, in milliseconds (unit inferred). */
  minRtt?: number;
  /** Number of received ping replies. */
  pktsReceived?: number;
  /** Number of sent ping requests. */
  pktsSent?: number;
  /** The error that ended the measurement. */
  error?: string;
  /** Notes from the agent, such as a note about a firewall that blocks ICMP. */
  infoFlags?: string[];
}

/** Measurement of a TCP connection to one target. */
export interface TcpConnect {
  /** Time until the connection was established, in milliseconds (unit inferred). */
  rtt?: number;
  /** Code of the connection failure. */
  errorCode?: string;
  /** The error that ended the measurement. */
  error?: string;
  /** The agent's remarks. */
  infoFlags?: string[];
}

/** Path that packets take to one target. */
export interface Traceroute {
  /** Target address of the path. */
  destination?: string;
  /** The error that ended the measurement. */
  error?: string;
  /** Notes from the agent, such as a note about a firewall that blocks ICMP. */
  infoFlags?: string[];
  /** Errors that occurred in the agent. */
  internalErrors?: string[];
  /** Routers on the path, the nearest first. */
  hops?: {
    /** Position of the router on the path, counted from 1. */
    hop?: number;
    /** Address of the router. */
    ipAddress?: string;
    /** Network prefix that contains the router's address. */
    prefix?: string;
    /** Autonomous system number of the router's address. */
    asn?: number;
    /** Round-trip time to the router, in milliseconds (unit inferred). */
    delay?: number;
    /** MPLS labels that the router reported. */
    mpls?: string[];
    /** Host name of the router. */
    name?: string;
  }[];
}
