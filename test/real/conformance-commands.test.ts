/**
 * Runs Pulumi's commands on the engine, in the long form with both provider types. The service's records and the state decide
 * each test. The titles end with the commands in the table of docs/options.md. test/invariants/conformance.test.ts combines
 * the commands with options and resource types.
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { engineCommands } from "../support/conformance";
import { frontsWithinTime, type Program, type Run, Stack } from "./support/stack";

const collections = { office: "labels", gateway: "agent-to-server-tests", portal: "http-server-tests" } as const;
type Name = keyof typeof collections;
const names = Object.keys(collections) as Name[];
const secret = "hush-hush-pa55";

/** A label, a test that uses its id, and an independent test. */
const program = (interval: number, color = "#111111"): Program => ({
  office: { kind: "Label", args: { name: "Office", color, matchType: "or", filters: [{ key: "platform", values: ["Mac"] }] } },
  gateway: {
    kind: "AgentToServerTest",
    args: {
      testName: "Gateway",
      server: "vpn.example.com",
      interval,
      agentSelectorType: "agent-labels",
      endpointAgentLabels: [{ $id: "office" }],
    },
  },
  portal: {
    kind: "HttpServerTest",
    args: {
      testName: "Portal",
      url: "https://portal.example.com",
      interval,
      authType: "basic",
      username: "u",
      password: secret,
    },
  },
});

