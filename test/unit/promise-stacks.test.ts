/** Stack traces that Pulumi's SDK keeps with its promises: a resource class does without them, and without nothing else. */
import { runtime } from "@pulumi/pulumi";
import { Label } from "../../sdk";

type Format = (error: Error, frames: NodeJS.CallSite[]) => string;
/** What formats stack traces: in a program, a function of its runner, which uses source maps. */
const errors: { prepareStackTrace?: Format | undefined } = Error;
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

it("leaves the program's own formatter as it was, also where a resource cannot be registered", () => {
  declare("before");
  expect(errors.prepareStackTrace).toBe(format);
  // Pulumi's SDK refuses it.
  expect(() => new Label("", { name: "x", matchType: "or", filters: [] })).toThrow("name");
  expect(errors.prepareStackTrace).toBe(format);
  expect(new Error("mine").stack).toMatch(/^formatted/);
});
