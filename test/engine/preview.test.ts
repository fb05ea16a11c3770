/** Tests the reader of `pulumi preview --json`: accepted input, and messages about other input. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { previewIn, readPreviewOutput } from "../../engine/preview-output";
import { previewOfRun, readPreview } from "../../engine/preview";
import { amount, seed } from "../support/amount";
import { runCommand } from "../support/command";
import { plainEnv } from "../support/process";
import { previewText, step } from "../cli/review-support";
import { UsageError } from "../../common/errors";

/** Engine output for a program with a create, an update, a replacement, a deletion and a secret. */
const real = readFileSync(join(__dirname, "../cli/golden/preview.json"), "utf8");

function refusal(text: string): string {
  try {
    readPreviewOutput(text, "p.json");
  } catch (error) {
    if (error instanceof UsageError) return error.message;
    throw error;
  }
  return "";
}
const not = (reason: string): string => `p.json is not the output of \`pulumi preview --json\` (${reason})`;

describe("accepted previews", () => {
  it("the preview reader returns every step of a preview with its reasons, dependencies and diagnostics", () => {
    const { steps, diagnostics = [] } = readPreviewOutput(real, "p.json");
    const printed = JSON.parse(real) as { steps: { op: string; urn: string; replaceReasons?: string[] }[] };
    expect(steps.map(({ op, urn }) => [op, urn])).toEqual(printed.steps.map(({ op, urn }) => [op, urn]));
    expect(new Set(steps.map(({ op }) => op))).toEqual(new Set(["same", "create", "update", "replace", "delete"]));
    expect(steps.map((engineStep) => engineStep.replaceReasons)).toEqual(
      printed.steps.map((printedStep) => printedStep.replaceReasons),
    );
    expect(steps.flatMap(({ newState }) => Object.keys(newState?.propertyDependencies ?? {})).length).toBeGreaterThan(0);
    expect(diagnostics.map(({ severity }) => severity)).toContain("info");
  });

  it("the preview reader accepts a preview without steps or with null values", () => {
    expect(readPreviewOutput('\uFEFF{"changeSummary":{}}', "p.json")).toMatchObject({ steps: [], diagnostics: [] });
    const state = '{"urn":"u","type":"t","inputs":null,"stackTrace":null,"propertyDependencies":{"a":null}}';
    expect(
      readPreviewOutput(`{"steps":[{"op":"same","urn":"u","oldState":null,"newState":${state}}]}`, "p.json").steps,
    ).toEqual([{ op: "same", urn: "u", newState: { urn: "u", type: "t", propertyDependencies: { a: null } } }]);
  });
});

describe("refused previews", () => {
  const whole = previewText([step("create", "label", "office", { after: { name: "Office" } })]);
  const stream = '{"sequence":0,"timestamp":1,"preludeEvent":{"config":{}}}';
  it.each([
    ["nothing", " \n", "it is not JSON"],
    ["a stream of events", `${stream}\n${stream}\n`, "it is not JSON"],
    ["one event", stream, "it has no steps"],
    ["the text of a preview", "Previewing update (dev)", "it is not JSON"],
    ["a preview after a warning", `warning: a new version of Pulumi is available\n${whole}`, "it is not JSON"],
    ["a state", '{"version":3,"deployment":{}}', "it has no steps"],
    ["a list", "[]", "it has no steps"],
    ["a cut-off file", whole.slice(0, -1), "it is not JSON"],
    ["steps: null", '{"steps":null}', "steps: Invalid input: expected array, received null"],
    ["steps of another type", '{"steps":{}}', "steps: Invalid input: expected array, received object"],
    ["a step that is null", '{"steps":[null]}', "steps[0]: Invalid input: expected object, received null"],
    [
      "a step without a URN",
      '{"steps":[{"op":"same","urn":"a"},{"op":"same"}]}',
      "steps[1].urn: Invalid input: expected string, received undefined",
    ],
    [
      "a step with invalid members",
      '{"steps":[{"op":1,"urn":"a"}]}',
      "steps[0].op: Invalid input: expected string, received number",
    ],
    [
      "a resource with a list of inputs",
      '{"steps":[{"op":"create","urn":"a","newState":{"urn":"a","type":"b","inputs":["s3cret"]}}]}',
      "steps[0].newState.inputs: Invalid input: expected record, received array",
    ],
    [
      "a dependency of another type",
      '{"steps":[{"op":"create","urn":"a","newState":{"urn":"a","type":"b","propertyDependencies":{"x":[1]}}}]}',
      "steps[0].newState.propertyDependencies.x[0]: Invalid input: expected string, received number",
    ],
    [
      "a diagnostic of another type",
      '{"diagnostics":["s3cret"]}',
      "diagnostics[0]: Invalid input: expected object, received string",
    ],
  ])("the preview reader refuses %s and reports the reason", (_what, text, reason) => {
    expect(refusal(text)).toBe(not(reason));
  });

  it("the preview reader reports the engine's error if the preview printed no output", () => {
    const run = { code: 255, stdout: "", stderr: "error: no stack named 'x' found\n", interrupted: false, cutOff: false };
    expect(() => previewOfRun(run, "The preview failed")).toThrow("The preview failed: no stack named 'x' found");
    expect(() => previewOfRun({ ...run, code: 0, stdout: '{"steps":[' }, "x")).toThrow(
      "The text from the engine is not the output of `pulumi preview --json` (it is not JSON)",
    );
    expect(previewOfRun({ ...run, code: 0, stdout: whole }, "x").steps).toHaveLength(2);
    // A preview that failed is refused even if it printed steps, unless protection is the reason.
    expect(() => previewOfRun({ ...run, stdout: whole }, "x")).toThrow("x: no stack named 'x' found");
    const refused = previewText([step("delete", "label", "office", { id: "1", before: { name: "Office" }, protect: true })]);
    expect(previewOfRun({ ...run, stdout: refused }, "x").steps).toHaveLength(2);
  });
});

