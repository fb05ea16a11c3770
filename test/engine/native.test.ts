/** What only the native plugin can do, and the way of a stack from one front to the other and back. */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { nativeToken, typeToken } from "../../sdk/token";
import { caseLabels, changeInPlace, kindCases, recordKinds } from "../support/kinds";
import { type Front, type Program, type StateResource, Stack } from "./support/stack";

const labels: Program = Object.fromEntries(Object.entries(caseLabels).map(([name, args]) => [name, { kind: "Label", args }]));

/** A resource of each kind of record, with a change of its own at each step. */
const programAt = (step: number): Program => ({
  ...labels,
  ...Object.fromEntries(
    recordKinds.map((name) => {
      const { className, full } = kindCases[name];
      const { property, from, to } = changeInPlace(name);
      return [className, { kind: className, args: { ...full, [property]: step % 2 === 0 ? from : to } }];
    }),
  ),
});

describe("a stack moves from dynamic providers to the plugin and back", () => {
  let stack: Stack;
  const count = Object.keys(programAt(0)).length;
  let first: Record<string, StateResource>;
  const ids = (resources: Record<string, StateResource>): Record<string, string> =>
    Object.fromEntries(Object.entries(resources).map(([name, { id }]) => [name, id]));

  beforeAll(async () => {
    stack = await Stack.start();
    stack.declare(programAt(0));
    await stack.up();
    first = stack.state();
  }, 300_000);
  afterAll(() => stack.end());

  const stations: [Front, number][] = [
    ["native", 1],
    ["dynamic", 2],
    ["native", 3],
  ];
  it.each(stations)(
    "to the %s front: nothing is replaced or lost, and an update, a refresh and drift work (step %d)",
    async (front, step) => {
      stack.take(front);
      expect(await stack.preview()).toEqual([]);
      expect(await stack.up()).toEqual({ same: count });
      const token = front === "native" ? nativeToken : typeToken;
      for (const name of recordKinds) {
        const { className } = kindCases[name];
        expect(stack.state()[className]?.urn).toContain(`::${token(className)}::`);
      }
      expect(ids(stack.state())).toEqual(ids(first));

      stack.declare(programAt(step));
      expect(await stack.up()).toEqual({ same: Object.keys(labels).length, update: recordKinds.length });
      expect(await stack.refresh()).toEqual({ same: count });
      const label = stack.state()["label-a"]?.id ?? "";
      await stack.api("PATCH", `/v7/endpoint/labels/${label}?aid=1001`, { name: "Drifted" });
      expect(await stack.refresh()).toEqual({ same: count - 1, update: 1 });
      expect(await stack.up()).toEqual({ same: count - 1, update: 1 });
      expect(ids(stack.state())).toEqual(ids(first));
    },
    300_000,
  );

  it("is destroyed in the end, and the service with it", async () => {
    await stack.destroy();
    for (const { collection } of Object.values(kindCases)) expect(await stack.ids(collection)).toEqual([]);
  }, 300_000);

  it("can be destroyed by either front after a move without an update", async () => {
    stack.take("dynamic");
    stack.declare(programAt(0));
    await stack.up();
    stack.take("native");
    await stack.up();
    stack.take("dynamic");
    await stack.up();
    await stack.destroy();
    for (const { collection } of Object.values(kindCases)) expect(await stack.ids(collection)).toEqual([]);
  }, 300_000);
});

describe("a program without the plugin", () => {
  it("says which two lines Pulumi.yaml needs, before the engine asks the network", async () => {
    const stack = await Stack.startWith("native");
    try {
      const project = join(stack.folder, "Pulumi.yaml");
      writeFileSync(project, readFileSync(project, "utf8").replace(/^packages:[^]*$/m, ""));
      stack.declare(labels);
      const run = await stack.run("preview");
      expect(run.code).not.toBe(0);
      expect(run.text).toContain("packages:\n      endpoint-monitoring: ./node_modules/pulumi-endpoint-monitoring/plugin");
      expect(run.text).not.toMatch(/^\s+at .*:\d+:\d+/m);
    } finally {
      await stack.end();
    }
  }, 60_000);
});

