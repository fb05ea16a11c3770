/** Tests alert rules and streams: recorded behavior, and references to endpoint tests and labels. */
import recorded from "../../fixtures/service/recorded-400s.json";
import { otherAreas } from "../../support/kinds";
import { Bench, type Json, paths } from "../support";

const { path: rules, body: rule } = otherAreas.alertRules;
const { path: streams } = otherAreas.streams;
/** A rule for the recordings' type of test. */
const http = { ...rule, alertType: "http-server", expression: "((responseTime >= 500 ms))" };

let bench: Bench;
beforeAll(async () => void (bench = await Bench.start()));
afterAll(() => bench.close());

const call = (method: string, path: string, body?: object): Promise<Json> => bench.call(method, path, { body });
const created = async (body: object = {}): Promise<string> => (await call("POST", rules, { ...rule, ...body })).body.ruleId;
const read = async (id: string): Promise<Json> => (await call("GET", `${rules}/${id}`)).body;
const without = (name: string): object => ({ ...http, [name]: undefined });

describe("rejections that the real service returned", () => {
  /** The requests, in the recording's words. */
  const requests: Record<string, readonly object[]> = {
    "without alertType": [without("alertType")],
    "without expression": [without("expression")],
    "without minimumSources": [without("minimumSources")],
    "without roundsViolatingOutOf": [without("roundsViolatingOutOf")],
    "without roundsViolatingRequired": [without("roundsViolatingRequired")],
    "rounds 1001, pct 1001": [
      { ...without("minimumSources"), roundsViolatingOutOf: 1001, roundsViolatingRequired: 1001, minimumSourcesPct: 1001 },
    ],
    "alertGroupType or severity: unknown word or BGP": [
      { ...http, alertGroupType: "nonsense" },
      { ...http, severity: "nonsense" },
      { ...http, alertGroupType: "BGP" },
    ],
    "severity unknown": [{ ...http, severity: "unknown" }],
    "alertType page-load, expression of http-server": [{ ...http, alertType: "page-load" }],
    "expression without grammar (blanks around, or plain word)": [{ ...http, expression: "WORD" }],
    "minimumSources and minimumSourcesPct and direction, http-server": [
      { ...http, minimumSourcesPct: 50, direction: "to-target" },
    ],
  };
  const { short } = recorded.meta;
  const answers = recorded.answers.filter(({ p }) => p.startsWith(rules));
  const textOf = (body: object): string => JSON.stringify(body).replace(/\{[PVT]\}/g, (key) => short[key as "{P}"]);
  /** The errors have no fixed order. */
  const sorted = (title: string): string[] =>
    title
      .split(/\n|(?= Error in field)/)
      .map((part) => part.trim())
      .toSorted();

  test("the test table contains each of the 14 recorded rejections", () => {
    expect(answers).toHaveLength(14);
    const asked = answers.filter(({ m }) => m !== "GET").map(({ req }) => req);
    expect(new Set(asked)).toEqual(new Set(Object.keys(requests)));
  });

  test.each(answers.map((answer, at) => ({ ...answer, at })))(
    "the emulator rejects the request in recording $at as the service does: $m $req",
    async ({ m, s, req = "", body }) => {
      const { title, detail }: { title: string; detail?: string } = JSON.parse(textOf(body));
      const word = /- (\w+)\.$/.exec(title)?.[1] ?? "";
      const path = m === "POST" ? rules : `${rules}/${m === "PUT" ? await created() : "999"}`;
      for (const sent of requests[req] ?? [undefined]) {
        const sentBody = sent && (JSON.parse(JSON.stringify(sent).replace("WORD", word)) as object);
        const answer = await call(m, path, sentBody);
        expect([answer.status, answer.headers.get("content-type")]).toEqual([s, "application/problem+json"]);
        expect({ ...answer.body, title: sorted(answer.body.title) }).toEqual({
          type: "about:blank",
          status: s,
          instance: path,
          title: sorted(title),
          ...(detail !== undefined && { detail }),
        });
      }
    },
  );
});

