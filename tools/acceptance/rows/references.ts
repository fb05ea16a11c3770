import { type Ask, paths } from "../ask";
import type { Row } from "../row";
import type { Body } from "../session";

const known = "Not documented, not recorded";
const [rulesFile, streamsFile] = ["emulator/routes/alert-rules.ts", "emulator/routes/streams.ts"];
const ruleBody = (ask: Ask, over: object = {}): object => ({
  ruleName: ask.name(),
  expression: "((loss >= 5 %))",
  alertType: "endpoint-network-server",
  alertGroupType: "endpoint",
  minimumSources: 1,
  roundsViolatingOutOf: 3,
  roundsViolatingRequired: 2,
  ...over,
});
const rule = async (ask: Ask, over: object = {}): Promise<Body> => (await ask.post(paths.alertRule, ruleBody(ask, over))).body;
const ruleRead = async (ask: Ask, { ruleId }: Body): Promise<Body> => (await ask.get(`${paths.alertRule}/${ruleId}`)).body;
const stream = async (ask: Ask, over: object): Promise<Body> => {
  const target = { type: "opentelemetry", signal: "metric", endpointType: "http", dataModelVersion: "v2", enabled: false };
  return (await ask.post(paths.stream, { ...target, streamEndpointUrl: "https://collector.example.com", ...over })).body;
};
const streamRead = async (ask: Ask, { id }: Body): Promise<Body> => (await ask.get(`${paths.stream}/${id}`)).body;
const own = async (ask: Ask): Promise<Body> => (await ask.test("agentToServer")).body;

/**
 * Assumptions about alert rules and streams: how they refer to tests, labels and tags, and how deletions affect these
 * references.
 */
