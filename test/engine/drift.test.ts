import { caseLabels, kindCases } from "../support/kinds";
import { type Program, Stack } from "./support/stack";

const one = Object.fromEntries(
  Object.values(kindCases).map(({ className, full }) => [className, { kind: className, args: { ...full } }]),
) as Program;
const minimal = Object.fromEntries(
  Object.values(kindCases).map(({ className, minimal: args }) => [`${className}-minimal`, { kind: className, args }]),
) as Program;
const program: Program = { ...one, ...minimal };
const kinds = Object.values(kindCases);

describe("the world changes behind Pulumi's back", () => {
  let stack: Stack;
  const idOf = async (name: string): Promise<string> => stack.state()[name]?.id ?? "";

  beforeAll(async () => {
    stack = await Stack.start();
    stack.declare(program);
    await stack.up();
  }, 60_000);
  afterAll(() => stack.end());

  it("refreshes many resources with one list a kind, and finds nothing", async () => {
    await stack.requests();
    expect(await stack.refresh()).toEqual({ same: kinds.length * 2 });
    expect(await stack.requests()).toEqual({
      "labels.list": 1,
      "tests.agentToServer.list": 1,
      "tests.httpServer.list": 1,
      "tests.dynamic.list": 1,
    });
    expect(await stack.up()).toEqual({ same: kinds.length * 2 });
  }, 60_000);

  it("shows drift of each kind in refresh, and up mends it", async () => {
    const state = stack.state();
    const drift: Record<string, object> = {
      Label: { color: "#000000", name: "Drifted" },
      AgentToServerTest: { interval: 60, isEnabled: true },
      HttpServerTest: { url: "https://drifted.example.com", interval: 60 },
      DynamicTest: { testName: "Drifted", interval: 60 },
    };
    for (const { className, path } of kinds) {
      await stack.api("PATCH", `${path}/${state[className]?.id}?aid=1001`, drift[className]);
    }
    const shown = await stack.run("refresh", "--preview-only", "--diff", "--expect-no-changes");
    expect(shown.code).not.toBe(0);
    for (const changed of Object.values(drift))
      for (const property of Object.keys(changed)) expect(shown.text).toMatch(new RegExp(`~ ${property} *:`));

    expect(await stack.refresh()).toEqual({ update: kinds.length, same: kinds.length });
    const steps = await stack.preview();
    expect(steps.map(({ op, name }) => `${op} ${name}`).toSorted()).toEqual(
      kinds.map(({ className }) => `update ${className}`).toSorted(),
    );
    expect(await stack.up()).toEqual({ update: kinds.length, same: kinds.length });
    for (const { className, collection, full } of kinds) {
      const stored = await stack.stored(collection, state[className]?.id ?? "");
      for (const property of Object.keys(drift[className] ?? {})) {
        expect(stored).toHaveProperty(property, (full as Record<string, unknown>)[property]);
      }
    }
  }, 60_000);

  it("shows drift of what only a replacement mends", async () => {
    const id = await idOf("DynamicTest");
    await fetch(`${stack.emulator.url}/_emulator/records/dynamic-tests/${id}`, {
      method: "PATCH",
      body: JSON.stringify({ maxMachines: 7 }),
      headers: { "content-type": "application/json" },
    });
    expect(await stack.refresh()).toMatchObject({ update: 1 });
    expect(await stack.preview()).toContainEqual(
      expect.objectContaining({ op: "replace", name: "DynamicTest", replaceReasons: ["maxMachines"] }),
    );
    await stack.up();
    expect(await idOf("DynamicTest")).not.toBe(id);
  }, 60_000);

  it("creates again what was deleted", async () => {
    const state = stack.state();
    for (const { className, path } of kinds) await stack.api("DELETE", `${path}/${state[className]?.id}?aid=1001`);
    expect(await stack.refresh()).toMatchObject({ delete: kinds.length });
    expect(await stack.up()).toEqual({ create: kinds.length, same: kinds.length });
    for (const { className } of kinds) expect(await idOf(className)).not.toBe(state[className]?.id);
  }, 60_000);

  it("tells what to do when an update meets a record that has gone", async () => {
    const id = await idOf("Label");
    await stack.api("DELETE", `/v7/endpoint/labels/${id}`);
    stack.declare({ ...program, Label: { kind: "Label", args: { ...kindCases.label.full, name: "Other" } } });
    const run = await stack.run("up", "--yes", "--skip-preview");
    expect(run.code).not.toBe(0);
    expect(run.text).toContain(`The label ${id} has gone`);
    expect(run.text).toContain("pulumi refresh");
    await stack.refresh();
    expect(await stack.up()).toMatchObject({ create: 1 });
  }, 60_000);

  it("deletes what is gone already", async () => {
    const state = stack.state();
    for (const { className, path } of kinds) await stack.api("DELETE", `${path}/${state[className]?.id}?aid=1001`);
    await stack.destroy();
    for (const { collection } of kinds) expect(await stack.ids(collection)).toEqual([]);
  }, 60_000);
});

