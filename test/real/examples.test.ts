import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { repository } from "../support/process";
import { otherAreas } from "../support/kinds";
import { Stack } from "./support/stack";
import { temporary } from "../support/temporary";

interface Agent {
  id: string;
  aid: string;
  computerName: string;
}

/** A stand-in for the SDK that `pulumi package add` generates: the alert rule, through the service's operations. */
function vendorsProvider({ folder, emulator }: Stack): void {
  const modules = join(folder, "node_modules/@pulumi");
  rmSync(modules);
  mkdirSync(join(modules, "thousandeyes"), { recursive: true });
  for (const name of readdirSync(join(repository, "node_modules/@pulumi"))) {
    symlinkSync(join(repository, "node_modules/@pulumi", name), join(modules, name), "dir");
  }
  writeFileSync(
    join(modules, "thousandeyes/index.js"),
    `const pulumi = require("@pulumi/pulumi");
const url = ${JSON.stringify(emulator.url + otherAreas.alertRules.path)};
const provider = {
  ask: async (method, path, body) => {
    const headers = { authorization: "Bearer emulator-token", "content-type": "application/json" };
    const answer = await fetch(url + path, { method, headers, body: body && JSON.stringify(body) });
    if (!answer.ok) throw new Error(await answer.text());
    return answer.status === 204 ? undefined : answer.json();
  },
  async create({ __provider, ...body }) {
    const { ruleId } = await this.ask("POST", "", body);
    return { id: ruleId, outs: body };
  },
  async update(id, _old, { __provider, ...body }) {
    await this.ask("PUT", "/" + id, body);
    return { outs: body };
  },
  delete(id) {
    return this.ask("DELETE", "/" + id);
  },
};
exports.AlertRule = class AlertRule extends pulumi.dynamic.Resource {
  constructor(name, args, options) {
    super(provider, name, args, options);
  }
};
`,
  );
}