export const referencesRows: readonly Row[] = [
  {
    id: "endpoint-rules-in-the-list",
    topic: "Alert rules for endpoint tests",
    emulator:
      "The emulator treats alert rules for endpoint tests like all other alert rules, and returns the tests of each rule",
    known:
      "The documented operations exclude endpoint tests, but the documented models have members for endpoint tests. Not recorded",
    file: rulesFile,
    probe: async (ask) => {
      const { testId } = await own(ask);
      const made = await ask.post(paths.alertRule, ruleBody(ask, { testIds: [testId] }));
      const { body: list } = await ask.get(paths.alertRule);
      const { body } = await ask.get(`${paths.alertRule}/${made.body.ruleId}`);
      const isListed = list.alertRules?.some(({ ruleId }: Body) => ruleId === made.body.ruleId) ?? false;
      const type: string | undefined = body.tests?.[0]?.type;
      return {
        status: made.status,
        isListed,
        group: body.alertGroupType,
        names: body.testIds?.includes(testId) ?? false,
        type,
      };
    },
    answers: { status: 201, isListed: true, group: "endpoint", names: true, type: "endpoint-network-server" },
  },
  {
    id: "rule-of-a-deleted-test",
    topic: "An alert rule after the deletion of its test",
    emulator: "The alert rule still exists, but no longer contains the test",
    known,
    file: rulesFile,
    probe: async (ask) => {
      const { testId } = await own(ask);
      const made = await rule(ask, { testIds: [testId] });
      const { status } = await ask.delete(`${paths.agentToServer}/${testId}`);
      const left = await ruleRead(ask, made);
      return { status, isThere: left.ruleId === made.ruleId, names: left.testIds?.includes(testId) ?? false };
    },
    answers: { status: 204, isThere: true, names: false },
  },
  {
    id: "rule-update-without-tests",
    topic: "PUT request for an alert rule without `testIds`",
    emulator: "The PUT request removes all tests from the alert rule",
    known: "Users report that the service removes all tests, but no report mentions endpoint tests",
    file: rulesFile,
    probe: async (ask) => {
      const { testId } = await own(ask);
      const made = await rule(ask, { testIds: [testId] });
      const { status } = await ask.put(`${paths.alertRule}/${made.ruleId}`, ruleBody(ask));
      const left = await ruleRead(ask, made);
      return { status, names: left.testIds?.includes(testId) ?? false };
    },
    answers: { status: 200, names: false },
  },
  {
    id: "rule-of-an-unknown-test",
    topic: "An alert rule for a test that does not exist",
    emulator: "400",
    known,
    file: rulesFile,
    probe: async (ask) => ({ status: (await ask.post(paths.alertRule, ruleBody(ask, { testIds: ["1"] }))).status }),
    answers: { status: 400 },
  },
  {
    id: "rule-of-a-label",
    topic: "A label in a rule for browser sessions, before and after the label is deleted",
    emulator: "Lists and reads return the label, even after its deletion",
    known:
      "In a recording, the service did not store the label for a rule of another type. The documentation allows labels for browser sessions only",
    file: rulesFile,
    probe: async (ask) => {
      const { body: label } = await ask.label();
      const over = { alertType: "endpoint-browser-sessions-agent", alertGroupType: "browser-session" };
      const made = await rule(ask, { ...over, endpointLabelIds: [label.id] });
      const names = async (): Promise<boolean> => (await ruleRead(ask, made)).endpointLabelIds?.includes(label.id) ?? false;
      const [before, { body: list }] = [await names(), await ask.get(paths.alertRule)];
      const listed = list.alertRules?.find(({ ruleId }: Body) => ruleId === made.ruleId);
      const { status } = await ask.delete(`${paths.label}/${label.id}`);
      return { before, inList: listed?.endpointLabelIds?.includes(label.id) ?? false, status, after: await names() };
    },
    answers: { before: true, inList: true, status: 204, after: true },
  },
  {
    id: "rule-names",
    topic: "Two alert rules with the same name",
    emulator: "Allowed",
    known,
    file: rulesFile,
    probe: async (ask) => {
      const body = ruleBody(ask);
      await ask.post(paths.alertRule, body);
      return { status: (await ask.post(paths.alertRule, body)).status };
    },
    answers: { status: 201 },
  },
  {
    id: "stream-of-a-deleted-test",
    topic: "A stream after the deletion of its test or label",
    emulator: "The stream keeps the ids of its test and label",
    known: "No stream is recorded",
    file: streamsFile,
    probe: async (ask) => {
      const [{ testId }, { body: label }] = [await own(ask), await ask.label()];
      const testMatch = [{ id: testId, domain: "endpoint" }];
      const made = await stream(ask, { testMatch, endpointAgentLabel: [{ id: label.id }] });
      await ask.delete(`${paths.agentToServer}/${testId}`);
      await ask.delete(`${paths.label}/${label.id}`);
      const { body: list } = await ask.get(paths.stream);
      const isListed = list.some(({ id }: Body) => id === made.id);
      const left = await streamRead(ask, made);
      const test = left.testMatch?.some(({ id }: Body) => id === testId) ?? false;
      return { isListed, test, label: left.endpointAgentLabel?.some(({ id }: Body) => id === label.id) ?? false };
    },
    answers: { isListed: true, test: true, label: true },
  },
  {
    id: "stream-update-that-leaves-out",
    topic: "PUT request for a stream without its tests",
    emulator: "200. The stream keeps its tests",
    known:
      "According to the documentation, a PUT request overwrites the members in the body, and does not change an omitted name",
    file: streamsFile,
    probe: async (ask) => {
      const { testId } = await own(ask);
      const made = await stream(ask, { testMatch: [{ id: testId, domain: "endpoint" }] });
      const { status } = await ask.put(`${paths.stream}/${made.id}`, { enabled: false });
      return { status, tests: (await streamRead(ask, made)).testMatch?.length ?? 0 };
    },
    answers: { status: 200, tests: 1 },
  },
  {
    id: "number-of-streams",
    topic: "More streams than an account group may have",
    emulator: "A request to create an eleventh stream returns status 412",
    known: "The limit of ten streams and the status 412 are documented",
    file: streamsFile,
    reason: "it would use up the streams of the account group",
  },
  {
    id: "permission-to-view-rules",
    topic: "Permission to read alert rules and streams",
    emulator: "Every user may read rules and streams",
    known: 'A product page mentions the permission "View alert rules". The permission for streams is not documented',
    file: rulesFile,
    reason: "the administrator of an account chooses the permissions of its roles",
  },
];
