import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { door, lines, report, until } from "./support/drift";
import { Stack, type StateResource } from "./support/stack";

const aToS = "/v7/endpoint/tests/scheduled-tests/agent-to-server";

const source = `import * as pulumi from "@pulumi/pulumi";
import { AgentToServerTest, DynamicTest, HttpServerTest, Label } from "pulumi-endpoint-monitoring";

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

describe("accepting what the service holds", () => {
  let stack: Stack;
  let state: Record<string, StateResource>;
  const file = (): string => join(stack.folder, "index.ts");
  const text = (): string => readFileSync(file(), "utf8");
  const id = (name: string): string => state[name]?.id ?? "";

  beforeAll(async () => {
    stack = await Stack.start({}, "typescript");
    writeFileSync(file(), source);
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
    // What only a create takes: the next update would replace the test.
    await door(stack, "agent-to-server-tests", id("vpn"), { endpointAgentLabels: [id("branch")], maxMachines: 7 });
    await door(stack, "dynamic-tests", id("meetings"), { maxMachines: 100, isPrioritized: true });
    await stack.api("PATCH", `${aToS}/${id("computed")}`, { interval: 900 });
    await stack.api("PATCH", `${aToS}/${id("partly")}`, { interval: 900, port: 8443 });
    await stack.api("PATCH", `${aToS}/${id("edited")}`, { interval: 900 });
    await door(stack, "http-server-tests", id("portal"), { username: "other-s3cret" });
    await stack.api("DELETE", `/v7/endpoint/labels/${id("gone")}`);
    await stack.api("POST", "/v7/endpoint/labels", { name: "By hand", matchType: "and", filters: [] });
  }, 300_000);
  afterAll(() => stack.end());

  it("writes what can be placed whole, and says where and why the rest can't", async () => {
    // A change of the program that waits: the resource's drift is not accepted over it.
    writeFileSync(file(), source.replace('"Edited", server', '"Edited anew", server'));
    const run = await stack.cli("drift", "--accept", "--json");
    expect({ code: run.code, stderr: run.stderr }).toMatchObject({ code: 2 });
    const { accepted } = report(run);
    expect(accepted?.failures).toEqual([]);
    expect(accepted?.files).toEqual(["index.ts"]);
    expect(accepted?.resources.map(({ name, how, properties }) => `${name} ${how}: ${properties.join(",")}`)).toEqual([
      "office accepted: color,filters",
      "vpn accepted: endpointAgentLabels,maxMachines",
      "meetings accepted: maxMachines,isPrioritized",
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
        reason: expect.stringContaining("the program changes it in another way too"),
        text: expect.stringContaining('"edited"'),
      },
      { name: "gone", reason: "it has gone: delete its declaration, or --mend creates it again", text: expect.any(String) },
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
  }, 300_000);

  it("then the preview has nothing to do for what was accepted, and drift finds nothing in it", async () => {
    const steps = await stack.preview();
    expect(steps.map(({ op, name }) => `${op} ${name}`)).toEqual(["update edited"]);
    expect(lines(report(await stack.cli("drift", "--json")))).toEqual([
      "? label By hand",
      "dev - gone",
      "dev ~ computed interval",
      "dev ~ edited interval",
      "dev ~ partly interval,port",
      "dev ~ portal username",
    ]);
    const now = stack.state();
    for (const name of ["office", "vpn", "meetings"]) expect(now[name]?.id).toBe(id(name));
  }, 300_000);

  it("done again changes nothing, and takes up what a person has put in its place", async () => {
    const before = text();
    const again = await stack.cli("drift", "--accept", "--json");
    expect(report(again).accepted).toMatchObject({ resources: [], files: [] });
    expect(text()).toBe(before);
    // The program says what is real already, the state does not: as after an interruption.
    writeFileSync(
      file(),
      before.replace(
        '"Computed", server: "www.example.com", interval: minutes(1)',
        '"Computed", server: "www.example.com", interval: 900',
      ),
    );
    const run = await stack.cli("drift", "--accept", "--json");
    expect(report(run).accepted).toMatchObject({ resources: [{ name: "computed" }], files: [] });
    expect((await stack.preview()).map(({ name }) => name)).toEqual(["edited"]);
    expect(lines(report(await stack.cli("drift", "--json", "--no-unmanaged")))).not.toContain("dev ~ computed interval");
  }, 300_000);

  it("tells it on the terminal and in Markdown, and no secret anywhere", async () => {
    const { stdout, code } = await stack.cli("drift", "--accept", "--markdown", "drift.md");
    expect(code).toBe(2);
    expect(stdout).toContain("Accepted: 0 resources");
    expect(stdout).toMatch(/ {2}agent-to-server test partly of stack dev \(index\.ts:\d+\): interval /);
    expect(stdout).toContain("`endpoint-monitoring import` takes over what is unmanaged");
    expect(readFileSync(join(stack.folder, "drift.md"), "utf8")).toContain("### Left as they are");
    for (const secret of ["s3cret-user", "s3cret-password", "other-s3cret"]) {
      expect(stack.output).not.toContain(secret);
      expect(text()).not.toContain(secret);
    }
  }, 300_000);

  it("puts the source back where the program does not run", async () => {
    await stack.api("PATCH", `/v7/endpoint/labels/${id("branch")}`, { color: "#bb0000" });
    const broken = `${text()}throw new Error("not today");\n`;
    writeFileSync(file(), broken);
    const run = await stack.cli("drift", "--accept", "--json");
    expect(run.code).toBe(1);
    expect(report(run).accepted?.failures[0]).toMatch(/^The program of stack dev can't be previewed: .*not today/);
    expect(report(run).accepted?.resources).toEqual([]);
    expect(text()).toBe(broken);
    expect(lines(report(run))).toContain("dev ~ branch color");
  }, 300_000);
});

describe("accepting that is interrupted", () => {
  let stack: Stack;
  beforeAll(async () => {
    stack = await Stack.start({}, "typescript");
  }, 300_000);
  afterAll(() => stack.end());

  it("while the engine looks at the edited program, puts the source back and ends with 130", async () => {
    const file = join(stack.folder, "index.ts");
    const program = `import { Label } from "pulumi-endpoint-monitoring";

