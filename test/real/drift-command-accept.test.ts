import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { RecordKindName } from "../../provider/registry";
import { compilerSays } from "./support/checked";
import { door, lines, report, until } from "./support/drift";
import { Stack, type StateResource } from "./support/stack";

const aToS = "/v7/endpoint/tests/scheduled-tests/agent-to-server";
const httpTests = "/v7/endpoint/tests/scheduled-tests/http-server";

const source = `import * as pulumi from "@pulumi/pulumi";
import { AgentToServerTest, DynamicTest, HttpServerTest, Label } from "pulumi-endpoint-monitoring";
import "./shapes";

const config = new pulumi.Config();
const minutes = (count: 1 | 5): 60 | 300 => (count === 1 ? 60 : 300);

// Who is in the office.
export const office = new Label("office", {
  name: "Office", // as the building is called
  matchType: "or",
  filters: [{ key: "ssid", values: ["corp-*"] }],
});
const branch = new Label("branch", { name: "Branch", matchType: "and", filters: [] });

const vpn = new AgentToServerTest("vpn", {
  testName: "VPN",
  server: "vpn.example.com",
  agentSelectorType: "agent-labels",
  endpointAgentLabels: [office.id],
});
new DynamicTest('meetings', { testName: 'Meetings', application: 'webex', maxMachines: 25 })

new AgentToServerTest("computed", { testName: "Computed", server: "www.example.com", interval: minutes(1) });
new AgentToServerTest("partly", { testName: "Partly", server: "www.example.com", interval: minutes(1), port: 443 });
new HttpServerTest("portal", {
  testName: "Portal",
  url: "https://www.example.com",
  authType: "basic",
  username: config.requireSecret("user"),
  password: config.requireSecret("password"),
});
new AgentToServerTest("edited", { testName: "Edited", server: "www.example.com" });
new Label("gone", { name: "Gone", matchType: "and", filters: [] });
`;

const shapes = `import * as pulumi from "@pulumi/pulumi";
import { HttpServerTest, Label } from "pulumi-endpoint-monitoring";
import { sites } from "./sites";

const config = new pulumi.Config();
const defaults = { interval: 60, isEnabled: true } as const;
const domain = "example.com";
const color = "#aaaaaa";

for (const { name, url } of sites) new HttpServerTest(name, { ...defaults, testName: name, url });
for (const [name, ssid] of Object.entries({ floor1: "f1-*", floor2: "f2-*" })) {
  new Label(name, { name, matchType: "or", filters: [{ key: "ssid", values: [ssid] }] });
}
const path = (name: string, rest: string) =>
  new HttpServerTest(name, { testName: name, url: \`https://\${domain}/\${name}\`, interval: defaults.interval, username: rest });
["one", "two"].map((name) => path(name, "me"));
new Label("colored", { name: "colored", color, matchType: "or", filters: [] });
new HttpServerTest("named", { testName: config.get("named") ?? "Named", url: "https://named.example.com" });
`;
const sites = `export const sites = [
\t{ name: 'north', url: 'https://north.example.com' }, // far
\t{ name: 'south', url: 'https://south.example.com' }
]
`;

