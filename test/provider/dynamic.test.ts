/**
 * Tests the protocol of dynamic providers, in the engine's order of calls, and the records that each operation leaves in the
 * service.
 */
import { createHost } from "../../provider/dynamic";
import { registry, records } from "../../provider/registry";
import { type Properties, secretOf, unknownValue } from "../../provider/values";
import { kindCases } from "../support/kinds";
import { Bench, configured, everyKind } from "./bench";
import { EngineModel, type Declared, type Program } from "./engine-model";

let bench: Bench;
beforeEach(async () => {
  bench = await Bench.start({}, { transferDelayMs: 20 });
});
afterEach(() => bench.end());

const office = { name: "Office", matchType: "or", filters: [{ key: "asn", values: ["64512"] }] };
const label = (args: Properties = {}, more: Partial<Declared> = {}): Declared => ({
  kind: "label",
  args: { ...office, ...args },
  ...more,
});
/** The resource classes set this option if replacements delete first. */
const first = { deleteBeforeReplace: true };

/** A type with names that two records may share, and the type with unique names. test/provider/lifecycle.test.ts covers all. */
const kinds = everyKind.filter(([name]) => name === "agentToServerTest" || name === "endpointAgentTag");

describe.each(kinds)("dynamic resources of type %s", (name, { minimal, collection, isUnique }) => {
  const resource = (args: Properties = {}, more: Partial<Declared> = {}): Declared => ({
    kind: name,
    args: { ...minimal, accountGroupId: "1001", ...args },
    ...more,
  });
  /** Checks that the service and the state have exactly these records. */
  async function expectRecords(engine: EngineModel, ids: readonly string[]): Promise<void> {
    expect((await bench.ids(collection)).toSorted()).toEqual([...ids].toSorted());
    expect(engine.ids().toSorted()).toEqual([...ids].toSorted());
  }

  it("an update that renames or moves a resource keeps its record if adopt is true", async () => {
    const engine = new EngineModel(bench);
    await engine.up({ old: resource() });
    const [id = ""] = engine.ids();
    await engine.up({ renamed: resource({ adopt: true }) });
    expect(engine.calls).toEqual(["check renamed", "create renamed", "delete old"]);
    await expectRecords(engine, [id]);
    // `adopt: true` can stay in the program without harm.
    await engine.up({ renamed: resource({ adopt: true }) });
    await engine.up({ again: resource({ adopt: true }) });
    await expectRecords(engine, [id]);
  });

  it("an update that moves a resource keeps its record if adopt is identical", async () => {
    const engine = new EngineModel(bench, { adopt: "identical" });
    await engine.up({ old: resource() });
    const [id = ""] = engine.ids();
    await engine.up({ moved: resource() });
    expect(engine.ids()).toEqual([id]);
    await expectRecords(engine, [id]);
  });

  it("the provider rejects the rename of a resource without an alias", async () => {
    const engine = new EngineModel(bench);
    await engine.up({ old: resource() });
    const [id = ""] = engine.ids();
    await expect(engine.up({ renamed: resource() })).rejects.toThrow(
      new RegExp(`${records[name].noun} ${id}\\. Nothing was created.*aliases.*another stack.*endpoint-monitoring import`),
    );
    expect(await bench.ids(collection)).toEqual([id]);
    await engine.up({ renamed: resource({}, { alias: "old" }) });
    await expectRecords(engine, [id]);
  });

  it.each([
    ["", {}],
    [" with adopt: true left over", { adopt: true }],
  ])("a taint or the option --replace replaces a resource's record%s", async (_, extra) => {
    const engine = new EngineModel(bench);
    const program = { only: resource(extra, first) };
    await engine.up(program);
    const before = engine.ids();
    await engine.up(program, { replace: ["only"] });
    expect(engine.calls).toEqual(["check only", "delete only", "create only"]);
    expect(engine.ids()).not.toEqual(before);
    await expectRecords(engine, engine.ids());
  });

  it("a changed replacementTrigger replaces the record with each supported value of replaceOrder", async () => {
    const orders: Record<string, string>[] = [
      { replaceOrder: "delete-first" },
      // The service rejects a second record of a resource type with unique identity.
      ...(isUnique ? [] : [{ replaceOrder: "create-first" }]),
      { adopt: "identical" },
    ];
    for (const settings of orders) {
      const engine = new EngineModel(bench, settings);
      const option = settings["replaceOrder"] === "create-first" ? {} : first;
      await engine.up({ only: resource({ adopt: true }, { ...option, trigger: "1" }) });
      const before = engine.ids();
      await engine.up({ only: resource({ adopt: true }, { ...option, trigger: "2" }) });
      expect(engine.ids()).not.toEqual(before);
      await expectRecords(engine, engine.ids());
      await engine.destroy();
      await expectRecords(engine, []);
    }
  });

  it("the provider rejects --replace if replaceOrder is create-first", async () => {
    const engine = new EngineModel(bench, { replaceOrder: "create-first" });
    await engine.up({ only: resource() });
    const [id = ""] = engine.ids();
    await expect(engine.up({ only: resource() }, { replace: ["only"] })).rejects.toThrow(
      "set the resource option deleteBeforeReplace",
    );
    expect(await bench.ids(collection)).toEqual([id]);
    await engine.up({ only: resource({ adopt: true }) }, { replace: ["only"] });
    await expectRecords(engine, [id]);
    await engine.up({ only: resource({}, first) }, { replace: ["only"] });
    expect(engine.ids()).not.toEqual([id]);
    await expectRecords(engine, engine.ids());
  });

  it("an update keeps the record that an interrupted update adopted", async () => {
    const engine = new EngineModel(bench);
    await engine.up({ old: resource() });
    const [id = ""] = engine.ids();
    await engine.up({ renamed: resource({ adopt: true }) }, { killedBeforeDeletes: true });
    expect(engine.ids()).toEqual([id, id]);
    await engine.up({ renamed: resource({ adopt: true }) });
    expect(engine.calls).toContain("delete old");
    await expectRecords(engine, [id]);
  });

  it("the provider deletes a record if an update or destroy removes the record's resource", async () => {
    const engine = new EngineModel(bench);
    const program = { a: resource(), b: resource({ [records[name].nameProperty]: "Other" }) };
    await engine.up(program);
    await engine.up({ a: program.a }, { refresh: true });
    await expectRecords(engine, engine.ids());
    expect(engine.ids()).toHaveLength(1);
    await engine.up(program);
    await engine.refresh();
    await engine.destroy();
    await expectRecords(engine, []);
  });

  if (isUnique) {
    it("the provider does not create a record if an equal record exists", async () => {
      const engine = new EngineModel(bench, { adopt: "identical" });
      await engine.up({ a: resource() });
      const ids = engine.ids();
      await expect(engine.up({ a: resource(), b: resource() })).rejects.toThrow("409");
      await expectRecords(engine, ids);
      await engine.destroy();

      const createsFirst = new EngineModel(bench, { replaceOrder: "create-first" });
      await createsFirst.up({ only: resource({}, { trigger: "1" }) });
      const kept = createsFirst.ids();
      await expect(createsFirst.up({ only: resource({}, { trigger: "2" }) })).rejects.toThrow("409");
      await expectRecords(createsFirst, kept);
    });
  } else {
    it("the provider creates a second record if another resource manages the first record", async () => {
      const engine = new EngineModel(bench, { adopt: "identical" });
      await engine.up({ a: resource() });
      await engine.up({ a: resource(), b: resource() });
      expect(new Set(engine.ids()).size).toBe(2);
      await expectRecords(engine, engine.ids());
    });
  }

  it("an update fails if two resources would manage the same record", async () => {
    const engine = new EngineModel(bench, { adopt: "identical" });
    await engine.up({ a: resource() });
    // The adopting resource is declared before the resource that manages the record.
    await expect(engine.up({ b: resource(), a: resource() })).rejects.toThrow(
      `Two ${records[name].name} resources of this program manage the ${records[name].noun}`,
    );
    await expect(engine.up({ b: resource(), a: resource() })).rejects.toThrow(
      "Delete one of the two resources from the program",
    );
    const [id = ""] = engine.ids();
    await engine.up({ b: resource() });
    await expectRecords(engine, [id]);
  });
});

