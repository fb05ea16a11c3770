/** A review and a policy pack must apply the same rules to each fixture. The emulator is the service. */
import type { EngineStep } from "../../engine/preview-output";
import { readPreview } from "../../engine/preview";
import type { EngineResource } from "../../engine/state";
import { Output } from "../../cli/report/output";
import { judge } from "../../plan/judge/judge";
import { checkNames, type CheckName } from "../../plan/judge/checks";
import type { Properties } from "../../provider/values";
import { unknownValue } from "../../provider/values";
import type { PolicyResource } from "../../policy";
import { stepsBetween } from "../../policy/steps";
import { silentIo } from "../support/command";
import { useEmulator } from "../support/emulator";
import { paths } from "../emulator/support";
import { otherAreas } from "../support/kinds";
import { type Made, previewText, sessionWith, step, urnOf } from "../cli/review-support";
import { phraseText } from "../../common/phrase";
import { operationOf } from "../../plan/steps";

const mac = { name: "Office", matchType: "or", filters: [{ key: "platform", values: ["Mac"] }] };
const windows = { ...mac, filters: [{ key: "platform", values: ["Windows"] }] };
const everybody = { ...mac, filters: [{ key: "platform", mode: "not-in", values: ["Amiga"] }] };
const nobody = { ...mac, filters: [{ key: "ssid", values: ["nowhere"] }] };
const doubled = { ...mac, name: "Doubled", color: "#123456" };
const named = { testName: "Named", server: "named.example.com" };
const unclear = { ...mac, filters: unknownValue };

const emulator = useEmulator({ agents: 60 });
const ids: Record<string, string> = {};
beforeAll(async () => {
  const make = (path: string, body: object): Promise<string> => emulator.create(path, body);
  const { agents } = (await emulator.call("GET", "/v7/endpoint/agents?aid=1001")) as {
    agents: { id: string; status: string }[];
  };
  ids["agent"] = agents.find(({ status }) => status === "enabled")?.id ?? "";
  ids["label"] = await make(paths.label, mac);
  const byLabel = { agentSelectorType: "agent-labels", endpointAgentLabels: [ids["label"]], maxMachines: 100, interval: 300 };
  ids["httpServerTest"] = await make(paths.httpServer, { testName: "T", url: "https://a.example.com", ...byLabel });
  ids["agentToServerTest"] = await make(paths.agentToServer, { testName: "T", server: "a.example.com", ...byLabel });
  ids["doubled"] = await make(paths.label, doubled);
  await make(paths.label, doubled);
  const nobodys = await make(paths.label, { ...nobody, name: "Nobody" });
  const byNobody = { agentSelectorType: "agent-labels", endpointAgentLabels: [nobodys] };
  ids["named"] = await make(paths.agentToServer, { ...named, ...byNobody });
  const { path, body: rule } = otherAreas.alertRules;
  await make(path, { ...rule, testIds: [ids["named"]] });
  // The smaller license has no free agents.
  for (let n = 0; n < 4; n += 1) {
    await make(paths.agentToServer, { testName: `Everywhere ${n}`, server: "b.example.com", maxMachines: 100 });
  }
});

type TestKind = "httpServerTest" | "agentToServerTest";
const kinds: TestKind[] = ["httpServerTest", "agentToServerTest"];

/** A test of a resource type, with the label. */
const declared = (kind: TestKind): Properties => ({
  testName: "T",
  interval: 300,
  ...(kind === "httpServerTest" ? { url: "https://a.example.com" } : { server: "a.example.com" }),
  agentSelectorType: "agent-labels",
  endpointAgentLabels: [ids["label"]],
  maxMachines: 100,
});
const forAll = { agentSelectorType: "all-agents", endpointAgentLabels: undefined };

/** A change with the operation as the engine prints it. */
type Fixture = [name: string, steps: () => EngineStep[], expected: CheckName[]];
const label = (op: string, made: Made) =>
  step(op, "label", "office", { ...(op !== "create" && { id: ids["label"] }), ...made });

