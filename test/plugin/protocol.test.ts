/**
 * Checks the native plugin against the documentation of Pulumi's protocol, message by message (provider.proto of the supported
 * engine). Each title is a rule of the protocol. run.test.ts covers behavior beyond the protocol.
 */
import { status } from "@grpc/grpc-js";
import { ResourceProviderService } from "@pulumi/pulumi/proto/provider_grpc_pb";
import * as messages from "@pulumi/pulumi/proto/provider_pb";
import type { PluginInfo } from "@pulumi/pulumi/proto/plugin_pb";
import fc from "fast-check";
import { Empty } from "google-protobuf/google/protobuf/empty_pb";
import { ownManifest } from "../../api/manifest";
import { type Properties, isObject, unknownValue } from "../../provider/values";
import { registry } from "../../provider/registry";
import { nativeToken, providerString } from "../../sdk/token";
import { amount, seed } from "../support/amount";
import { changeInPlace, changeThatReplaces } from "../support/kinds";
import { Plugin, plain, secret, set, urnOf } from "../support/plugin";
import { Bench, everyKind, withLabels } from "../provider/bench";

let bench: Bench;
let plugin: Plugin;
beforeAll(async () => (bench = await Bench.start({}, { transferDelayMs: 10 })));
afterAll(() => bench.end());
beforeEach(async () => (plugin = await started()));
afterEach(() => plugin.end());

const started = (): Promise<Plugin> =>
  Plugin.start({ baseUrl: bench.emulator.url, token: secret("emulator-token"), readLag: "0" });

/** Runs work in another operation, because a process keeps the records that it created. */
async function later<T>(work: (plugin: Plugin) => Promise<T>): Promise<T> {
  const another = await started();
  return work(another).finally(() => another.end());
}

const signature = "4dabf18193072939515e22adb298388d";
const outputOf = (value: unknown, isSecret = false): Properties => ({
  [signature]: "d0e6a833031e9bbcd3f4e8bde6ca49a4",
  value,
  ...(isSecret && { secret: true }),
});
/** An output without a value is unknown. */
const unknownOutput: Properties = { [signature]: "d0e6a833031e9bbcd3f4e8bde6ca49a4" };
const resourceOf = (id: string): Properties => ({ [signature]: "5cf8f73096256a8f31e491e813e4eb8e", urn: urnOf("Label"), id });

const { ADD, ADD_REPLACE, DELETE, DELETE_REPLACE, UPDATE, UPDATE_REPLACE } = messages.PropertyDiff.Kind;

/** Returns the plugin's error for a request that it cannot serve. */
async function refusalOf(call: Promise<unknown>): Promise<{ code?: number; hasStack: boolean }> {
  const { code, details } = await call.then(
    (): { code?: number; details?: string } => ({}),
    (error: unknown) => error as { code: number; details: string },
  );
  return { ...(code !== undefined && { code }), hasStack: /\n\s+at |\.ts:\d/.test(details ?? "") };
}
const argumentError = { code: 3, hasStack: false };
const label = { name: "Office", matchType: "or", filters: [{ key: "asn", mode: "in", values: ["64512"] }] };

