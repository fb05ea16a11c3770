/** Calls each resource type through Pulumi's own host, with sentinels, sparse lists, absent values and failures. */
import type { Kind } from "../../provider/kind";
import { type KindName, registry } from "../../provider/registry";
import { type Properties, unknownValue } from "../../provider/values";
import { kindCases } from "../support/kinds";
import { Bench, everyKind, patience, withLabels } from "../provider/bench";
import { HostError, OfficialHost } from "../provider/official-host";
import { skipIdleTime } from "../support/idle-time";

skipIdleTime();

let bench: Bench;
let host: OfficialHost;
beforeEach(async () => {
  bench = await Bench.start({}, { transferDelayMs: 10 });
  host = newHost();
});
afterEach(() => bench.end());

/** Returns a new provider process, as each operation of the engine has. */
function newHost(settings: Record<string, string> = {}, kinds?: Record<KindName, Kind>): OfficialHost {
  const config = { baseUrl: bench.emulator.url, token: "emulator-token", ...patience, ...settings };
  return new OfficialHost(
    Object.fromEntries(Object.entries(config).map(([key, value]) => [`endpoint-monitoring:${key}`, value])),
    kinds,
  );
}

/** Returns the error that the engine receives. */
async function failure(work: Promise<unknown>): Promise<HostError> {
  const error = await work.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  if (error instanceof HostError) return error;
  throw error ?? new Error("it succeeded");
}

const kinds = Object.keys(registry) as KindName[];
const office = { name: "Office", matchType: "or", filters: [{ key: "asn", mode: "in", values: ["64512"] }] };
const gateway = { testName: "Gateway", server: "vpn.example.com" };

describe.each(everyKind)("calls from Pulumi's host to a %s", (kind, { minimal, full, collection }) => {
  let args: Properties;
  beforeEach(async () => {
    args = (await withLabels(bench))(full);
  });

  it("no message between Pulumi's provider host and the provider contains undefined or null", async () => {
    const { inputs, failures } = await host.check(kind, {}, args);
    expect(failures).toEqual([]);
    const { id, properties } = await host.create(kind, inputs);
    expect(JSON.stringify(properties)).not.toContain("null");
    expect(await newHost().diff(kind, id, properties, inputs)).toMatchObject({ changes: false, replaces: [] });
    const read = await newHost().read(kind, id, properties);
    expect(read).toEqual({ id, properties, inputs });
    const renamed = { ...inputs, [registry[kind].nameProperty]: "Renamed" };
    const updated = await newHost().update(kind, id, properties, renamed);
    expect(updated).toMatchObject({ ...without(properties, "__written"), [registry[kind].nameProperty]: "Renamed" });
    const last = newHost();
    await last.delete(kind, id, updated);
    expect(await bench.ids(collection)).not.toContain(id);
    // The record was deleted in the UI.
    await newHost().delete(kind, id, updated);
    expect([...host.printed, ...last.printed]).toEqual([]);
  });

  it("the provider's check accepts its own result", async () => {
    const { inputs } = await host.check(kind, {}, minimal);
    expect(await host.check(kind, inputs, inputs)).toEqual({ inputs, failures: [] });
    const nulls = Object.fromEntries(Object.keys(full).map((property) => [property, null]));
    expect(await host.check(kind, {}, { ...nulls, ...minimal })).toEqual({ inputs, failures: [] });
  });

  it.each(Object.keys(full))("the provider's check and diff accept an unknown %s", async (property) => {
    const { inputs, failures } = await host.check(kind, {}, { ...args, [property]: unknownValue });
    expect(failures).toEqual([]);
    expect(inputs[property]).toBe(unknownValue);
    const { inputs: known } = await host.check(kind, {}, args);
    const { id, properties } = await host.create(kind, known);
    const createOnly: readonly string[] = registry[kind].createOnly;
    expect(await newHost().diff(kind, id, properties, inputs)).toEqual({
      changes: true,
      replaces: createOnly.includes(property) ? [property] : [],
      deleteBeforeReplace: true,
    });
  });

  it("a read reports a deleted record as missing", async () => {
    const { inputs } = await host.check(kind, {}, args);
    const { id, properties } = await host.create(kind, inputs);
    await newHost().delete(kind, id, properties);
    expect(await newHost().read(kind, id, properties)).toEqual({ id: "", properties: {}, inputs: undefined });
    const get = newHost();
    const { message } = await failure(get.read(kind, id, {}));
    expect(message).toContain(`There is no ${registry[kind].noun} ${id} in the selected account group`);
    // The host prints the message and stack of an error.
    expect(get.printed).toEqual([": "]);
  });

  it("an update does not recreate a deleted record", async () => {
    const { inputs } = await host.check(kind, {}, args);
    const { id, properties } = await host.create(kind, inputs);
    await newHost().delete(kind, id, properties);
    const [later, there] = [newHost(), await bench.ids(collection)];
    const gone = await failure(later.update(kind, id, properties, { ...inputs, [registry[kind].nameProperty]: "Renamed" }));
    expect(gone.message).toContain("Run `pulumi refresh`");
    expect([gone.inPart, later.printed, await bench.ids(collection)]).toEqual([undefined, [], there]);
  });
});

