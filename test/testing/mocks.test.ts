/** Uses the mocks in `pulumi-endpoint-monitoring/testing` as unit tests of programs do. */
import * as pulumi from "@pulumi/pulumi";
import { start } from "../../emulator";
import { check, defaultsOf } from "../../provider/check";
import type { Kind } from "../../provider/kind";
import { type RecordKindName, registry } from "../../provider/registry";
import { compact, type Properties, unknownValue } from "../../provider/values";
import * as sdk from "../../sdk";
import { standInWith } from "../../sdk/functions/stand-in";
import { typeToken } from "../../sdk/token";
import { type FunctionAnswers, monitoringMocks, type MocksOptions } from "../../testing";
import { kindCases, recordKinds } from "../support/kinds";
import { resolved } from "../support/api/functions";
import { call as callEmulator } from "../support/call";

afterEach(() => standInWith(undefined));

/** The mocks of a test, as Pulumi's runtime uses them. */
async function mocked(options: MocksOptions = {}, preview = false) {
  const mocks = monitoringMocks(options);
  await pulumi.runtime.setMocks(mocks, "test", "dev", preview);
  return mocks;
}

const office = { name: "Office", matchType: "or" as const, filters: [] };
const url = "https://portal.example.com";

/** The required arguments of each resource type. */
const fewest: Record<keyof typeof registry, Properties> = {
  ...(Object.fromEntries(recordKinds.map((kind) => [kind, kindCases[kind].minimal])) as Record<RecordKindName, Properties>),
  endpointAgent: { lookup: { computerName: "kiosk" } },
  agentTransfer: { transfers: [{ agentId: "0a3b9998-dc3a-4ff2-b50d-ac4a7cd986e1", fromAid: "1", toAid: "2" }] },
  agentToServerInstantTest: { testName: "A", server: "example.com" },
  httpServerInstantTest: { testName: "A", url },
  testRun: { testId: "1" },
};

describe.each(Object.entries<Kind>(registry))("mock of a %s", (key, kind) => {
  const declare = (inputs: Properties, options?: MocksOptions) =>
    monitoringMocks(options).newResource({ type: typeToken(kind.name), name: "one", inputs, custom: true });

  it("a mock resource has all outputs of a record", async () => {
    const { id, state } = await declare({ ...fewest[key as keyof typeof registry], __provider: "exports.handler=…" });
    const outputs = state as Properties;
    const kept = Object.entries(defaultsOf(kind)).filter(([name]) => !kind.providerOptions.includes(name));
    expect(outputs).toMatchObject(Object.fromEntries(kept));
    expect(outputs).not.toHaveProperty("__provider");
    for (const option of kind.providerOptions) expect(outputs).not.toHaveProperty(option);
    expect(kind.outputSchema.safeParse(outputs).error).toBeUndefined();
    const shape = (text: string | undefined): string | undefined => text?.replace(/[0-9]/g, "0");
    expect(shape(id)).toBe(shape(kind.sampleId ?? id));
  });

  it("an invalid mock resource fails with the same message as the provider's check", async () => {
    const wrong = { nonsense: 1, [kind.nameProperty]: 7 };
    const { failures } = check(kind, compact(wrong), { accountGroupId: "1001" });
    const lines = failures.map(({ path, reason }) => `${kind.name} "one": ${path === "" ? "" : `${path} `}${reason}`);
    expect(lines.length).toBeGreaterThan(1);
    await expect(declare(wrong)).rejects.toThrow(lines.join("\n"));
  });
});

