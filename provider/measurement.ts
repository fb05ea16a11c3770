/** The measurements of an agent in one round of a test. Values that the agent did not measure are absent. */
export interface Measurement {
  agentId: string;
  /** Id of the round. A later round has a larger id. */
  roundId: number;
  available: boolean;
  /** Packet loss on the path, in percent. */
  loss?: number;
  /** Average latency, in milliseconds. */
  avgLatency?: number;
  /** Response time of the HTTP server, in milliseconds. */
  responseTime?: number;
  responseCode?: number;
  /** Phase of the HTTP request that failed. */
  errorType?: string;
  errorDetails?: string;
}
