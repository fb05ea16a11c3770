// Written by `npm run generate` from the schemas; change it there.
import type { SelfLinks } from "./common";

/** Body of a create or an update. An update replaces the whole rule: without `testIds` it unlinks all tests. */
export interface AlertRuleRequest {
  /** Name of the rule. */
  ruleName: string;
  /** Condition of an alert, such as `((loss >= 5 %))`. */
  expression: string;
  /** Kind of test that the rule is for. Those of endpoint tests begin with `endpoint-`. */
  alertType: string;
  /** Group of the alert type. Default: `cloud-enterprise` (recorded). */
  alertGroupType?: "bgp" | "browser-session" | "cloud-enterprise" | "endpoint";
  /** Free text. No read returns it (recorded). */
  description?: string;
  /** Direction of the traffic, if the alert type has one. */
  direction?: "bidirectional" | "from-target" | "to-target";
  /** Whether to notify users when an alert ends. Default: `true` (recorded). */
  notifyOnClear?: boolean;
  /** Whether new tests are linked to the rule. Default: `false` (recorded). */
  isDefault?: boolean;
  /** Number of agents that must be affected. A rule has either this member or `minimumSourcesPct` (recorded). */
  minimumSources?: number;
  /** Percentage of agents that must be affected. */
  minimumSourcesPct?: number;
  /** Whether the same agents must be affected in all rounds. Default: `any` (recorded). */
  roundsViolatingMode?: "any" | "auto" | "exact";
  /** Number of rounds to consider. The service requires this member and the next one (recorded). */
  roundsViolatingOutOf?: number;
  /** Number of these rounds that must violate the rule. */
  roundsViolatingRequired?: number;
  /** Whether a BGP rule includes covered prefixes. */
  includeCoveredPrefixes?: boolean;
  /** Sensitivity of an automatic condition. */
  sensitivityLevel?: "high" | "low" | "medium";
  /** Severity of the alert: `info` (default), `minor`, `major` or `critical`, also in capitals (recorded). */
  severity?: string;
  /** Endpoint agents of a rule for browser sessions. */
  endpointAgentIds?: string[];
  /** Endpoint labels of a rule for browser sessions. */
  endpointLabelIds?: string[];
  /** Domains of a rule for browser sessions. */
  visitedSitesFilter?: string[];
  /** The recipients and channels of notifications. */
  notifications?: Record<string, unknown>;
  /** Tests of the rule. */
  testIds?: string[];
}

/** An alert rule, with the members that this package uses. Further members are kept. */
export interface AlertRuleRecord {
  /** Identifier of the rule. */
  ruleId: string;
  /** Name of the rule. */
  ruleName?: string;
  /** Kind of test that the rule is for. */
  alertType?: string;
  /** Tests of the rule. Lists of rules omit them, and so do answers about a rule without tests (recorded). */
  testIds?: string[];
  /** Tests of the rule with name and type. Only in the answer to a get. */
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