it("mock resources refer to each other and keep secrets secret", async () => {
  const mocks = await mocked();
  const label = new sdk.Label("office", { ...office, filters: [{ key: "ssid", values: [pulumi.secret("corp")] }] });
  const test = new sdk.HttpServerTest("portal", {
    testName: "Portal",
    url,
    authType: "basic",
    username: "probe",
    password: "hunter2",
    agentSelectorType: "agent-labels",
    endpointAgentLabels: [label.id],
    adopt: true,
  });
  expect(await resolved(test.interval)).toEqual({ value: 60, secret: false });
  expect(await resolved(test.password)).toEqual({ value: "hunter2", secret: true });
  expect(await resolved(label.filters)).toEqual({ value: [{ key: "ssid", mode: "in", values: ["corp"] }], secret: true });
  const [{ value: labelId }, { value: testId }] = [await resolved(label.id), await resolved(test.testId)];
  expect(await resolved(test.id)).toEqual({ value: testId, secret: false });
  expect(await resolved(test.endpointAgentLabels)).toEqual({ value: [labelId], secret: false });
  expect(await resolved(test.links)).toEqual({ value: { testResults: [] }, secret: false });
  expect(mocks.resources).toEqual([
    expect.objectContaining({ class: "Label", name: "office", id: labelId }),
    expect.objectContaining({ class: "HttpServerTest", name: "portal", id: testId }),
  ]);
  expect(mocks.resources[1]?.inputs).toMatchObject({ password: "hunter2", interval: 60, adopt: true });
});

it("each mock record gets a unique id, but a declared agent keeps its id", async () => {
  await mocked();
  const labels = ["a", "b", "c"].map((name) => new sdk.Label(name, { ...office, name }));
  const ids = await Promise.all(labels.map(async ({ id }) => (await resolved(id)).value));
  expect(new Set(ids).size).toBe(3);
  const agentId = "66eec0f1-72b4-4755-aa83-3aed61d17f3c";
  const agent = new sdk.EndpointAgent("kiosk", { agentId });
  expect(await resolved(agent.id)).toEqual({ value: agentId, secret: false });
  expect(await resolved(agent.agentId)).toEqual({ value: agentId, secret: false });
});

it("a resource's account group overrides the account group of the mocks", async () => {
  const groupOf = async (args: object, options?: MocksOptions) => {
    await mocked(options);
    return (await resolved(new sdk.Label("office", { ...office, ...args }).accountGroupId)).value;
  };
  expect(await groupOf({})).toBe("1001");
  pulumi.runtime.setConfig("endpoint-monitoring:accountGroupId", "7");
  try {
    expect(await groupOf({})).toBe("7");
    expect(await groupOf({}, { accountGroupId: "8" })).toBe("8");
    expect(await groupOf({ accountGroupId: "9" }, { accountGroupId: "8" })).toBe("9");
  } finally {
    pulumi.runtime.setAllConfig({});
  }
});

it("a mock of an agent with an unknown id has a sample id", async () => {
  const type = typeToken(registry.endpointAgent.name);
  const { id } = await monitoringMocks().newResource({ type, name: "one", inputs: { agentId: unknownValue }, custom: true });
  expect(id).toMatch(/^[0-9a-f-]{36}$/);
  expect(id).not.toBe(unknownValue);
});

it("unknown values pass the check of a mock and stay unknown in a preview", async () => {
  const mocks = await mocked({}, true);
  const label = new sdk.Label("office", {
    ...office,
    color: pulumi.output(pulumi.unknown) as unknown as pulumi.Output<string>,
  });
  await (label.urn as unknown as { promise(): Promise<string> }).promise();
  expect(await (label.color as unknown as { isKnown: Promise<boolean> }).isKnown).toBe(false);
  expect(mocks.mistakes).toEqual([]);
});

it("the mocks collect mistakes if the option wrongArguments is set to collect", async () => {
  const mocks = await mocked({ wrongArguments: "collect" });
  const wrong = { ...office, matchType: "xor", colr: "#fff" } as never;
  expect(await resolved(new sdk.Label("office", wrong).name)).toEqual({ value: "Office", secret: false });
  expect(mocks.mistakes).toEqual([
    expect.stringMatching(/^Label "office": matchType must be one of and, or/),
    expect.stringMatching(/^Label "office": colr is not a property \(did you mean color\?\)/),
  ]);
});

it("get() returns the values of the record that the mock options define", async () => {
  await mocked({ records: { "400000000000007": { name: "Found", color: "#123456" } } });
  expect(await resolved(sdk.Label.get("found", "400000000000007").name)).toEqual({ value: "Found", secret: false });
  const other = sdk.AgentToServerTest.get("other", "12");
  expect(await resolved(other.testId)).toEqual({ value: "12", secret: false });
  expect(await resolved(other.server)).toEqual({ value: undefined, secret: false });
});

