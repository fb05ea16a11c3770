/** The package omits the stack traces of promises while the SDK registers a resource. */
import { runtime } from "@pulumi/pulumi";
import { Label } from "../../sdk";
import { withBriefStacks } from "../../sdk/registration-stacks";

type Format = (error: Error, frames: NodeJS.CallSite[]) => string;
/** The formatter of stack traces. In a program, its runner sets this function, which uses source maps. */
const errors: { prepareStackTrace?: Format | undefined; stackTraceLimit: number } = Error;
const original = errors.prepareStackTrace;
let formatted: string[];
const format: Format = (_, frames) => {
  formatted.push(frames[0]?.getFunctionName() ?? "");
  return `formatted ${frames.length}`;
};

beforeAll(() => runtime.setMocks({ newResource: ({ inputs }) => ({ id: "1", state: inputs as object }), call: () => ({}) }));
beforeEach(() => {
  formatted = [];
  errors.prepareStackTrace = format;
});
afterEach(() => {
  errors.prepareStackTrace = original;
  delete process.env["PULUMI_DEBUG_PROMISE_LEAKS"];
});

const declare = (name: string): Label => new Label(name, { name, matchType: "or", filters: [] });
const ofPromises = (): number => formatted.filter((name) => name === "debuggablePromise").length;

it("the registration of a resource formats no stack traces of promises", () => {
  declare("quiet");
  expect(ofPromises()).toBe(0);
  // The position in the program, which the engine records.
  expect(formatted.length).toBeGreaterThan(0);
});

it("a registration formats stack traces of promises if PULUMI_DEBUG_PROMISE_LEAKS is set", () => {
  process.env["PULUMI_DEBUG_PROMISE_LEAKS"] = "1";
  declare("loud");
  expect(ofPromises()).toBeGreaterThan(20);
});

it("a registration formats no stack traces of promises after the engine's response", async () => {
  const label = declare("answered");
  await new Promise((resolve) => label.id.apply(resolve));
  expect(ofPromises()).toBe(0);
});

it("the program's formatter of stack traces still works after a failed registration", () => {
  declare("before");
  // Pulumi's SDK rejects it.
  expect(() => new Label("", { name: "x", matchType: "or", filters: [] })).toThrow("name");
  expect(new Error("mine").stack).toMatch(/^formatted 1\d$/);
  expect(errors.stackTraceLimit).toBeGreaterThanOrEqual(10);
});

it("the package wraps each formatter of stack traces only once", () => {
  declare("first");
  const { prepareStackTrace } = errors;
  declare("second");
  expect(errors.prepareStackTrace).toBe(prepareStackTrace);
  errors.prepareStackTrace = (error) => `another of ${error.message}`;
  declare("third");
  expect(ofPromises()).toBe(0);
  expect(new Error("mine").stack).toBe("another of mine");
});

it.each([
  ["a transformation of the program throws an error", "thrown", () => void JSON.parse("not this")],
  ["the SDK rejects the declared resource", "", () => undefined],
])("a stack trace names the program's line if %s", (_, name, transformation) => {
  errors.prepareStackTrace = original;
  const declaring = () => new Label(name, { name: "x", matchType: "or", filters: [] }, { transformations: [transformation] });
  expect(declaring).toThrow(
    expect.objectContaining({ stack: expect.stringContaining("registration-stacks.test.ts") as unknown }) as Error,
  );
  expect(errors.stackTraceLimit).toBeGreaterThanOrEqual(10);
});

it("all copies of the package share one formatter of stack traces", () => {
  let withOtherStacks = withBriefStacks;
  jest.isolateModules(() => {
    withOtherStacks = (require("../../sdk/registration-stacks") as typeof import("../../sdk/registration-stacks"))
      .withBriefStacks;
  });
  expect(withOtherStacks).not.toBe(withBriefStacks);
  withBriefStacks()();
  const { prepareStackTrace } = errors;
  for (let copies = 0; copies < 50; copies += 1) for (const brief of [withOtherStacks, withBriefStacks]) brief()();
  expect(errors.prepareStackTrace).toBe(prepareStackTrace);
});