const ofLabels: Fixture[] = (
  [
    ["Mac to Mac", mac, []],
    ["Mac to Windows", windows, ["over-license"]],
    ["Mac to everybody", everybody, ["selects-all", "selects-all", "selects-all", "over-license"]],
    ["Mac to nobody", nobody, ["selects-none", "selects-none", "selects-none"]],
    ["Mac to an unknown filter", unclear, ["unknown-value", "unknown-reach"]],
    ["a new name", { ...mac, name: "Other" }, []],
    ["a new color", { ...mac, color: "#123456" }, []],
    ["a new name, and nobody", { ...nobody, name: "Other" }, ["selects-none", "selects-none", "selects-none"]],
    ["two platforms", { ...mac, filters: [{ key: "platform", values: ["Mac", "Windows"] }] }, ["over-license"]],
    ["another match", { ...everybody, matchType: "and" }, ["selects-all", "selects-all", "selects-all", "over-license"]],
  ] as [string, Properties, CheckName[]][]
).map(([name, after, expected]): Fixture => {
  const op = after === mac ? "same" : "update";
  return [`label: ${name}`, () => [label(op, { before: mac, after })], expected];
});

const others: Fixture[] = [
  [
    "label: Mac to Windows, protected",
    () => [label("update", { before: mac, after: windows, protect: true })],
    ["over-license"],
  ],
  [
    "label: with an equal record",
    () => [
      step("update", "label", "doubled", { id: ids["doubled"], before: doubled, after: { ...doubled, color: "#654321" } }),
    ],
    ["doubled"],
  ],
  [
    "label: renamed without an alias",
    () => [step("create", "label", "renamed", { after: { ...mac, name: "Renamed" } }), label("delete", { before: mac })],
    ["renamed", "deletes", "label-in-use", "selects-none", "selects-none"],
  ],
  [
    "tests: more deleted than the budget allows",
    () => ["1", "2"].map((id) => step("delete", "dynamicTest", `gone-${id}`, { id, before: { testName: `Gone ${id}` } })),
    ["deletes", "deletes", "over-budget"],
  ],
  ["label: created for nobody", () => [step("create", "label", "new", { after: nobody })], ["selects-none"]],
  ["label: created for everybody", () => [step("create", "label", "new", { after: everybody })], ["selects-all"]],
  ["label: deleted", () => [label("delete", { before: mac })], ["deletes", "label-in-use", "selects-none", "selects-none"]],
  [
    "label: deleted, protected",
    () => [label("delete", { before: mac, protect: true })],
    ["protected", "deletes", "label-in-use", "selects-none", "selects-none"],
  ],
  ["label: forgotten", () => [label("delete", { before: mac, rest: { retainOnDelete: true } })], []],
  [
    "label: to another account group",
    () => [label("replace", { before: mac, after: { ...mac, accountGroupId: "1002" }, reasons: ["accountGroupId"] })],
    ["replacements", "label-in-use", "selects-none", "selects-none"],
  ],
];

const ofTests: Fixture[] = kinds.flatMap((kind): Fixture[] => {
  const change =
    (op: string, after: Properties | undefined, made: Made = {}, reasons?: string[]) =>
    () => {
      const before = declared(kind);
      const sides = { before, ...(after && { after: { ...before, ...after } }) };
      return [step(op, kind, "test", { id: ids[kind], ...sides, ...(reasons && { reasons }), ...made })];
    };
  const create = (after: Properties) => () => [
    step("create", kind, "new", { after: { ...declared(kind), testName: "N", ...after } }),
  ];
  return [
    [`${kind}: interval`, change("update", { interval: 600 }), []],
    [`${kind}: name, protected`, change("update", { testName: "U" }, { protect: true }), []],
    [`${kind}: disabled`, change("update", { isEnabled: false }), []],
    [`${kind}: deleted`, change("delete", undefined), ["deletes"]],
    [`${kind}: deleted, protected`, change("delete", undefined, { protect: true }), ["protected", "deletes"]],
    [`${kind}: forgotten`, change("delete", undefined, { rest: { retainOnDelete: true } }), []],
    [`${kind}: prioritized`, change("replace", { isPrioritized: true }, {}, ["isPrioritized"]), ["replacements"]],
    [
      `${kind}: prioritized, protected`,
      change("replace", { isPrioritized: true }, { protect: true }, ["isPrioritized"]),
      ["protected", "replacements"],
    ],
    [
      `${kind}: prioritized, unprotected at once`,
      change("replace", { isPrioritized: true }, { protect: true, protectNow: false }, ["isPrioritized"]),
      ["replacements", "options"],
    ],
    [
      `${kind}: for all agents`,
      change("replace", forAll, {}, ["agentSelectorType", "endpointAgentLabels"]),
      ["replacements", "selects-all", "over-license"],
    ],
    [`${kind}: created for all agents`, create(forAll), ["selects-all", "over-license"]],
    [`${kind}: created on the label`, create({}), ["over-license"]],
    [
      `${kind}: created on a new label`,
      () => [
        step("create", "label", "new", { after: nobody }),
        step("create", kind, "new", {
          after: { ...declared(kind), testName: "N", endpointAgentLabels: [unknownValue] },
          dependencies: { endpointAgentLabels: [["label", "new"]] },
        }),
      ],
      ["selects-none", "selects-none"],
    ],
  ];
});

