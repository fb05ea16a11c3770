import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { caseLabels, kindCases } from "../support/kinds";
import { door, lines, report, warnings } from "./support/drift";
import { oneListAKind } from "./support/fleet";
import { addPreparedStack } from "./support/prepared";
import { type Program, type Run, Stack } from "./support/stack";

const aToS = "/v7/endpoint/tests/scheduled-tests/agent-to-server";
const label = (name: string, more: object = {}) => ({
  kind: "Label",
  args: { name, matchType: "and", filters: [{ key: "platform", values: ["Mac"] }], ...more },
});

/** Two stacks of a project, `dev` with resources of each type, and a stack of another project in the same backend. */
describe("drift of several stacks", () => {
  let stack: Stack;
  const kinds = Object.values(kindCases);
  const ignoringValues = { ignoreChanges: ["filters[0].values"] };
  const program: Program = {
    "label-a": { kind: "Label", args: caseLabels["label-a"] },
    ...Object.fromEntries(kinds.map(({ className, full }) => [className, { kind: className, args: full }])),
    // The service chooses the values that these omit.
    loose: { kind: "AgentToServerTest", args: { testName: "Loose", server: "www.example.com" } },
    ignoring: {
      kind: "AgentToServerTest",
      args: { testName: "Ignoring", server: "www.example.com" },
      options: { ignoreChanges: ["interval", "maxMachines"] },
    },
    partly: { ...label("Partly"), options: ignoringValues },
    otherwise: { ...label("Otherwise"), options: ignoringValues },
    byLabel: {
      kind: "DynamicTest",
      args: { ...kindCases.dynamicTest.minimal, agentSelectorType: "agent-labels", endpointAgentLabels: [{ $id: "label-a" }] },
    },
    run: { kind: "TestRun", args: { testId: { $id: "loose" } } },
    mine: label("Shared"),
  };
  const ids: Record<string, string> = {};
  const filtersOf = (name: string, filter: object) =>
    stack.api("PATCH", `/v7/endpoint/labels/${ids[name]}`, { filters: [filter] });
  const unmanagedOfOthers = ["? label Theirs"];
  const managedTwice = (): string => `the label ${ids["mine"]} is managed by mine of stack dev and ours of stack prod`;
  /** A run with all stacks, after the service changed values that the program omits. */
  let first: Run;
  let requests: Record<string, number>;

  const inStack = async (name: string, declared: Program, ...args: string[]): Promise<void> => {
    stack.declare(declared);
    await stack.must(...args, "up", "--yes", "--skip-preview", "--stack", name);
  };
  beforeAll(async () => {
    stack = await Stack.start();
    const [agentId = ""] = await stack.ids("agents");
    program["agent"] = { kind: "EndpointAgent", args: { agentId, agentName: "Held" } };
    await stack.add("prod");
    // Another project in the same backend: its stack's settings are in its folder.
    const other = join(stack.folder, "other");
    mkdirSync(other);
    writeFileSync(join(other, "Pulumi.yaml"), "name: other\nruntime: nodejs\nmain: ..\n");
    addPreparedStack(stack.folder, "other", "live", "key service");
    stack.configure({ baseUrl: stack.emulator.url }, "live");
    await stack.secret("endpoint-monitoring:token", "emulator-token", "live");
    renameSync(join(stack.folder, "Pulumi.live.yaml"), join(other, "Pulumi.live.yaml"));

    await inStack("live", { theirs: label("Theirs") }, "--cwd", other);
    await inStack("dev", program);
    await inStack("prod", { one: label("One of prod"), ours: label("Shared", { adopt: true }) });
    stack.declare(program);
    for (const { name, id } of Object.values(stack.state())) ids[name] = id;

    await door(stack, "agent-to-server-tests", ids["loose"] ?? "", { ipVersion: "V6_ONLY" });
    await door(stack, "agent-to-server-tests", ids["ignoring"] ?? "", { interval: 900, maxMachines: 7 });
    await filtersOf("partly", { key: "platform", values: ["Linux"] });
    await stack.api("POST", `/v7/endpoint/agents/${ids["agent"]}/disable`);
    await stack.requests();
    first = await stack.cli("drift", "--all-stacks", "--json", "--managed-by", "other");
    requests = await stack.requests();
  });
  afterAll(() => stack.end());

  it("drift of all stacks sends as many requests as drift of one stack", () => {
    expect(requests).toEqual({ ...oneListAKind, "agents.filter": 1 });
    expect(report(first).stacks.map((stackReport) => [stackReport.stack, stackReport.resources])).toEqual([
      ["dev", Object.keys(program).length],
      ["prod", 2],
    ]);
  });

  it("`drift --managed-by` with another project's folder counts that project's records as managed", () => {
    expect({ code: first.code, lines: lines(report(first)) }).toEqual({ code: 2, lines: [] });
  });

  it("drift reports a changed property as a note if the program omits the property", () => {
    const notes = report(first).stacks[0]?.notes.map(({ name, properties }) => ({
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
  });

  it("drift reports a record that two of the named stacks manage", async () => {
    expect(warnings(first)).toEqual([]);
    const text: unknown = expect.stringContaining(managedTwice());
    expect(report(first).shared).toMatchObject([{ check: "adopts-foreign", ids: [ids["mine"]], text }]);
    const run = await stack.cli("drift", "--stack", "dev", "--managed-by", "prod", "--managed-by", "organization/other/live");
    expect(run.code).toBe(2);
    expect(run.stdout).toContain("Drift: 1 managed by several stacks");
    expect(run.stdout).toContain("Changed properties in stack dev that the program omits or ignores");
    // A stack that is part of the project and of --managed-by is reported once.
    expect(run.stdout.replace(/\s+/g, " ").split(managedTwice())).toHaveLength(2);
  });

  it("drift reads an exported state", async () => {
    await stack.must("stack", "export", "--stack", "organization/other/live", "--file", join(stack.folder, "theirs.json"));
    const run = await stack.cli("drift", "--all-stacks", "--managed-by", "theirs.json", "--markdown", "index.js/drift.md");
    expect(run).toMatchObject({
      code: 1,
      stdout: expect.stringContaining("Drift: 1 managed by several stacks"),
    });
    expect(run.stderr).toContain("error: index.js/drift.md cannot be written (");
    expect(run.stderr).not.toMatch(/^\s+at /m);
  });

  it.each([
    [["--stack", "nope"], "Project test has no stack nope. Existing stacks: dev, prod"],
    [["--managed-by", "organization/other/nope"], "Stack organization/other/nope cannot be read: no stack named"],
    [["--managed-by", "program.json"], "Cannot use the file program.json for --managed-by: it has no deployment"],
    [["--managed-by", "index.js"], "Cannot use the file index.js for --managed-by: it is not JSON"],
    [["--fix", "--accept"], "--fix and --accept cannot be used together"],
    [["--only", "label,gadgets"], "--only takes labels, tags, tests, agent-to-server-tests,"],
    [["--json", "--markdown", "-"], "--json and --markdown - both write to standard output"],
  ])("`drift` with the invalid arguments %j prints one error line and exits with code 1", async (args, message) => {
    const run = await stack.cli("drift", ...args);
    expect(run.code).toBe(1);
    const last = run.stderr.trimEnd().split("\n").at(-1);
    expect(last).toContain(`endpoint-monitoring drift: ${message}`.slice(0, 200));
    expect(run.stderr).not.toMatch(/^\s+at /m);
  });

  let byHand = "";
  it("the options --managed-by and --only limit the unmanaged records in drift's report", async () => {
    const made = (await (await stack.api("POST", "/v7/endpoint/labels", label("By hand").args)).json()) as { id: string };
    byHand = made.id;
    await stack.api("POST", aToS, { testName: "By hand, too", server: "www.example.com" });
    // In an account group that the stacks do not use.
    await stack.api("POST", `${aToS}?aid=1003`, { testName: "Far away", server: "www.example.com" });
    // A label ignores only a part of this property.
    await filtersOf("otherwise", { key: "platform", mode: "not-in", values: ["Linux"] });
    const run = await stack.cli("drift", "--json", "--stack", "dev", "--only", "labels,dynamic-tests");
    expect(run.code).toBe(2);
    expect(lines(report(run))).toEqual(["? label By hand", ...unmanagedOfOthers, "dev ~ otherwise filters"]);
    await filtersOf("otherwise", { key: "platform", values: ["Mac"] });
  });

  it("drift lists unmanaged records by type, id, name and account group, but no agents", async () => {
    const run = await stack.cli("drift", "--all-stacks", "--json", "--managed-by", "theirs.json");
    expect(run.code).toBe(2);
    expect(report(run).unmanaged).toEqual([
      { kind: "label", id: byHand, name: "By hand", accountGroupId: "1001" },
      {
        kind: "agentToServerTest",
        id: expect.any(String),
        name: "By hand, too",
        accountGroupId: "1001",
        modified: expect.any(String),
      },
    ]);
  });

  it("`drift` reports no drift after a refresh", async () => {
    await stack.refresh();
    stack.configure({ accountGroupId: "1003" });
    const run = await stack.cli("drift", "--json", "--stack", "dev", "--managed-by", "prod", "--managed-by", "theirs.json");
    expect(report(run).stacks).toEqual([
      { stack: "dev", resources: Object.keys(program).length, changed: [], missing: [], notes: [] },
    ]);
    expect(lines(report(run))).toEqual(["? agentToServerTest By hand, too", "? agentToServerTest Far away", "? label By hand"]);
    stack.configure({ accountGroupId: null });
  });

  const unmanaged = ["? agentToServerTest By hand, too", "? label By hand"];
  const gone = ["label-a", ...kinds.map(({ className }) => className)].map((name) => `dev - ${name}`).toSorted();

  describe("deleted records and an unreadable state", () => {
    let run: Run;
    beforeAll(async () => {
      for (const { className, path } of kinds) await stack.api("DELETE", `${path}/${ids[className]}?aid=1001`);
      await stack.api("DELETE", `/v7/endpoint/labels/${ids["label-a"]}`);
      await stack.secret("endpoint-monitoring:token", "wrong-t0ken-value", "prod");
      await stack.requests();
      run = await stack.cli("drift", "--all-stacks", "--json", "--markdown", "drift.md");
      requests = await stack.requests();
    });

    it("drift names deleted records and the resources that depend on them", () => {
      expect(lines(report(run)).filter((line) => !line.startsWith("?"))).toEqual(gone);
      expect(report(run).stacks[0]?.missing).toContainEqual({
        stack: "dev",
        kind: "label",
        name: "label-a",
        id: ids["label-a"],
        urn: expect.stringMatching(/::label-a$/),
        position: { file: "index.js", line: 34, column: expect.any(Number) },
        referredToBy: ["byLabel"],
      });
      // One get request decides each.
      expect(requests).toMatchObject({
        "labels.get": 2,
        "tests.agentToServer.get": 1,
        "tests.httpServer.get": 1,
        "tests.dynamic.get": 1,
      });
    });

    it("drift reports a stack with an unreadable state and the drift of other stacks", () => {
      expect(run.code).toBe(1);
      const [dev, prod] = report(run).stacks;
      expect(dev?.missing).toHaveLength(gone.length);
      expect(prod).toMatchObject({ stack: "prod", error: { code: "unauthorized" }, changed: [], missing: [] });
      expect(run.stderr).toContain("stack prod could not be compared");
      // Its state is readable, so its records do not count as unmanaged.
      expect(lines(report(run)).filter((line) => line.startsWith("?"))).toEqual([...unmanaged, "? label Theirs"]);
      const markdown = readFileSync(join(stack.folder, "drift.md"), "utf8");
      expect(markdown).toContain("**Failed:** stack prod could not be compared");
    });

    it("drift reports only the error if the unreadable stack is the only selected stack", async () => {
      const alone = await stack.cli("drift", "--json", "--stack", "prod");
      expect(alone.code).toBe(1);
      expect(JSON.parse(alone.stdout)).toEqual({ error: { code: "unauthorized", message: expect.stringContaining("401") } });
      await stack.secret("endpoint-monitoring:token", "emulator-token", "prod");
    });
  });

  it("drift --fix keeps unmanaged records", async () => {
    const before = stack.state()["byLabel"]?.id;
    const run = await stack.cli("drift", "--json", "--fix", "--stack", "dev");
    // The unmanaged records still exist.
    expect(run.code).toBe(2);
    expect(lines(report(run))).toEqual([...unmanaged, ...unmanagedOfOthers]);
    const { fixed } = report(run);
    expect(fixed?.resources.map(({ name, how }) => `${name} ${how}`).toSorted()).toEqual(
      [...kinds.map(({ className }) => `${className} created again`), "byLabel followed", "label-a created again"].toSorted(),
    );
    const now = stack.state();
    expect(now["byLabel"]?.id).not.toBe(before);
    expect(await stack.stored("dynamic-tests", now["byLabel"]?.id ?? "")).toMatchObject({
      endpointAgentLabels: [now["label-a"]?.id],
    });
    expect(await stack.cli("drift", "--no-unmanaged", "--stack", "dev", "--stack", "prod")).toMatchObject({ code: 2 });
    expect(await stack.preview()).toEqual([]);
  });

  it("drift reports an unavailable service in one line", async () => {
    stack.configure({ baseUrl: "http://127.0.0.1:9" }, "dev");
    const down = await stack.cli("drift", "--stack", "dev");
    expect(down).toMatchObject({ code: 1, stdout: "" });
    expect(down.stderr).toContain("127.0.0.1:9");
    stack.configure({ baseUrl: null }, "dev");
    const unset = await stack.cli("drift", "--stack", "dev");
    expect(unset).toMatchObject({ code: 1, stdout: "" });
    expect(unset.stderr).toContain("pulumi config set endpoint-monitoring:baseUrl");
    expect(stack.output).not.toContain("wrong-t0ken-value");
    expect(stack.output).not.toMatch(/^\s+at .*:\d+:\d+/m);
  });
});

describe("drift in a stack without resources", () => {
  let stack: Stack;
  beforeAll(async () => {
    stack = await Stack.start();
  });
  afterAll(() => stack.end());

  it("drift reports all records as unmanaged before a stack's first update", async () => {
    expect(await stack.cli("drift")).toMatchObject({
      code: 0,
      stdout: expect.stringContaining("No drift: 0 resources of 1 stack"),
    });
    await stack.api("POST", "/v7/endpoint/labels", label("By hand").args);
    expect(lines(report(await stack.cli("drift", "--json")))).toEqual(["? label By hand"]);
  });

  it("drift sends no requests for a stack with only other providers' resources", async () => {
    await stack.add("plain");
    stack.configure({ baseUrl: null, token: null }, "plain");
    const program = readFileSync(join(stack.folder, "index.js"), "utf8");
    stack.write(`
      const pulumi = require("@pulumi/pulumi");
      class Other extends pulumi.dynamic.Resource {
        constructor(name) { super({ create: async () => ({ id: "1", outs: {} }) }, name, {}); }
      }
      new Other("other");
    `);
    await stack.must("up", "--yes", "--skip-preview", "--stack", "plain");
    stack.write(program);
    await stack.requests();
    const run = await stack.cli("drift", "--json", "--stack", "plain");
    expect(run.code).toBe(0);
    expect(report(run)).toMatchObject({ drift: false, stacks: [{ stack: "plain", resources: 0 }], unmanaged: [], unseen: [] });
    expect(await stack.requests()).toEqual({});
  });

  it("drift reports a project without a stack", async () => {
    rmSync(join(stack.folder, "backend/.pulumi/stacks/test"), { recursive: true });
    const run = await stack.cli("drift");
    expect(run).toMatchObject({ code: 1, stdout: "" });
    expect(run.stderr).toBe("endpoint-monitoring drift: Project test has no stack yet: run `pulumi stack init`.\n");
  });
});