/** Returns the property at the beginning of an engine's path, such as `filters` for `filters[0].values`. */
const propertyOf = (path: string): string => /^[^.[]+/.exec(path)?.[0] ?? "";

/** Checks all requirements of DiffResponse's documentation. */
function expectInvariants(answer: messages.DiffResponse.AsObject): void {
  const { changes, diffsList: diffs, replacesList: replaces, detaileddiffMap: details, hasdetaileddiff: hasDetails } = answer;
  const replacing = new Set<number>([ADD_REPLACE, DELETE_REPLACE, UPDATE_REPLACE]);
  expect(changes).toBe(diffs.length === 0 ? 1 : 2);
  expect(new Set(diffs).size).toBe(diffs.length);
  expect(new Set(hasDetails ? details.map(([path]) => propertyOf(path)) : diffs)).toEqual(new Set(diffs));
  expect(new Set(details.map(([path]) => path)).size).toBe(details.length);
  const replacedPaths = details.filter(([, { kind }]) => replacing.has(kind)).map(([path]) => propertyOf(path));
  expect(new Set(hasDetails ? replacedPaths : replaces)).toEqual(new Set(replaces));
  expect(replaces.filter((property) => !diffs.includes(property))).toEqual([]);
}

/** Returns the value at a path of a detailed difference. */
function at(value: unknown, path: string): unknown {
  const parts = path.match(/[^.[\]]+/g) ?? [];
  return parts.reduce(
    (inner: unknown, part) => (typeof inner === "object" && inner !== null ? Reflect.get(inner, part) : undefined),
    value,
  );
}

describe("methods of the provider", () => {
  it("Handshake and Configure report the same capabilities", async () => {
    const handshake = (
      await plugin.call<messages.ProviderHandshakeResponse>(
        "handshake",
        set(new messages.ProviderHandshakeRequest(), { EngineAddress: "127.0.0.1:1" }),
      )
    ).toObject();
    const configure = (await plugin.call<messages.ConfigureResponse>("configure", new messages.ConfigureRequest())).toObject();
    expect(handshake).toEqual({
      acceptSecrets: true,
      acceptResources: true,
      acceptOutputs: true,
      acceptsOutputsInCall: false,
      acceptsOutputsInCheck: false,
      acceptsOutputsInInvoke: false,
      acceptsByteString: false,
      supportsAutonamingConfiguration: false,
    });
    expect(configure).toEqual({
      acceptsecrets: true,
      acceptresources: true,
      acceptoutputs: true,
      supportspreview: true,
      supportsAutonamingConfiguration: false,
    });
  });

  it("the plugin implements every method except parameterize, call, construct and getMappings", async () => {
    const methods = Object.entries(ResourceProviderService).filter(([, { responseStream }]) => !responseStream);
    const codes = await Promise.all(
      methods.map(async ([name, { requestDeserialize }]) => {
        const { code } = await refusalOf(plugin.call(name, requestDeserialize(Buffer.alloc(0)) as object));
        return [name, code] as const;
      }),
    );
    const of = (wanted?: number): string[] => codes.flatMap(([name, code]) => (code === wanted ? [name] : []));
    expect(of(status.UNIMPLEMENTED)).toEqual(["parameterize", "call", "construct", "getMappings"]);
    // An empty message names neither a resource, a function nor an engine.
    expect(of(status.INVALID_ARGUMENT).toSorted()).toEqual([
      "attach",
      "check",
      "create",
      "delete",
      "diff",
      "handshake",
      "invoke",
      "read",
      "update",
    ]);
    expect(of()).toHaveLength(codes.length - 13);
  });

  it("GetPluginInfo answers with the plugin's version", async () => {
    expect((await plugin.call<PluginInfo>("getPluginInfo", new Empty())).getVersion()).toBe(ownManifest().version);
    const mapping = set(new messages.GetMappingRequest(), { Key: "terraform", Provider: "" });
    expect((await plugin.call<messages.GetMappingResponse>("getMapping", mapping)).toObject()).toEqual({
      provider: "",
      data: "",
    });
    expect(await plugin.call<Empty>("cancel", new Empty())).toBeInstanceOf(Empty);
  });

  it("GetSchema rejects unsupported format versions and package parameters", async () => {
    const answer = await plugin.call<messages.GetSchemaResponse>("getSchema", new messages.GetSchemaRequest());
    const { name, resources } = JSON.parse(answer.getSchema()) as { name: string; resources: object };
    expect([name, Object.keys(resources)]).toEqual([
      "endpoint-monitoring",
      expect.arrayContaining(Object.values(registry).map((kind) => nativeToken(kind.name))),
    ]);
    for (const strange of [{ Version: 1 }, { SubpackageName: "labels", SubpackageVersion: "1.0.0" }])
      expect(await refusalOf(plugin.call("getSchema", set(new messages.GetSchemaRequest(), strange)))).toEqual(argumentError);
  });

  it("CheckConfig validates settings together and gives reasons for failures", async () => {
    const configuration = { baseUrl: "https://API.example.com/", token: secret("t0ken"), timeout: "30.0" };
    expect(await plugin.checkConfig(configuration)).toEqual({ inputs: configuration, failures: [] });
    // The plugin marks a plain token as secret.
    expect(await plugin.checkConfig({ ...configuration, token: "t0ken" })).toEqual({ inputs: configuration, failures: [] });
    expect(await plugin.checkConfig({ baseUrl: unknownOutput, token: secret("t0ken") })).toEqual({
      inputs: { baseUrl: unknownValue, token: secret("t0ken") },
      failures: [],
    });
    const reasonOf = async (settings: Properties): Promise<string[]> =>
      (await plugin.checkConfig(settings)).failures.map(({ property, reason }) => `${property}${reason}`);
    expect(await reasonOf({ baseUrl: "no address" })).toEqual([expect.stringMatching(/base ?URL/i)]);
    expect(await reasonOf({ baseUrl: "http://service.example.com", token: "t0ken", timeout: "soon" })).toEqual([
      expect.stringMatching(/plain HTTP.*timeout/),
    ]);
    expect(await reasonOf({ ...configuration, tokn: "x" })).toEqual([expect.stringContaining("Unknown setting tokn")]);
  });

  it("DiffConfig never replaces the provider", async () => {
    const diff = async (
      oldInputs: Properties,
      newInputs: Properties,
      more: object = {},
    ): Promise<messages.DiffResponse.AsObject> => {
      const request = set(new messages.DiffRequest(), { Olds: oldInputs, News: newInputs, ...more });
      return (await plugin.call<messages.DiffResponse>("diffConfig", request)).toObject();
    };
    const settings = { baseUrl: "https://one.example.com", token: secret("t0ken") };
    const answers = [
      await diff(settings, settings),
      await diff(settings, { ...settings, baseUrl: "https://two.example.com" }),
      await diff(settings, { token: unknownOutput }),
      // If an engine sends the old inputs, the plugin compares with these, not with the outputs.
      await diff({ baseUrl: "https://two.example.com" }, settings, { OldInputs: settings }),
    ];
    for (const answer of answers) expectInvariants(answer);
    expect(answers.map(({ diffsList }) => diffsList)).toEqual([[], ["baseUrl"], ["baseUrl", "token"], []]);
    expect(answers.flatMap(({ replacesList }) => replacesList)).toEqual([]);
  });
});

describe.each(everyKind)("protocol methods for a %s", (kindName, { minimal, full, collection }) => {
  const kind = registry[kindName].name;
  let declared: Properties;
  beforeAll(async () => (declared = (await withLabels(bench))(full)));

  it("Check adds defaults and accepts its own result", async () => {
    const first = await plugin.check(kind, {}, declared);
    expect(first.failures).toEqual([]);
    const hidden: readonly string[] = registry[kindName].secrets;
    const shown = Object.fromEntries(
      Object.entries(declared).map(([name, value]) => [name, hidden.includes(name) ? secret(value) : value]),
    );
    expect(first.inputs).toMatchObject(shown);
    expect(await plugin.check(kind, first.inputs, first.inputs)).toEqual(first);
  });

  it("Check accepts secrets, outputs and resources in place of plain values", async () => {
    const { inputs } = await plugin.check(kind, {}, minimal);
    const dressed = (value: unknown): unknown => (typeof value === "string" ? outputOf(value) : value);
    const outputs = Object.fromEntries(Object.entries(minimal).map(([name, value]) => [name, dressed(value)]));
    expect(await plugin.check(kind, {}, outputs)).toEqual({ inputs, failures: [] });
    const grouped = await plugin.check(kind, {}, { ...minimal, accountGroupId: resourceOf("1001") });
    expect(grouped).toEqual({ inputs: { ...inputs, accountGroupId: "1001" }, failures: [] });
    const { nameProperty } = registry[kindName];
    for (const form of [secret(minimal[nameProperty]), outputOf(minimal[nameProperty], true)]) {
      const checked = await plugin.check(kind, {}, { ...minimal, [nameProperty]: form });
      expect(checked).toEqual({ inputs: { ...inputs, [nameProperty]: secret(minimal[nameProperty]) }, failures: [] });
    }
  });

  it("Check reports each mistake with a reason and accepts unknown values", async () => {
    const { nameProperty } = registry[kindName];
    const { failures } = await plugin.check(kind, {}, { ...minimal, [nameProperty]: 7, nonsense: true });
    expect(failures.map(({ reason }) => reason)).toEqual(
      expect.arrayContaining([expect.stringContaining(nameProperty), expect.stringContaining("nonsense")]),
    );
    for (const form of [unknownValue, unknownOutput]) {
      const { inputs, failures: none } = await plugin.check(kind, {}, { ...minimal, [nameProperty]: form });
      expect([inputs[nameProperty], none]).toEqual([unknownValue, []]);
    }
    for (const property of Object.keys(full)) {
      const { inputs, failures: none } = await plugin.check(kind, {}, { ...full, [property]: unknownValue });
      const isSecret = registry[kindName].secrets.includes(property);
      expect([property, inputs[property], none]).toEqual([property, isSecret ? secret(unknownValue) : unknownValue, []]);
    }
  });

  it("the plugin's response to a preview contains the inputs and unknown values for all other outputs", async () => {
    const { inputs } = await plugin.check(kind, {}, declared);
    const before = await bench.ids(collection);
    const previewed = await plugin.create(kind, inputs, true);
    expect([previewed.id, await bench.ids(collection)]).toEqual(["", before]);
    expect(previewed.properties).toMatchObject(inputs);
    const { inputs: few } = await plugin.check(kind, {}, minimal);
    const { properties } = await plugin.create(kind, few, true);
    expect(properties).toMatchObject(few);
    // The service sets the other properties.
    const others = Object.keys(registry[kindName].outputSchema.shape).filter((name) => !(name in few));
    expect(others.map((name) => [name, properties[name]])).toEqual(others.map((name) => [name, unknownValue]));
    expect(await bench.ids(collection)).toEqual(before);
    const created = await plugin.create(kind, inputs);
    expect(created.properties).toMatchObject(inputs);
    const { property, to } = changeInPlace(kindName);
    const { inputs: changed } = await plugin.check(kind, inputs, { ...inputs, [property]: to });
    expect(await plugin.update(kind, created.id, created.properties, changed, true)).toMatchObject(changed);
    expect(await plugin.read(kind, created.id, created.properties, inputs)).toMatchObject({ properties: created.properties });
    await later((another) => another.delete(kind, created.id, created.properties));
  });

  it("Read returns inputs that Check accepts", async () => {
    const { inputs } = await plugin.check(kind, {}, declared);
    const { id, properties } = await plugin.create(kind, inputs);
    await later(async (another) => {
      const imported = await another.read(kind, id);
      expect([imported.id, imported.properties["__provider"]]).toEqual([id, providerString(kind)]);
      const { inputs: checked, failures } = await another.check(kind, imported.inputs, imported.inputs);
      expect(failures).toEqual([]);
      // Check adds defaults of properties that the service never returns. The state of an import names those properties.
      const hidden = Object.keys(checked).filter((name) => !(name in imported.inputs));
      expect([checked, imported.properties["unknownFields"] ?? []]).toEqual([
        expect.objectContaining(imported.inputs),
        expect.arrayContaining(hidden),
      ]);
      const answer = await another.diff(kind, id, imported.properties, checked);
      expectInvariants(answer);
      expect(answer.diffsList).toEqual([]);
    });
    expect(await plugin.read(kind, id, properties, inputs)).toEqual({ id, properties, inputs });
    await later((another) => another.delete(kind, id, properties));
    const missing = { id: "", properties: {}, inputs: {} };
    expect(await later((another) => another.read(kind, id, properties, inputs))).toEqual(missing);
    await expect(later((another) => another.read(kind, id))).rejects.toMatchObject({
      details: `There is no ${registry[kindName].noun} ${id} in the selected account group. Correct the id or the property accountGroupId.`,
    });
  });

  it("Diff follows the rules of DiffResponse for any change", async () => {
    const { inputs } = await plugin.check(kind, {}, declared);
    const { id, properties } = await plugin.create(kind, inputs);
    const values = fc.oneof(
      fc.constant(undefined),
      fc.constant(unknownValue),
      fc.constantFrom<unknown>("x", 7, true, [], [label.filters[0]], { a: 1 }),
    );
    const edits = fc.uniqueArray(fc.tuple(fc.constantFrom(...Object.keys(inputs)), values), {
      selector: ([name]) => name,
      maxLength: 3,
    });
    await fc.assert(
      fc.asyncProperty(edits, async (edited) => {
        const newInputs = { ...inputs, ...Object.fromEntries(edited) };
        const answer = await plugin.diff(kind, id, properties, JSON.parse(JSON.stringify(newInputs)) as Properties);
        expectInvariants(answer);
        for (const [path, { kind: how }] of answer.detaileddiffMap) {
          const [before, after] = [at(properties, path), at(newInputs, path)].map((value) => JSON.stringify(value));
          const isAdded = how === ADD || how === ADD_REPLACE;
          const isDeleted = how === DELETE || how === DELETE_REPLACE;
          expect([path, isAdded ? after !== undefined : isDeleted ? before !== undefined : before !== after]).toEqual([
            path,
            true,
          ]);
        }
      }),
      { numRuns: amount(8, 100), seed: seed(1) },
    );
    const { property, to } = changeThatReplaces(kindName) ?? { property: "accountGroupId", to: "1002" };
    const answer = await plugin.diff(kind, id, properties, { ...inputs, [property]: to });
    expect(answer.replacesList).toEqual([property]);
    await later((another) => another.delete(kind, id, properties));
  });
});

describe("requests of any resource type", () => {
  const portal = { testName: "Portal", url: "https://www.example.com" };

  it("Check and Diff reject invalid protocol values with an argument error", async () => {
    const strangers = [
      // JSON cannot contain such a number.
      ...[Number.NaN, -Infinity].map((value) => plugin.check("HttpServerTest", {}, { ...portal, interval: [{ at: value }] })),
      plugin.call("check", new messages.CheckRequest()),
      plugin.call("create", set(new messages.CreateRequest(), { Urn: "no URN", Type: "no:such:Type" })),
      plugin.call(
        "delete",
        set(new messages.DeleteRequest(), { Urn: `urn:pulumi:dev::test::${nativeToken("Nothing")}::name` }),
      ),
    ];
    for (const stranger of strangers) expect(await refusalOf(stranger)).toEqual(argumentError);
    const infinite = plugin.check("HttpServerTest", {}, { ...portal, interval: secret([{ at: Infinity }]) });
    await expect(infinite).rejects.toThrow("interval[0].at must be a finite number, not Infinity.");
  });

  it("the plugin accepts requests from older engines", async () => {
    const urn = urnOf("Label");
    const checked = await plugin.call<messages.CheckResponse>(
      "check",
      set(new messages.CheckRequest(), { Urn: urn, News: label }),
    );
    const inputs = plain(checked.getInputs());
    const create = set(new messages.CreateRequest(), { Urn: urn, Properties: inputs });
    const created = await plugin.call<messages.CreateResponse>("create", create);
    const [id, properties] = [created.getId(), plain(created.getProperties())];
    const diff = set(new messages.DiffRequest(), { Urn: urn, Id: id, Olds: properties, News: inputs });
    expect((await plugin.call<messages.DiffResponse>("diff", diff)).getDiffsList()).toEqual([]);
    await later((another) =>
      another.call("delete", set(new messages.DeleteRequest(), { Urn: urn, Id: id, Properties: properties })),
    );
    expect(await bench.ids("labels")).not.toContain(id);
  });
});

describe("positions of changes in Diff", () => {
  const before = { key: "asn", mode: "in", values: ["1", "2", "3"] };
  const other = { key: "platform", mode: "in", values: ["Mac"] };
  const unknown = { ...before, values: unknownValue };

  it.each<[string, object[], object[], [string, number][]]>([
    [
      "a value of a list in a list",
      [before, other],
      [{ ...before, values: ["1", "4", "3"] }, other],
      [["filters[0].values[1]", UPDATE]],
    ],
    ["a member of an object", [before, other], [before, { ...other, mode: "not-in" }], [["filters[1].mode", UPDATE]]],
    ["one more item", [before], [before, other], [["filters[1]", ADD]]],
    ["one less item, before other items", [before, other], [other], [["filters[0]", DELETE]]],
    ["more and fewer values", [before], [{ ...before, values: ["3", "1"] }], [["filters[0].values[1]", DELETE]]],
    ["a part of the value that is unknown", [before], [unknown], [["filters", UPDATE]]],
  ])("Diff names the position of the change: %s", async (_, oldInputs, newInputs, expected) => {
    const { id, properties } = await plugin.create(
      "Label",
      (await plugin.check("Label", {}, { ...label, filters: oldInputs })).inputs,
    );
    const { inputs } = await plugin.check("Label", {}, { ...label, filters: newInputs });
    const answer = await plugin.diff("Label", id, properties, inputs);
    expectInvariants(answer);
    expect(answer.detaileddiffMap.map(([path, { kind }]) => [path, kind])).toEqual(expected);
    await later((another) => another.delete("Label", id, properties));
  });
});

describe("plugin functions", () => {
  it("a plugin function returns a secret for secret arguments", async () => {
    const { id, properties } = await plugin.create("Label", (await plugin.check("Label", {}, label)).inputs);
    const plainAnswer = await plugin.invoke("getLabel", { name: "Office" });
    expect(plainAnswer).toMatchObject({ name: "Office" });
    for (const name of [secret("Office"), outputOf("Office", true)])
      expect(await plugin.invoke("getLabel", { name })).toEqual(secret(plainAnswer));
    expect(await plugin.invoke("getLabel", { name: outputOf("Office") })).toEqual(plainAnswer);
    for (const [name, args, says] of [
      ["getLabel", { name: "Office", nmae: "Office" }, "getLabel: nmae: unknown argument. It takes "],
      ["getLabels", { aid: "1001" }, "aid: unknown argument"],
      ["getNothing", {}, "plugin has no function"],
      ["getLabel", { name: unknownOutput }, "getLabel: name: its value is not known yet"],
      [
        "getAgents",
        { searchFilters: { computerName: [unknownValue] } },
        "getAgents: searchFilters: its value is not known yet",
      ],
    ] as const)
      await expect(plugin.invoke(name, args)).rejects.toMatchObject({ code: 3, details: expect.stringContaining(says) });
    await later((another) => another.delete("Label", id, properties));
  });

  it("the schema declares the arguments of each plugin function", async () => {
    const text = (await plugin.call<messages.GetSchemaResponse>("getSchema", new messages.GetSchemaRequest())).getSchema();
    const { functions } = JSON.parse(text) as { functions: Record<string, { inputs?: unknown }> };
    expect(Object.values(functions).every(({ inputs }) => isObject(inputs))).toBe(true);
  });
});

it("the plugin truncates messages that exceed the gRPC header limit", async () => {
  const long = "ж".repeat(100_000);
  const refused = await plugin.invoke("getLabels", { [long]: 1 }).catch((error: unknown) => error);
  expect(refused).toMatchObject({ code: 3, details: expect.stringMatching(/^getLabels: ж+… \(\d+ bytes\)$/) });
});