const rotated = (to: string) => () => {
  const sides = ["first", to].map((password) => ({
    ...declared("httpServerTest"),
    authType: "basic",
    username: "u",
    password,
  }));
  const made = { id: ids["httpServerTest"], before: sides[0], after: sides[1] };
  if (to === "first") return [step("same", "httpServerTest", "test", made)];
  return [step("replace", "httpServerTest", "test", { ...made, reasons: ["password"] })];
};
const respelled = () => {
  const after = { ...declared("httpServerTest"), authType: "basic", username: "u", password: "first" };
  const made = { id: ids["httpServerTest"], before: { ...after, authType: "BASIC" }, after };
  return [step("replace", "httpServerTest", "test", { ...made, reasons: ["authType"] })];
};
const unauthenticated = (op: string, more: Properties, made: Made) => () => {
  const after = { ...declared("httpServerTest"), authType: "basic", username: "u", ...more };
  return [step(op, "httpServerTest", "test", { after, ...made })];
};
/** An imported test, whose password the service does not return. */
const imported = () => ({
  id: ids["httpServerTest"],
  before: { ...declared("httpServerTest"), authType: "basic", username: "u" },
  outputs: { unknownFields: ["password"] },
});
const agent = (enabled: boolean) => ({ agentId: ids["agent"], enabled });
const ofSecretsAndAgents: Fixture[] = [
  ["httpServerTest: another password", rotated("second"), ["replacements", "secrets"]],
  ["httpServerTest: the same password", rotated("first"), []],
  ["httpServerTest: created without a password", unauthenticated("create", {}, {}), ["no-password", "over-license"]],
  ["httpServerTest: created with a password", unauthenticated("create", { password: "first" }, {}), ["over-license"]],
  [
    "httpServerTest: created with an unknown password",
    unauthenticated("create", { password: unknownValue }, {}),
    ["unknown-value", "over-license"],
  ],
  [
    "httpServerTest: imported without a password, then replaced",
    () => unauthenticated("replace", { isPrioritized: true }, { ...imported(), reasons: ["isPrioritized"] })(),
    ["replacements", "no-password"],
  ],
  ["httpServerTest: imported without a password, unchanged", () => unauthenticated("same", {}, imported())(), []],
  ["httpServerTest: a value that no program can declare", respelled, ["replacements", "derived-replacement"]],
  [
    "endpointAgent: disabled",
    () => [step("update", "endpointAgent", "kiosk", { id: ids["agent"], before: agent(true), after: agent(false) })],
    ["agents-off"],
  ],
];

const ofEarlierUpdates: Fixture[] = [
  [
    "a deletion that an earlier update left",
    () => [step("delete-replaced", "label", "old", { id: "999", before: mac, rest: { delete: true } })],
    ["pending", "deletes"],
  ],
];

const ofReferences: Fixture[] = [
  [
    "a test that an alert rule names: deleted",
    () => [step("delete", "agentToServerTest", "named", { id: ids["named"], before: named })],
    ["deletes", "loses-references"],
  ],
  [
    "a test that an alert rule names: forgotten",
    () => [step("delete", "agentToServerTest", "named", { id: ids["named"], before: named, rest: { retainOnDelete: true } })],
    [],
  ],
];

