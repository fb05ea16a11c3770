/** What one agent measured in one run. A member that was not measured is absent. */
export interface Measurement {
  /** Identifier (UUID) of the agent. */
  agentId: string;
  /** Identifier of the round that measured it; a larger one is newer. */
  roundId: number;
  /** Whether the agent reached the target. */
  available: boolean;
  /** Loss on the path, in percent. */
  loss?: number;
  /** Average latency, in milliseconds. */
  avgLatency?: number;
  /** Response time of the HTTP server, in milliseconds. */
  responseTime?: number;
  /** Status of the HTTP answer. */
  responseCode?: number;
  /** Phase in which the request failed. */
  errorType?: string;
  /** What went wrong, in the agent's words. */
  errorDetails?: string;
}
