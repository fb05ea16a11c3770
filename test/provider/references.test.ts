import type { RecordKindName } from "../../provider/registry";
import { registry } from "../../provider/registry";
import { Session } from "../../provider/session";
import { maxRulesRead } from "../../provider/references/references";
import { readSettings } from "../../api";
import { amount, random, seed } from "../support/amount";
import { kindCases, otherAreas } from "../support/kinds";
import { type Declared, EngineModel, type Program } from "./engine-model";
import { keyOf, ServiceView } from "./service-view";
import type { Json } from "../emulator/support";
import { call } from "../support/call";

let service: ServiceView;
beforeAll(async () => void (service = await ServiceView.start()));
afterAll(() => service.emulator.close());
beforeEach(() => service.reset());

const ask = (method: string, path: string, body?: object): Promise<Json> => call(service.emulator.url, method, path, body);

const { alertRules, streams } = otherAreas;
const makeRule = async (ruleName: string, over: object): Promise<string> =>
  (await ask("POST", alertRules.path, { ...alertRules.body, ruleName, ...over })).ruleId;
const makeStream = async (name: string, over: object): Promise<string> =>
  (await ask("POST", streams.path, { name, ...over })).id;
const ofBrowsers = { alertType: "endpoint-browser-sessions-agent" };

function session(asked: string[] = []): Session {
  const settings = readSettings(() => undefined, {
    ENDPOINT_MONITORING_BASE_URL: service.emulator.url,
    ENDPOINT_MONITORING_TOKEN: "emulator-token",
  });
  const onAnswer = ({ operation }: { operation: string }): void => void asked.push(operation);
  return new Session({ ...settings, client: { ...settings.client, onAnswer } });
}

const test1 = { testName: "Portal", server: "portal.example.com" };

it("the review finds the alert rules and streams that refer to a test, label or tag", async () => {
  const testId = await service.make("agentToServerTest", test1);
  const labelId = await service.make("label", kindCases.label.minimal);
  const tagId = await service.make("endpointAgentTag", kindCases.endpointAgentTag.minimal);
  await makeRule("Portal down", { testIds: [testId] });
  await makeRule("Slow pages", { ...ofBrowsers, endpointLabelIds: [labelId] });
  await makeRule("Names nothing", {});
  await makeStream("siem", { testMatch: [{ id: testId, domain: "endpoint" }], endpointAgentLabel: [{ id: labelId }] });
  await makeStream("lake", { endpointAgentTag: [{ id: tagId }], testMatch: [{ id: testId, domain: "cea" }] });
  const asked: string[] = [];
  const { references, client } = session(asked);
  const names = async (kind: RecordKindName, id: string): Promise<string[] | undefined> =>
    (await references.to(registry[kind], id, undefined))?.references.map(({ by, name }) => `${by} ${name}`);
  expect(await names("endpointAgentTag", tagId)).toEqual(["stream lake"]);
  expect(asked).toEqual(["streams.list"]);
  expect(await names("label", labelId)).toEqual(["alert rule Slow pages", "stream siem"]);
  // The list of rules contains their labels.
  expect(asked).toEqual(["streams.list", "alertRules.list"]);
  expect(await names("agentToServerTest", testId)).toEqual(["alert rule Portal down", "stream siem"]);
  expect(await names("httpServerTest", "1")).toEqual([]);
  expect(await references.to(registry.endpointAgent, "1", undefined)).toBeUndefined();
  expect(asked).toEqual(["streams.list", "alertRules.list", ...Array<string>(3).fill("alertRules.get")]);
  await client.close();
});