/** The findings that stop the review. */
async function stopsOf(steps: readonly EngineStep[], resources: readonly EngineResource[]) {
  const operation = operationOf(readPreview(previewText(steps), "test"), { resources, interrupted: [] });
  const session = () => Promise.resolve(sessionWith(emulator.url));
  const { findings, isBlind } = await judge({ operation, session }, new Output(true, silentIo()), {
    limits: { maxHistoriesLost: 1 },
  });
  expect(isBlind).toBe(false);
  return findings.map(({ rule, subject, text }) => ({ rule, urn: subject?.urn, text: phraseText(text) }));
}

/** Whether a step is a pending deletion of an earlier update. */
const isLeft = ({ op }: EngineStep): boolean => op === "delete-replaced";

const fixtures = [...ofLabels, ...ofEarlierUpdates, ...others, ...ofTests, ...ofSecretsAndAgents, ...ofReferences];

/** A resource after the update, as `@pulumi/policy` passes it. Reading an unknown value throws. */
function passed({ urn, oldState, newState, op }: EngineStep): PolicyResource[] {
  if (!newState) return [];
  // For an unchanged resource, the engine passes the recorded values.
  const props = op === "same" ? oldState?.outputs : newState.inputs;
  const { __provider: _, ...visible } = props ?? {};
  return [
    {
      urn,
      type: newState.type,
      props: guarded(visible),
      opts: { protect: newState.protect === true, ignoreChanges: [], aliases: [], additionalSecretOutputs: [] },
      propertyDependencies: Object.fromEntries(
        Object.entries(newState.propertyDependencies ?? {}).map(([name, urns]) => [
          name,
          (urns ?? []).map((dependency) => ({ urn: dependency })),
        ]),
      ),
    },
  ];
}

class UnknownValueError extends Error {}
function guarded(properties: Properties): Properties {
  const entries = Object.entries(properties).map(([name, value]): [string, PropertyDescriptor] => {
    const get = (): unknown => {
      if (value === unknownValue) throw new UnknownValueError(name);
      return value;
    };
    return [name, { get, enumerable: true }];
  });
  return Object.defineProperties({}, Object.fromEntries(entries));
}

it("the test fixtures cover every check that the review and the policy pack share", () => {
  expect(fixtures.length).toBeGreaterThanOrEqual(50);
  const words = new Set(fixtures.flatMap(([, , expected]) => expected));
  expect([...words].toSorted()).toEqual(checkNames.filter((word) => !["address", "adopts-foreign"].includes(word)).toSorted());
});

it.each(fixtures)("the review and the policy pack report the same findings: %s", async (_name, stepsOf, expected) => {
  const all = stepsOf();
  const [remaining, steps] = [all.filter(isLeft), all.filter((engineStep) => !isLeft(engineStep))];
  const pending = remaining.flatMap(({ oldState }) => oldState ?? []);
  const ofReview = await stopsOf(steps, pending);
  expect(ofReview.map(({ rule }) => rule)).toEqual(expected);
  const oldStates = all.flatMap(({ oldState }) => oldState ?? []);
  const derived = stepsBetween(oldStates, steps.flatMap(passed));
  expect(derived.map(({ op, urn }) => [op, urn])).toEqual(steps.map(({ op, urn }) => [op, urn]));
  expect(await stopsOf(derived, pending)).toEqual(ofReview);
});

it("the policy pack skips external resources", () => {
  const [stateBefore] = [label("same", { before: mac, after: mac })].flatMap(({ oldState }) => oldState ?? []);
  const [moved] = [label("same", { before: mac, after: mac })].flatMap(passed);
  const urn = urnOf("label", "renamed");
  const aliased = moved && { ...moved, urn, opts: { ...moved.opts, aliases: [moved.urn] } };
  expect(stepsBetween(stateBefore ? [stateBefore] : [], aliased ? [aliased] : [])).toEqual([
    expect.objectContaining({ op: "same", urn }),
  ]);
  const read = moved && { ...moved, urn, props: { ...mac, unmanagedFields: ["accountGroupId"] } };
  expect(stepsBetween([], read ? [read] : [])).toEqual([]);
});