new Label("one", { name: "One", matchType: "and", filters: [] });
`;
    writeFileSync(file, program);
    await stack.up();
    const id = stack.state()["one"]?.id ?? "";
    await stack.api("PATCH", `/v7/endpoint/labels/${id}`, { color: "#00aa00" });
    const started = stack.startCli("drift", "--accept", "--json");
    await until("the edited source", () => readFileSync(file, "utf8") !== program);
    // The engine has begun: before that there is nobody to pass Ctrl+C on to.
    await new Promise((resolve) => setTimeout(resolve, 500));
    expect(readFileSync(file, "utf8")).toContain("#00aa00");
    started.kill("SIGINT");
    const run = await started.ended;
    expect({ code: run.code, stderr: run.stderr }).toMatchObject({ code: 130 });
    expect(readFileSync(file, "utf8")).toBe(program);
    expect(lines(report(await stack.cli("drift", "--json")))).toEqual(["dev ~ one color"]);
    // Killed there, it would be taken up by the next one: the program says what is real already.
    writeFileSync(file, program.replace("filters: []", 'filters: [], color: "#00aa00"'));
    expect(await stack.cli("drift", "--accept")).toMatchObject({ code: 0 });
    expect(await stack.preview()).toEqual([]);
  }, 300_000);
});

describe("accepting in a program of two stacks", () => {
  let stack: Stack;
  const text = (): string => readFileSync(join(stack.folder, "index.ts"), "utf8");
  const program = `import { Label } from "pulumi-endpoint-monitoring";

new Label("shared", { name: "Shared", matchType: "and", filters: [] });
`;
  const labels: Record<string, string> = {};

  beforeAll(async () => {
    stack = await Stack.start({}, "typescript");
    writeFileSync(join(stack.folder, "index.ts"), program);
    await stack.up();
    labels["dev"] = stack.state()["shared"]?.id ?? "";
    await stack.must("stack", "init", "prod");
    stack.configure({ baseUrl: stack.emulator.url, accountGroupId: "1002" });
    await stack.secret("endpoint-monitoring:token", "emulator-token");
    await stack.up();
    labels["prod"] = stack.state()["shared"]?.id ?? "";
  }, 300_000);
  afterAll(() => stack.end());

  it.each([[[]], [["--stack", "dev"]]])(
    "what only one of them holds is not written for both: %j",
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

  it("what both hold is written once, and both states follow", async () => {
    await stack.api("PATCH", `/v7/endpoint/labels/${labels["prod"]}?aid=1002`, { color: "#00aa00" });
    const run = await stack.cli("drift", "--accept", "--json");
    expect({ code: run.code, stderr: run.stderr }).toMatchObject({ code: 0 });
    expect(report(run).accepted?.resources.map((one) => `${one.stack} ${one.name}`)).toEqual(["dev shared", "prod shared"]);
    expect(text()).toBe(program.replace("filters: []", 'filters: [], color: "#00aa00"'));
    for (const name of ["dev", "prod"]) {
      await stack.must("stack", "select", name);
      expect(await stack.preview()).toEqual([]);
    }
    expect(await stack.cli("drift")).toMatchObject({ code: 0 });
  }, 300_000);
});