describe("drift --accept", () => {
  let stack: Stack;
  let state: Record<string, StateResource>;
  const file = (): string => join(stack.folder, "index.ts");
  const text = (): string => readFileSync(file(), "utf8");
  const id = (name: string): string => state[name]?.id ?? "";

  beforeAll(async () => {
    stack = await Stack.start({}, "typescript");
    writeFileSync(file(), source);
    writeFileSync(join(stack.folder, "shapes.ts"), shapes);
    writeFileSync(join(stack.folder, "sites.ts"), sites);
    await stack.secret("user", "s3cret-user");
    await stack.secret("password", "s3cret-password");
    await stack.up();
    state = stack.state();
    await stack.api("PATCH", `/v7/endpoint/labels/${id("office")}`, {
      color: "#00aa00",
      filters: [
        { key: "ssid", values: ["corp-*"] },
        { key: "hostname", mode: "not-in", values: ["lab-*"] },
      ],
    });
    // Create-only properties: the next update would replace the test.
    await door(stack, "agent-to-server-tests", id("vpn"), { endpointAgentLabels: [id("branch")], maxMachines: 7 });
    await door(stack, "dynamic-tests", id("meetings"), { maxMachines: 100, isPrioritized: true });
    await stack.api("PATCH", `${aToS}/${id("computed")}`, { interval: 900 });
    await stack.api("PATCH", `${aToS}/${id("partly")}`, { interval: 900, port: 8443 });
    await stack.api("PATCH", `${aToS}/${id("edited")}`, { interval: 900 });
    await door(stack, "http-server-tests", id("portal"), { username: "other-s3cret" });
    // Edits typical shapes of programs: all that spread the defaults, and all that name a member of them.
    for (const name of ["north", "south", "one", "two"])
      await stack.api("PATCH", `${httpTests}/${id(name)}`, { interval: 300 });
    await stack.api("PATCH", `${httpTests}/${id("south")}`, { url: "https://south.example.org" });
    await stack.api("PATCH", `/v7/endpoint/labels/${id("floor2")}`, { filters: [{ key: "ssid", values: ["f2-*", "guest"] }] });
    await stack.api("PATCH", `/v7/endpoint/labels/${id("colored")}`, { color: "#bbbbbb" });
    await stack.api("PATCH", `${httpTests}/${id("named")}`, { testName: "It's named" });
    await stack.api("DELETE", `/v7/endpoint/labels/${id("gone")}`);
    await stack.api("POST", "/v7/endpoint/labels", { name: "By hand", matchType: "and", filters: [] });
  }, 300_000);
  afterAll(() => stack.end());

  it("drift --accept accepts either all changes of a resource or none", async () => {
    // A pending change of the program: accepting drift must not overwrite it.
    writeFileSync(file(), source.replace('"Edited", server', '"Edited anew", server'));
    const run = await stack.cli("drift", "--accept", "--json");
    expect({ code: run.code, stderr: run.stderr }).toMatchObject({ code: 2 });
    const { accepted } = report(run);
    expect(accepted?.failures).toEqual([]);
    expect(accepted?.files.toSorted()).toEqual(["index.ts", "shapes.ts", "sites.ts"]);
    expect(
      accepted?.resources.map(({ name, how, properties }) => `${name} ${how}: ${properties.join(",")}`).toSorted(),
    ).toEqual([
      "colored accepted: color",
      "meetings accepted: maxMachines,isPrioritized",
      "north accepted: interval",
      "office accepted: color,filters",
      "one accepted: interval",
      expect.stringMatching(/^south accepted: (url,interval|interval,url)$/),
      "two accepted: interval",
      "vpn accepted: endpointAgentLabels,maxMachines",
    ]);
    const linesNow = text().split("\n");
    const left = accepted?.left.map(({ name, reason, position }) => ({
      name,
      reason,
      text: linesNow[(position?.line ?? 0) - 1],
    }));
    expect(left?.toSorted((a, b) => (a.name < b.name ? -1 : 1))).toEqual([
      { name: "computed", reason: expect.stringMatching(/^interval /), text: expect.stringContaining('"computed"') },
      {
        name: "edited",
        reason: expect.stringContaining("the program also changes this resource"),
        text: expect.stringContaining('"edited"'),
      },
      {
        name: "floor2",
        reason:
          "filters is shared with floor1, which has not drifted to the same value: " +
          'write filters: [{ key: "ssid", mode: "in", values: ["f2-*", "guest"] }] by hand',
        text: expect.any(String),
      },
      {
        name: "gone",
        reason: "the record no longer exists: delete its declaration, or recreate the record with --fix",
        text: expect.any(String),
      },
      {
        name: "named",
        reason: "testName comes from the configuration (named): run `pulumi config set --stack dev named 'It'\\''s named'`",
        text: expect.any(String),
      },
      { name: "partly", reason: expect.stringMatching(/^interval /), text: expect.stringContaining('"partly"') },
      { name: "portal", reason: expect.stringContaining("username is secret"), text: expect.any(String) },
    ]);
    expect(text()).toBe(
      source
        .replace('"Edited", server', '"Edited anew", server')
        .replace(
          '  filters: [{ key: "ssid", values: ["corp-*"] }],\n});',
          '  filters: [{ key: "ssid", values: ["corp-*"] }, { key: "hostname", mode: "not-in", values: ["lab-*"] }],\n  color: "#00aa00",\n});',
        )
        .replace("endpointAgentLabels: [office.id],", "endpointAgentLabels: [branch.id],\n  maxMachines: 7,")
        .replace("maxMachines: 25 })", "maxMachines: 100, isPrioritized: true })"),
    );
    // In typical shapes of programs.
    expect(readFileSync(join(stack.folder, "shapes.ts"), "utf8")).toBe(
      shapes.replace("interval: 60", "interval: 300").replace("#aaaaaa", "#bbbbbb"),
    );
    expect(readFileSync(join(stack.folder, "sites.ts"), "utf8")).toBe(sites.replace("south.example.com", "south.example.org"));
  }, 300_000);

  it("a second drift --accept accepts only a user's edits", async () => {
    // The program already has the service's value, and the state does not, as after an interruption.
    writeFileSync(
      file(),
      text().replace(
        '"Computed", server: "www.example.com", interval: minutes(1)',
        '"Computed", server: "www.example.com", interval: 900',
      ),
    );
    const before = text();
    const { stdout, code } = await stack.cli("drift", "--accept", "--markdown", "drift.md");
    expect(code).toBe(2);
    expect(text()).toBe(before);
    expect(stdout).toContain("Accepted: 1 resource\n");
    expect(stack.state()["computed"]?.inputs["interval"]).toBe(900);
    expect(stdout).toContain("Drift: 5 changed, 1 missing, 1 unmanaged\n");
    expect(stdout).toMatch(/ {2}agent-to-server test partly of stack dev \(index\.ts:\d+\): interval /);
    expect(stdout).toMatch(/ {2}agent-to-server test edited of stack dev \(index\.ts:\d+\): /);
    expect(stdout).toMatch(/ {2}HTTP server test portal of stack dev \(index\.ts:\d+\): /);
    expect(stdout).toContain("`endpoint-monitoring import` imports unmanaged records");
    expect(readFileSync(join(stack.folder, "drift.md"), "utf8")).toContain("### Not changed");
    for (const secret of ["s3cret-user", "s3cret-password", "other-s3cret"]) {
      expect(stack.output).not.toContain(secret);
      expect(text()).not.toContain(secret);
    }
  }, 300_000);

  it("a preview after drift --accept shows no changes of accepted resources", async () => {
    const steps = await stack.preview();
    expect(steps.map(({ op, name }) => `${op} ${name}`)).toEqual(["update edited"]);
    const now = stack.state();
    for (const name of ["office", "vpn", "meetings"]) expect(now[name]?.id).toBe(id(name));
  }, 300_000);

  it("drift --accept restores the source if the program fails", async () => {
    await stack.api("PATCH", `/v7/endpoint/labels/${id("branch")}`, { color: "#bb0000" });
    const broken = `${text()}throw new Error("not today");\n`;
    writeFileSync(file(), broken);
    const run = await stack.cli("drift", "--accept", "--json");
    expect(run.code).toBe(1);
    expect(report(run).accepted?.failures[0]).toMatch(/^The program of stack dev cannot be previewed: .*not today/);
    expect(report(run).accepted?.resources).toEqual([]);
    expect(text()).toBe(broken);
    // All remaining drift, and new drift.
    expect(lines(report(run))).toEqual([
      "? label By hand",
      "dev - gone",
      "dev ~ branch color",
      "dev ~ edited interval",
      "dev ~ floor2 filters",
      "dev ~ named testName",
      "dev ~ partly interval,port",
      "dev ~ portal username",
    ]);
    writeFileSync(file(), broken.replace('throw new Error("not today");\n', ""));
  }, 300_000);

  it("an update with the recommended configuration changes only resources that drift did not accept", async () => {
    await stack.must("config", "set", "--stack", "dev", "named", "It's named");
    // In addition to resources that were left for other reasons.
    const others = new Set(["branch", "edited", "gone", "partly", "portal"]);
    const steps = (await stack.preview("--refresh")).filter(({ op, name }) => op !== "refresh" && !others.has(name));
    expect(steps.map(({ op, name }) => `${op} ${name}`)).toEqual(["update floor2"]);
  }, 300_000);
});