it("the review reports how many alert rules it did not read", async () => {
  const testId = await service.make("agentToServerTest", test1);
  for (let at = 0; at < 139; at += 1) await makeRule(`A ${at}`, { alertType: "http-server" });
  await makeRule("Portal down", { testIds: [testId] });
  const asked: string[] = [];
  const { references, client } = session(asked);
  const kind = registry.agentToServerTest;
  expect(await references.linesOf(kind, testId, undefined)).toEqual([
    "1 alert rule names this test and will lose it: Portal down",
    `40 of 140 alert rules were not read: the limit is ${maxRulesRead} requests, one for each rule.`,
  ]);
  // Neither a line nor a request is repeated.
  expect(await references.linesOf(kind, testId, undefined)).toEqual([]);
  expect(asked).toHaveLength(2 + maxRulesRead);
  await client.close();

  for (const operation of ["alertRules.list", "streams.list"]) service.fault({ operation, kind: "status", status: 403 });
  const refused = session();
  const { references: listed, unasked } = (await refused.references.to(kind, testId, undefined)) ?? {};
  expect(listed).toEqual([]);
  expect(unasked).toEqual([
    expect.stringMatching(/^The alert rules could not be read: .*View alert rules/),
    expect.stringMatching(/^The streams could not be read: /),
  ]);
  await refused.client.close();
});