describe("incomplete and unknown values", () => {
  it.each<[KindName, Properties, string]>([
    ["label", { ...office, filters: [null] }, "filters[0]"],
    ["label", { ...office, filters: [{ key: "asn", values: [null] }] }, "filters[0].values[0]"],
    [
      "agentToServerTest",
      { ...gateway, agentSelectorType: "specific-agents", agents: ["0a3b9998-dc3a-4ff2-b50d-ac4a7cd986e1", null] },
      "agents[1]",
    ],
    ["agentTransfer", { transfers: [null] }, "transfers[0]"],
    ["testRun", { testId: "1", triggers: null, expect: [] }, "expect"],
  ])("the provider's check of a %s names the position of a missing list item: %j", async (kind, declared, path) => {
    const { failures } = await host.check(kind, {}, declared);
    expect(failures).toEqual([expect.stringContaining(`${path} `)]);
  });

  it.each<[KindName, Properties, readonly (string | number)[]]>([
    ["label", { ...office, filters: [{ key: "asn", values: [unknownValue] }] }, ["filters", 0, "values", 0]],
    ["label", { ...office, filters: [{ key: unknownValue, values: unknownValue }] }, ["filters", 0, "key"]],
    ["label", { ...office, filters: [unknownValue] }, ["filters", 0]],
    ["endpointAgent", { lookup: { agentName: unknownValue } }, ["lookup", "agentName"]],
    ["agentTransfer", { transfers: [{ agentId: unknownValue, fromAid: "1", toAid: "2" }] }, ["transfers", 0, "agentId"]],
    ["testRun", { testId: "1", expect: { maxLoss: unknownValue } }, ["expect", "maxLoss"]],
  ])("the provider's check of a %s accepts unknown values at any depth: %j", async (kind, declared, path) => {
    const { inputs, failures } = await host.check(kind, {}, declared);
    expect(failures).toEqual([]);
    expect(path.reduce<unknown>((at, part) => (at as Properties)[part], inputs)).toBe(unknownValue);
  });

  it.each(kinds)("the provider's check reports the missing required properties of a %s", async (kind) => {
    const { failures } = await host.check(kind, {}, {});
    expect(failures.length).toBeGreaterThan(0);
    expect(host.printed).toEqual([]);
  });
});

describe("errors in the provider", () => {
  it("a failed check never shows a secret value", async () => {
    const password = "hush-hush-42";
    for (const declared of [
      { testName: "T", url: password, password },
      { testName: "T", url: "https://example.com", authType: password, password: { value: password } },
      { testName: "T", url: "https://example.com", password, [password]: password },
    ]) {
      const { failures } = await host.check("httpServerTest", {}, declared);
      expect(failures.length).toBeGreaterThan(0);
      expect(failures.filter((reason) => reason.includes(password) && !reason.startsWith(`${password} `))).toEqual([]);
    }
  });

  it("a bug in the provider causes a stack trace, but a user's mistake does not", async () => {
    const calls: ((wrong: OfficialHost) => Promise<unknown>)[] = [
      (wrong) => wrong.create("label", office),
      (wrong) => wrong.read("label", "1", office),
      (wrong) => wrong.update("label", "1", office, { ...office, name: "B" }),
      (wrong) => wrong.delete("label", "1", office),
    ];
    const printed: string[][] = [];
    for (const call of calls) {
      const wrong = newHost({ token: "wrong-t0ken" });
      const { message, inPart } = await failure(call(wrong));
      expect([message.includes("wrong-t0ken"), inPart]).toEqual([false, undefined]);
      printed.push(wrong.printed);
    }
    // The host prints the errors that it does not return.
    expect(printed).toEqual([[], [": "], [], [": "]]);

    const rules = (): never => {
      throw new TypeError("a bug");
    };
    const buggy = newHost({}, { ...registry, label: { ...registry.label, rules } });
    await failure(buggy.check("label", {}, office));
    expect(buggy.printed).toEqual([expect.stringMatching(/^TypeError: a bug: TypeError: a bug\n\s+at /)]);
  });

  it("only the first failed operation lists the missing settings", async () => {
    const lacking = new OfficialHost({});
    const messages: string[] = [];
    for (const kind of kinds) messages.push((await failure(lacking.diff(kind, "1", {}, {}))).message);
    expect(messages[0]).toContain("pulumi config set");
    expect(messages.slice(1).every((message) => message.includes("see the error of"))).toBe(true);
    expect(new Set(lacking.printed)).toEqual(new Set([": "]));
  });

  it("the next update completes a partly failed update", async () => {
    const { inputs } = await host.check("agentToServerTest", {}, { ...gateway, isEnabled: false });
    await bench.fault({ operation: "tests.agentToServer.update", kind: "status", status: 500, n: 9 });
    const { inPart } = await failure(host.create("agentToServerTest", inputs));
    const [id = ""] = await bench.ids("agent-to-server-tests");
    // Only an update disables a test, so the new test is still enabled.
    expect(inPart).toMatchObject({ id, properties: { testName: "Gateway", isEnabled: true } });
    expect(inPart?.reasons).toEqual([expect.stringContaining("isEnabled")]);
    await bench.door("faults/reset");
    const properties = await newHost().update("agentToServerTest", id, inPart?.properties ?? {}, inputs);
    expect(properties).toMatchObject({ testName: "Gateway", isEnabled: false });
    expect(await newHost().diff("agentToServerTest", id, properties, inputs)).toMatchObject({ changes: false });
  });

  it("the provider does not adopt an older record after a create request with an unknown outcome", async () => {
    const { id } = await bench.create("label", { ...office, matchType: "and" });
    const up = newHost({ createOutcomeTimeout: "1" });
    const { inputs } = await up.check("label", {}, office);
    await bench.fault({ operation: "labels.create", kind: "drop-before" });
    await bench.door("requests/reset");
    const created = failure(up.create("label", inputs));
    while (bench.emulator.requests()["labels.create"] === undefined) await new Promise(setImmediate);
    await bench.session.client.labels.update({ path: { id }, body: { matchType: "or" } });
    expect((await created).message).toContain("For 1 s, the service's lists did not show the record");
    expect(await bench.ids("labels")).toEqual([id]);
  });

  it("a partly failed transfer names the agents that did not move", async () => {
    const { agents } = await bench.session.client.agents.list({ query: { aid: "1001", max: 1 } });
    const there = { agentId: agents[0]?.id, fromAid: "1001", toAid: "1002" };
    const nowhere = { agentId: "00000000-0000-4000-8000-000000000000", fromAid: "1001", toAid: "1002" };
    const { inputs } = await host.check("agentTransfer", {}, { transfers: [there, nowhere] });
    const { inPart } = await failure(host.create("agentTransfer", inputs));
    expect(inPart?.properties["transfers"]).toEqual([there]);
    expect(inPart?.reasons.join()).toContain(nowhere.agentId);
  });
});