/** Twenty resources in typical shapes of programs. */
const fleet = `import * as pulumi from "@pulumi/pulumi";
import { AgentToServerTest, DynamicTest, HttpServerTest, Label } from "pulumi-endpoint-monitoring";

const config = new pulumi.Config();
const domain = "example.com";
const color = "#aaaaaa";
const defaults = { isEnabled: true } as const;
const sites = [
  { name: "north", url: "https://north.example.com/" },
  { name: "south", url: "https://south.example.com/" }, // far
  { name: "east", url: "https://east.example.com/" },
  { name: "west", url: "https://west.example.com/" },
  { name: "hub", url: "https://hub.example.com/" },
  { name: "edge", url: "https://edge.example.com/" },
];
const floors = { floor1: "#000001", floor2: "#000002", floor3: "#000003" };

class Branch extends pulumi.ComponentResource {
  constructor(name: string, interval: 60 | 120 | 300 | 600 | 900) {
    super("test:index:Branch", name);
    new AgentToServerTest(name, { testName: name, server: "vpn.example.com", interval }, { parent: this });
  }
}
const page = (name: string, testName: string) =>
  new HttpServerTest(name, { ...defaults, testName, url: \`https://\${domain}/\${name}\` });

for (const { name, url } of sites) new HttpServerTest(name, { ...defaults, testName: name, url });
for (const [name, own] of Object.entries(floors)) new Label(name, { name, color: own, matchType: "or", filters: [] });
new Branch("lisbon", 60);
new Branch("oslo", 120);
new Branch("paris", 300);
page("start", "Start");
page("help", "Help");
page("jobs", "Jobs");
new Label("colored", { name: "Colored", color, matchType: "or", filters: [] });
new Label("empty", { name: "Empty", matchType: "or", filters: [] });
new DynamicTest("meetings", { testName: "Meetings", application: "webex" });
new HttpServerTest("portal", { testName: "Portal", url: \`https://portal.\${domain}/\` });
new HttpServerTest("named", { testName: config.get("named") ?? "Named", url: "https://named.example.com/" });
`;