describe("the examples on the engine", () => {
  let stack: Stack;
  afterEach(() => stack.end());

  it('the "agents" example keeps all agents after destroy', async () => {
    stack = await Stack.start({ transferDelayMs: 50 }, "agents");
    const { agents } = (await (await stack.api("GET", "/v7/endpoint/agents?aid=1001")).json()) as { agents: Agent[] };
    const [, kiosk, firstMoved, two] = agents;
    const moving = JSON.stringify([firstMoved?.id, two?.id]);
    stack.set({
      "agents:kiosk": kiosk?.computerName ?? "",
      "agents:headquarters": "1001",
      "agents:branch": "1002",
      "agents:moving": moving,
    });
    expect(await stack.up()).toMatchObject({ create: 3 });
    for (const agent of [kiosk, firstMoved, two]) await stack.api("GET", `/v7/endpoint/agents/${agent?.id}?aid=1002`);
    expect(await stack.up()).toEqual({ same: 2 });
    await stack.destroy();
    const after = (await (await stack.api("GET", `/v7/endpoint/agents/${kiosk?.id}?aid=1002`)).json()) as { name: string };
    expect(after.name).toBe("Kiosk in the lobby");
  });

  it('the "fleet-labels" example creates a label and a test for each site', async () => {
    stack = await Stack.start({}, "fleet-labels");
    expect(await stack.up()).toMatchObject({ create: 3 + 3 + 1 + 1 });
    expect(await stack.ids("labels")).toHaveLength(3);
  });

  it('the "tags" example creates a tag and a test for each region', async () => {
    stack = await Stack.start({}, "tags");
    expect(await stack.up()).toMatchObject({ create: 2 + 2 + 1 });
    const { stdout } = await stack.must("stack", "output", "builtIn", "--json");
    expect(JSON.parse(stdout)).toEqual(["Enterprise", "Cloud"]);
  });

  it('an alert rule in the "alert-rules" example refers to the new id of a replaced label', async () => {
    stack = await Stack.start({}, "alert-rules");
    vendorsProvider(stack);
    expect(await stack.up()).toMatchObject({ create: 3 + 1 });
    const [before, { path, body }] = [stack.state(), otherAreas.alertRules];
    const named = { testIds: [before["portal"]?.id ?? ""] };
    await stack.api("POST", path, { ...body, ruleName: "Portal down", ...named });
    await stack.api("POST", otherAreas.streams.path, { name: "siem", endpointAgentLabel: [{ id: before["office"]?.id }] });

    stack.set({ "alert-rules:prioritized": "true", "alert-rules:accountGroup": "1002" });
    const review = await stack.cli("review", "--json");
    const { data } = JSON.parse(review.stdout) as { data: { findings: { rule: string; text: string }[] } };
    // The program's own rule also names the label, and follows it.
    expect(data.findings.flatMap(({ rule, text }) => (rule === "loses-references" ? [text] : []))).toEqual([
      expect.stringMatching(/^label "office": 1 stream names this label and will lose it: "siem" \(index\.ts:\d+\)$/),
      expect.stringMatching(
        /^HTTP server test "portal": 1 alert rule names this test and will lose it: "Portal down" \(index\.ts:\d+\)$/,
      ),
    ]);

    const { text } = await stack.must("up", "--yes", "--skip-preview");
    const after = stack.state();
    const [office, portal] = [after["office"]?.id, after["portal"]?.id];
    expect([office, portal]).not.toEqual([before["office"]?.id, before["portal"]?.id]);
    expect(text).toMatch(new RegExp(`portal is now test ${portal}\\. Link these alert rules to it: Portal down \\(\\d+\\)\\.`));
    expect(text).toMatch(/"Portal" \(\d+\): 1 alert rule names this test and will lose it: Portal down/);
    const { alertRules } = (await (await stack.api("GET", path)).json()) as { alertRules: object[] };
    expect(alertRules).toContainEqual(
      expect.objectContaining({ ruleName: "Slow pages in the office", endpointLabelIds: [office] }),
    );
    await stack.must("destroy", "--yes", "--skip-preview", "--run-program");
  });

  it('the "release-gate" example continues only if devices reach the new version', async () => {
    stack = await Stack.start({}, "release-gate");
    let status = 200;
    const server = createServer((_request, response) => response.writeHead(status).end("ok"));
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    try {
      // A listening TCP server has an address.
      const { port } = server.address() as AddressInfo;
      const url = `http://127.0.0.1:${port}/`;
      stack.set({ "release-gate:url": url, "release-gate:version": "1", "release-gate:timeout": "20" });
      expect(await stack.up()).toMatchObject({ create: 5 });
      const { stdout } = await stack.must("stack", "output", "measured", "--json");
      expect(JSON.parse(stdout)).toEqual([expect.objectContaining({ available: true, responseCode: 200 })]);
      expect(await stack.up()).toEqual({ same: 4 });

      // The next version is broken: the gate runs again, and its dependents stay unchanged.
      status = 503;
      stack.set({ "release-gate:version": "2" });
      const failed = await stack.run("up", "--yes", "--skip-preview");
      expect(failed.code).not.toBe(0);
      expect(failed.text).toMatch(/availability 0 %, under 100 %.*status 503/);
      // The engine only keeps that the gate must be recreated.
      expect(stack.state()["gate"]).toMatchObject({ pendingReplacement: true });

      status = 200;
      await stack.up();
      expect(Object.keys(stack.state()).toSorted()).toEqual(["first-round", "gate", "path", "watch"]);
    } finally {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    }
  });

  it('the "multi-account" example creates a label and a test in each account group', async () => {
    stack = await Stack.start({}, "multi-account");
    const { accountGroups } = (await (await stack.api("GET", "/v7/account-groups")).json()) as {
      accountGroups: { aid: string; accountGroupName: string }[];
    };
    const names = accountGroups.map(({ accountGroupName }) => accountGroupName);
    expect(names.length).toBeGreaterThan(1);
    stack.set({ "multi-account:groups": JSON.stringify(names) });
    expect(await stack.up()).toMatchObject({ create: 2 * names.length + 1 });
    for (const { aid, accountGroupName } of accountGroups) {
      const [label, test] = ["laptops", "gateway"].map((name) => stack.state()[`${accountGroupName}: ${name}`]);
      expect([label?.outputs["accountGroupId"], test?.outputs["accountGroupId"]]).toEqual([aid, aid]);
      expect(test?.outputs["endpointAgentLabels"]).toEqual([label?.id]);
    }
    stack.set({ "multi-account:groups": JSON.stringify(["Nowhere"]) });
    const failed = await stack.run("preview");
    expect(failed.code).not.toBe(0);
    expect(failed.text).toContain(`There is no account group Nowhere. The token's user sees ${names.join(", ")}.`);
  });

  it('the "brownfield" example adopts existing records and creates missing records', async () => {
    stack = await Stack.start({}, "brownfield");
    await stack.api("POST", "/v7/endpoint/labels", { name: "Office", matchType: "and", filters: [] });
    for (const testName of ["Portal", "Made in the UI"]) {
      const url = "https://portal.example.com";
      await stack.api("POST", "/v7/endpoint/tests/scheduled-tests/http-server", { testName, url, interval: 60 });
    }
    const [[label], before] = [await stack.ids("labels"), await stack.ids("http-server-tests")];
    const review = await stack.cli("review");
    expect(review.text).toMatch(/adopt/);
    expect(await stack.up()).toMatchObject({ create: 4 });
    expect(stack.state()["office"]).toMatchObject({ id: label, protect: true });
    expect(before).toContain(stack.state()["portal"]?.id);
    expect(await stack.ids("http-server-tests")).toHaveLength(2);
    expect(await stack.stored("labels", label ?? "")).toMatchObject({ matchType: "or" });
    const { stdout } = await stack.must("stack", "output", "others", "--json");
    expect(JSON.parse(stdout)).toEqual(["Made in the UI"]);
    expect(await stack.up()).toEqual({ same: 3 });
  });

  it('the "component" example creates a label and tests as children of each site', async () => {
    stack = await Stack.start({}, "component");
    // The stack, two components, two labels, two gateways, two pages.
    expect(await stack.up()).toMatchObject({ create: 9 });
    expect(stack.state()["Lyon-erp"]).toMatchObject({
      urn: expect.stringContaining("monitoring:index:Site$"),
      inputs: { interval: 120, endpointAgentLabels: [stack.state()["Lyon"]?.id] },
    });
    await stack.destroy();
    expect(await stack.ids("labels")).toEqual([]);
  });

  it('the "policy-pack" example stops a preview for the findings that a review reports', async () => {
    stack = await Stack.start();
    const pack = temporary();
    cpSync(join(repository, "examples/policy-pack"), pack, { recursive: true });
    const [, manifest = ""] = /```json\n(.*?)```/s.exec(readFileSync(join(pack, "README.md"), "utf8")) ?? [];
    writeFileSync(join(pack, "package.json"), manifest);
    symlinkSync(join(stack.folder, "node_modules"), join(pack, "node_modules"), "dir");
    symlinkSync(join(repository, "node_modules/typescript"), join(stack.folder, "node_modules/typescript"), "dir");
    const label = { kind: "Label", args: { name: "Mac", matchType: "or", filters: [{ key: "platform", values: ["Mac"] }] } };
    const test = (args: object, options = {}) => ({
      kind: "AgentToServerTest",
      args: { testName: "T", server: "a.example.com", ...args },
      options,
    });
    const byLabel = { agentSelectorType: "agent-labels", endpointAgentLabels: [{ $id: "mac" }] };
    stack.declare({ mac: label, gateway: test(byLabel), other: test({ ...byLabel, testName: "O" }) });
    await stack.up();
    Object.assign(stack.environment, { PWD: stack.folder });

    // All agents, and one deleted test: both stop by the pack's levels. The replacement is only reported.
    stack.declare({ mac: label, gateway: test({ maxMachines: 1000 }) });
    const stopped = await stack.run("preview", "--policy-pack", pack);
    const review = await stack.cli("review", "--fail-on", "any", "--json");
    const { data } = JSON.parse(review.stdout) as { data: { findings: { rule: string; text: string }[] } };
    const words = data.findings.map(({ rule }) => rule);
    expect(words).toEqual(expect.arrayContaining(["deletes", "replacements", "selects-all"]));
    for (const { rule, text } of data.findings) {
      expect(stopped.text).toMatch(new RegExp(`\\[(mandatory|advisory)\\]\\s+${rule} `));
      expect(stopped.text).toContain(text);
    }
    expect(stopped.text).toMatch(/\[mandatory\]\s+selects-all/);
    expect(stopped.text).toMatch(/\[advisory\]\s+replacements/);
    expect(stopped.code).not.toBe(0);

    // Other changes pass, and so does the following update.
    stack.declare({ mac: label, gateway: test({ ...byLabel, interval: 300 }), other: test({ ...byLabel, testName: "O" }) });
    const passed = await stack.must("up", "--yes", "--policy-pack", pack);
    expect(passed.text).not.toMatch(/\[(mandatory|advisory)\]/);
  });
});
