import { type Ask, paths } from "../ask";
import type { Row } from "../row";
import type { Body } from "../session";

const known = "neither stated nor recorded";
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
/** A stream that sends nothing. */
const stream = async (ask: Ask, over: object): Promise<Body> => {
  const target = { type: "opentelemetry", signal: "metric", endpointType: "http", dataModelVersion: "v2", enabled: false };
  return (await ask.post(paths.stream, { ...target, streamEndpointUrl: "https://collector.example.com", ...over })).body;
};
const streamRead = async (ask: Ask, { id }: Body): Promise<Body> => (await ask.get(`${paths.stream}/${id}`)).body;
const own = async (ask: Ask): Promise<Body> => (await ask.test("agentToServer")).body;

/** Alert rules and streams: what points at a test, label or tag, and what becomes of it. */
export const referencesRows: readonly Row[] = [
  {
    id: "endpoint-rules-in-the-list",
    topic: "alert rules for endpoint tests",
    emulator: "can be created, listed and read as all others, with the tests that they name",
    known: "each operation is limited to other tests by its text, and the models have endpoint members; never recorded",
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
    topic: "an alert rule whose test is deleted",
    emulator: "stays, and no longer names the test",
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
    topic: "PUT of an alert rule without `testIds`",
    emulator: "unlinks all tests",
    known: "reported of tests that are no endpoint tests",
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
    topic: "an alert rule for a test that does not exist",
    emulator: "400",
    known,
    file: rulesFile,
    probe: async (ask) => ({ status: (await ask.post(paths.alertRule, ruleBody(ask, { testIds: ["1"] }))).status }),
    answers: { status: 400 },
  },
  {
    id: "rule-of-a-label",
    topic: "a label in a rule for browser sessions, and its delete",
    emulator: "the rule names it in lists and reads, and goes on to name it once it is deleted",
    known: "a rule of another type drops it (recorded); labels are for browser sessions only (stated)",
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
    topic: "two alert rules of one name",
    emulator: "allowed",
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
    topic: "a stream whose test or label is deleted",
    emulator: "goes on to name both",
    known: "streams were never recorded",
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
    topic: "PUT of a stream that leaves out its tests",
    emulator: "200; they stay",
    known: "what is sent is overwritten (stated); that what is left out stays is stated of the name",
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
    topic: "more streams than an account group may have",
    emulator: "the eleventh is a 412",
    known: "ten and the 412 are stated",
    file: streamsFile,
    reason: "it would use up the streams of the account group",
  },
  {
    id: "permission-to-view-rules",
    topic: "who may read alert rules and streams",
    emulator: "everybody",
    known: "View alert rules is named by a product page; for streams no permission is named",
    file: rulesFile,
    reason: "which permissions the roles of an account have is its administrator's choice",
  },
];
