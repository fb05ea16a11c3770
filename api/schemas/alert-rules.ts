import { z } from "zod";
import { accountGroupQuery, identifier, selfLinks } from "./common";
import { operation } from "./operation";

export const alertGroupType = z.enum(["bgp", "browser-session", "cloud-enterprise", "endpoint"]);
const most = (limit: number) => z.number().int().max(limit, `must be less than or equal to ${limit}`);

/** Body of a create or an update. An update replaces the whole rule: without `testIds` it unlinks all tests. */
export const alertRuleRequest = z.object({
  /** Name of the rule. */
  ruleName: z.string(),
  /** Condition of an alert, such as `((loss >= 5 %))`. */
  expression: z.string(),
  /** Kind of test that the rule is for. Those of endpoint tests begin with `endpoint-`. */
  alertType: z.string(),
  /** Group of the alert type. Default: `cloud-enterprise` (recorded). */
  alertGroupType: alertGroupType.optional(),
  /** Free text. No read returns it (recorded). */
  description: z.string().optional(),
  /** Direction of the traffic, if the alert type has one. */
  direction: z.enum(["to-target", "from-target", "bidirectional"]).optional(),
  /** Whether to notify users when an alert ends. Default: `true` (recorded). */
  notifyOnClear: z.boolean().optional(),
  /** Whether new tests are linked to the rule. Default: `false` (recorded). */
  isDefault: z.boolean().optional(),
  /** Number of agents that must be affected. A rule has either this member or `minimumSourcesPct` (recorded). */
  minimumSources: z.number().int().optional(),
  /** Percentage of agents that must be affected. */
  minimumSourcesPct: most(100).optional(),
  /** Whether the same agents must be affected in all rounds. Default: `any` (recorded). */
  roundsViolatingMode: z.enum(["exact", "any", "auto"]).optional(),
  /** Number of rounds to consider. The service requires this member and the next one (recorded). */
  roundsViolatingOutOf: most(10).optional(),
  /** Number of these rounds that must violate the rule. */
  roundsViolatingRequired: most(10).optional(),
  /** Whether a BGP rule includes covered prefixes. */
  includeCoveredPrefixes: z.boolean().optional(),
  /** Sensitivity of an automatic condition. */
  sensitivityLevel: z.enum(["high", "medium", "low"]).optional(),
  /** Severity of the alert: `info` (default), `minor`, `major` or `critical`, also in capitals (recorded). */
  severity: z.string().optional(),
  /** Endpoint agents of a rule for browser sessions. */
  endpointAgentIds: z.array(z.string()).optional(),
  /** Endpoint labels of a rule for browser sessions. */
  endpointLabelIds: z.array(z.string()).optional(),
  /** Domains of a rule for browser sessions. */
  visitedSitesFilter: z.array(z.string()).optional(),
  /** The recipients and channels of notifications. */
  notifications: z.record(z.string(), z.unknown()).optional(),
  /** Tests of the rule. */
  testIds: z.array(z.string()).optional(),
});
export type AlertRuleRequest = z.output<typeof alertRuleRequest>;

/** An alert rule, with the members that this package uses. Further members are kept. */
export const alertRule = z.looseObject({
  /** Identifier of the rule. */
  ruleId: identifier,
  /** Name of the rule. */
  ruleName: z.string().optional(),
  /** Kind of test that the rule is for. */
  alertType: z.string().optional(),
  /** Tests of the rule. Lists of rules omit them, and so do answers about a rule without tests (recorded). */
  testIds: z.array(identifier).optional(),
  /** Tests of the rule with name and type. Only in the answer to a get. */
  tests: z
    .array(
      z.looseObject({
        /** Identifier of the test. */
        testId: identifier.optional(),
        /** Name of the test. */
        testName: z.string().optional(),
        /** Type of the test. Those of endpoint tests begin with `endpoint-`. */
        type: z.string().optional(),
      }),
    )
    .optional(),
  /** Endpoint agents of a rule for browser sessions. */
  endpointAgentIds: z.array(identifier).optional(),
  /** Endpoint labels of a rule for browser sessions. */
  endpointLabelIds: z.array(identifier).optional(),
  /** Links of the record. */
  _links: selfLinks.optional(),
});
export type AlertRuleRecord = z.output<typeof alertRule>;

/** The alert rules of an account group, all on one page. */
export const alertRules = z.looseObject({
  /** The rules. */
  alertRules: z.array(alertRule),
  /** Links of the list. */
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