it("the provider adopts no record if several records match by name but differ in content", async () => {
  const other = { ...office, filters: [{ key: "asn", values: ["64513"] }] };
  const third = { ...office, filters: [{ key: "asn", values: ["64514"] }] };
  for (const declared of [other, office]) await bench.create("label", declared);
  const ids = await bench.ids("labels");
  bench.newSession();
  const engine = new EngineModel(bench);
  await engine.up({ office: label({ adopt: true }) });
  expect(engine.ids()).toEqual([ids[1]]);

  await bench.create("label", third);
  const none = new EngineModel(bench);
  const asked = label({ adopt: true, filters: [{ key: "asn", values: ["64515"] }] });
  await expect(none.up({ office: asked })).rejects.toThrow("Several records match");
  expect(await bench.ids("labels")).toHaveLength(3);
});

describe("replacement of a label in delete-first order", () => {
  const test = (more: Partial<Declared> = {}): Declared => ({
    kind: "agentToServerTest",
    args: {
      testName: "Gateway",
      server: "vpn.example.com",
      agentSelectorType: "agent-labels",
      endpointAgentLabels: [{ $id: "office" }],
    },
    ...first,
    ...more,
  });
  const gateway = test();

  it("the replacement of a label also replaces the tests that refer to the label", async () => {
    const engine = new EngineModel(bench);
    const program = { office: label({}, first), gateway };
    await engine.up(program);
    const before = engine.ids();
    await engine.up(program, { replace: ["office"] });
    expect(engine.calls.filter((call) => /create|delete/.test(call))).toEqual([
      "delete gateway",
      "delete office",
      "create office",
      "create gateway",
    ]);
    expect(engine.ids().filter((id) => before.includes(id))).toEqual([]);
    expect([...(await bench.ids("labels")), ...(await bench.ids("agent-to-server-tests"))]).toEqual(engine.ids());
  });

  it("the replacement of a label keeps a dependent test that another resource adopted", async () => {
    const engine = new EngineModel(bench);
    await engine.up({ office: label({}, first), gateway });
    const testId = engine.state.get("gateway")?.id;
    const labelId = engine.state.get("office")?.id;
    const adopting = { ...gateway, args: { ...gateway.args, endpointAgentLabels: [labelId], adopt: true } };
    await engine.up({ renamed: adopting, office: label({}, first) }, { replace: ["office"] });
    expect(engine.calls).toContain("delete gateway");
    expect(await bench.ids("agent-to-server-tests")).toEqual([testId]);
    expect(engine.state.get("renamed")?.id).toBe(testId);
  });

  it.each([
    ["delete-first", ["delete portal", "create portal"]],
    ["create-first", ["create portal", "delete portal"]],
  ])("a changed password replaces a test in the order of the setting replaceOrder: %s", async (replaceOrder, calls) => {
    const engine = new EngineModel(bench, { replaceOrder });
    const portal = (password: string): Program => ({
      portal: {
        kind: "httpServerTest",
        args: { testName: "Portal", url: "https://example.com", authType: "basic", username: "u", password },
      },
    });
    await engine.up(portal("one-passw0rd"));
    await engine.up(portal("two-passw0rd"));
    expect(engine.calls.filter((call) => /create|delete/.test(call))).toEqual(calls);
    expect(await bench.ids(kindCases.httpServerTest.collection)).toEqual(engine.ids());
  });
});

