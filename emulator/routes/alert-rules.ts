import { type AlertRuleRecord, type AlertRuleRequest, operations } from "../../api/schemas";
import { compareText } from "../../common/text";
import { type HandlerCall, handle } from "../handler";
import { alertRules, type StoredRule, testsOf } from "../model/alerts";
import { httpServerKind } from "../model/http-server-test";
import { Problem, type ProblemStyle, standardStyle } from "../problem";
import type { StoreRow } from "../store";

const calls = operations.alertRules;
const path = calls.list.path;

type Complaint = readonly [field: string, text: string];

/** Recorded error messages about missing members. */
const missing: Readonly<Record<string, readonly Complaint[]>> = {
  alertType: [
    ["alertType", "Alert Type must not be null or invalid"],
    ["roundsViolatingMode", "Rounds violating mode is not applicable for null"],
    ["", "Invalid Alert Rule request"],
  ],
  expression: [["expression", "Expression must not be null"]],
};

/** Recorded errors about a rule with an unknown enumeration value mention only the unknown value. */
const style: ProblemStyle = {
  ...standardStyle,
  invalid: (where, errors) => {
    if (where === "body" && errors.some(({ code }) => code === "invalid_value")) return unreadable();
    return refusal(errors.flatMap(({ code, field, message }) => (code === "missing" && missing[field]) || [[field, message]]));
  },
  body: (problem, at) => ({
    ...standardStyle.body(problem, at),
    detail: problem.more.title && (problem.detail || undefined),
  }),
};

export const alertRuleRoutes = [
  // Recorded lists contain all alert rules, sorted by name. The parameters `max`, `limit`, `offset` and `page` have no effect.
  handle(
    calls.list,
    (call) => {
      const rows = call.service.store
        .list(alertRules, call.aid)
        .toSorted(
          (a, b) => compareText(a.body.ruleName.toLowerCase(), b.body.ruleName.toLowerCase()) || a.sequence - b.sequence,
        );
      return { body: { alertRules: rows.map(listed), _links: { self: { href: call.self } } } };
    },
    { style },
  ),
  handle(
    calls.create,
    (call) => {
      const body = storedOf(call);
      const { id } = call.service.store.insert(alertRules, call.aid, () => body);
      return { body: echo(call, id), headers: { location: call.link(`${path}/${id}`) } };
    },
    { style },
  ),
  handle(calls.get, (call) => ({ body: record(call, existing(call)) }), { style }),
  handle(
    calls.update,
    (call) => {
      const row = existing(call);
      call.service.store.replace(alertRules, row.id, storedOf(call, row.body.severity));
      return { body: echo(call, row.id) };
    },
    { style },
  ),
  handle(
    calls.delete,
    (call) => {
      call.service.store.delete(alertRules, existing(call).id, call.aid);
      return { body: undefined };
    },
    { style },
  ),
];

type WriteCall = Pick<HandlerCall<typeof calls.create>, "aid" | "service" | "body" | "link">;
type RuleCall = Pick<HandlerCall<typeof calls.get>, "aid" | "service" | "path">;

function existing({ aid, service, path: { ruleId } }: RuleCall): StoreRow<StoredRule> {
  const row = service.store.get(alertRules, ruleId, aid);
  if (!row) throw new Problem(404, "");
  return row;
}

/** Returns the rule that the service stores. In recorded updates, the service deletes omitted members, except the severity. */
function storedOf({ body, aid, service }: WriteCall, severityBefore = "info"): StoredRule {
  const severity = severityOf(body.severity) ?? severityBefore;
  refuse(body);
  // In recorded responses, the service ignores `description` and `includeCoveredPrefixes`.
  const { description: _description, includeCoveredPrefixes: _prefixes, testIds = [], ...rest } = body;
  const tests = testsOf(service.store, aid, { testIds });
  const stranger = testIds.find((id) => tests.every((test) => test.id !== id));
  if (stranger !== undefined) throw refusal([["testIds", `Test ${stranger} does not exist`]]);
  const stored: StoredRule = {
    roundsViolatingMode: "any",
    isDefault: false,
    notifyOnClear: true,
    notifications: { email: { message: "" } },
    ...rest,
    severity,
    alertGroupType: groupOf(body),
    testIds,
  };
  if (body.alertType.startsWith("endpoint-browser-sessions")) return stored;
  const { endpointAgentIds: _agents, endpointLabelIds: _labels, visitedSitesFilter: _sites, ...taken } = stored;
  return taken;
}