describe.each(frontsWithinTime)("Pulumi's commands with %s resources", (front) => {
  let stack: Stack;
  beforeAll(async () => {
    stack = await Stack.startWith(front);
  });
  afterAll(() => stack.end());

  const up = (...args: string[]): Promise<Run> => stack.must("up", "--yes", "--skip-preview", "--suppress-progress", ...args);
  const urnOf = (name: Name): string => stack.state()[name]?.urn ?? "";
  const idOf = (name: Name): string => stack.state()[name]?.id ?? "";
  const ids = (): Record<Name, string> => ({ office: idOf("office"), gateway: idOf("gateway"), portal: idOf("portal") });

  /** Returns the interval of both tests in the service. */
  async function intervals(): Promise<unknown[]> {
    const tests = ["gateway", "portal"] as const;
    return Promise.all(tests.map(async (name) => (await stack.stored(collections[name], idOf(name)))["interval"]));
  }

  /** Checks that service and state have the same records, and that the gateway uses the label. */
  async function agrees(): Promise<void> {
    for (const name of names) expect([name, await stack.ids(collections[name])]).toEqual([name, [idOf(name)]]);
    expect(stack.state()["gateway"]?.outputs["endpointAgentLabels"]).toEqual([idOf("office")]);
    expect(await stack.stored(collections.gateway, idOf("gateway"))).toMatchObject({ endpointAgentLabels: [idOf("office")] });
  }

  /** Changes the portal's test in the service, as a user does. */
  const drift = (interval: number): Promise<void> => stack.change("httpServerTest", idOf("portal"), { interval });

  it("the provider supports pulumi preview --diff", async () => {
    stack.declare(program(60));
    const { text } = await stack.must("preview", "--diff");
    expect(text).toMatch(/password\s*: \[secret\]/);
    expect(text).not.toContain(secret);
    expect(await stack.ids("labels")).toEqual([]);
    await up();
    await agrees();
  });

  it("the provider supports pulumi up --target URN", async () => {
    stack.declare(program(120));
    await up("--target", urnOf("portal"));
    expect(await intervals()).toEqual([60, 120]);
    await agrees();
  });

  it("the provider supports pulumi up --exclude URN", async () => {
    stack.declare(program(300));
    await up("--exclude", urnOf("portal"));
    expect(await intervals()).toEqual([300, 120]);
    await agrees();
  });

  it("the provider supports pulumi up --continue-on-error", async () => {
    stack.declare(program(600, "#222222"));
    stack.emulator.fault({ operation: "tests.httpServer.update", kind: "status", status: 400 });
    const run = await stack.run("up", "--yes", "--skip-preview", "--suppress-progress", "--continue-on-error");
    expect(run.code).not.toBe(0);
    expect(await intervals()).toEqual([600, 120]);
    await agrees();
  });

  it("the provider supports pulumi refresh --preview-only", async () => {
    await drift(900);
    const before = stack.state()["portal"]?.outputs;
    await stack.must("refresh", "--preview-only", "--suppress-progress");
    expect(stack.state()["portal"]?.outputs).toEqual(before);
    expect(await intervals()).toEqual([600, 900]);
  });

  it("the provider supports pulumi up --refresh", async () => {
    await up("--refresh");
    expect(await intervals()).toEqual([600, 600]);
    await agrees();
  });

  it("the provider supports pulumi up --exclude-dependents", async () => {
    stack.declare(program(900, "#444444"));
    await up("--exclude", urnOf("office"), "--exclude-dependents");
    expect(await intervals()).toEqual([600, 900]);
    expect(await stack.stored(collections.office, idOf("office"))).toMatchObject({ color: "#222222" });
    stack.declare(program(600, "#222222"));
    await up();
    await agrees();
  });

  it("the provider supports pulumi up --plan FILE", async () => {
    const file = join(stack.folder, "plan.json");
    Object.assign(stack.environment, { PULUMI_EXPERIMENTAL: "true" });
    stack.declare(program(900, "#222222"));
    await stack.must("preview", "--save-plan", file);
    expect(await intervals()).toEqual([600, 600]);
    await up("--plan", file);
    expect(await intervals()).toEqual([900, 900]);
    await stack.must("preview", "--save-plan", file);
    stack.declare(program(600, "#222222"));
    // The engine rejects a change that the plan does not contain.
    expect((await stack.run("up", "--yes", "--skip-preview", "--suppress-progress", "--plan", file)).code).not.toBe(0);
    expect(await intervals()).toEqual([900, 900]);
    delete stack.environment["PULUMI_EXPERIMENTAL"];
    await up();
    await agrees();
  });

  it("the provider supports pulumi refresh --run-program", async () => {
    await drift(900);
    await stack.must("refresh", "--yes", "--skip-preview", "--suppress-progress", "--run-program");
    expect(stack.state()["portal"]?.outputs).toMatchObject({ interval: 900 });
    await up();
    expect(await intervals()).toEqual([600, 600]);
    await agrees();
  });

  it("the provider supports pulumi refresh", async () => {
    await drift(900);
    await stack.refresh();
    expect(stack.state()["portal"]).toMatchObject({ outputs: { interval: 900 }, inputs: { interval: 900 } });
    expect(await stack.up()).toEqual({ update: 1, same: 2 });
    expect(await intervals()).toEqual([600, 600]);
  });

  it("the provider supports pulumi up --replace URN", async () => {
    const before = ids();
    await up("--replace", urnOf("office"));
    const after = ids();
    expect(after.office).not.toBe(before.office);
    expect(after.gateway).not.toBe(before.gateway);
    expect(after.portal).toBe(before.portal);
    await agrees();
  });

  it("the provider supports pulumi up --target-replace URN", async () => {
    const before = ids();
    await up("--target-replace", urnOf("office"), "--target-dependents");
    const after = ids();
    expect(after.office).not.toBe(before.office);
    expect(after.portal).toBe(before.portal);
    await up();
    await agrees();
    // Without its dependents, the engine deletes the test that uses the label and creates it with the label's old id.
    const run = await stack.run("up", "--yes", "--skip-preview", "--suppress-progress", "--target-replace", urnOf("office"));
    expect(run.code).not.toBe(0);
    expect(run.text).toContain("no such label in this account group");
    expect(await stack.ids(collections.gateway)).toEqual([]);
    await up();
    await agrees();
  });

  it("the provider supports pulumi state taint", async () => {
    const before = ids();
    await stack.must("state", "taint", urnOf("portal"), "--yes");
    await up();
    expect(ids()).toEqual({ ...before, portal: expect.not.stringMatching(before.portal) });
    await agrees();
  });

  it("the provider supports pulumi state rename", async () => {
    const before = ids();
    await stack.must("state", "rename", urnOf("portal"), "website", "--yes");
    const { portal: website, ...others } = program(600, "#222222");
    stack.declare({ ...others, ...(website && { website }) });
    expect(stack.state()["website"]?.id).toBe(before.portal);
  });

  // Begins with the renamed resource: one preview finds nothing to do after both.
  it("the provider supports pulumi stack export, stack import", async () => {
    const before = stack.resources().map(({ urn, id }) => [urn, id]);
    const file = join(stack.folder, "state.json");
    await stack.must("stack", "export", "--file", file);
    expect(readFileSync(file, "utf8")).not.toContain(secret);
    await stack.must("stack", "import", "--file", file);
    expect(await stack.preview()).toEqual([]);
    expect(stack.resources().map(({ urn, id }) => [urn, id])).toEqual(before);
    await stack.must("state", "rename", stack.state()["website"]?.urn ?? "", "portal", "--yes");
    stack.declare(program(600, "#222222"));
    await agrees();
  });

  it("the provider supports pulumi state move", async () => {
    const before = ids();
    await stack.add("other");
    await stack.must("state", "move", "--source", "dev", "--dest", "other", urnOf("portal"), "--yes");
    expect([stack.state()["portal"], stack.state("other")["portal"]?.id]).toEqual([undefined, before.portal]);
    const moved = stack.state("other")["portal"]?.urn ?? "";
    await stack.must("state", "move", "--source", "other", "--dest", "dev", moved, "--yes");
    expect(ids()).toEqual(before);
    await agrees();
  });

  it("the provider supports pulumi stack rename", async () => {
    const before = ids();
    await stack.must("stack", "rename", "renamed");
    expect(stack.selected).toBe("renamed");
    expect(await stack.preview()).toEqual([]);
    await stack.must("stack", "rename", "dev");
    expect(ids()).toEqual(before);
    await agrees();
  });

  it("the provider supports pulumi import TYPE NAME ID", async () => {
    const id = await stack.make("label", {
      name: "By hand",
      matchType: "or",
      filters: [{ key: "platform", values: ["Mac"] }],
    });
    const type = front === "native" ? "endpoint-monitoring:index:Label" : "pulumi-nodejs:dynamic/endpoint-monitoring:Label";
    const run = await stack.run(
      "import",
      type,
      "byhand",
      id,
      "--yes",
      "--generate-code=false",
      "--protect=false",
      "--skip-preview",
    );
    // The host of dynamic providers fails before it loads this package.
    const expected = { native: [true, false, id], dynamic: [false, true, undefined] };
    const imported = stack.state()["byhand"];
    expect([run.code === 0, run.text.includes("importing failed"), imported?.id]).toEqual(expected[front]);
    if (imported) await stack.must("state", "delete", imported.urn, "--yes");
    expect(await stack.ids("labels")).toContain(id);
    await stack.api("DELETE", `/v7/endpoint/labels/${id}`);
    await agrees();
  });

  it("the provider supports pulumi state delete", async () => {
    const { portal } = ids();
    await stack.must("state", "delete", urnOf("portal"), "--yes");
    expect(await stack.ids(collections.portal)).toEqual([portal]);
    await stack.api("DELETE", `/v7/endpoint/tests/scheduled-tests/http-server/${portal}`);
    await up();
    await agrees();
  });

  it("the provider supports pulumi stack change-secrets-provider", async () => {
    Object.assign(stack.environment, { PULUMI_CONFIG_PASSPHRASE: "another passphrase" });
    const before = ids();
    await stack.must("stack", "change-secrets-provider", "passphrase");
    expect(await stack.preview()).toEqual([]);
    expect(ids()).toEqual(before);
    await agrees();
  });

  it("the provider supports pulumi destroy --target URN", async () => {
    await stack.must("destroy", "--yes", "--skip-preview", "--suppress-progress", "--target", urnOf("portal"));
    expect(await stack.ids(collections.portal)).toEqual([]);
    expect(await stack.ids(collections.gateway)).toEqual([idOf("gateway")]);
    expect(await stack.ids(collections.office)).toEqual([idOf("office")]);
    expect(stack.output).not.toContain(secret);
  });
});

it("each command in the table of docs/options.md has a test in this file", () => {
  const titles = [...readFileSync(__filename, "utf8").matchAll(/^ {2}it\(\s*"the provider supports pulumi (.*?)",/gm)].map(
    ([, title = ""]) => title,
  );
  expect(engineCommands.map(({ name }) => name).toSorted()).toEqual(titles.toSorted());
});
