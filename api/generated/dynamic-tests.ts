// Written by `npm run generate` from the schemas; change it there.
import type { TestRecordMembers, TestRequestMembers, TestUpdateMembers } from "./tests";

/** Body of a dynamic test create. */
export interface DynamicTestRequest extends TestRequestMembers {
  /** Application whose sessions the test follows. */
  application: "microsoft-teams" | "webex" | "zoom" | (string & {});
  /** How TCP probes are sent; it has an effect with a TCP protocol only. Default: `auto`. */
  tcpProbeMode?: "auto" | "sack" | "syn";
  /** Whether paths are traced inside an established TCP session. The service chooses when left out. */
  hasPathTraceInSession?: boolean;
}

/** Body of a dynamic test update. Members that are left out keep their values (inferred). */
export interface DynamicTestUpdate extends TestUpdateMembers {
  /** Application whose sessions the test follows. */
  application?: "microsoft-teams" | "webex" | "zoom" | (string & {});
}

/** A dynamic test. */
export interface DynamicTestRecord extends TestRecordMembers {
  /** Application whose sessions the test follows: `webex`, `zoom` or `microsoft-teams`. */
  application?: string;
  /** Whether ping runs. */
  hasPing?: boolean;
  /** Whether traceroute runs. */
  hasTraceroute?: boolean;
}