function severityOf(text: string | undefined): string | undefined {
  if (text === undefined || /^(info|minor|major|critical)$/i.test(text)) return text?.toLowerCase();
  if (text !== "unknown") throw unreadable();
  throw inTitle("Invalid Severity UNKNOWN given. Valid values are [INFO, MINOR, MAJOR, CRITICAL].");
}

/** In recorded responses, the service replaces the alert group type `bgp` with `cloud-enterprise` for every alert type. */
function groupOf({ alertGroupType: group = "cloud-enterprise" }: AlertRuleRequest) {
  return group === "bgp" ? "cloud-enterprise" : group;
}

/**
 * Refuses an invalid rule.
 *
 * @throws Problem with the text from a recorded response
 */
function refuse(rule: AlertRuleRequest): void {
  const { alertType, direction, expression, minimumSources, minimumSourcesPct } = rule;
  const complaints: string[] = [];
  if ((minimumSources === undefined) === (minimumSourcesPct === undefined)) {
    const text = "Exactly 1 field must be defined between minimumSources and minimumSourcesPct";
    complaints.push(`minimumSourcesPct: ${text}`, `minimumSources: ${text}`);
  }
  if (direction !== undefined && alertType === "http-server") {
    complaints.push("direction: Rule cannot have a direction set for alert type HTTP Server");
  }
  if (alertType === "page-load" && /\b(responseTime|responseCode)\b/.test(expression)) {
    complaints.push("expression: expression and alertType fields are not compatible");
  }
  if (complaints.length > 0) throw inTitle(complaints.join("\n"));
  for (const [member, words] of [
    ["roundsViolatingOutOf", "Out Of"],
    ["roundsViolatingRequired", "Required"],
  ] as const) {
    if (rule[member] !== undefined) continue;
    const type = alertType === "http-server" ? "Http" : alertType;
    const text = `Rounds Violating ${words} is required for alert rules of type ${type} with roundsViolatingMode ANY`;
    throw refusal([
      [member, text],
      ["", "Invalid Alert Rule request"],
    ]);
  }
  // The service checks only the outer brackets of an alert expression.
  if (/^\(.*\)$/s.test(expression)) return;
  const symbol = `Symbol: #27\r\nCurrent Symbol: #27 - ${expression.trim().split(/\s/)[0]}`;
  const text = "Could not parse alert rule expression analyzing sensitivity levels. Couldn't repair and continue parse in";
  throw new Problem(400, `${text} ${symbol}.`);
}

function unreadable(): Problem {
  return new Problem(400, "Failed to read request", { title: "Bad Request" });
}

function inTitle(title: string): Problem {
  return new Problem(400, "", { title });
}

function refusal(complaints: readonly Complaint[]): Problem {
  const texts = complaints.map(([field, text]) => `${field === "" ? "" : `Error in field ${field}`} : ${text}.`);
  return new Problem(400, texts.join(" "));
}

/** Recorded responses to a write request contain the values from the request instead of the stored rule. */
function echo({ body, link }: WriteCall, ruleId: string): AlertRuleRecord {
  const group = body.alertGroupType && { alertGroupType: groupOf(body) };
  return { ...body, ...group, ruleId, _links: linkTo(link, ruleId) };
}

/** In recorded lists, alert rules omit tests and notifications. In the documentation, listed alert rules omit links. */
function listed({ id, body }: StoreRow<StoredRule>): AlertRuleRecord {
  const { testIds: _tests, notifications: _notifications, ...rest } = body;
  return { ...rest, ruleId: id };
}

/** In recorded responses, a rule without tests has neither `testIds` nor `tests`. */
function record(call: Pick<HandlerCall, "link" | "service">, row: StoreRow<StoredRule>): AlertRuleRecord {
  const { body, aid } = row;
  const tests = testsOf(call.service.store, aid, body).map(({ id, kind, testName, isEnabled }) => ({
    testId: id,
    testName,
    enabled: isEnabled,
    type: kind === httpServerKind ? "endpoint-http-server" : "endpoint-network-server",
    _links: { self: { href: call.link(`${kind.path}/${id}`) } },
  }));
  const linked = tests.length > 0 && { tests, testIds: tests.map(({ testId }) => testId) };
  return { ...listed(row), notifications: body.notifications, ...linked, _links: linkTo(call.link, row.id) };
}

function linkTo(link: HandlerCall["link"], id: string) {
  return { self: { href: link(`${path}/${id}`) } };
}
