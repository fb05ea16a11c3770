/** Causes failures with both provider types: interruptions, partly failed updates, failed gates, and imports. */
import { setTimeout as sleep } from "node:timers/promises";
import { fronts, frontsWithinTime, type Program, Stack } from "./support/stack";

const office = { name: "Office", matchType: "or", filters: [{ key: "platform", values: ["Mac"] }] };
const gateway = { testName: "Gateway", server: "vpn.example.com" };

describe.each(fronts)("failures with %s resources", (front) => {
  let stack: Stack;
  /** Whether to run tests that other suites also run on both fronts. */
  const isWhole = frontsWithinTime.includes(front);
  /** One stack for all tests: each begins with the previous test's resources, or with none. */
  beforeAll(async () => {
    stack = await Stack.startWith(front, { agents: 3 });
  });
  afterAll(() => stack.end());

  const labelIds = (): string[] => stack.resources().map(({ id }) => id);

  it("the next update completes a change that Ctrl+C interrupted", async () => {
    const count = 24;
    const program: Program = Object.fromEntries(
      Array.from({ length: count }, (_, i) => [`label-${i}`, { kind: "Label", args: { ...office, name: `Label ${i}` } }]),
    );
    stack.declare(program);
    stack.emulator.fault({ kind: "latency", ms: 400, operation: "labels.create", n: count });
    const run = stack.start("up", "--yes", "--skip-preview", "--parallel", "4");
    while ((stack.emulator.requests()["labels.create"] ?? 0) < 6) await sleep(10);
    run.kill("SIGINT");
    const { code } = await run.ended;
    expect(code).not.toBe(0);
    const made = await stack.ids("labels");
    expect(made.length).toBeLessThan(count);
    expect(labelIds().toSorted()).toEqual(made.toSorted());

    await stack.up();
    expect(labelIds()).toHaveLength(count);
    expect(labelIds()).toEqual(expect.arrayContaining(made));
    expect((await stack.ids("labels")).toSorted()).toEqual(labelIds().toSorted());
  });

  it("a replacement in the order delete-first or create-first leaves exactly one record", async () => {
    const program = (accountGroupId: string, maxMachines: number): Program => ({
      office: { kind: "Label", args: { ...office, accountGroupId } },
      gateway: {
        kind: "AgentToServerTest",
        args: {
          ...gateway,
          accountGroupId,
          maxMachines,
          agentSelectorType: "agent-labels",
          endpointAgentLabels: [{ $id: "office" }],
        },
      },
    });
    stack.declare(program("1001", 25));
    await stack.up();
    const changes = [
      ["delete-first", program("1002", 60)],
      ["create-first", program("1001", 25)],
    ] as const;
    for (const [replaceOrder, changed] of changes) {
      stack.configure({ replaceOrder });
      const before = stack.state();
      await stack.requests();
      stack.declare(changed);
      expect([replaceOrder, await stack.up()]).toEqual([replaceOrder, { replace: 2 }]);
      const after = stack.state();
      for (const name of ["office", "gateway"]) expect(after[name]?.id).not.toBe(before[name]?.id);
      expect([await stack.ids("labels"), await stack.ids("agent-to-server-tests")]).toEqual([
        [after["office"]?.id],
        [after["gateway"]?.id],
      ]);
      expect(after["gateway"]?.outputs["endpointAgentLabels"]).toEqual([after["office"]?.id]);
      const order = stack.emulator
        .log()
        .map(({ operation }) => operation)
        .filter((operation) => /^labels\.(?:create|delete)$/.test(operation));
      const [create, remove] = [order.lastIndexOf("labels.create"), order.lastIndexOf("labels.delete")];
      expect([replaceOrder, create < remove]).toEqual([replaceOrder, replaceOrder === "create-first"]);
    }
    stack.configure({ replaceOrder: null });
  });

  it("the service and the state contain the same records after Ctrl+C in a destroy", async () => {
    expect(Object.keys(stack.state()).toSorted()).toEqual(["gateway", "office"]);
    await stack.requests();
    // The label's deletion comes after its test's.
    stack.emulator.fault({ kind: "latency", ms: 1_500, operation: "tests.agentToServer.delete" });
    const run = stack.start("destroy", "--yes", "--skip-preview");
    while ((stack.emulator.requests()["tests.agentToServer.delete"] ?? 0) === 0) await sleep(10);
    run.kill("SIGINT");
    await run.ended;
    const remaining = [...(await stack.ids("labels")), ...(await stack.ids("agent-to-server-tests"))];
    expect(labelIds()).toEqual(remaining);
    // The deletion in progress completed. (The engine 3.259.0 then exits with code 0 despite remaining resources.)
    expect(remaining.length).toBeLessThanOrEqual(1);
    await stack.destroy();
    expect([await stack.ids("labels"), stack.resources()]).toEqual([[], []]);
  });

  it("the next update completes a partly failed creation", async () => {
    stack.declare({
      office: { kind: "Label", args: office },
      gateway: { kind: "AgentToServerTest", args: { ...gateway, isEnabled: false } },
      portal: { kind: "HttpServerTest", args: { testName: "Portal", url: "https://portal.example.com" } },
    });
    stack.emulator.fault({ kind: "status", status: 403, operation: "tests.agentToServer.update" });
    stack.emulator.fault({ kind: "status", status: 403, operation: "tests.httpServer.create" });
    // Each fails, whichever comes first.
    expect((await stack.run("up", "--yes", "--skip-preview", "--continue-on-error")).code).not.toBe(0);
    const [id = ""] = await stack.ids("agent-to-server-tests");
    expect(Object.keys(stack.state()).toSorted()).toEqual(["gateway", "office"]);
    expect(stack.state()["gateway"]?.id).toBe(id);
    expect(await stack.stored("agent-to-server-tests", id)).toMatchObject({ isEnabled: true });

    expect(await stack.up()).toEqual({ same: 1, update: 1, create: 1 });
    expect(await stack.stored("agent-to-server-tests", id)).toMatchObject({ isEnabled: false });
    expect([stack.state()["gateway"]?.id, await stack.ids("agent-to-server-tests")]).toEqual([id, [id]]);
  });

  if (!isWhole) return;

  it("a failed gate (an instant test with expect) stops the update", async () => {
    stack.declare({
      gate: {
        kind: "HttpServerInstantTest",
        args: {
          testName: "Gate",
          // No server listens there.
          url: "http://127.0.0.1:9/",
          triggers: ["1"],
          waitForResults: { timeout: 60, minAgents: 1 },
          expect: { minAvailability: 100 },
        },
      },
      behind: {
        kind: "Label",
        args: { name: "Behind", matchType: "or", filters: [], color: { $after: "gate", value: "#3366cc" } },
      },
    });
    const before = await stack.ids("labels");
    const run = await stack.run("up", "--yes", "--skip-preview");
    expect(run.code).not.toBe(0);
    expect(run.text).toContain("availability");
    expect(await stack.ids("labels")).toEqual(before);
  });

  it("pulumi import reads the file that the import command writes", async () => {
    const made = [
      await stack.make("label", { ...office, name: "By hand" }),
      await stack.make("agentToServerTest", { ...gateway, testName: "By hand" }),
    ];
    const run = await stack.inTypeScript(() => stack.cli("import", "--json"));
    expect(run.code).toBe(0);
    const { data } = JSON.parse(run.stdout) as { data: { imports?: unknown[] } };
    expect(data).toBeDefined();
    const before = labelIds();
    await stack.must("import", "--file", "import.dev.json", "--yes", "--protect=false", "--generate-code=false");
    expect(labelIds().toSorted()).toEqual([...before, ...made].toSorted());
    expect(await stack.refresh()).toEqual({ same: before.length + made.length });
  });
});
