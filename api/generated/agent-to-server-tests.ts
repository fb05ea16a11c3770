// `npm run generate` writes this file from the schemas in api/schemas.
import type { AgentToServerInstantTestRequest } from "./instant-tests";
import type { TestRecordMembers, TestUpdateMembers } from "./tests";

/** Request body to create an agent-to-server test. Only an update can set `isEnabled` and `tcpProbeMode`. */
export interface AgentToServerTestRequest extends AgentToServerInstantTestRequest {
  /** Whether an agent prefers the test if the agent has more tests than its license allows. Default: false. */
  isPrioritized?: boolean;
  /** Seconds between consecutive rounds of the test. Default: 60. */
  interval?: 60 | 120 | 300 | 600 | 900 | 1800 | 3600;
  /** Protocol of the probes. Default: `icmp`. */
  protocol?: "ast-autodetect" | "autodetect" | "icmp" | "icmp-with-tcp-connect" | "prefer-tcp" | "tcp";
}

/** Request body to update an agent-to-server test. Members that an update omits probably keep their values. */
export interface AgentToServerTestUpdate extends TestUpdateMembers {
  /** Host name or IP address of the target. */
  server?: string;
  /**
   * Port of the target, 1 to 65535. Send the port in every update request, because update and create requests have different documented
   * defaults.
   */
  port?: number;
}

/** An agent-to-server test. */
export interface AgentToServerTestRecord extends TestRecordMembers {
  /** Type of the test: `agent-to-server`. */
  type?: string;
  /** Host name or IP address of the target. */
  server?: string;
  /** Port of the target. */
  port?: number;
  /** Whether the record is a saved snapshot of a test instead of a running test. */
  isSavedEvent?: boolean;
}
