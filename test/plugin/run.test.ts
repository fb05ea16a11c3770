/**
 * Calls the native plugin through its protocol, without an engine: the lifecycle of each resource type, values beyond JSON,
 * and errors.
 */
import { placesOf } from "../../plugin/detailed-diff";
import { unknownValue } from "../../provider/values";
import { type KindName, registry } from "../../provider/registry";
import { providerString } from "../../sdk/token";
import { skipIdleTime } from "../support/idle-time";
import { changeInPlace, changeThatReplaces } from "../support/kinds";
import { Plugin, secret, urnOf } from "../support/plugin";
import { Bench, everyKind, withLabels } from "../provider/bench";

let bench: Bench;
let plugins: Plugin[];
beforeEach(async () => {
  bench = await Bench.start({}, { transferDelayMs: 10 });
  plugins = [];
});
afterEach(async () => {
  for (const plugin of plugins) plugin.end();
  await bench.end();
});

/** Starts a new provider process, as each operation of the engine does. */
async function start(settings: Record<string, unknown> = {}): Promise<Plugin> {
  const plugin = await Plugin.start({ baseUrl: bench.emulator.url, token: secret("emulator-token"), readLag: 0, ...settings });
  plugins.push(plugin);
  return plugin;
}

const office = { name: "Office", matchType: "or", filters: [{ key: "asn", mode: "in", values: ["64512"] }] };
const portal = { testName: "Portal", url: "https://www.example.com", authType: "basic", username: "probe" };

describe("operations with --continue-on-error", () => {
  const group = { name: "Office group", matchType: "or", filters: [{ key: "hostname", mode: "in", values: ["*"] }] };
  const announced = async (isUpdate: boolean): Promise<string[]> => {
    const plugin = await start();
    const made = await bench.create("label", { ...group, name: `Label ${isUpdate}` });
    // If the engine runs an update, the state is that of a record which this process updated.
    if (isUpdate) await plugin.update("Label", made.id, made.state, { ...made.inputs, matchType: "and" });
    const { inputs } = await plugin.check("Label", {}, group);
    const requests = async (): Promise<unknown> => (await fetch(`${bench.emulator.url}/_emulator/requests`)).json();
    const before = await requests();
    expect(await plugin.create("Label", inputs, true)).toMatchObject({ id: "", properties: { name: "Office group" } });
    await plugin.update("Label", made.id, made.state, { ...made.inputs, filters: [] }, true);
    if (isUpdate) expect(await requests()).toEqual(before);
    return plugin.logged.map(({ line }) => line);
  };

  it("a preview reports which agents a create affects", async () => expect(await announced(false)).not.toEqual([]));
  it("an update sends no request and prints no report for a skipped resource", async () =>
    expect(await announced(true)).toEqual([]));
});

describe("an interrupt of the plugin", () => {
  skipIdleTime();

  it("only successful create requests leave records after an interrupt", async () => {
    await bench.end();
    bench = await Bench.start({}, { rateLimit: 8 });
    const plugin = await start();
    const { inputs } = await plugin.check("Label", {}, office);
    const creates = Array.from({ length: 12 }, async (_, i) => plugin.create("Label", { ...inputs, name: `Office ${i}` }));
    const settled = Promise.allSettled(creates);
    while (plugin.logged.length === 0) await new Promise((resolve) => setTimeout(resolve, 10));
    await plugin.cancel();
    const outcomes = await settled;
    const created = outcomes.filter(({ status }) => status === "fulfilled");
    const refused = outcomes.flatMap((outcome) => (outcome.status === "rejected" ? [String(outcome.reason)] : []));
    expect(refused.length).toBeGreaterThan(0);
    expect(refused.filter((message) => !/was aborted|see the error of/.test(message))).toEqual([]);
    const sent = bench.emulator.log().filter(({ operation }) => operation === "labels.create");
    expect(sent).toHaveLength(created.length);
  });
});