it("the preview reader parses a preview once and discards the output text", () => {
  const stdout = previewText([step("create", "label", "desk", { after: { name: "Desk" } })]);
  const run = { code: 0, stdout, stderr: "", interrupted: false, cutOff: false };
  const parse = jest.spyOn(JSON, "parse");
  const preview = previewOfRun(run, "The preview failed");
  const parsed = parse.mock.calls.filter(([text]) => text === stdout).length;
  parse.mockRestore();
  // The stack is also a step.
  expect([parsed, run.stdout, preview.steps.length]).toEqual([1, "", 2]);

  const read = JSON.parse(stdout) as { steps: unknown[] };
  expect(previewIn(read, "p.json").steps[0]).toBe(read.steps[0]);
});

it("the preview reader names the resource of each error and omits stack traces", () => {
  const label = step("delete", "label", "office", { id: "1", before: { name: "Office" }, protect: true });
  const other = step("create", "label", "desk", { after: { name: "Desk" } });
  const diagnostics = [
    { urn: label.urn, severity: "error", message: "error: it is protected\n" },
    { urn: other.urn, severity: "error", message: "error: name is\n  required\n    at check (index.ts:1)\n" },
    { urn: "urn:pulumi:dev::test::pulumi:pulumi:Stack::test-dev", severity: "error", message: "boom" },
    { severity: "error", message: "error: preview failed\n" },
  ];
  const stdout = previewText([label, other], diagnostics);
  const run = { code: 255, stdout, stderr: "", interrupted: false, cutOff: false };
  expect(() => previewOfRun(run, "The preview failed")).toThrow(/^The preview failed: desk: name is required; boom$/);
});

/** Every member of every object and list in a value, with its parent and key. */
function placesOf(value: unknown): [holder: Record<string, unknown>, key: string][] {
  if (typeof value !== "object" || value === null) return [];
  const holder = value as Record<string, unknown>;
  return Object.keys(holder).flatMap((key) => [[holder, key] as [Record<string, unknown>, string], ...placesOf(holder[key])]);
}

describe("damaged previews", () => {
  const odd: readonly unknown[] = [null, 0, -1, "", "%E0%A4%A", "x".repeat(50), true, [], [null], {}, { "": null }, "::::"];

  /** One value at any depth is missing, renamed or replaced. */
  const mutated = fc
    .record({ place: fc.nat(), how: fc.nat(3), other: fc.constantFrom(...odd) })
    .map(({ place, how, other }) => {
      const preview = JSON.parse(real) as unknown;
      const places = placesOf(preview);
      const [holder, key] = places[place % places.length] ?? [{}, ""];
      if (how === 1) holder[`${key}x`] = holder[key];
      if (how > 1) holder[key] = structuredClone(other);
      else delete holder[key];
      return JSON.stringify(preview);
    });
  /** Some characters are missing, doubled or replaced. */
  const spoilt = fc
    .record({ place: fc.nat(), length: fc.integer({ min: 1, max: 200 }), how: fc.nat(3), code: fc.nat(127) })
    .map(({ place, length, how, code }) => {
      const at = place % real.length;
      const [head, tail] = [real.slice(0, at), real.slice(at)];
      return (
        [
          head,
          head + tail.slice(length),
          head + tail.slice(0, length) + tail,
          head + String.fromCharCode(code) + tail.slice(1),
        ][how] ?? ""
      );
    });
  const damaged = fc.oneof(mutated, spoilt);

  it("the preview reader accepts a damaged preview or reports a one-line error", () => {
    const counts = { read: 0, refused: 0 };
    const property = fc.property(damaged, (text) => {
      const message = refusal(text);
      expect(message).toMatch(/^(?:p\.json is not the output of `pulumi preview --json` \([^\n]+\))?$/);
      counts[message === "" ? "read" : "refused"] += 1;
    });
    fc.assert(property, { seed: seed(1), numRuns: amount(200, 5_000) });
    // The test is useful only if both happen.
    expect(Math.min(counts.read, counts.refused)).toBeGreaterThan(50);
  });

  it("`review` accepts a damaged preview or reports a one-line error", async () => {
    const property = fc.asyncProperty(damaged, async (stdin) => {
      const { code, stderr } = await runCommand(["review", "--preview", "-", "--offline"], { env: plainEnv(), stdin });
      expect([0, 1]).toContain(code);
      expect(stderr).not.toMatch(/This is a bug|^\s+at /m);
    });
    await fc.assert(property, { seed: seed(2), numRuns: amount(100, 2_000) });
  });

  it("the preview reader accepts the undamaged preview", () => {
    expect(readPreview(real, "p.json")).toMatchObject({ stack: "dev", project: "test" });
  });
});