describe("the resource type EndpointAgent", () => {
  const agents = (): string[] => fleet.map(({ id }) => id);
  let fleet: { id: string }[];
  beforeEach(async () => {
    ({ agents: fleet } = await bench.session.client.agents.list({ query: { aid: "1001", max: 5 } }));
  });
  const agentWith = (at: number, more: Properties = {}): Declared => ({
    kind: "endpointAgent",
    args: { agentId: agents()[at], onDestroy: "delete", ...more },
  });
  const isThere = async (at: number, aid = "1001"): Promise<boolean> =>
    bench.session.client.agents.get({ path: { agentId: agents()[at] ?? "" }, query: { aid } }).then(
      (agent) => agent.deleted !== true,
      () => false,
    );

  it("an agent survives renames and replacements of its resource", async () => {
    const engine = new EngineModel(bench);
    await engine.up({ kiosk: agentWith(1) });
    await engine.up({ renamed: agentWith(1) });
    await engine.up({ renamed: agentWith(1) }, { replace: ["renamed"] });
    expect(engine.calls).toEqual(["check renamed", "create renamed", "delete renamed"]);
    await engine.up({ renamed: agentWith(2) });
    expect(engine.ids()).toEqual([agents()[2]]);
    expect(await isThere(1)).toBe(true);
    await engine.destroy();
    expect([await isThere(1), await isThere(2)]).toEqual([true, false]);
  });

  it.each(["before", "after"])(
    "two resources cannot manage one agent if the existing resource is declared %s the new resource",
    async (place) => {
      const engine = new EngineModel(bench);
      await engine.up({ kiosk: agentWith(1) });
      const both: Program =
        place === "before" ? { kiosk: agentWith(1), desk: agentWith(1) } : { desk: agentWith(1), kiosk: agentWith(1) };
      const refused = engine.up(both);
      await expect(refused).rejects.toThrow(
        `Two EndpointAgent resources of this program manage the agent ${agents()[1] ?? ""}`,
      );
      await expect(refused).rejects.toThrow("Delete one of the two resources");
      await engine.up({ kiosk: agentWith(1) });
      expect(engine.ids()).toEqual([agents()[1]]);
      expect(await isThere(1)).toBe(true);
    },
  );

  it("destroy applies onDestroy to an agent that moved to another account group", async () => {
    for (const [at, onDestroy, expected] of [
      [1, "delete", undefined],
      [2, "disable", "disabled"],
    ] as const) {
      const engine = new EngineModel(bench);
      await engine.up({ kiosk: agentWith(at, { onDestroy }) });
      const [agentId = ""] = engine.ids();
      await bench.session.client.agents.transfer({ path: { agentId }, body: { toAid: "1002" }, query: { aid: "1001" } });
      while (!(await isThere(at, "1002"))) await new Promise(setImmediate);
      await engine.destroy();
      const now = await bench.session.client.agents.get({ path: { agentId }, query: { aid: "1002" } }).catch(() => undefined);
      expect(now?.deleted === true ? undefined : now?.status).toBe(expected);
    }
  });

  it("an update transfers the agent only if the program sets accountGroupId", async () => {
    const engine = new EngineModel(bench, { accountGroupId: "1002" });
    await engine.up({ kiosk: agentWith(1, { agentName: "Kiosk" }) });
    expect(await isThere(1)).toBe(true);
    expect(engine.state.get("kiosk")?.outputs).toMatchObject({ accountGroupId: "1001", agentName: "Kiosk" });
    await engine.up({ kiosk: agentWith(1, { agentName: "Kiosk", accountGroupId: "1002" }) });
    expect(await isThere(1, "1002")).toBe(true);
    // The stack's account group applies to records.
    await engine.up({ office: label() });
    expect(engine.state.get("office")?.outputs).toMatchObject({ accountGroupId: "1002" });
  });
});

