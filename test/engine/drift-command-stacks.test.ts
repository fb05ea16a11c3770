import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { caseLabels, kindCases } from "../support/kinds";
import { door, lines, report, warnings } from "./support/drift";
import { oneListAKind } from "./support/fleet";
import { type Program, Stack } from "./support/stack";

const aToS = "/v7/endpoint/tests/scheduled-tests/agent-to-server";
const label = (name: string, more: object = {}) => ({
  kind: "Label",
  args: { name, matchType: "and", filters: [{ key: "platform", values: ["Mac"] }], ...more },
});

describe("what is missing, unmanaged, noted", () => {
  let stack: Stack;
  const kinds = Object.values(kindCases);
  const program: Program = {
    "label-a": { kind: "Label", args: caseLabels["label-a"] },
    ...Object.fromEntries(kinds.map(({ className, full }) => [className, { kind: className, args: full }])),
    // The service chooses what these leave out.
    loose: { kind: "AgentToServerTest", args: { testName: "Loose", server: "www.example.com" } },
    ignoring: {
      kind: "AgentToServerTest",
      args: { testName: "Ignoring", server: "www.example.com" },
      options: { ignoreChanges: ["interval", "maxMachines"] },
    },
    partly: label("Partly", {}),
    byLabel: {
      kind: "DynamicTest",
      args: { ...kindCases.dynamicTest.minimal, agentSelectorType: "agent-labels", endpointAgentLabels: [{ $id: "label-a" }] },
    },
    agent: { kind: "EndpointAgent", args: { agentId: "", agentName: "Held" } },
    run: { kind: "TestRun", args: { testId: { $id: "loose" } } },
  };
  const ids: Record<string, string> = {};

  beforeAll(async () => {
    stack = await Stack.start();
    const [agentId = ""] = await stack.ids("agents");
    program["agent"] = { kind: "EndpointAgent", args: { agentId, agentName: "Held" } };
    program["partly"] = { ...label("Partly"), options: { ignoreChanges: ["filters[0].values"] } };
    stack.declare(program);
    await stack.up();
    for (const { name, id } of Object.values(stack.state())) ids[name] = id;
  }, 300_000);
  afterAll(() => stack.end());

  it("tells what the service changed of what is left to it, and does not count it", async () => {
    await door(stack, "agent-to-server-tests", ids["loose"] ?? "", { ipVersion: "V6_ONLY" });
    await door(stack, "agent-to-server-tests", ids["ignoring"] ?? "", { interval: 900, maxMachines: 7 });
    await stack.api("PATCH", `/v7/endpoint/labels/${ids["partly"]}`, { filters: [{ key: "platform", values: ["Linux"] }] });
    await stack.api("POST", `/v7/endpoint/agents/${ids["agent"]}/disable`);
    const run = await stack.cli("drift", "--json");
    expect({ code: run.code, lines: lines(report(run)) }).toEqual({ code: 0, lines: [] });
    const notes = report(run).stacks[0]?.notes.map(({ name, properties }) => ({
      name,
      properties: properties.map(({ property, before, after, owner }) => ({ property, before, after, owner })),
    }));
    const owner = "service";
    expect(notes).toEqual([
      {
        name: "partly",
        properties: [
          {
            property: "filters",
            before: [{ key: "platform", mode: "in", values: ["Mac"] }],
            after: [{ key: "platform", mode: "in", values: ["Linux"] }],
            owner,
          },
        ],
      },
      {
        name: "ignoring",
        properties: [
          { property: "maxMachines", before: 25, after: 7, owner },
          { property: "interval", before: 60, after: 900, owner },
        ],
      },
      { name: "loose", properties: [{ property: "ipVersion", before: "V4_ONLY", after: "V6_ONLY", owner }] },
      { name: "agent", properties: [{ property: "enabled", before: true, after: false, owner }] },
    ]);
    expect((await stack.cli("drift")).stdout).toContain(
      "what the program leaves to the service has changed since the last update (not counted):",
    );
    // What it ignores of a property is not all of it.
    await stack.api("PATCH", `/v7/endpoint/labels/${ids["partly"]}`, {
      filters: [{ key: "platform", mode: "not-in", values: ["Linux"] }],
    });
    expect(lines(report(await stack.cli("drift", "--json")))).toEqual(["dev ~ partly filters"]);
    await stack.api("PATCH", `/v7/endpoint/labels/${ids["partly"]}`, { filters: [{ key: "platform", values: ["Linux"] }] });
    await stack.refresh();
  }, 300_000);

  it("finds nothing once a refresh has taken over what there is", async () => {
    expect(await stack.cli("drift")).toMatchObject({
      code: 0,
      stdout: expect.stringContaining("No drift: 11 resources of 1 stack are as declared"),
    });
  }, 300_000);

  it("names what nobody manages, by kind, id, name and account group, but no agents", async () => {
    const made = (await (await stack.api("POST", "/v7/endpoint/labels", label("By hand").args)).json()) as { id: string };
    await stack.api("POST", aToS, { testName: "By hand, too", server: "www.example.com" });
    // In an account group that nothing of the stack names.
    await stack.api("POST", `${aToS}?aid=1003`, { testName: "Far away", server: "www.example.com" });
    const run = await stack.cli("drift", "--json");
    expect(run.code).toBe(2);
    expect(report(run).unmanaged).toEqual([
      { kind: "label", id: made.id, name: "By hand", accountGroupId: "1001" },
      {
        kind: "agentToServerTest",
        id: expect.any(String),
        name: "By hand, too",
        accountGroupId: "1001",
        modified: expect.any(String),
      },
    ]);
    expect((await stack.cli("drift", "--no-unmanaged", "--json")).code).toBe(0);
    expect(lines(report(await stack.cli("drift", "--only", "labels,dynamic-tests", "--json")))).toEqual(["? label By hand"]);
    // The settings name another account group as well.
    stack.configure({ accountGroupId: "1003" });
    expect(lines(report(await stack.cli("drift", "--json")))).toEqual([
      "? agentToServerTest By hand, too",
      "? agentToServerTest Far away",
      "? label By hand",
    ]);
    stack.configure({ accountGroupId: null });
  }, 300_000);

  it("names what has gone, and what refers to it", async () => {
    for (const { className, path } of kinds) await stack.api("DELETE", `${path}/${ids[className]}?aid=1001`);
    await stack.api("DELETE", `/v7/endpoint/labels/${ids["label-a"]}`);
    await stack.requests();
    const run = await stack.cli("drift", "--json", "--no-unmanaged");
    expect(run.code).toBe(2);
    expect(lines(report(run))).toEqual(
      ["label-a", ...kinds.map(({ className }) => className)].map((name) => `dev - ${name}`).toSorted(),
    );
    expect(report(run).stacks[0]?.missing).toContainEqual({
      stack: "dev",
      kind: "label",
      name: "label-a",
      id: ids["label-a"],
      urn: expect.stringMatching(/::label-a$/),
      position: { file: "index.js", line: 23, column: expect.any(Number) },
      referredToBy: ["byLabel"],
    });
    // One get each decides.
    expect(await stack.requests()).toMatchObject({
      "labels.get": 2,
      "tests.agentToServer.get": 1,
      "tests.httpServer.get": 1,
      "tests.dynamic.get": 1,
    });
  }, 300_000);

  it("creates again what has gone, with all that refers to it, and leaves the unmanaged alone", async () => {
    const before = stack.state()["byLabel"]?.id;
    const run = await stack.cli("drift", "--json", "--mend");
    // What is unmanaged is still there.
    expect(run.code).toBe(2);
    expect(lines(report(run))).toEqual(["? agentToServerTest By hand, too", "? label By hand"]);
    const { mended } = report(run);
    expect(mended?.resources.map(({ name, how }) => `${name} ${how}`).toSorted()).toEqual(
      [...kinds.map(({ className }) => `${className} created again`), "byLabel followed", "label-a created again"].toSorted(),
    );
    const now = stack.state();
    expect(now["byLabel"]?.id).not.toBe(before);
    expect(await stack.stored("dynamic-tests", now["byLabel"]?.id ?? "")).toMatchObject({
      endpointAgentLabels: [now["label-a"]?.id],
    });
    expect(await stack.cli("drift", "--no-unmanaged")).toMatchObject({ code: 0 });
    expect(await stack.preview()).toEqual([]);
  }, 300_000);
});

