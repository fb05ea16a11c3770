// Written by `npm run generate` from the schemas; change it there.
import type { SelfLinks } from "./common";

/** Body of a create or an update, which takes the whole rule: an update without `testIds` unlinks all tests. */
export interface AlertRuleRequest {
  /** Name of the rule. */
  ruleName: string;
  /** Condition of an alert, such as `((loss >= 5 %))`. */
  expression: string;
  /** Kind of test that the rule is for. Those of endpoint tests begin with `endpoint-`. */
  alertType: string;
  /** Group of the alert type. Default: `cloud-enterprise` (recorded). */
  alertGroupType?: "bgp" | "browser-session" | "cloud-enterprise" | "endpoint";
  /** Free text, which no read returns (recorded). */
  description?: string;
  /** Direction of the traffic, where the alert type has one. */
  direction?: "bidirectional" | "from-target" | "to-target";
  /** Whether to notify when an alert ends. Default: `true` (recorded). */
  notifyOnClear?: boolean;
  /** Whether new tests are linked to the rule. Default: `false` (recorded). */
  isDefault?: boolean;
  /** Number of agents that must be affected. A rule has it or `minimumSourcesPct` (recorded). */
  minimumSources?: number;
  /** The same as a percentage. */
  minimumSourcesPct?: number;
  /** Whether the same agents must be affected in all rounds. Default: `any` (recorded). */
  roundsViolatingMode?: "any" | "auto" | "exact";
  /** Number of rounds to look at. The service requires it, and the next member (recorded). */
  roundsViolatingOutOf?: number;
  /** Number of these rounds that must violate the rule. */
  roundsViolatingRequired?: number;
  /** Whether a BGP rule includes covered prefixes. */
  includeCoveredPrefixes?: boolean;
  /** Sensitivity of an automatic condition. */
  sensitivityLevel?: "high" | "low" | "medium";
  /** Severity of the alert: `info`, which is the default, `minor`, `major` or `critical`, also in capitals (recorded). */
  severity?: string;
  /** Endpoint agents of a rule for browser sessions. */
  endpointAgentIds?: string[];
  /** Endpoint labels of a rule for browser sessions. */
  endpointLabelIds?: string[];
  /** Domains of a rule for browser sessions. */
  visitedSitesFilter?: string[];
  /** The recipients of notifications, and the channels. */
  notifications?: Record<string, unknown>;
  /** Tests of the rule. */
  testIds?: string[];
}

/** An alert rule, as far as this package looks at it. Further members are kept. */
export interface AlertRuleRecord {
  /** Identifier of the rule. */
  ruleId: string;
  /** Name of the rule. */
  ruleName?: string;
  /** Kind of test that the rule is for. */
  alertType?: string;
  /** Tests of the rule. A list of rules lacks them, and so do the answers about a rule without tests (recorded). */
  testIds?: string[];
  /** The same, with name and type; only in the answer to a get. */
  tests?: {
    /** Identifier of the test. */
    testId?: string;
    /** Name of the test. */
    testName?: string;
    /** Type of the test. Those of endpoint tests begin with `endpoint-`. */
    type?: string;
  }[];
  /** Endpoint agents of a rule for browser sessions. */
  endpointAgentIds?: string[];
  /** Endpoint labels of a rule for browser sessions. */
  endpointLabelIds?: string[];
  /** Links of the record. */
  _links?: SelfLinks;
}

/** The alert rules of an account group, all on one page. */
export interface AlertRuleList {
  /** The rules. */
  alertRules: AlertRuleRecord[];
  /** Links of the list. */
  _links?: SelfLinks;
}