describe("a label that is recreated", () => {
  let stack: Stack;
  const tests: Program = Object.fromEntries(
    Object.values(kindCases)
      .filter(({ className }) => className !== "Label")
      .map(({ className, minimal: args }) => [
        className,
        { kind: className, args: { ...args, agentSelectorType: "agent-labels", endpointAgentLabels: [{ $id: "label-a" }] } },
      ]),
  );
  beforeAll(async () => {
    stack = await Stack.start();
  }, 60_000);
  afterAll(() => stack.end());

  it("has an unknown id at preview, at any depth, and tests may refer to it", async () => {
    const whole = { ...kindCases.dynamicTest.minimal, agentSelectorType: "agent-labels" };
    const within = { name: "Within", matchType: "and", filters: [{ key: "agent-id", values: [{ $id: "label-a" }] }] };
    stack.declare({
      "label-a": { kind: "Label", args: caseLabels["label-a"] },
      ...tests,
      // An Output of a whole list, of a whole property, and a value deep inside.
      whole: {
        kind: "DynamicTest",
        args: {
          ...whole,
          testName: { $after: "label-a", value: "Whole" },
          endpointAgentLabels: { $after: "label-a", value: ["x"] },
        },
      },
      within: { kind: "Label", args: within },
    });
    const steps = await stack.preview();
    expect(steps.every(({ op }) => op === "create")).toBe(true);
    const unknown = "04da6b54-80e4-46f7-96ec-b56ff0331ba9";
    for (const name of Object.keys(tests)) {
      expect(steps.find((step) => step.name === name)?.newState?.inputs["endpointAgentLabels"]).toEqual([unknown]);
    }
    expect(steps.find((step) => step.name === "whole")?.newState?.inputs["endpointAgentLabels"]).toBe(unknown);
  }, 60_000);

  it("replaces its tests, and preview says so", async () => {
    stack.declare({ "label-a": { kind: "Label", args: caseLabels["label-a"] }, ...tests });
    await stack.up();
    const state = stack.state();
    await stack.api("DELETE", `/v7/endpoint/labels/${state["label-a"]?.id}`);
    await stack.refresh();
    const steps = await stack.preview();
    expect(steps).toContainEqual(expect.objectContaining({ op: "create", name: "label-a" }));
    for (const name of Object.keys(tests)) {
      expect(steps).toContainEqual(expect.objectContaining({ op: "replace", name, replaceReasons: ["endpointAgentLabels"] }));
    }
    const { stdout } = await stack.must("preview");
    const told = stdout.slice(stdout.indexOf("Diagnostics:"));
    expect(told.match(/endpointAgentLabels is known after the update only; set at creation only/g)).toHaveLength(
      Object.keys(tests).length,
    );
    await stack.up();
    const now = stack.state();
    for (const [name, { className, collection }] of Object.values(kindCases)
      .filter((k) => k.className in tests)
      .map((k) => [k.className, k] as const)) {
      expect({ className, id: now[name]?.id }).not.toEqual({ className, id: state[name]?.id });
      expect(await stack.stored(collection, now[name]?.id ?? "")).toMatchObject({ endpointAgentLabels: [now["label-a"]?.id] });
    }
    await stack.destroy();
  }, 60_000);
});