interface ChangeByHand {
  kind: RecordKindName;
  property: string;
  /** Returns the value, which is the same for both stacks or different. */
  value: (stack: string) => unknown;
  /** The edit of the program that accepts the change, or undefined if the stacks differ. */
  edit?: [from: string, to: string];
}

const site = (name: string): ChangeByHand => ({
  kind: "httpServerTest",
  property: "url",
  // The service adds the port, which programs omit.
  value: () => `https://${name}.example.org:443/live`,
  edit: [`https://${name}.example.com/`, `https://${name}.example.org/live`],
});
const own = (kind: RecordKindName, property: string, dev: unknown, prod: unknown): ChangeByHand => ({
  kind,
  property,
  value: (stack) => (stack === "dev" ? dev : prod),
});
const same = (kind: RecordKindName, property: string, value: unknown, ...edit: [string, string]): ChangeByHand => ({
  kind,
  property,
  value: () => value,
  edit,
});

/** Changes of each of the two stacks in the service, by resource. */
const changesByHand: Record<string, ChangeByHand> = {
  north: site("north"),
  south: site("south"),
  east: site("east"),
  west: site("west"),
  hub: own("httpServerTest", "url", "https://hub-dev.example.org:443/live", "https://hub-prod.example.org:443/live"),
  edge: own("httpServerTest", "url", "https://edge-dev.example.org:443/live", "https://edge-prod.example.org:443/live"),
  floor1: same("label", "color", "#0000a1", "#000001", "#0000a1"),
  floor2: same("label", "color", "#0000a2", "#000002", "#0000a2"),
  floor3: own("label", "color", "#0000d3", "#0000e3"),
  lisbon: same("agentToServerTest", "interval", 900, '"lisbon", 60', '"lisbon", 900'),
  oslo: same("agentToServerTest", "interval", 600, '"oslo", 120', '"oslo", 600'),
  paris: own("agentToServerTest", "interval", 600, 900),
  start: same("httpServerTest", "testName", "Welcome", '"Start"', '"Welcome"'),
  help: same("httpServerTest", "testName", "Help desk", '"Help"', '"Help desk"'),
  jobs: own("httpServerTest", "testName", "Jobs of dev", "Jobs of prod"),
  colored: same("label", "color", "#0000c1", '"#aaaaaa"', '"#0000c1"'),
  empty: same("label", "name", "Nobody", '"Empty"', '"Nobody"'),
  meetings: same("dynamicTest", "testName", "Calls", '"Meetings"', '"Calls"'),
  portal: same(
    "httpServerTest",
    "url",
    "https://intranet.example.com:443/start",
    "`https://portal.${domain}/`",
    '"https://intranet.example.com/start"',
  ),
  named: own("httpServerTest", "testName", "Named by dev", "Named by prod"),
};

