/** The measurements of one agent in one run. A value that the agent did not measure is absent. */
export interface Measurement {
  /** Identifier (UUID) of the agent. */
  agentId: string;
  /** Identifier of the round. A larger identifier is newer. */
  roundId: number;
  /** Whether the agent reached the target. */
  available: boolean;
  /** Loss on the path, in percent. */
  loss?: number;
  /** Average latency, in milliseconds. */
  avgLatency?: number;
  /** Response time of the HTTP server, in milliseconds. */
  responseTime?: number;
  /** Status of the HTTP response. */
  responseCode?: number;
  /** Phase of the failure. */
  errorType?: string;
  /** Description of the failure, as the agent reports it. */
  errorDetails?: string;
}
