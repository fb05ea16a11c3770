// Written by `npm run generate` from the schemas; change it there.
import type { TestRecordMembers, TestRequestMembers, TestUpdateMembers } from "./tests";

/** Body of a dynamic test create. */
export interface DynamicTestRequest extends TestRequestMembers {
  /** Application with the sessions that the test follows. */
  application: "microsoft-teams" | "webex" | "zoom" | (string & {});
  /** TCP probe mode. Only TCP protocols use it. Default: `auto`. */
  tcpProbeMode?: "auto" | "sack" | "syn";
  /** Whether agents trace paths inside an established TCP session. If omitted, the service chooses. */
  hasPathTraceInSession?: boolean;
}

/** Body of a dynamic test update. Omitted members keep their values (inferred). */
export interface DynamicTestUpdate extends TestUpdateMembers {
  /** Application with the sessions that the test follows. */
  application?: "microsoft-teams" | "webex" | "zoom" | (string & {});
}

/** A dynamic test. */
export interface DynamicTestRecord extends TestRecordMembers {
  /** Application with the sessions that the test follows: `webex`, `zoom` or `microsoft-teams`. */
  application?: string;
  /** Whether the test includes ping. */
  hasPing?: boolean;
  /** Whether the test includes traceroute. */
  hasTraceroute?: boolean;
}
