/** An agent's measurements in one round of a test. Values that the agent did not measure are undefined. */
export interface Measurement {
  /** Identifier of the agent, a UUID. */
  agentId: string;
  /** Id of the round. Later rounds have larger ids. */
  roundId: number;
  /** Whether the agent reached the target. */
  available: boolean;
  /** Packet loss on the path, in percent. */
  loss?: number;
  /** Average latency, in milliseconds. */
  avgLatency?: number;
  /** Response time of the HTTP server, in milliseconds. */
  responseTime?: number;
  /** HTTP status of the response. */
  responseCode?: number;
  /** Phase of the HTTP request that failed. */
  errorType?: string;
  /** Description of the failure, as the agent reports it. */
  errorDetails?: string;
}
