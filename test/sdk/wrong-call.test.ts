/**
 * Makes calls in JavaScript that the engine or SDK would report without a property. Both provider types report one sentence.
 */
import { RunError, runtime } from "@pulumi/pulumi";
import * as dynamic from "../../sdk";
import * as native from "../../sdk/native";

beforeAll(() => runtime.setMocks({ newResource: ({ inputs }) => ({ id: "1", state: inputs as object }), call: () => ({}) }));

const test = { testName: "T", url: "https://www.example.com" };
const circular: Record<string, unknown> = {};
circular["self"] = circular;

describe.each([
  ["dynamic", dynamic.HttpServerTest],
  ["native", native.HttpServerTest],
])("wrong calls with %s resources", (_, HttpServerTest) => {
  const declared = HttpServerTest as unknown as new (...parameters: unknown[]) => object;

  it.each<[string, unknown[], string]>([
    ["missing arguments", [], "the arguments must be an object such as { … }, not undefined"],
    ["arguments that are null", [null], "the arguments must be an object such as { … }, not null"],
    ["arguments that are a list", [[]], "the arguments must be an object such as { … }, not a list"],
    ["options that are null", [test, null], "the resource options must be an object such as { protect: true }, not null"],
    ["Infinity", [{ ...test, maxMachines: Infinity }], "maxMachines must be a finite number, not Infinity"],
    ["NaN at depth", [{ ...test, other: [{ deep: NaN }] }], "other[0].deep must be a finite number, not NaN"],
    ["__proto__", [{ ...test, ["__proto__"]: {} }], "__proto__ is not a property. Remove it"],
  ])("a call with %s fails with one sentence about the mistake", (__, parameters, text) => {
    const call = (): object => new declared("portal", ...parameters);
    expect(call).toThrow(`HttpServerTest "portal": ${text}`);
    expect(call).toThrow(RunError);
  });
});

it("the package passes a circular argument to the SDK", () => {
  expect(() => new dynamic.HttpServerTest("c", { ...test, circular } as never)).not.toThrow("must be a finite number");
});
