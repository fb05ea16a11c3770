import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { door, lines, report } from "./support/drift";
import { Stack, type StateResource } from "./support/stack";

const aToS = "/v7/endpoint/tests/scheduled-tests/agent-to-server";

const source = `import * as pulumi from "@pulumi/pulumi";
import { AgentToServerTest, DynamicTest, HttpServerTest, Label } from "pulumi-endpoint-monitoring/native";

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

describe("drift --accept", () => {
  let stack: Stack;
  let state: Record<string, StateResource>;
  const file = (): string => join(stack.folder, "index.ts");
  const text = (): string => readFileSync(file(), "utf8");
  const id = (name: string): string => state[name]?.id ?? "";

  beforeAll(async () => {
    stack = await Stack.start({}, "typescript");
    stack.take("native");
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
    // Create-only properties: the next update would replace the test.
    await door(stack, "agent-to-server-tests", id("vpn"), { endpointAgentLabels: [id("branch")], maxMachines: 7 });
    await door(stack, "dynamic-tests", id("meetings"), { maxMachines: 100, isPrioritized: true });
    await stack.api("PATCH", `${aToS}/${id("computed")}`, { interval: 900 });
    await stack.api("PATCH", `${aToS}/${id("partly")}`, { interval: 900, port: 8443 });
    await stack.api("PATCH", `${aToS}/${id("edited")}`, { interval: 900 });
    await door(stack, "http-server-tests", id("portal"), { username: "other-s3cret" });
    await stack.api("DELETE", `/v7/endpoint/labels/${id("gone")}`);
    await stack.api("POST", "/v7/endpoint/labels", { name: "By hand", matchType: "and", filters: [] });
  });
  afterAll(() => stack.end());

  it("drift --accept accepts either all changes to a resource or none", async () => {
    // A pending change of the program: accepting drift must not overwrite it.
    writeFileSync(file(), source.replace('"Edited", server', '"Edited anew", server'));
    const run = await stack.cli("drift", "--accept", "--json");
    expect({ code: run.code, stderr: run.stderr }).toMatchObject({ code: 2 });
    const { accepted } = report(run);
    expect(accepted?.failures).toEqual([]);
    expect(accepted?.files).toEqual(["index.ts"]);
    expect(
      accepted?.resources.map(({ name, how, properties }) => `${name} ${how}: ${properties.join(",")}`).toSorted(),
    ).toEqual([
      "meetings accepted: maxMachines,isPrioritized",
      "office accepted: color,filters",
      "vpn accepted: endpointAgentLabels,maxMachines",
    ]);
    const linesNow = text().split("\n");
    const notAccepted = accepted?.left.map(({ name, reason, position }) => ({
      name,
      reason,
      text: linesNow[(position?.line ?? 0) - 1],
    }));
    expect(notAccepted?.toSorted((a, b) => (a.name < b.name ? -1 : 1))).toEqual([
      { name: "computed", reason: expect.stringMatching(/^interval /), text: expect.stringContaining('"computed"') },
      {
        name: "edited",
        reason: expect.stringContaining("the program also changes this resource"),
        text: expect.stringContaining('"edited"'),
      },
      {
        name: "gone",
        reason: "the record no longer exists: delete its declaration, or recreate the record with --fix",
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
  });

  it("a second drift --accept accepts only the resource that a user edited in the program", async () => {
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
    expect(stdout).toContain("Drift: 3 changed, 1 missing, 1 unmanaged\n");
    expect(stdout).toMatch(/ {2}agent-to-server test partly of stack dev \(index\.ts:\d+\): interval /);
    expect(stdout).toMatch(/ {2}agent-to-server test edited of stack dev \(index\.ts:\d+\): /);
    expect(stdout).toMatch(/ {2}HTTP server test portal of stack dev \(index\.ts:\d+\): /);
    expect(stdout).toContain("`endpoint-monitoring import` imports unmanaged records");
    expect(readFileSync(join(stack.folder, "drift.md"), "utf8")).toContain("### Not changed");
    for (const secret of ["s3cret-user", "s3cret-password", "other-s3cret"]) {
      expect(stack.output).not.toContain(secret);
      expect(text()).not.toContain(secret);
    }
  });

  it("a preview after drift --accept shows no changes to accepted resources", async () => {
    const steps = await stack.preview();
    expect(steps.map(({ op, name }) => `${op} ${name}`)).toEqual(["update edited"]);
    const now = stack.state();
    for (const name of ["office", "vpn", "meetings"]) expect(now[name]?.id).toBe(id(name));
  });

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
      "dev ~ partly interval,port",
      "dev ~ portal username",
    ]);
  });
});