describe.each(everyKind)("the plugin with a %s", (kindName, { full, collection }) => {
  const kind: (typeof registry)[KindName] = registry[kindName];
  const constant = providerString(kind.name);

  it("native and dynamic resources have the same results in each step of their lifecycle", async () => {
    const args = (await withLabels(bench))(full);
    const plugin = await start();
    const { inputs, failures } = await plugin.check(kind.name, {}, args);
    expect(failures).toEqual([]);
    const { id, properties } = await plugin.create(kind.name, inputs);
    expect(id).not.toBe("");
    // Dynamic providers need the constant, and a refresh keeps it.
    expect(properties["__provider"]).toMatch(constant);
    // A preview on a slow machine could report that it does not count agents.
    const later = await start({ previewReach: "off" });
    expect(await later.diff(kind.name, id, properties, inputs)).toMatchObject({
      changes: 1,
      replacesList: [],
      detaileddiffMap: [],
    });
    expect(await later.read(kind.name, id, properties, inputs)).toEqual({ id, properties, inputs });
    const { property, to } = changeInPlace(kindName);
    const changed = (await later.check(kind.name, inputs, { ...inputs, [property]: to })).inputs;
    const diff = await later.diff(kind.name, id, properties, changed);
    // An in-place update of the property.
    expect(diff).toMatchObject({
      changes: 2,
      replacesList: [],
      detaileddiffMap: [[property, { kind: 4 }]],
      hasdetaileddiff: true,
    });
    const previewed = await later.update(kind.name, id, properties, changed, true);
    const updated = await later.update(kind.name, id, properties, changed);
    expect(previewed).toEqual({ ...updated, __written: properties["__written"] });
    expect(updated[property]).toEqual(to);
    // A process that updated a record manages it until the process ends.
    await (await start()).delete(kind.name, id, updated);
    expect(await bench.ids(collection)).not.toContain(id);
    // Another user deleted the record.
    await (await start()).delete(kind.name, id, updated);
    expect(plugins.flatMap(({ logged }) => logged)).toEqual([]);
  });

  it("the plugin logs the reason for the replacement of a record", async () => {
    const change = changeThatReplaces(kindName);
    if (!change) return;
    const args = (await withLabels(bench))(full);
    const { id } = await bench.create(kindName, args);
    const plugin = await start();
    const { properties, inputs } = await plugin.read(kind.name, id);
    const declared = { ...inputs, [change.property]: change.to };
    const diff = await plugin.diff(kind.name, id, properties, declared);
    expect(diff).toMatchObject({ replacesList: [change.property], deletebeforereplace: true });
    expect(diff.detaileddiffMap).toEqual([[change.property, { kind: 5, inputdiff: false }]]);
    // A refresh also runs diff, and must not report a replacement.
    expect(plugin.logged).toEqual([]);
    const preview = await plugin.create(kind.name, declared, true);
    expect(preview.id).toBe("");
    expect(plugin.logged).toEqual([
      {
        urn: urnOf(kind.name),
        severity: "INFO",
        line: expect.stringMatching(`^replaced because ${change.property} .*${kind.replacementCost}`),
      },
    ]);
    // An outdated reason from a refresh must not explain a replacement that the user requested.
    await plugin.diff(kind.name, id, properties, declared);
    await plugin.diff(kind.name, id, properties, inputs);
    await plugin.create(kind.name, inputs, true);
    expect(plugin.logged.filter(({ line }) => line.startsWith("replaced because"))).toHaveLength(1);
    const createFirst = await start({ replaceOrder: "create-first" });
    expect(await createFirst.diff(kind.name, id, properties, declared)).toMatchObject({ deletebeforereplace: false });
  });
});

describe("import of a record", () => {
  it("the plugin imports a record of another account group by its full id", async () => {
    const { id } = await bench.create("label", { ...office, accountGroupId: "1002" });
    const plugin = await start();
    await expect(plugin.read("Label", id)).rejects.toMatchObject({
      details:
        `There is no label ${id} in the selected account group. The label is in account group 1002. ` +
        `To import the label, use the id 1002/${id}.`,
    });
    const read = await plugin.read("Label", `1002/${id}`);
    expect(read).toMatchObject({ id, inputs: { name: "Office", accountGroupId: "1002" } });
    await expect(plugin.read("Label", `1001/${id}`)).rejects.toMatchObject({ details: expect.stringContaining("1002") });
    await bench.door("requests/reset");
    await expect(plugin.read("Label", "999")).rejects.toMatchObject({
      details: "There is no label 999 in the selected account group. Correct the id or the property accountGroupId.",
    });
    // One request to each of the three account groups.
    expect(bench.emulator.requests()).toMatchObject({ "labels.get": 3 });
  });
});

