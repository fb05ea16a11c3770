import { frontsWithinTime, type Program, Stack } from "./support/stack";

const office = { name: "Office", matchType: "or", filters: [{ key: "asn", values: ["64512"] }] };
const gateway = {
  testName: "Gateway",
  server: "vpn.example.com",
  agentSelectorType: "agent-labels",
  endpointAgentLabels: [{ $id: "office" }],
};
const test = { kind: "AgentToServerTest", args: gateway };

describe.each(frontsWithinTime)("refactorings, on the engine, %s front", (front) => {
  let stack: Stack;
  beforeEach(async () => {
    stack = await Stack.startWith(front);
  }, 60_000);
  afterEach(() => stack.end());

  /** Records of the service, ids of the state and resources of the program are the same. @returns ids by name */
  async function same(names: readonly string[]): Promise<Record<string, string>> {
    const state = stack.state();
    const ids = Object.fromEntries(Object.entries(state).map(([name, { id }]) => [name, id]));
    expect(Object.keys(ids).toSorted()).toEqual(names.toSorted());
    const records = [...(await stack.ids("labels")), ...(await stack.ids("agent-to-server-tests"))];
    expect(records.toSorted()).toEqual(Object.values(ids).toSorted());
    return ids;
  }

  it("keeps the record that a renamed resource adopts, and what it left over does no harm", async () => {
    stack.declare({ office: { kind: "Label", args: office } });
    await stack.up();
    const { office: id } = await same(["office"]);
    stack.declare({ hq: { kind: "Label", args: office } });
    const refused = await stack.run("up", "--yes", "--skip-preview");
    expect(refused.code).not.toBe(0);
    expect(refused.text).toContain("give its old name or parent in the resource option aliases");
    expect(await stack.ids("labels")).toEqual([id]);

    stack.declare({ hq: { kind: "Label", args: { ...office, adopt: true } } });
    await stack.up();
    expect(await same(["hq"])).toEqual({ hq: id });
    expect(await stack.up()).toEqual({ same: 1 });
    // A forced replacement is one, whatever is left over.
    await stack.up("--replace", stack.state()["hq"]?.urn ?? "");
    expect((await same(["hq"]))["hq"]).not.toBe(id);
  }, 120_000);

  it("keeps the record of a resource that moves into a component, with adopt: identical", async () => {
    const program = (parent: string): string => `
      const pulumi = require("@pulumi/pulumi");
      const { Label } = require("${stack.module}");
      const site = new pulumi.ComponentResource("test:Site", "site");
      new Label("office", ${JSON.stringify(office)}, ${parent});`;
    stack.configure({ adopt: "identical" });
    stack.write(program("{}"));
    await stack.up();
    const before = await same(["office"]);
    stack.write(program("{ parent: site }"));
    await stack.up();
    expect(await same(["office"])).toEqual(before);
    expect(stack.state()["office"]?.urn).toContain("test:Site$");
  }, 120_000);

  it("refuses a forced replacement that creates first, since it finds what it replaces, and says what to do", async () => {
    stack.configure({ replaceOrder: "create-first" });
    stack.declare({ office: { kind: "Label", args: office } });
    await stack.up();
    const before = await same(["office"]);
    const { urn = "" } = stack.state()["office"] ?? {};
    const refused = await stack.run("up", "--yes", "--skip-preview", "--replace", urn);
    expect(refused.code).not.toBe(0);
    expect(refused.text).toContain("set the resource option deleteBeforeReplace: true for it");
    expect(await same(["office"])).toEqual(before);
  }, 120_000);

  it.each(["delete-first", "create-first"])(
    "replaces by --replace and by a taint, with %s",
    async (order) => {
      stack.configure({ replaceOrder: order });
      // Where the engine creates first, a forced replacement finds what it replaces: the option says to delete it first.
      const options = order === "create-first" ? { deleteBeforeReplace: true } : {};
      const program: Program = { office: { kind: "Label", args: office, options }, gateway: { ...test, options } };
      stack.declare(program);
      await stack.up();
      const before = await same(["office", "gateway"]);
      const state = stack.state();
      await stack.up("--replace", state["gateway"]?.urn ?? "");
      const replaced = await same(["office", "gateway"]);
      expect(replaced).toEqual({
        office: before["office"],
        gateway: expect.not.stringMatching(`^${before["gateway"] ?? ""}$`),
      });
      await stack.must("state", "taint", "--yes", state["office"]?.urn ?? "");
      await stack.up();
      const tainted = await same(["office", "gateway"]);
      expect([tainted["office"] === replaced["office"], tainted["gateway"] === replaced["gateway"]]).toEqual([false, false]);
    },
    180_000,
  );
});