describe("reviews on a simulated engine", () => {
  const kinds: readonly RecordKindName[] = ["label", "endpointAgentTag", "agentToServerTest", "httpServerTest", "dynamicTest"];
  /** Number of requests for rules and streams. */
  const looks = async (): Promise<Json> => {
    const { operations } = await ask("GET", "/_emulator/requests");
    return Object.fromEntries(Object.entries(operations).filter(([name]) => /^(alertRules|streams)\.(list|get)$/.test(name)));
  };

  it("the review reads the list of alert rules only if a change deletes or replaces records", async () => {
    const model = new EngineModel(service);
    const program: Program = Object.fromEntries(kinds.map((kind) => [kind, { kind, args: kindCases[kind].minimal }]));
    await makeRule("Any", {});
    await model.up(program);
    await model.up(program);
    await model.refresh();
    const name = registry.label.nameProperty;
    await model.up({ ...program, label: { kind: "label", args: { ...kindCases.label.minimal, [name]: "Renamed" } } });
    expect(await looks()).toEqual({});
    await model.destroy();
    expect(await looks()).toEqual({ "alertRules.list": 1, "alertRules.get": 1, "streams.list": 1 });
  });

  /** A reference, read from the service independently of our code. */
  interface Named {
    by: string;
    record: string;
  }

  const classes: Record<string, readonly RecordKindName[]> = {
    test: ["agentToServerTest", "httpServerTest", "dynamicTest"],
    label: ["label"],
    tag: ["endpointAgentTag"],
  };

  async function references(): Promise<Named[]> {
    const there = service.records();
    const to = (as: string, id: string, by: string): Named[] =>
      (classes[as] ?? []).flatMap((kind) => (there.has(keyOf(kind, id)) ? [{ by, record: keyOf(kind, id) }] : []));
    const named: Named[] = [];
    for (const { ruleId } of (await ask("GET", alertRules.path)).alertRules) {
      const rule = await ask("GET", `${alertRules.path}/${ruleId}`);
      for (const id of rule.testIds ?? []) named.push(...to("test", id, rule.ruleName));
      for (const id of rule.endpointLabelIds ?? []) named.push(...to("label", id, rule.ruleName));
    }
    for (const stream of await ask("GET", streams.path)) {
      for (const { id } of stream.testMatch ?? []) named.push(...to("test", id, stream.name));
      for (const { id } of stream.endpointAgentLabel ?? []) named.push(...to("label", id, stream.name));
      for (const { id } of stream.endpointAgentTag ?? []) named.push(...to("tag", id, stream.name));
    }
    return named;
  }

  const refactorings = amount(20, 300);
  const first = seed(34);

  it(`the review reports each reference that loses its record: ${refactorings} refactorings from seed ${first}`, async () => {
    const dice = random(first);
    const pick = <T>(list: readonly T[]): T => list[Math.floor(dice() * list.length)] as T;
    const counts = { steps: 0, lost: 0, stayed: 0 };
    let made = 0;
    while (counts.steps < refactorings) {
      service.reset();
      const model = new EngineModel(service, { replaceOrder: pick(["delete-first", "create-first"]) });
      const slots: (Declared & { name: string })[] = [];
      const add = (): void => {
        const kind = pick(kinds);
        made += 1;
        const args = { ...kindCases[kind].minimal, [registry[kind].nameProperty]: `Record ${made}` };
        slots.push({ name: `r${made}`, kind, args, front: pick(["dynamic", "native"] as const) });
      };
      const remove = (): void => void slots.splice(Math.floor(dice() * slots.length), 1);
      const replace = (): void => {
        const slot = pick(slots);
        slot.trigger = `${slot.trigger ?? ""}x`;
      };
      const changes: (() => void)[] = [
        add,
        add,
        remove,
        replace,
        replace,
        () => {
          const slot = pick(slots);
          made += 1;
          slot.alias = dice() < 0.8 ? slot.name : undefined;
          slot.args = { ...slot.args, adopt: slot.alias === undefined };
          slot.name = `r${made}`;
        },
        () => void (pick(slots).retainOnDelete = dice() < 0.5),
        () => {
          const slot = pick(slots);
          slot.front = slot.front === "native" ? "dynamic" : "native";
          slot.args = { ...slot.args, adopt: dice() < 0.5 };
        },
      ];
      for (let at = 0; at < 5; at += 1) add();
      for (let step = 0; step < 6 && counts.steps < refactorings; step += 1) {
        const program = Object.fromEntries(slots.map(({ name, ...declared }) => [name, declared]));
        const before = await references();
        const printed = model.printed.length;
        // A failed step counts as well: its deletions are also reported.
        await model.up(program).catch(() => undefined);
        const there = service.records();
        const lines = model.printed.slice(printed).filter((line) => line.includes(" will lose it: "));
        const lost = before.filter(({ record }) => !there.has(record));
        // Names are unique, so a line is about a reference if it has its name and the record's noun.
        const reported = lines.flatMap((line) => (line.split(" will lose it: ")[1] ?? "").split(", "));
        expect(reported.toSorted()).toEqual(lost.map(({ by }) => by).toSorted());
        counts.steps += 1;
        counts.lost += lost.length;
        counts.stayed += before.length - lost.length;
        // Other users link rules and streams to existing records, in this program or not.
        await makeAround(
          [...there.values()].map(({ kind, id }) => ({ kind, id })),
          `${counts.steps}`,
          pick,
        );
        for (let change = 0; change < 3; change += 1) {
          pick(changes)();
          if (slots.length === 0) add();
        }
      }
    }
    expect(counts.steps).toBe(refactorings);
    // References must be lost, or the steps test little.
    expect(counts.lost).toBeGreaterThan(refactorings / 4);
    expect(counts.stayed).toBeGreaterThan(refactorings / 4);
    if (refactorings > 40) console.log(JSON.stringify(counts));
  }, 900_000);

  /** Replaces the streams, of which there may be ten, and adds rules with their own names. */
  async function makeAround(
    all: readonly { kind: string; id: string }[],
    of: string,
    pick: <T>(list: readonly T[]) => T,
  ): Promise<void> {
    const ids = (as: string): string[] =>
      all.filter(({ kind }) => (classes[as] as readonly string[]).includes(kind)).map(({ id }) => id);
    for (const { id } of await ask("GET", streams.path)) await ask("DELETE", `${streams.path}/${id}`);
    for (const { ruleId } of (await ask("GET", alertRules.path)).alertRules) {
      if (pick([true, false])) await ask("DELETE", `${alertRules.path}/${ruleId}`);
    }
    const sample = (list: readonly string[]): string[] => list.filter(() => pick([true, false]));
    await makeRule(`rule-${of}`, { testIds: sample(ids("test")) });
    await makeRule(`pages-${of}`, { ...ofBrowsers, endpointLabelIds: sample(ids("label")) });
    const domain = pick(["endpoint", "endpoint", "cea"]);
    const testMatch = domain === "cea" ? [] : sample(ids("test")).map((id) => ({ id, domain }));
    const [endpointAgentLabel, endpointAgentTag] = [sample(ids("label")), sample(ids("tag"))].map((list) =>
      list.map((id) => ({ id })),
    );
    await makeStream(`stream-${of}`, { testMatch, endpointAgentLabel, endpointAgentTag });
  }
});
