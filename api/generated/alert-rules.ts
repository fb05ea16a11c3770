// `npm run generate` writes this file from the schemas in api/schemas.
import type { SelfLinks } from "./common";

/**
 * Request body to create or update an alert rule. An update replaces the whole rule, so an update without `testIds` unlinks all
 * tests.
 */
export interface AlertRuleRequest {
  /** Name of the rule. */
  ruleName: string;
  /** Condition of an alert, such as `((loss >= 5 %))`. */
  expression: string;
  /** Type of the tests that the rule applies to. The types of endpoint tests begin with `endpoint-`. */
  alertType: string;
  /** Group of the alert type. Default: `cloud-enterprise` (observed). */
  alertGroupType?: "bgp" | "browser-session" | "cloud-enterprise" | "endpoint";
  /** Description of the rule. The service never returns the description (observed). */
  description?: string;
  /** Direction of the traffic. Only some alert types have a direction. */
  direction?: "bidirectional" | "from-target" | "to-target";
  /** Whether the service notifies users when an alert ends. Default: `true` (observed). */
  notifyOnClear?: boolean;
  /** Whether the rule applies to new tests. Default: `false` (observed). */
  isDefault?: boolean;
  /** Number of agents that must be affected. A rule has either `minimumSources` or `minimumSourcesPct` (observed). */
  minimumSources?: number;
  /** Percentage of agents that must be affected. */
  minimumSourcesPct?: number;
  /** Whether the same agents must be affected in every test round. Default: `any` (observed). */
  roundsViolatingMode?: "any" | "auto" | "exact";
  /**
   * Number of test rounds that the rule considers. The service requires `roundsViolatingOutOf` and `roundsViolatingRequired`
   * (observed).
   */
  roundsViolatingOutOf?: number;
  /** Number of test rounds that must violate the rule, out of `roundsViolatingOutOf`. */
  roundsViolatingRequired?: number;
  /** Whether a BGP rule includes covered prefixes. */
  includeCoveredPrefixes?: boolean;
  /** Sensitivity of an automatic condition. */
  sensitivityLevel?: "high" | "low" | "medium";
  /**
   * Severity of the alert: `info` (default), `minor`, `major` or `critical`. The service also accepts upper-case values
   * (observed).
   */
  severity?: string;
  /** Endpoint agents to which a rule for browser sessions applies. */
  endpointAgentIds?: string[];
  /** Endpoint labels to which a rule for browser sessions applies. */
  endpointLabelIds?: string[];
  /** Domains to which a rule for browser sessions applies. */
  visitedSitesFilter?: string[];
  /** The recipients and channels of notifications. */
  notifications?: Record<string, unknown>;
  /** Identifiers of the tests that use the rule. */
  testIds?: string[];
}

/** An alert rule with the members that this package uses. The client also returns undeclared members. */
export interface AlertRuleRecord {
  /** Identifier of the rule. */
  ruleId: string;
  /** Name of the rule. */
  ruleName?: string;
  /** Type of the tests that the rule applies to. */
  alertType?: string;
  /**
   * Identifiers of the tests that use the rule. Lists of rules omit `testIds`. Responses about a rule without tests also omit
   * `testIds` (observed).
   */
  testIds?: string[];
  /** Name and type of each test that uses the rule. The service returns `tests` only for a single rule, not in lists. */
  tests?: {
    /** Identifier of the test. */
    testId?: string;
    /** Name of the test. */
    testName?: string;
    /** Type of the test. The types of endpoint tests begin with `endpoint-`. */
    type?: string;
  }[];
  /** Endpoint agents to which a rule for browser sessions applies. */
  endpointAgentIds?: string[];
  /** Endpoint labels to which a rule for browser sessions applies. */
  endpointLabelIds?: string[];
  /** Links, such as the link to the record itself. */
  _links?: SelfLinks;
}

/** The alert rules of an account group. The service returns all alert rules on one page. */
export interface AlertRuleList {
  /** The rules. */
  alertRules: AlertRuleRecord[];
  /** Links, such as the link to the list itself. */
  _links?: SelfLinks;
}