it("resources of other packages return their inputs or use the test's own mocks", async () => {
  const args = { type: "other:index:Thing", name: "thing", inputs: { size: 1 }, custom: true };
  const call = { token: "other:index:getThing", inputs: { size: 2 } };
  const plain = monitoringMocks();
  expect([await plain.newResource(args), await plain.call(call)]).toEqual([
    { id: "thing-id", state: { size: 1 } },
    { size: 2 },
  ]);
  const others = { newResource: () => ({ id: "x", state: {} }), call: () => ({ found: true }) };
  const mocks = monitoringMocks({ others });
  expect([await mocks.newResource(args), await mocks.call(call)]).toEqual([{ id: "x", state: {} }, { found: true }]);
  expect(mocks.resources).toEqual([]);
});

describe("mock functions", () => {
  const labels = [
    { id: "1", name: "Office" },
    { id: "2", name: "Home" },
  ];

  it("a mock function returns the test's response as a value, an output or pages", async () => {
    const asked: object[] = [];
    await mocked({
      functions: {
        getLabels: (args) => {
          asked.push(args);
          return labels;
        },
        getLabel: ({ name }) => Promise.resolve({ id: "1", name }),
        getConnectionString: () => "secret-string",
      },
    });
    expect(await sdk.getLabels({ accountGroupId: "5" })).toEqual(labels);
    expect(await sdk.getLabels({ limit: 1 })).toEqual(labels.slice(0, 1));
    const pages: unknown[] = [];
    for await (const page of sdk.getLabels.pages()) pages.push(page);
    expect(pages).toEqual([labels]);
    expect(asked).toEqual([{ accountGroupId: "5" }, { limit: 1 }, {}]);
    const created = new sdk.Label("office", office);
    expect(await resolved(sdk.getLabelOutput({ name: created.name }))).toEqual({
      value: { id: "1", name: "Office" },
      secret: false,
    });
    expect(await resolved(sdk.getConnectionStringOutput())).toEqual({ value: "secret-string", secret: true });
  });

  const all = Object.keys(sdk).filter((name) => name.startsWith("get") && !name.endsWith("Output"));
  it.each(all)("the mock of %s returns the result of the given mock function", async (name) => {
    const ask = (sdk as unknown as Record<string, (args: object) => Promise<unknown>>)[name];
    await mocked();
    await expect(ask?.({})).rejects.toThrow(`monitoringMocks({ functions: { ${name}: (args) => … } })`);
    await mocked({ functions: { [name]: () => ["answer"] } });
    expect(await ask?.({})).toEqual(["answer"]);
  });

  it("the mocks reject a response for an unknown function", () => {
    const answers = (name: string) => ({ functions: { [name]: () => [] } as FunctionAnswers });
    expect(() => monitoringMocks(answers("getLabelz"))).toThrow("there is no function getLabelz");
    expect(() => monitoringMocks(answers("getLabelsOutput"))).toThrow("Name getLabels");
    expect(() => monitoringMocks(answers("Label"))).toThrow("there is no function Label");
  });

  it("mock functions use the test's emulator, regardless of the settings in the environment", async () => {
    const emulator = await start({ rateLimit: "off" });
    process.env["ENDPOINT_MONITORING_BASE_URL"] = "http://127.0.0.1:1";
    try {
      await callEmulator(emulator.url, "POST", "/v7/endpoint/labels", office);
      await mocked({ service: { baseUrl: emulator.url }, functions: { getAccountGroups: () => [] } });
      expect(await sdk.getLabel({ name: "Office" })).toMatchObject(office);
      expect(await sdk.getAccountGroups()).toEqual([]);
      await expect(sdk.getLabel({ name: "None" })).rejects.toThrow('getLabel: no label has the name "None"');
    } finally {
      delete process.env["ENDPOINT_MONITORING_BASE_URL"];
      await emulator.close();
    }
  });
});