describe("messages to the engine", () => {
  it("check failures contain no property names, so the engine prints no values", async () => {
    const host = configured(createHost().provider(registry.httpServerTest), bench.emulator);
    const { failures } = await host.check({}, { testName: "", url: "", password: 5 });
    expect(failures.length).toBeGreaterThan(1);
    expect(failures.map(({ property }) => property)).toEqual(failures.map(() => ""));
    expect(failures.map(({ reason }) => reason).join()).toContain("password ");
  });

  it("the provider rejects the import of an AgentTransfer", async () => {
    const host = configured(createHost().provider(registry.agentTransfer), bench.emulator);
    await expect(host.read("0123456789abcdef", { __provider: "…" })).rejects.toThrow("does not store transfers");
  });

  it("the provider omits values from the reason for a replacement if an input is secret", async () => {
    const lines: string[] = [];
    const provider = configured(
      createHost((line) => lines.push(line)).provider(registry.httpServerTest).discreet,
      bench.emulator,
    );
    const oldInputs = { testName: "hush-hush", url: "https://psst.example.com", httpTimeLimit: 3000, accountGroupId: "1001" };
    const { inputs } = await provider.check(oldInputs, { ...oldInputs, testName: "psst-psst", httpTimeLimit: 4000 });
    await provider.diff("281474976710656", oldInputs, inputs);
    expect(lines).toHaveLength(1);
    expect(lines[0]).toContain("replace HTTP server test (281474976710656): ");
    expect(lines[0]).toContain("httpTimeLimit changed");
    expect(lines[0]).not.toMatch(/hush|psst/);
  });
});

