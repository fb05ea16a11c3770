// Written by `npm run generate` from the schemas; change it there.
import type { AgentToServerInstantTestRequest } from "./instant-tests";
import type { TestRecordMembers, TestUpdateMembers } from "./tests";

/** Body of an agent-to-server test create. Only an update sets `isEnabled` and `tcpProbeMode`. */
export interface AgentToServerTestRequest extends AgentToServerInstantTestRequest {
  /** Whether an agent prefers this test if it has more tests than its license allows. Default: false. */
  isPrioritized?: boolean;
  /** Seconds between rounds. Default: 60. */
  interval?: 60 | 120 | 300 | 600 | 900 | 1800 | 3600;
  /** Protocol of the probes. Default: `icmp`. */
  protocol?: "ast-autodetect" | "autodetect" | "icmp" | "icmp-with-tcp-connect" | "prefer-tcp" | "tcp";
}

/** Body of an agent-to-server test update. Omitted members keep their values (inferred). */
export interface AgentToServerTestUpdate extends TestUpdateMembers {
  /** Host name or IP address of the target. */
  server?: string;
  /** Port of the target, 1 to 65535. Send it in each update, because the documented default of an update differs. */
  port?: number;
}

/** An agent-to-server test. */
export interface AgentToServerTestRecord extends TestRecordMembers {
  /** `agent-to-server`. */
  type?: string;
  /** Host name or IP address of the target. */
  server?: string;
  /** Port of the target. */
  port?: number;
  /** Whether the record is a stored snapshot instead of a live test. */
  isSavedEvent?: boolean;
}