describe("several stacks", () => {
  let stack: Stack;
  const inStack = async (name: string, program: Program): Promise<void> => {
    stack.declare(program);
    await stack.must("up", "--yes", "--skip-preview", "--stack", name);
  };

  beforeAll(async () => {
    stack = await Stack.start();
    await inStack("dev", { one: label("One of dev") });
    await stack.must("stack", "init", "prod");
    stack.configure({ baseUrl: stack.emulator.url });
    await stack.secret("endpoint-monitoring:token", "emulator-token");
    await inStack("prod", { one: label("One of prod") });
    // Another project in the same backend.
    const other = join(stack.folder, "other");
    mkdirSync(other);
    writeFileSync(join(other, "Pulumi.yaml"), "name: other\nruntime: nodejs\nmain: ..\n");
    await stack.must("--cwd", other, "stack", "init", "live");
    await stack.must("--cwd", other, "config", "set", "endpoint-monitoring:baseUrl", stack.emulator.url);
    await stack.must("--cwd", other, "config", "set", "--secret", "endpoint-monitoring:token", "emulator-token");
    stack.declare({ theirs: label("Theirs") });
    await stack.must("--cwd", other, "up", "--yes", "--skip-preview");
  }, 300_000);
  afterAll(() => stack.end());

  it("are all looked at, with the requests of one", async () => {
    await stack.requests();
    const run = await stack.cli("drift", "--json");
    expect(await stack.requests()).toEqual(oneListAKind);
    expect(report(run).stacks.map((one) => [one.stack, one.resources])).toEqual([
      ["dev", 1],
      ["prod", 1],
    ]);
    expect(lines(report(run))).toEqual(["? label Theirs"]);
  }, 300_000);

  it("can be named; what another one manages is unmanaged then, unless it is named too", async () => {
    expect(lines(report(await stack.cli("drift", "--json", "--stack", "dev")))).toEqual([
      "? label One of prod",
      "? label Theirs",
    ]);
    const both = await stack.cli("drift", "--json", "--stack", "dev", "--also", "prod", "--also", "organization/other/live");
    expect({ code: both.code, lines: lines(report(both)) }).toEqual({ code: 0, lines: [] });
  }, 300_000);

  it("of another project count by its folder, or by a file with an exported state", async () => {
    expect(await stack.cli("drift", "--also", "other")).toMatchObject({ code: 0 });
    await stack.must("--cwd", join(stack.folder, "other"), "stack", "export", "--file", join(stack.folder, "theirs.json"));
    expect(await stack.cli("drift", "--also", "theirs.json")).toMatchObject({ code: 0 });
  }, 300_000);

  it.each([
    [["--stack", "nope"], "Project test has no stack nope. There are dev, prod"],
    [["--also", "organization/other/nope"], "Stack organization/other/nope cannot be read: no stack named"],
    [["--also", "program.json"], "--also program.json is not the state of a stack (it has no deployment)"],
    [["--also", "index.js"], "--also index.js is not the state of a stack (it is no JSON)"],
    [["--mend", "--accept"], "--mend and --accept exclude each other"],
    [["--only", "label,gadgets"], "--only takes labels, tests, agent-to-server-tests,"],
    [["--json", "--markdown", "-"], "--json and --markdown - both want standard output"],
  ])(
    "%j is one line and exit code 1",
    async (args, said) => {
      const run = await stack.cli("drift", ...args);
      expect(run.code).toBe(1);
      const last = run.stderr.trimEnd().split("\n").at(-1);
      expect(last).toContain(`endpoint-monitoring drift: ${said}`.slice(0, 200));
      expect(run.stderr).not.toMatch(/^\s+at /m);
    },
    300_000,
  );

  it("a report that can't be written is told, and printed all the same", async () => {
    const run = await stack.cli("drift", "--also", "other", "--markdown", "index.js/drift.md");
    expect(run).toMatchObject({
      code: 1,
      stdout: expect.stringContaining("No drift: 2 resources of 2 stacks are as declared"),
    });
    expect(run.stderr).toContain("error: index.js/drift.md cannot be written (");
    expect(run.stderr).not.toMatch(/^\s+at /m);
  }, 300_000);

  it("one that can't be looked at is told, and the others are reported", async () => {
    const id = (await stack.ids("labels"))[0] ?? "";
    await stack.api("PATCH", `/v7/endpoint/labels/${id}`, { color: "#123456" });
    await stack.must("config", "set", "--secret", "endpoint-monitoring:token", "wrong-token", "--stack", "prod");
    const run = await stack.cli("drift", "--json");
    expect(run.code).toBe(1);
    const [dev, prod] = report(run).stacks;
    expect(dev?.changed.map(({ name }) => name)).toEqual(["one"]);
    expect(prod).toMatchObject({ stack: "prod", error: { code: "unauthorized" }, changed: [], missing: [] });
    expect(run.stderr).toContain("stack prod could not be looked at");
    // Its state is known: what it manages is not called unmanaged.
    expect(lines(report(run))).toEqual(["? label Theirs", "dev ~ one color"]);
    const text = await stack.cli("drift", "--markdown", "-");
    expect(text).toMatchObject({ code: 1, stdout: expect.stringContaining("**Failed:** stack prod could not be looked at") });

    await stack.must("config", "set", "--secret", "endpoint-monitoring:token", "emulator-token", "--stack", "prod");
    // A state that can't be read: nothing is known of what it manages.
    await stack.must("stack", "init", "locked", "--no-select");
    const locked = join(stack.folder, "backend/.pulumi/stacks/test/locked.json");
    writeFileSync(locked, readFileSync(locked, "utf8").replace(/"salt": *"[^"]*"/, '"salt": "of another passphrase"'));
    const unread = await stack.cli("drift", "--json");
    expect(unread.code).toBe(1);
    expect(report(unread).unmanaged).toBeUndefined();
    expect(warnings(unread)).toEqual(["what is unmanaged can't be told: it is not known what locked manages"]);
    expect(lines(report(unread))).toEqual(["dev ~ one color"]);
  }, 300_000);
});

describe("a record in two stacks", () => {
  let stack: Stack;
  beforeAll(async () => {
    stack = await Stack.start();
  }, 300_000);
  afterAll(() => stack.end());

  it("is warned of", async () => {
    stack.declare({ mine: label("Shared") });
    await stack.up();
    await stack.must("stack", "init", "prod");
    stack.configure({ baseUrl: stack.emulator.url });
    await stack.secret("endpoint-monitoring:token", "emulator-token");
    stack.declare({ ours: label("Shared", { adopt: true }) });
    await stack.up();
    const [id] = await stack.ids("labels");
    const run = await stack.cli("drift", "--json");
    expect(run.code).toBe(0);
    const warning = `the label ${id} is managed by mine of stack dev and ours of stack prod: each undoes what the other does. Keep it in one of them`;
    expect(warnings(run)).toEqual([warning]);
    expect((await stack.cli("drift", "--stack", "dev", "--also", "prod")).stderr).toContain(`warning: ${warning}`);
  }, 300_000);
});

describe("little or nothing to look at", () => {
  let stack: Stack;
  beforeAll(async () => {
    stack = await Stack.start();
  }, 300_000);
  afterAll(() => stack.end());

  it("a stack without an update: all there is is unmanaged", async () => {
    expect(await stack.cli("drift")).toMatchObject({
      code: 0,
      stdout: expect.stringContaining("No drift: 0 resources of 1 stack"),
    });
    await stack.api("POST", "/v7/endpoint/labels", label("By hand").args);
    expect(lines(report(await stack.cli("drift", "--json")))).toEqual(["? label By hand"]);
  }, 300_000);

  it("a stack of other providers, without settings of ours: nothing is asked", async () => {
    await stack.must("stack", "init", "plain");
    const program = readFileSync(join(stack.folder, "index.js"), "utf8");
    stack.write(`
      const pulumi = require("@pulumi/pulumi");
      class Other extends pulumi.dynamic.Resource {
        constructor(name) { super({ create: async () => ({ id: "1", outs: {} }) }, name, {}); }
      }
      new Other("other");
    `);
    await stack.must("up", "--yes", "--skip-preview");
    stack.write(program);
    await stack.requests();
    const run = await stack.cli("drift", "--json", "--stack", "plain");
    expect(run.code).toBe(0);
    expect(report(run)).toMatchObject({ drift: false, stacks: [{ stack: "plain", resources: 0 }], unmanaged: [], unseen: [] });
    expect(await stack.requests()).toEqual({});
  }, 300_000);

  it("a wrong token, a service that is down, missing settings: one line each, and no secret", async () => {
    await stack.must("stack", "select", "dev");
    await stack.secret("endpoint-monitoring:token", "emulator-token");
    stack.declare({ mine: label("Mine") });
    await stack.must("up", "--yes", "--skip-preview");
    await stack.secret("endpoint-monitoring:token", "wrong-t0ken-value");
    const refused = await stack.cli("drift", "--json");
    expect(refused.code).toBe(1);
    expect(JSON.parse((await stack.cli("drift", "--json", "--stack", "dev")).stdout)).toEqual({
      error: { code: "unauthorized", message: expect.stringContaining("401") },
    });
    stack.configure({ baseUrl: "http://127.0.0.1:9" });
    const down = await stack.cli("drift", "--stack", "dev");
    expect(down).toMatchObject({ code: 1, stdout: "" });
    expect(down.stderr).toContain("127.0.0.1:9");
    stack.configure({ baseUrl: null });
    const unset = await stack.cli("drift", "--stack", "dev");
    expect(unset).toMatchObject({ code: 1, stdout: "" });
    expect(unset.stderr).toContain("pulumi config set endpoint-monitoring:baseUrl");
    expect(stack.output).not.toContain("wrong-t0ken-value");
    expect(stack.output).not.toMatch(/^\s+at .*:\d+:\d+/m);
  }, 300_000);

  it("no project, and a project without a stack", async () => {
    await stack.must("stack", "rm", "plain", "--yes", "--force");
    await stack.must("stack", "rm", "dev", "--yes", "--force");
    const run = await stack.cli("drift");
    expect(run).toMatchObject({ code: 1, stdout: "" });
    expect(run.stderr).toBe("endpoint-monitoring drift: Project test has no stack yet: run `pulumi stack init`.\n");
  }, 300_000);
});