it("the first update after an import stores the properties that the service never returns", async () => {
  const portal = { testName: "Portal", url: "https://example.com", authType: "basic", username: "probe" };
  const { inputs } = await host.check("httpServerTest", {}, { ...portal, password: "hush-hush", targetResponseTime: 700 });
  const { id } = await host.create("httpServerTest", inputs);
  const { properties } = await newHost().read("httpServerTest", id, {});
  expect(properties["unknownFields"]).toEqual(["password", "targetResponseTime"]);
  await bench.door("requests/reset");
  const updated = await newHost().update("httpServerTest", id, properties, inputs);
  expect(updated).toEqual({ ...without(properties, "unknownFields"), password: "hush-hush", targetResponseTime: 700 });
  expect(await newHost().diff("httpServerTest", id, updated, inputs)).toMatchObject({ changes: false });
  expect(bench.emulator.requests()).toEqual({});
});

function without(properties: Properties, name: string): Properties {
  return Object.fromEntries(Object.entries(properties).filter(([property]) => property !== name));
}

describe("resource types without a record in the service", () => {
  it("create, read, update and delete of an EndpointAgent resource succeed", async () => {
    const { agents } = await bench.session.client.agents.list({ query: { aid: "1001", max: 1 } });
    const agentId = agents[0]?.id ?? "";
    const { inputs } = await host.check("endpointAgent", {}, { agentId, agentName: "Kiosk" });
    const { id, properties } = await host.create("endpointAgent", inputs);
    expect(id).toBe(agentId);
    // Only the provider uses this input. It is not a property of the agent.
    const { transferTimeout: _, ...own } = inputs;
    expect(await newHost().read("endpointAgent", id, properties)).toEqual({ id, properties, inputs: own });
    const updated = await newHost().update("endpointAgent", id, properties, { ...inputs, agentName: "Desk" });
    expect(updated).toMatchObject({ agentName: "Desk" });
    await newHost().delete("endpointAgent", id, updated);
    expect(await bench.session.client.agents.get({ path: { agentId } })).toMatchObject({ name: "Desk" });
    await bench.session.client.agents.delete({ path: { agentId } });
    expect(await newHost().read("endpointAgent", id, updated)).toMatchObject({ id: "", properties: {} });
  });

  it("a changed trigger runs a test again, but changed expectations do not", async () => {
    const { id: testId } = await bench.create("agentToServerTest", gateway);
    const { inputs } = await host.check("testRun", {}, { testId, triggers: ["1"] });
    const { id, properties } = await host.create("testRun", inputs);
    expect(await newHost().read("testRun", id, properties)).toMatchObject({ id, properties });
    expect(await newHost().diff("testRun", id, properties, { ...inputs, triggers: ["2"] })).toMatchObject({
      changes: true,
      replaces: ["triggers"],
    });
    expect(await newHost().diff("testRun", id, properties, { ...inputs, expect: { maxLoss: 1 } })).toMatchObject({
      changes: true,
      replaces: [],
    });
    await newHost().delete("testRun", id, properties);
    expect(await bench.ids("agent-to-server-tests")).toEqual([testId]);
  });
});

test("the suite tests every resource type", () => {
  expect(kinds).toEqual(expect.arrayContaining(Object.keys(kindCases)));
});