test("a list of alert rules is sorted by name and omits the tests of each rule", async () => {
  const ownBench = await Bench.start();
  const ask = (method: string, path: string, body?: object): Promise<Json> => ownBench.call(method, path, { body });
  const { body: test } = await ask("POST", paths.agentToServer, { testName: "Portal", server: "portal.example.com" });
  const linked = { testIds: [test.testId], description: "kept by nobody", severity: "INFO", alertGroupType: "bgp" };
  for (const ruleName of ["beta", "Alpha", "gamma"]) await ask("POST", rules, { ...rule, ruleName, ...linked });
  for (const query of ["", "?max=1", "?limit=1&offset=2&page=text"]) {
    const { alertRules } = (await ask("GET", `${rules}${query}`)).body;
    expect(alertRules.map(({ ruleName }: Json) => ruleName)).toEqual(["Alpha", "beta", "gamma"]);
    for (const alertRule of alertRules) {
      for (const lacking of ["tests", "testIds", "notifications", "description"]) expect(alertRule).not.toHaveProperty(lacking);
    }
  }
  const made = await ask("POST", rules, { ...rule, ...linked });
  expect(made.headers.get("location")).toBe(`${ownBench.url}${rules}/${made.body.ruleId}`);
  expect(made.body).toMatchObject({ description: "kept by nobody", severity: "INFO", alertGroupType: "cloud-enterprise" });
  const { body: stored } = await ask("GET", `${rules}/${made.body.ruleId}`);
  expect(stored).toMatchObject({
    severity: "info",
    isDefault: false,
    notifyOnClear: true,
    roundsViolatingMode: "any",
    notifications: { email: { message: "" } },
    testIds: [test.testId],
    tests: [{ testId: test.testId, testName: "Portal", type: "endpoint-network-server" }],
  });
  expect(stored).not.toHaveProperty("description");
  await ownBench.close();
});

test("an update of an alert rule resets all omitted members except the severity", async () => {
  const { body: test } = await call("POST", paths.httpServer, { testName: "Portal", url: "https://portal.example.com" });
  const id = await created({ testIds: [test.testId], severity: "major", isDefault: true, notifyOnClear: false });
  expect((await read(id)).tests).toMatchObject([{ testId: test.testId, type: "endpoint-http-server" }]);
  expect((await call("PUT", `${rules}/${id}`, { ...rule, ruleName: "Renamed" })).status).toBe(200);
  const remaining = await read(id);
  expect(remaining).toMatchObject({ ruleName: "Renamed", severity: "major", isDefault: false, notifyOnClear: true });
  expect([remaining.tests, remaining.testIds]).toEqual([undefined, undefined]);
});

test("the emulator stores labels and agents only in alert rules for browser sessions", async () => {
  const named = { endpointLabelIds: ["1"], endpointAgentIds: ["a"], visitedSitesFilter: ["example.com"] };
  const dropped = await read(await created({ ...http, ...named }));
  expect(Object.keys(named).filter((name) => name in dropped)).toEqual([]);
  expect(await read(await created({ alertType: "endpoint-browser-sessions-agent", ...named }))).toMatchObject(named);
});

test("an update of a stream changes only the properties in the request", async () => {
  const { body: made } = await call("POST", streams, {
    name: "siem",
    type: "splunk-hec",
    testMatch: [{ id: "5", domain: "endpoint" }],
    exporterConfig: { splunkHec: { token: "not-for-everybody" } },
  });
  const changed = { endpointAgentLabel: [{ id: "9" }], type: "opentelemetry" };
  const { body } = await call("PUT", `${streams}/${made.id}`, changed);
  expect(body).toMatchObject({ name: "siem", type: "splunk-hec", testMatch: [{ id: "5" }], endpointAgentLabel: [{ id: "9" }] });
  expect((await call("GET", `${streams}?type=opentelemetry`)).body).toEqual([]);
  expect((await call("GET", streams)).body).toEqual([body]);
  const shown = await call("GET", `/_emulator/records/streams/${made.id}`);
  expect(JSON.stringify(shown.body)).not.toContain("not-for-everybody");
  const statuses = [];
  for (let at = 0; at < 10; at += 1) statuses.push((await call("POST", streams, {})).status);
  expect(statuses).toEqual([...Array<number>(9).fill(201), 412]);
  expect((await call("GET", `${streams}/none`)).body).toMatchObject({ httpStatus: "404", errors: [expect.any(String)] });
});