test("Diff reports one removed item if a list loses one of two equal items", () => {
  const change = { property: "values", how: "changed", unknown: false, replaces: false, recordsOnly: false } as const;
  expect(placesOf({ ...change, before: ["a", "a", "b"], after: ["b", "a"] })).toEqual([{ path: "values[1]", how: "removed" }]);
});

describe("values in the plugin", () => {
  it("the plugin keeps secrets and lists but replaces outputs and resources with their values", async () => {
    const plugin = await start();
    const output = { "4dabf18193072939515e22adb298388d": "d0e6a833031e9bbcd3f4e8bde6ca49a4" };
    const resource = { "4dabf18193072939515e22adb298388d": "5cf8f73096256a8f31e491e813e4eb8e", urn: "urn:x", id: "1001" };
    const { inputs, failures } = await plugin.check(
      "Label",
      {},
      {
        name: { ...output, value: "Office", secret: true },
        matchType: { ...output, value: "or" },
        filters: [{ key: "asn", values: [secret("64512")] }],
        color: output,
        accountGroupId: resource,
      },
    );
    expect(failures).toEqual([]);
    expect(inputs).toEqual({
      name: secret("Office"),
      matchType: "or",
      filters: secret(office.filters),
      color: unknownValue,
      accountGroupId: "1001",
    });
  });

  it("the plugin marks passwords as secret in inputs, state and imports", async () => {
    const plugin = await start();
    const { inputs } = await plugin.check("HttpServerTest", {}, { ...portal, password: "s3cret-value" });
    expect(inputs["password"]).toEqual(secret("s3cret-value"));
    const { id, properties } = await plugin.create("HttpServerTest", inputs);
    expect(properties["password"]).toEqual(secret("s3cret-value"));
    const read = await plugin.read("HttpServerTest", id, properties, inputs);
    expect([read.properties["password"], read.inputs["password"]]).toEqual([secret("s3cret-value"), secret("s3cret-value")]);
  });

  it("a refresh keeps secret inputs secret", async () => {
    const plugin = await start();
    const { inputs } = await plugin.check("Label", {}, office);
    const { id, properties } = await plugin.create("Label", inputs);
    const read = await plugin.read("Label", id, properties, { ...inputs, name: secret(office.name) });
    expect([read.properties["name"], read.inputs["name"]]).toEqual([office.name, secret(office.name)]);
  });

  it("the plugin omits values from errors and replacement reasons if the record's name is secret", async () => {
    const plugin = await start();
    const { inputs } = await plugin.check("HttpServerTest", {}, { ...portal, testName: secret("Hidden"), password: "first" });
    const { id, properties } = await plugin.create("HttpServerTest", inputs);
    const { inputs: changed } = await plugin.check("HttpServerTest", inputs, {
      ...portal,
      testName: secret("Hidden"),
      httpTimeLimit: 9000,
      password: "first",
    });
    const later = await start();
    await later.diff("HttpServerTest", id, properties, changed);
    await later.create("HttpServerTest", changed, true);
    expect(later.logged.map(({ line }) => line)).toEqual([expect.stringContaining("replaced because httpTimeLimit changed;")]);
    expect(JSON.stringify(later.logged)).not.toMatch(/Hidden|9000/);
    expect(properties["__provider"]).toBe(providerString("HttpServerTest", true));
  });

  it("an error names the path of a deeply nested value", async () => {
    const plugin = await start();
    let deep: unknown = "end";
    for (let i = 0; i < 150; i += 1) deep = [deep];
    const { failures } = await plugin.check("Label", {}, { ...office, name: deep, filters: [null] });
    expect(failures).toEqual([
      { property: "", reason: "name is nested deeper than 100 levels" },
      { property: "", reason: expect.stringMatching(/^filters\[0\] /) },
    ]);
  });
});

