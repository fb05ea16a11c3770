import { propertyPath, withValue } from "../../../../cli/commands/drift/stack-drift";
import type { RunOptions } from "../../../../engine/run";
import type { ProjectStack } from "../../../../engine/stack";
import { carryOut } from "../../../../engine/update";

const label = "pulumi-nodejs:dynamic/endpoint-monitoring:Label";
const urn = (name: string, type = label): string => `urn:pulumi:dev::test::${type}::${name}`;
const root = urn("test-dev", "pulumi:pulumi:Stack");
const error = (message: string, of = "") => ({
  diagnosticEvent: { severity: "error", message, ...(of !== "" && { urn: of }) },
});
const done = (name: string, op: string, more = {}) => ({
  resOutputsEvent: { metadata: { op, urn: urn(name), type: label, old: null, new: { urn: urn(name), type: label } }, ...more },
});

/** Runs an update on an engine that prints these events. */
async function carried(events: readonly unknown[], more: object = {}) {
  const calls: string[][] = [];
  const steps: string[] = [];
  const lines = events.map((event) => (typeof event === "string" ? event : JSON.stringify(event)));
  const stack = {
    run: (args: string[], { onLine, env }: RunOptions) => {
      calls.push([...args, ...Object.keys(env ?? {})]);
      for (const line of lines) onLine?.(line);
      return Promise.resolve({ code: 0, stdout: lines.join("\n"), stderr: "", interrupted: false, cutOff: false, ...more });
    },
  } as unknown as ProjectStack;
  const outcome = await carryOut(stack, ["up", "--yes"], ({ op, urn: of }) => steps.push(`${op} ${of}`));
  return { ...outcome, calls, onStep: steps };
}

describe("results of updates that `drift` starts", () => {
  it("the result of an update lists the reason for each failed step once", async () => {
    const { run, steps, failures, onStep, calls } = await carried(
      [
        "Updating (dev):",
        done("a", "create", { planning: true }),
        done("a", "create"),
        done("b", "same"),
        { resOpFailedEvent: { metadata: { op: "update", urn: urn("c"), type: label } } },
        error("sending request failed\n  in two lines\n    at Client.send (client.js:1:1)", urn("c")),
        error("sending request failed\n  in two lines", urn("c")),
        error("Error: resource c [label] failed to register\n    at x", root),
        error("Running program failed:\nError: no such label", root),
        error("update failed"),
        { diagnosticEvent: { severity: "warning", message: "this is none" } },
      ],
      { code: 255 },
    );
    expect(steps.map(({ op, urn: of, failed }) => [op, of, failed])).toEqual([
      ["create", urn("a"), false],
      ["same", urn("b"), false],
      ["update", urn("c"), true],
    ]);
    expect(onStep).toEqual([`create ${urn("a")}`, `same ${urn("b")}`]);
    expect(failures).toEqual([
      { urn: urn("c"), reason: "c: sending request failed in two lines" },
      { urn: root, reason: "Running program failed: Error: no such label" },
    ]);
    // The events of a large update need hundreds of megabytes, so they are not kept.
    expect(run.stdout).toBe("Updating (dev):");
    expect(calls).toEqual([["up", "--yes", "--json", "PULUMI_ENABLE_STREAMING_JSON_PREVIEW"]]);
  });

  it.each([
    [{ code: 255, stderr: "error: no stack named 'x' found\n" }, "no stack named 'x' found"],
    [{ code: 1, interrupted: true }, "interrupted. The engine finished its pending operations first."],
    [{ code: 137, stderr: "killed" }, "pulumi exited with code 137: killed"],
  ])("the result of an update contains the engine's error output if no event has a message: %j", async (more, reason) => {
    expect((await carried([done("a", "create")], more)).failures).toEqual([{ reason }]);
  });

  it("the result of a successful update lists no failures", async () => {
    expect((await carried([done("a", "create")])).failures).toEqual([]);
  });
});

describe("property paths in the engine's output", () => {
  it.each([
    ["interval", ["interval"]],
    ["filters[0].values", ["filters", "0", "values"]],
    ['filters[1]["a.b \\"c\\""]', ["filters", "1", 'a.b "c"']],
    ['["x"].y', ["x", "y"]],
    ["*", ["*"]],
  ])("the parser converts the path %s to %j", (text, path) => {
    expect(propertyPath(text)).toEqual(path);
  });

  it("withValue() changes nothing if the path leads to a missing list item", () => {
    const original = { filters: [{ key: "a", values: ["1"] }] };
    expect(withValue(original, ["filters", "0", "values"], ["2"])).toEqual({ filters: [{ key: "a", values: ["2"] }] });
    expect(original).toEqual({ filters: [{ key: "a", values: ["1"] }] });
    expect(withValue(original, ["filters", "7", "values"], ["2"])).toEqual(original);
    expect(withValue(original, ["name"], "x")).toEqual({ ...original, name: "x" });
  });
});
