/** Tests alert rules and streams that refer to a deleted or replaced record. */
import type { EngineStep } from "../../engine/preview-output";
import { readPreview } from "../../engine/preview";
import { Output } from "../../cli/report/output";
import { judge } from "../../plan/judge/judge";
import { paths } from "../emulator/support";
import { silentIo } from "../support/command";
import { useEmulator } from "../support/emulator";
import { kindCases, otherAreas } from "../support/kinds";
import { previewText, sessionWith, step, urnOf } from "../cli/review-support";
import { phraseText } from "../../common/phrase";
import { operationOf } from "../../plan/steps";
import type { Judgement } from "../../plan/judge/model";

const portal = { testName: "Portal", server: "portal.example.com" };
const office = kindCases.label.minimal;
const { alertRules, streams } = otherAreas;

const service = useEmulator({ agents: 3 });
let [testId, labelId, ruleId] = ["", "", ""];
beforeAll(async () => {
  const make = (path: string, body: object): Promise<string> => service.create(path, body);
  testId = await make(paths.agentToServer, portal);
  labelId = await make(paths.label, office);
  ruleId = await make(alertRules.path, { ...alertRules.body, ruleName: "Portal down", testIds: [testId] });
  await make(alertRules.path, { ...alertRules.body, ruleName: "Loss over 5 %", testIds: [testId] });
  await make(alertRules.path, { ...alertRules.body, ruleName: "Elsewhere" });
  const named = { testMatch: [{ id: testId, domain: "endpoint" }], endpointAgentLabel: [{ id: labelId }] };
  await make(streams.path, { name: "siem", ...named });
});

async function judged(...steps: EngineStep[]): Promise<Judgement> {
  const state = { resources: [], interrupted: [] };
  const operation = operationOf(readPreview(previewText(steps), "test"), state);
  const session = () => Promise.resolve(sessionWith(service.url));
  return judge({ operation, session }, new Output(true, silentIo()));
}

const stopsOf = ({ findings }: Judgement): string[] =>
  findings.flatMap(({ rule, text }) => (rule === "loses-references" ? [phraseText(text)] : []));
const replaced = () =>
  step("replace", "agentToServerTest", "portal", {
    id: testId,
    before: portal,
    after: { ...portal, isPrioritized: true },
    reasons: ["isPrioritized"],
    rest: { sourcePosition: "project:///index.ts#12,1" },
  });
const looks = (): number =>
  Object.entries(service.emulator.requests()).reduce(
    (sum, [name, n]) => sum + (/^(alertRules|streams)\.(list|get)$/.test(name) ? n : 0),
    0,
  );

test("the review lists each reference to a replaced test or deleted label", async () => {
  const deleted = step("delete", "label", "office", { id: labelId, before: office });
  const judgement = await judged(replaced(), deleted);
  expect(stopsOf(judgement)).toEqual([
    'label "office": 1 stream names this label and will lose it: "siem"',
    'agent-to-server test "portal": 2 alert rules and 1 stream name this test and will lose it: "Loss over 5 %", "Portal down", "siem" (index.ts:12)',
  ]);
  const test = judgement.review.resources.find(({ name }) => name === "portal");
  expect(test?.references).toContainEqual({ by: "alert rule", id: ruleId, name: "Portal down" });
});

test("the review does not report an alert rule if the same program also updates the rule", async () => {
  const urn = "urn:pulumi:dev::project::thousandeyes:index/alertRule:AlertRule::down";
  const state = { urn, type: "thousandeyes:index/alertRule:AlertRule", id: ruleId, custom: true };
  const follows = {
    op: "update",
    urn,
    oldState: state,
    newState: { ...state, propertyDependencies: { tests: [urnOf("agentToServerTest", "portal")] } },
  };
  const findings = stopsOf(await judged(replaced(), follows));
  expect(findings).toEqual([expect.stringMatching(/: 1 alert rule and 1 stream name this test .*: "Loss over 5 %", "siem"/)]);
});

test("the review sends no request for references if the update deletes and replaces no record", async () => {
  const before = looks();
  const update = step("update", "agentToServerTest", "portal", {
    id: testId,
    before: portal,
    after: { ...portal, interval: 120 },
  });
  const kept = step("delete", "label", "office", { id: labelId, before: office, rest: { retainOnDelete: true } });
  expect(stopsOf(await judged(update, kept))).toEqual([]);
  expect(looks()).toBe(before);
});

test("the review reports that it could not read the alert rules", async () => {
  service.emulator.fault({ operation: "alertRules.list", kind: "status", status: 403 });
  const findings = stopsOf(await judged(replaced()));
  expect(findings).toEqual([
    expect.stringMatching(/: 1 stream names this test and will lose it: "siem"/),
    expect.stringMatching(
      /^it is not known which alert rules and streams refer to the deleted or replaced records: The alert rules could not be read: .*View alert rules/,
    ),
  ]);
});
