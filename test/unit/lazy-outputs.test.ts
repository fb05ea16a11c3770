/** Outputs of resources are made when a program uses them, and are then what the SDK makes. */
import { CustomResource, isSecret, output, Output, runtime } from "@pulumi/pulumi";
import * as rpc from "@pulumi/pulumi/runtime/rpc";
import { HttpServerTest, Label } from "../../sdk";

type Transfer = typeof rpc.transferProperties;

/** The module as the SDK's other modules see it. Here it counts the outputs that the SDK makes, by resource. */
const sdk = rpc as { transferProperties: Transfer };
const original = sdk.transferProperties;
let made: string[];
const counting: Transfer = (resource, label, inputs) => {
  made.push(...Object.keys(inputs));
  return original(resource, label, inputs);
};

const stored = { testId: "7", isEnabled: true, unknownFields: [] };

beforeAll(() =>
  runtime.setMocks({
    newResource: ({ inputs }) => ({ id: "1", state: { ...(inputs as object), ...stored } }),
    call: () => ({}),
  }),
);
beforeEach(() => {
  made = [];
  sdk.transferProperties = counting;
});
afterEach(() => {
  Object.defineProperty(sdk, "transferProperties", { value: original, writable: true });
  delete process.env["PULUMI_DEBUG_PROMISE_LEAKS"];
});

const declare = (): HttpServerTest =>
  new HttpServerTest("test", {
    testName: "Test",
    url: "https://example.com",
    agentSelectorType: "all-agents",
    authType: "basic",
    username: "monitor",
    password: "secret",
  });
const valueOf = <T>(asked: Output<T> | undefined): Promise<T> => new Promise((resolve) => asked?.apply(resolve));
const declareLabel = (): Label => new Label("label", { name: "label", matchType: "or", filters: [] });

it("makes no output that a program does not use", async () => {
  const test = declare();
  await valueOf(test.id);
  expect(made).toEqual([]);
  expect(await valueOf(test.testName)).toBe("Test");
  expect(made).toEqual(["testName"]);
});

it("gives the engine's answer to outputs that are used before and after it", async () => {
  const test = declare();
  const before = valueOf(test.testId);
  expect(made).toEqual(["testId"]);
  await valueOf(test.id);
  expect([await before, await valueOf(test.isEnabled), await valueOf(test.url)]).toEqual(["7", true, "https://example.com"]);
  // The service's answer has none.
  expect(await valueOf(test.createdDate)).toBeUndefined();
});

it("makes outputs of all names of the class, whether they are declared or not, and no others", () => {
  const outputs = Object.keys(declare()).filter((name) => HttpServerTest.of.outputs.includes(name));
  expect(outputs.toSorted()).toEqual(HttpServerTest.of.outputs.toSorted());
  expect("another" in declare()).toBe(false);
});

it("makes what the SDK makes: an output of the resource, with its members, secret if the argument is", async () => {
  const test = declare();
  const { testName, password } = test;
  expect(Output.isInstance(testName)).toBe(true);
  expect(testName).toBe(test.testName);
  expect("apply" in testName).toBe(true);
  expect(Object.keys(testName)).toEqual(Object.keys(test.id));
  expect(Object.getPrototypeOf(testName)).toBe(Object.getPrototypeOf(test.id));
  const held = testName as unknown as { resources(): Set<unknown>; allResources(): Promise<Set<unknown>> };
  expect([...held.resources()]).toEqual([test]);
  expect([...(await held.allResources())]).toEqual([test]);
  expect([await isSecret(testName), await isSecret(output(password))]).toEqual([false, true]);
  expect(await valueOf(test.url.apply((url) => url.length))).toBe(19);
  expect(await valueOf(testName.length)).toBe(4);
});

it("passes on that a resource cannot be registered, also to an output that is used later", () => {
  const answers: unknown[] = [];
  sdk.transferProperties = (resource, _, inputs) => {
    const [name = ""] = Object.keys(inputs);
    Object.assign(resource, { [name]: { title: name } });
    return { [name]: (...answer) => void answers.push([name, ...answer]) };
  };
  declareLabel();
  const label = Object.create(Label.prototype) as Label;
  const resolvers = sdk.transferProperties(label, "label", { name: "x" });
  const answer: Parameters<ReturnType<Transfer>[string]> = [undefined, true, false, [], new Error("refused")];
  const titleOf = (one: unknown): unknown => (one as { title: unknown }).title;
  expect(titleOf(label.name)).toBe("name");
  for (const resolve of Object.values(resolvers)) resolve(...answer);
  expect(answers).toEqual([["name", ...answer]]);
  expect(titleOf(label.color)).toBe("color");
  expect(answers).toEqual([
    ["name", ...answer],
    ["color", ...answer],
  ]);
});

it("refuses a property that the resource already has, as the SDK does", () => {
  const label = Object.assign(Object.create(Label.prototype), { name: "mine" }) as Label;
  declareLabel();
  expect(() => sdk.transferProperties(label, "label", { name: "x" })).toThrow("already initialized");
});

it("serializes an output that a function captures as the SDK serializes its own", async () => {
  const { testName } = declare();
  await valueOf(testName);
  const { text } = await runtime.serializeFunction(() => testName.get());
  expect(text).toContain('__testName.value = "Test";');
});

it("leaves resources of other packages to the SDK", () => {
  declare();
  const other = new (class Other extends CustomResource {})("other:index:Other", "other", { a: 1, b: undefined });
  expect(Object.keys(other)).toEqual(expect.arrayContaining(["a", "b"]));
  expect(made).toEqual(["a", "b"]);
});

describe.each<[string, () => void]>([
  ["where leaks of promises are looked for", () => (process.env["PULUMI_DEBUG_PROMISE_LEAKS"] = "1")],
  [
    "where the SDK's function is fixed",
    () => Object.defineProperty(sdk, "transferProperties", { value: counting, writable: false }),
  ],
])("%s", (_, prepare) => {
  it("the SDK makes all outputs at once", async () => {
    prepare();
    const test = declare();
    expect(made).toEqual(expect.arrayContaining([...HttpServerTest.of.outputs]));
    expect(await valueOf(test.testId)).toBe("7");
  });
});

it("works with a tool that is put before the same function later", async () => {
  declare();
  const ours = sdk.transferProperties;
  sdk.transferProperties = (...given) => ours(...given);
  const test = declare();
  expect(made).toEqual([]);
  expect([await valueOf(test.testName), await valueOf(test.testId)]).toEqual(["Test", "7"]);
});
