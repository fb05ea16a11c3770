// `npm run generate` writes this file from the schemas in api/schemas.
import type { TestRecordMembers, TestRequestMembers, TestUpdateMembers } from "./tests";

/** Request body to create a dynamic test. */
export interface DynamicTestRequest extends TestRequestMembers {
  /** Application that the test measures. */
  application: "microsoft-teams" | "webex" | "zoom" | (string & {});
  /** TCP probe mode, for TCP protocols only. Default: `auto`. */
  tcpProbeMode?: "auto" | "sack" | "syn";
  /** Whether agents trace paths inside an established TCP session. If omitted, the service chooses a value. */
  hasPathTraceInSession?: boolean;
}

/** Request body to update a dynamic test. Members that an update omits probably keep their values. */
export interface DynamicTestUpdate extends TestUpdateMembers {
  /** Application that the test measures. */
  application?: "microsoft-teams" | "webex" | "zoom" | (string & {});
}

/** A dynamic test. */
export interface DynamicTestRecord extends TestRecordMembers {
  /** Application that the test measures: `webex`, `zoom` or `microsoft-teams`. */
  application?: string;
  /** Whether the test includes ping. */
  hasPing?: boolean;
  /** Whether the test includes traceroute. */
  hasTraceroute?: boolean;
}
