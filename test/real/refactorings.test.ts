import { frontsWithinTime, Stack } from "./support/stack";

const office = { name: "Office", matchType: "or", filters: [{ key: "asn", values: ["64512"] }] };

describe.each(frontsWithinTime)("refactorings with %s resources", (front) => {
  let stack: Stack;
  beforeEach(async () => {
    stack = await Stack.startWith(front);
  });
  afterEach(() => stack.end());

  /** Checks that service, state and program have the same records. @returns ids by name */
  async function same(names: readonly string[]): Promise<Record<string, string>> {
    const state = stack.state();
    const ids = Object.fromEntries(Object.entries(state).map(([name, { id }]) => [name, id]));
    expect(Object.keys(ids).toSorted()).toEqual(names.toSorted());
    expect((await stack.ids("labels")).toSorted()).toEqual(Object.values(ids).toSorted());
    return ids;
  }

  it("a renamed resource with adopt: true keeps its record", async () => {
    stack.declare({ office: { kind: "Label", args: office } });
    await stack.up();
    const { office: id } = await same(["office"]);
    stack.declare({ hq: { kind: "Label", args: office } });
    const refused = await stack.run("up", "--yes", "--skip-preview");
    expect(refused.code).not.toBe(0);
    expect(refused.text).toContain("set its old name or parent in the resource option aliases");
    expect(await stack.ids("labels")).toEqual([id]);

    stack.declare({ hq: { kind: "Label", args: { ...office, adopt: true } } });
    await stack.up();
    expect(await same(["hq"])).toEqual({ hq: id });
    // A forced replacement still replaces it.
    expect(await stack.up("--replace", stack.state()["hq"]?.urn ?? "")).toEqual({ replace: 1 });
    expect((await same(["hq"]))["hq"]).not.toBe(id);
  });

  it("a resource that moves into a component keeps its record with adopt: identical", async () => {
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
  });
});