describe("configuration of the provider", () => {
  it("two providers with different account groups list only their own records", async () => {
    const [first, other] = [await start({ accountGroupId: "1001" }), await start({ accountGroupId: "1002" })];
    for (const plugin of [first, other]) {
      const { inputs } = await plugin.check("Label", {}, office);
      await plugin.create("Label", inputs);
    }
    const lists = [await first.list("Label"), await other.list("Label"), await first.list("Label", { accountGroupId: "1002" })];
    expect(lists.map((list) => list.length)).toEqual([1, 1, 1]);
    expect(lists[2]).toEqual(lists[1]);
  });
});

describe("lists of records and plugin functions", () => {
  it("the plugin lists the records of each listable resource type", async () => {
    const { id } = await bench.create("label", office);
    const plugin = await start();
    expect(await plugin.list("Label")).toEqual([{ id, name: "Office" }]);
    expect(await plugin.list("EndpointAgent", {}, 3)).toHaveLength(3);
    expect(await plugin.list("Label", { accountGroupId: unknownValue })).toEqual([undefined]);
    await expect(plugin.list("Label", { name: "Office" })).rejects.toMatchObject({
      details: "The request to list Label resources has an unknown argument: name. Expected: accountGroupId.",
    });
    await expect(plugin.list("TestRun")).rejects.toMatchObject({
      details: expect.stringContaining("cannot list TestRun resources"),
    });
    await expect(plugin.list("Nothing")).rejects.toMatchObject({ details: expect.stringContaining("Expected: Label, ") });
  });

  it("Check logs that a record keeps its account group if the program no longer sets accountGroupId", async () => {
    const plugin = await start();
    await plugin.check("Label", { ...office, accountGroupId: "1002" }, { ...office, accountGroupId: "1002" });
    expect(plugin.logged).toEqual([]);
    await plugin.check("Label", { ...office, accountGroupId: "1002" }, office);
    expect(plugin.logged).toEqual([
      {
        urn: urnOf("Label"),
        severity: "INFO",
        line: expect.stringMatching(/^accountGroupId is no longer set: the label stays in account group 1002, /),
      },
    ]);
  });

  it("plugin functions use the provider's settings", async () => {
    await bench.create("label", office);
    const plugin = await start();
    expect(await plugin.invoke("getLabels", {})).toEqual([expect.objectContaining({ name: "Office" })]);
    expect(await plugin.invoke("getLabel", { name: secret("Office") })).toEqual(
      secret(expect.objectContaining({ name: "Office" })),
    );
    expect(await plugin.invoke("getConnectionString", {})).toEqual(secret(expect.any(String)));
    await expect(plugin.invoke("getLabel", { name: "Nobody" })).rejects.toMatchObject({
      details: 'getLabel: no label has the name "Nobody". Check this value and accountGroupId.',
    });
    // Each preview would change something.
    await expect(plugin.invoke("regenerateApiToken", {})).rejects.toMatchObject({
      details: expect.stringContaining("plugin has no function"),
    });
  });
});

describe("errors of the plugin", () => {
  it("the plugin keeps the state of a partly created resource", async () => {
    await bench.fault({ kind: "status", status: 403, operation: "tests.agentToServer.update" });
    const plugin = await start();
    const { inputs } = await plugin.check(
      "AgentToServerTest",
      {},
      { testName: "Gateway", server: "vpn.example.com", isEnabled: false },
    );
    const error = await plugin.create("AgentToServerTest", inputs).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ details: expect.any(String) });
    const [details] = (error as { metadata: { get(name: string): Buffer[] } }).metadata.get("grpc-status-details-bin");
    const [id] = await bench.ids("agent-to-server-tests");
    expect(details?.toString("latin1")).toContain("ErrorResourceInitFailed");
    expect(details?.toString("latin1")).toContain(String(id));
  });

  it("the plugin reports a failure of several resources in full only once", async () => {
    const plugin = await start({ token: "wrong-secret" });
    const [first, second] = await Promise.all(
      ["One", "Two"].map((name) =>
        plugin.create("Label", { ...office, name }).catch((error: unknown) => error as { details: string }),
      ),
    );
    const texts = [first, second].map((error) => ("details" in (error ?? {}) ? (error as { details: string }).details : ""));
    expect(texts.filter((text) => text.includes("answered 401"))).toHaveLength(1);
    expect(texts.filter((text) => text.includes("see the error of"))).toHaveLength(1);
    expect(texts.join("")).not.toMatch(/wrong-secret|\.ts:\d/);
  });
});
