/** Stack traces while a resource is registered: those of promises are left out. */
import { runtime } from "@pulumi/pulumi";
import { Label } from "../../sdk";
import { withBriefStacks } from "../../sdk/registration-stacks";

type Format = (error: Error, frames: NodeJS.CallSite[]) => string;
/** What formats stack traces: in a program, a function of its runner, which uses source maps. */
const errors: { prepareStackTrace?: Format | undefined; stackTraceLimit: number } = Error;
const own = errors.prepareStackTrace;
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
  errors.prepareStackTrace = own;
  delete process.env["PULUMI_DEBUG_PROMISE_LEAKS"];
});

const declare = (name: string): Label => new Label(name, { name, matchType: "or", filters: [] });
const ofPromises = (): number => formatted.filter((name) => name === "debuggablePromise").length;

it("formats no stack trace of a promise while it registers a resource, and all others", () => {
  declare("quiet");
  expect(ofPromises()).toBe(0);
  // The position in the program, which the engine records.
  expect(formatted.length).toBeGreaterThan(0);
});

it("formats those of promises, too, where leaks are looked for", () => {
  process.env["PULUMI_DEBUG_PROMISE_LEAKS"] = "1";
  declare("loud");
  expect(ofPromises()).toBeGreaterThan(20);
});

it("formats none until the engine has answered", async () => {
  const label = declare("answered");
  await new Promise((resolve) => label.id.apply(resolve));
  expect(ofPromises()).toBe(0);
});

it("leaves errors of the program to its own formatter, also where a resource cannot be registered", () => {
  declare("before");
  // Pulumi's SDK refuses it.
  expect(() => new Label("", { name: "x", matchType: "or", filters: [] })).toThrow("name");
  expect(new Error("mine").stack).toMatch(/^formatted 1\d$/);
  expect(errors.stackTraceLimit).toBeGreaterThanOrEqual(10);
});

it("is put once before a formatter, and before the next one that the program brings", () => {
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
  ["a transformation of the program throws names its line", "thrown", () => void JSON.parse("not this")],
  ["the SDK throws names the line that declares the resource", "", () => undefined],
])("an error that %s", (_, name, transformation) => {
  errors.prepareStackTrace = own;
  const declaring = () => new Label(name, { name: "x", matchType: "or", filters: [] }, { transformations: [transformation] });
  expect(declaring).toThrow(
    expect.objectContaining({ stack: expect.stringContaining("registration-stacks.test.ts") as unknown }) as Error,
  );
  expect(errors.stackTraceLimit).toBeGreaterThanOrEqual(10);
});

it("puts one formatter before the program's for all copies of the package", () => {
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