describe("drift --accept in a program with two stacks", () => {
  let stack: Stack;
  const text = (): string => readFileSync(join(stack.folder, "index.ts"), "utf8");
  const program = `import { Label } from "pulumi-endpoint-monitoring";
import "./fleet";

new Label("shared", { name: "Shared", matchType: "and", filters: [] });
`;
  const labels: Record<string, string> = {};
  const states = () => ["dev", "prod"].map((name) => stack.state(name)["shared"]);

  beforeAll(async () => {
    stack = await Stack.start({}, "typescript");
    writeFileSync(join(stack.folder, "index.ts"), program);
    writeFileSync(join(stack.folder, "fleet.ts"), fleet);
    await stack.add("prod");
    stack.configure({ accountGroupId: "1002" }, "prod");
    for (const name of ["dev", "prod"]) {
      stack.select(name);
      await stack.up();
      labels[name] = stack.state()["shared"]?.id ?? "";
    }
  }, 300_000);
  afterAll(() => stack.end());

  it.each([[["--all-stacks"]], [["--stack", "dev"]]])(
    "drift --accept does not accept a value that only one of two stacks has: %j",
    async (args) => {
      await stack.api("PATCH", `/v7/endpoint/labels/${labels["dev"]}?aid=1001`, { color: "#00aa00" });
      const run = await stack.cli("drift", "--accept", "--json", "--no-unmanaged", ...args);
      expect(run.code).toBe(2);
      expect(report(run).accepted).toMatchObject({ resources: [], files: [], left: [{ stack: "dev", name: "shared" }] });
      expect(report(run).accepted?.left[0]?.reason).toContain("dev, prod");
      expect(text()).toBe(program);
    },
    300_000,
  );

  it("after an interrupt, drift --accept restores the source and exits with code 130", async () => {
    await stack.api("PATCH", `/v7/endpoint/labels/${labels["dev"]}?aid=1001`, { color: "#00aa00" });
    await stack.api("PATCH", `/v7/endpoint/labels/${labels["prod"]}?aid=1002`, { color: "#00aa00" });
    const before = states();
    const started = stack.startCli("drift", "--all-stacks", "--accept", "--json");
    await until("the edited source", () => text() !== program);
    // The engine has started. Before that, Ctrl+C would not reach it.
    await new Promise((resolve) => setTimeout(resolve, 500));
    expect(text()).toContain("#00aa00");
    started.kill("SIGINT");
    const run = await started.ended;
    expect({ code: run.code, stderr: run.stderr }).toMatchObject({ code: 130 });
    expect(text()).toBe(program);
    expect(states()).toEqual(before);
  }, 300_000);

  it("drift --accept edits equal changes of both stacks only once", async () => {
    const stacks = [
      { name: "dev", aid: 1001 },
      { name: "prod", aid: 1002 },
    ];
    const inputs = () => stacks.map(({ name }) => new Map(stack.resources(name).map((one) => [one.name, one.inputs])));
    const before = inputs();
    const all = Object.entries(changesByHand);
    let changed = 0;
    for (const { name, aid } of stacks) {
      const held = stack.state(name);
      for (const [of, { kind, property, value }] of all) {
        await stack.change(kind, held[of]?.id ?? "", { [property]: value(name) }, `?aid=${aid}`);
        changed += 1;
      }
    }
    expect(changed).toBe(40);
    const run = await stack.cli("drift", "--all-stacks", "--accept", "--json", "--no-unmanaged");
    expect({ code: run.code, stderr: run.stderr }).toMatchObject({ code: 2 });
    const { accepted } = report(run);
    const each = (some: readonly string[]) => stacks.flatMap(({ name }) => some.map((of) => `${name} ${of}`)).toSorted();
    const both = all.filter(([, { edit }]) => edit);
    const differing = all.filter(([, { edit }]) => !edit);
    expect([both.length, differing.length, accepted?.failures]).toEqual([14, 6, []]);
    // The changes of the interrupted run in both stacks appear again.
    expect(accepted?.resources.map((one) => `${one.stack} ${one.name}`).toSorted()).toEqual(
      each(["shared", ...both.map(([of]) => of)]),
    );
    expect(accepted?.left.map((one) => `${one.stack} ${one.name}`).toSorted()).toEqual(each(differing.map(([of]) => of)));
    // Each of the others is reported with its position, and the command or value for its own stack.
    for (const { stack: of, name, reason, position } of accepted?.left ?? []) {
      expect([name, position?.file]).toEqual([name, "fleet.ts"]);
      expect(reason).toContain(`pulumi config set --stack ${of} `);
      expect(reason).toContain(String(changesByHand[name]?.value(of)).replace(":443", ""));
    }
    expect(text()).toBe(program.replace("filters: []", 'filters: [], color: "#00aa00"'));
    expect(readFileSync(join(stack.folder, "fleet.ts"), "utf8")).toBe(
      both.reduce((now, [, { edit: [from, to] = ["", ""] }]) => now.replace(from, to), fleet),
    );
    expect(compilerSays(stack.folder)).toBe("");
    stack.select("prod");
    expect(await stack.preview()).toEqual([]);
    // The states contain the values that both stacks now share, and otherwise the previous ones.
    const wanted = stacks.map(({ name }, i) => {
      const now = both.map(([of, { property, value }]) => [of, { ...before[i]?.get(of), [property]: value(name) }] as const);
      const shared = ["shared", { ...before[i]?.get("shared"), color: "#00aa00" }] as const;
      return new Map([...(before[i] ?? []), ...now, shared]);
    });
    expect(inputs()).toEqual(wanted);
  }, 300_000);
});