it("the provider's check reports only once that the program no longer sets accountGroupId", async () => {
  const lines: string[] = [];
  const provider = configured(createHost((line) => lines.push(line)).provider(registry.label), bench.emulator);
  const declared = { name: "Office", matchType: "or", filters: [] };
  await provider.check({}, declared);
  await provider.check(declared, declared);
  await provider.check({ ...declared, accountGroupId: "1002" }, { ...declared, accountGroupId: "1002" });
  expect(lines).toEqual([]);
  for (const checked of [provider, provider, provider.discreet])
    await checked.check({ ...declared, accountGroupId: "1002" }, declared);
  expect(lines).toEqual([
    'label "Office": accountGroupId is no longer set: the label stays in account group 1002, but new resources go to the token\'s default account group. Set accountGroupId to keep them together.',
    "label: accountGroupId is no longer set: the label stays in its account group, but new resources go to the token's default account group. Set accountGroupId to keep them together.",
  ]);
});

it("the provider's check marks a password as secret, even if a transform set the password", async () => {
  const provider = configured(createHost(() => undefined).provider(registry.httpServerTest), bench.emulator);
  const declared = { testName: "T", url: "https://a.example.com", authType: "basic", username: "u", password: "hush-hush" };
  const { inputs } = await provider.check({}, declared);
  expect(inputs).toMatchObject({ ...declared, password: secretOf("hush-hush") });
  const { inputs: unknown } = await provider.check({}, { ...declared, password: unknownValue });
  expect(unknown["password"]).toEqual(secretOf(unknownValue));
});

it("the provider for secret inputs logs no names or values", async () => {
  const messages: string[] = [];
  const provider = configured(createHost((line) => messages.push(line)).provider(registry.agentToServerTest), bench.emulator);
  const declared = { testName: "Hidden", server: "www.example.com", maxMachines: 3 };
  const { inputs } = await provider.discreet.check({}, declared);
  const { id, outs } = await provider.discreet.create(inputs);
  const newInputs = { ...inputs, maxMachines: 7 };
  const open = await provider.diff(id, outs, newInputs);
  expect(await provider.discreet.diff(id, outs, newInputs)).toEqual(open);
  const cost = "set only at creation, so the test gets a new id and its result history is lost";
  expect(messages).toEqual([
    `replace agent-to-server test "Hidden" (${id}): maxMachines 3 -> 7; ${cost}`,
    `replace agent-to-server test (${id}): maxMachines changed; ${cost}`,
  ]);
  messages.length = 0;
  // The service may return a value that this version does not know.
  const returned = { ...outs, agentSelectorType: "agent-groups" };
  for (const shows of [provider, provider.discreet]) await shows.diff(id, returned, newInputs);
  expect(messages.filter((line) => line.startsWith("replace "))).toEqual([
    `replace agent-to-server test "Hidden" (${id}): agentSelectorType "agent-groups" -> all-agents, maxMachines 3 -> 7; ${cost}`,
    `replace agent-to-server test (${id}): agentSelectorType changed, maxMachines changed; ${cost}`,
  ]);
});
