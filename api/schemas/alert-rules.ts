import { z } from "zod";
import { accountGroupQuery, identifier, selfLinks } from "./common";
import { operation } from "./operation";

export const alertGroupType = z.enum(["bgp", "browser-session", "cloud-enterprise", "endpoint"]);
const most = (limit: number) => z.number().int().max(limit, `must be less than or equal to ${limit}`);

/**
 * Request body to create or update an alert rule. An update replaces the whole rule, so an update without `testIds` unlinks all
 * tests.
 */
export const alertRuleRequest = z.object({
  /** Name of the rule. */
  ruleName: z.string(),
  /** Condition of an alert, such as `((loss >= 5 %))`. */
  expression: z.string(),
  /** Type of the tests that the rule applies to. The types of endpoint tests begin with `endpoint-`. */
  alertType: z.string(),
  /** Group of the alert type. Default: `cloud-enterprise` (observed). */
  alertGroupType: alertGroupType.optional(),
  /** Description of the rule. The service never returns the description (observed). */
  description: z.string().optional(),
  /** Direction of the traffic. Only some alert types have a direction. */
  direction: z.enum(["to-target", "from-target", "bidirectional"]).optional(),
  /** Whether the service notifies users when an alert ends. Default: `true` (observed). */
  notifyOnClear: z.boolean().optional(),
  /** Whether the rule applies to new tests. Default: `false` (observed). */
  isDefault: z.boolean().optional(),
  /** Number of agents that must be affected. A rule has either `minimumSources` or `minimumSourcesPct` (observed). */
  minimumSources: z.number().int().optional(),
  /** Percentage of agents that must be affected. */
  minimumSourcesPct: most(100).optional(),
  /** Whether the same agents must be affected in every test round. Default: `any` (observed). */
  roundsViolatingMode: z.enum(["exact", "any", "auto"]).optional(),
  /**
   * Number of test rounds that the rule considers. The service requires `roundsViolatingOutOf` and `roundsViolatingRequired`
   * (observed).
   */
  roundsViolatingOutOf: most(10).optional(),
  /** Number of test rounds that must violate the rule, out of `roundsViolatingOutOf`. */
  roundsViolatingRequired: most(10).optional(),
  /** Whether a BGP rule includes covered prefixes. */
  includeCoveredPrefixes: z.boolean().optional(),
  /** Sensitivity of an automatic condition. */
  sensitivityLevel: z.enum(["high", "medium", "low"]).optional(),
  /**
   * Severity of the alert: `info` (default), `minor`, `major` or `critical`. The service also accepts upper-case values
   * (observed).
   */
  severity: z.string().optional(),
  /** Endpoint agents to which a rule for browser sessions applies. */
  endpointAgentIds: z.array(z.string()).optional(),
  /** Endpoint labels to which a rule for browser sessions applies. */
  endpointLabelIds: z.array(z.string()).optional(),
  /** Domains to which a rule for browser sessions applies. */
  visitedSitesFilter: z.array(z.string()).optional(),
  /** The recipients and channels of notifications. */
  notifications: z.record(z.string(), z.unknown()).optional(),
  /** Identifiers of the tests that use the rule. */
  testIds: z.array(z.string()).optional(),
});
export type AlertRuleRequest = z.output<typeof alertRuleRequest>;

/** An alert rule with the members that this package uses. The client also returns undeclared members. */
export const alertRule = z.looseObject({
  /** Identifier of the rule. */
  ruleId: identifier,
  /** Name of the rule. */
  ruleName: z.string().optional(),
  /** Type of the tests that the rule applies to. */
  alertType: z.string().optional(),
  /**
   * Identifiers of the tests that use the rule. Lists of rules omit `testIds`. Responses about a rule without tests also omit
   * `testIds` (observed).
   */
  testIds: z.array(identifier).optional(),
  /** Name and type of each test that uses the rule. The service returns `tests` only for a single rule, not in lists. */
  tests: z
    .array(
      z.looseObject({
        /** Identifier of the test. */
        testId: identifier.optional(),
        /** Name of the test. */
        testName: z.string().optional(),
        /** Type of the test. The types of endpoint tests begin with `endpoint-`. */
        type: z.string().optional(),
      }),
    )
    .optional(),
  /** Endpoint agents to which a rule for browser sessions applies. */
  endpointAgentIds: z.array(identifier).optional(),
  /** Endpoint labels to which a rule for browser sessions applies. */
  endpointLabelIds: z.array(identifier).optional(),
  /** Links, such as the link to the record itself. */
  _links: selfLinks.optional(),
});
export type AlertRuleRecord = z.output<typeof alertRule>;

/** The alert rules of an account group. The service returns all alert rules on one page. */
export const alertRules = z.looseObject({
  /** The rules. */
  alertRules: z.array(alertRule),
  /** Links, such as the link to the list itself. */
  _links: selfLinks.optional(),
});
export type AlertRuleList = z.output<typeof alertRules>;

const query = accountGroupQuery;
const path = "/v7/alerts/rules";
const rulePath = "/v7/alerts/rules/{ruleId}";
const viewing = "View alert rules";
const editing = "Edit alert rules. To link tests, or to delete a rule with tests, also Edit tests";
const written = { query, body: alertRuleRequest, permission: editing, response: alertRule };

export const alertRuleOperations = {
  list: operation({
    id: "alertRules.list",
    method: "GET",
    path,
    query,
    permission: viewing,
    status: 200,
    response: alertRules,
  }),
  create: operation({ id: "alertRules.create", method: "POST", path, ...written, status: 201 }),
  get: operation({
    id: "alertRules.get",
    method: "GET",
    path: rulePath,
    query,
    permission: viewing,
    status: 200,
    response: alertRule,
  }),
  update: operation({ id: "alertRules.update", method: "PUT", path: rulePath, ...written, status: 200 }),
  delete: operation({ id: "alertRules.delete", method: "DELETE", path: rulePath, query, permission: editing, status: 204 }),
};
