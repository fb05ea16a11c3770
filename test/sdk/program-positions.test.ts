/** Tests the source positions that the SDK sends to the engine with a resource. */
import { basename } from "node:path";
import { CustomResource, runtime } from "@pulumi/pulumi";
import { Label } from "../../sdk";

interface SourcePosition {
  uri: string;
  line: number;
  column: number;
}
const sdk = Object.getPrototypeOf(CustomResource) as { stackTrace: (skip: number) => SourcePosition[] };
const original = sdk.stackTrace;
const errors: { prepareStackTrace?: ((error: Error, frames: NodeJS.CallSite[]) => unknown) | undefined } = Error;
const { prepareStackTrace } = errors;

beforeAll(() => runtime.setMocks({ newResource: ({ inputs }) => ({ id: "1", state: inputs as object }), call: () => ({}) }));
// Jest formats stack traces outside of the realm of a test.
beforeEach(() => {
  errors.prepareStackTrace = (error, frames) =>
    [String(error), ...frames.map((at) => `    at ${at.getFileName()}:${at.getLineNumber()}:${at.getColumnNumber()}`)].join(
      "\n",
    );
});
afterEach(() => {
  errors.prepareStackTrace = prepareStackTrace;
});

const args = { name: "x", matchType: "or" as const, filters: [] };
let positions: SourcePosition[];
/** The SDK applies transformations during a registration, before it determines the position. */
const opts = { transformations: [() => void (positions = sdk.stackTrace(4))] };
let calledAt: number;
/** Returns the options and records the line of the call. */
const here = (): typeof opts => {
  calledAt = Number(/program-positions\.test\.ts:(\d+)/.exec(new Error("here").stack?.split("\n")[2] ?? "")?.[1]);
  return opts;
};

const declare = (name: string): Label => new Label(name, args, opts);

class Own extends Label {}
class Constructed extends Label {
  declared = true;
  constructor(name: string) {
    super(name, args, here());
  }
}

it.each([
  ["a resource", () => new Label("made", args, here())],
  ["a record that is only read", () => Label.get("read", "1", {}, here())],
  ["a class of the program", () => new Own("own", args, here())],
  ["a class of the program with a constructor", () => new Constructed("constructed")],
])("the engine receives the source line of %s without stack frames of other files", (_, declaring) => {
  declaring();
  expect(positions[0]?.line).toBe(calledAt);
  expect(new Set(positions.map(({ uri }) => basename(uri)))).toEqual(new Set(["program-positions.test.ts"]));
  expect(sdk.stackTrace).toBe(original);
});

it("the package restores the SDK's own function if the SDK rejects a resource", () => {
  expect(() => new Label("", args)).toThrow("name");
  expect(sdk.stackTrace).toBe(original);
});

it.each([
  ["    at file:///home/u/office/index.ts:5:19", "file:///home/u/office/index.ts", 5, 19],
  ["    at async file:///home/u/office/index.ts:5:19", "file:///home/u/office/index.ts", 5, 19],
  ["    at declare (file:///home/u/a%20(b)/site.ts:7:36)", "file:///home/u/a%20(b)/site.ts", 7, 36],
  ["    at async Site.add (/home/u/a (b)/site.ts:7:36)", "file:///home/u/a%20(b)/site.ts", 7, 36],
  ["    at /home/u/a (b)/b\u00fcro.ts:1:2", "file:///home/u/a%20(b)/b%C3%BCro.ts", 1, 2],
  ["    at new Site (/home/u/#1/site.ts:7:36)", "file:///home/u/%231/site.ts", 7, 36],
])("a resource's source position comes from the formatted stack-trace line %j", (line, uri, row, column) => {
  errors.prepareStackTrace = (error) => `${String(error)}\n${line}`;
  declare("formatted");
  expect(positions[0]).toMatchObject({ uri, line: row, column });
});

it("a resource's position is in the compiled file if the program has no stack-trace formatter", () => {
  errors.prepareStackTrace = () => "nothing";
  declare("unformatted");
  expect(basename(positions[0]?.uri ?? "")).toBe("program-positions.test.ts");
});

it("the package sends no source position that is inside another package", () => {
  errors.prepareStackTrace = () => "Error\n    at x (/home/u/node_modules/x/index.js:1:1)";
  declare("packaged");
  expect(positions).toEqual([]);
});