describe("a preview through the plugin", () => {
  let stack: Stack;
  const office = { name: "Office", matchType: "or", filters: [{ key: "platform", values: ["Mac"] }] };
  const test = {
    kind: "AgentToServerTest",
    args: {
      testName: "Gateway",
      server: "vpn.example.com",
      agentSelectorType: "agent-labels",
      endpointAgentLabels: [{ $id: "office" }],
    },
  };

  beforeAll(async () => {
    stack = await Stack.startWith("native", { agents: 80 });
    delete stack.environment["ENDPOINT_MONITORING_PREVIEW_REACH"];
    stack.declare({ office: { kind: "Label", args: office }, gateway: test });
    await stack.up();
  }, 120_000);
  afterAll(() => stack.end());

  it("shows what changes, what replaces and why, and whom it reaches", async () => {
    const filters = [{ key: "platform", values: ["Windows"] }];
    const everybody = { testName: "Gateway", server: "vpn.example.com", maxMachines: 60 };
    stack.declare({
      office: { kind: "Label", args: { ...office, filters } },
      gateway: { kind: "AgentToServerTest", args: everybody },
    });
    await stack.requests();
    const { stdout } = await stack.must("preview");
    const sent = Object.values(await stack.requests()).reduce((sum, count) => sum + count, 0);
    expect(sent).toBeLessThanOrEqual(8);
    expect(stdout).toMatch(
      /endpoint-monitoring:index:Label \(office\):\n\s+agents \d+ -> \d+ \(\+\d+, -\d+\); 1 test goes by this label/,
    );
    const underTest = stdout.split("endpoint-monitoring:index:AgentToServerTest (gateway):\n")[1] ?? "";
    expect(underTest).toMatch(/^\s+replaced because .*maxMachines 25 -> 60.*\n\s+agents \d+ -> \d+/);
    const { stdout: differences } = await stack.must("preview", "--diff");
    expect(differences).toMatch(/~ values: \[\s+~ \[0\]: "Mac" => "Windows"/);
  }, 60_000);

  it("says nothing of it when the setting is off", async () => {
    stack.configure({ previewReach: "off" });
    await stack.requests();
    const { stdout } = await stack.must("preview");
    expect(stdout).not.toMatch(/agents \d/);
    expect(await stack.requests()).toEqual({});
  }, 60_000);
});

describe("a provider of its own", () => {
  it("has its own settings, in resources and functions, and two of them work side by side", async () => {
    const stack = await Stack.startWith("native");
    try {
      stack.write(`
        const { Label, Provider, getLabelOutput } = require("pulumi-endpoint-monitoring/native");
        const settings = { baseUrl: ${JSON.stringify(stack.emulator.url)}, token: "emulator-token" };
        const office = { name: "Office", matchType: "or", filters: [] };
        for (const [name, accountGroupId] of [["eu", "1001"], ["us", "1002"]]) {
          const provider = new Provider(name, { ...settings, accountGroupId, timeout: 20 });
          const label = new Label(name, office, { provider });
          exports[name] = getLabelOutput({ id: label.id }, { provider }).apply((found) => found.name);
        }`);
      await stack.up();
      const { eu, us } = stack.state();
      expect([eu, us].map((label) => label?.outputs["accountGroupId"])).toEqual(["1001", "1002"]);
      const { stdout } = await stack.must("stack", "output", "--json");
      expect(JSON.parse(stdout)).toEqual({ eu: "Office", us: "Office" });
      expect(await stack.refresh()).toMatchObject({ same: expect.any(Number) });
      expect(await stack.preview()).toEqual([]);
      const { stdout: exported } = await stack.must("stack", "export");
      expect(exported).not.toContain("emulator-token");
      await stack.destroy();
      expect(await stack.ids("labels")).toEqual([]);
    } finally {
      await stack.end();
    }
  }, 120_000);
});
