/** The SDK creates an output when a program first reads it. The suite counts the outputs that the SDK creates. */
import { CustomResource, output, Output, runtime } from "@pulumi/pulumi";
import * as rpc from "@pulumi/pulumi/runtime/rpc";
import { HttpServerTest } from "../../sdk";
import * as pulumi from "../../sdk/pulumi";

type Transfer = typeof rpc.transferProperties;

/** The module as the SDK's other modules see it. */
const sdk = rpc as { transferProperties: Transfer; [marker: symbol]: unknown };
const original = sdk.transferProperties;
const marker = Symbol.for("pulumi-endpoint-monitoring.lazyOutputs");
/** Names of the outputs that the SDK created. */
let created: string[];
const counting: Transfer = (resource, label, inputs) => {
  created.push(...Object.keys(inputs));
  return original(resource, label, inputs);
};

beforeEach(() => {
  created = [];
  sdk.transferProperties = counting;
  void runtime.setMocks({
    newResource: ({ inputs }) => ({ id: "1", state: { ...(inputs as object), testId: "7", isEnabled: true } }),
    call: () => ({}),
  });
});
afterEach(() => {
  delete sdk[marker];
  Object.defineProperty(sdk, "transferProperties", { value: original, writable: true });
  for (const name of ["PULUMI_DEBUG_PROMISE_LEAKS", "ENDPOINT_MONITORING_LAZY_OUTPUTS"]) delete process.env[name];
});

const declare = (of = HttpServerTest): HttpServerTest =>
  new of("test", { testName: "Test", url: "https://example.com", agentSelectorType: "all-agents" });
const valueOf = <T>(read: Output<T> | undefined): Promise<T> => new Promise((resolve) => read?.apply(resolve));

it("a resource creates only the outputs that the program reads", async () => {
  const test = declare();
  await valueOf(test.id);
  expect(created).toEqual([]);
  expect(test.testName).toBe(test.testName);
  expect(await valueOf(test.testName)).toBe("Test");
  expect(created).toEqual(["testName"]);
});

it("outputs resolve whether the program reads them before or after the engine's response", async () => {
  const test = declare();
  const before = valueOf(test.testId);
  await valueOf(test.id);
  expect(created).toEqual(["testId"]);
  expect([await before, await valueOf(test.isEnabled)]).toEqual(["7", true]);
});

it("outputs reject after a failed registration", () => {
  const answers: unknown[][] = [];
  sdk.transferProperties = (target, _, inputs) => {
    const [name = ""] = Object.keys(inputs);
    Object.assign(target, { [name]: output(name) });
    return { [name]: (...answer) => void answers.push([name, ...answer]) };
  };
  declare();
  const test = Object.create(HttpServerTest.prototype) as HttpServerTest;
  const resolvers = sdk.transferProperties(test, "test", { url: "x", testName: "y" });
  const answer: Parameters<ReturnType<Transfer>[string]> = [undefined, true, false, [], new Error("refused")];
  expect(Output.isInstance(test.url)).toBe(true);
  for (const resolve of Object.values(resolvers)) resolve(...answer);
  expect(answers).toEqual([["url", ...answer]]);
  expect(Output.isInstance(test.testName)).toBe(true);
  expect(answers).toEqual([
    ["url", ...answer],
    ["testName", ...answer],
  ]);
});

it("the error names the variable that disables lazy outputs if the SDK has an unexpected structure", () => {
  sdk.transferProperties = () => ({});
  const { url } = Object.getOwnPropertyDescriptors(declare());
  expect(() => url?.get?.()).toThrow("ENDPOINT_MONITORING_LAZY_OUTPUTS to off");
});

it("the package, like the SDK, rejects a property that the resource already has", () => {
  declare();
  const test = Object.assign(Object.create(HttpServerTest.prototype), { url: "mine" }) as HttpServerTest;
  expect(() => sdk.transferProperties(test, "test", { url: "x" })).toThrow("already initialized");
});

it("the SDK itself creates the outputs of other packages' resources", () => {
  declare();
  const other = new (class Other extends CustomResource {})("other:index:Other", "other", { a: 1, b: undefined });
  expect(Object.keys(other)).toEqual(expect.arrayContaining(["a", "b"]));
  expect(created).toEqual(["a", "b"]);
});

it("several copies of the package replace the SDK function transferProperties only once", async () => {
  let copy = HttpServerTest;
  jest.isolateModules(() => {
    jest.doMock("../../sdk/pulumi", () => pulumi);
    copy = (require("../../sdk") as typeof import("../../sdk")).HttpServerTest;
  });
  expect(copy).not.toBe(HttpServerTest);
  let replaced = 0;
  let current: Transfer = counting;
  Object.defineProperty(sdk, "transferProperties", {
    configurable: true,
    get: () => current,
    set(transfer: Transfer) {
      replaced += 1;
      current = transfer;
    },
  });
  const tests = Array.from({ length: 50 }, () => [declare(), declare(copy)]).flat();
  expect([replaced, created]).toEqual([1, []]);
  await Promise.all(tests.map(({ url }) => valueOf(url)));
  expect(created).toEqual(tests.map(() => "url"));
});

it("lazy outputs still work if another tool wraps the SDK function transferProperties", async () => {
  declare();
  const ours = sdk.transferProperties;
  sdk.transferProperties = (...args) => ours(...args);
  const test = declare();
  expect(created).toEqual([]);
  expect([await valueOf(test.testName), await valueOf(test.testId)]).toEqual(["Test", "7"]);
});

it.each<[string, () => void]>([
  ["ENDPOINT_MONITORING_LAZY_OUTPUTS is off", () => (process.env["ENDPOINT_MONITORING_LAZY_OUTPUTS"] = "off")],
  ["PULUMI_DEBUG_PROMISE_LEAKS is set", () => (process.env["PULUMI_DEBUG_PROMISE_LEAKS"] = "1")],
  [
    "the function cannot be replaced",
    () => Object.defineProperty(sdk, "transferProperties", { value: counting, writable: false }),
  ],
  [
    "the SDK does not call the function that replaces its own",
    () => Object.defineProperty(sdk, "transferProperties", { get: () => counting, set() {}, configurable: true }),
  ],
])("the SDK creates all outputs with the resource if %s", async (_, prepare) => {
  prepare();
  const test = declare();
  expect(created).toEqual(expect.arrayContaining([...HttpServerTest.of.outputs]));
  expect(sdk.transferProperties).toBe(counting);
  expect([await valueOf(test.testId), await valueOf(test.url)]).toEqual(["7", "https://example.com"]);
});

it("a change of the variable that disables lazy outputs affects the next resource", () => {
  declare();
  process.env["ENDPOINT_MONITORING_LAZY_OUTPUTS"] = "off";
  declare();
  const all = created.length;
  process.env["ENDPOINT_MONITORING_LAZY_OUTPUTS"] = "on";
  declare();
  expect([all > 10, created.length]).toEqual([true, all]);
});
