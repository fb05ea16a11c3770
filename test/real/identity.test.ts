import { Stack } from "./support/stack";

const args = '{ name: "Office", matchType: "or", filters: [{ key: "asn", values: ["64512"] }] }';

it("a resource keeps its URN and id if an equivalent subclass of pulumi.dynamic.Resource replaces its class", async () => {
  const stack = await Stack.start();
  try {
    stack.write(`const { Label } = require("pulumi-endpoint-monitoring"); new Label("office", ${args});`);
    await stack.up();
    const { office } = stack.state();
    // The provider reports no change for anything, so only the engine decides whether this is the same resource.
    stack.write(`
      const pulumi = require("@pulumi/pulumi");
      const provider = {
        check: async (olds, news) => ({ inputs: news }),
        diff: async () => ({ changes: false }),
        create: async () => { throw new Error("created anew"); },
        delete: async () => { throw new Error("deleted"); },
      };
      class Label extends pulumi.dynamic.Resource {
        constructor(name, props, opts) { super(provider, name, props, opts, "endpoint-monitoring", "Label"); }
      }
      new Label("office", ${args});`);
    expect(await stack.up()).toEqual({ same: 1 });
    const now = stack.state()["office"];
    expect([now?.urn, now?.id]).toEqual([office?.urn, office?.id]);

    // And back: after the update without changes, the outputs still contain the class's own provider, which refresh runs.
    stack.write(`const { Label } = require("pulumi-endpoint-monitoring"); new Label("office", ${args});`);
    expect(await stack.up()).toEqual({ same: 1 });
    expect(await stack.refresh()).toEqual({ same: 1 });
  } finally {
    await stack.end();
  }
});

describe("adoption of existing records", () => {
  let stack: Stack;
  let id: string;
  const label = { name: "Office", matchType: "or", filters: [{ key: "asn", mode: "in", values: ["64512"] }] };
  const office = (more: object) => ({ kind: "Label", args: { ...label, ...more } });
  const test = { testName: "Portal", url: "https://www.example.com", authType: "basic", username: "probe" };
  const portal = (password: string) => ({ kind: "HttpServerTest", args: { ...test, password } });

  beforeAll(async () => {
    stack = await Stack.startWith("native");
    stack.configure({ replaceOrder: "create-first" });
    ({ id } = (await (await stack.api("POST", "/v7/endpoint/labels", label)).json()) as { id: string });
  });
  afterAll(() => stack.end());

  it("an update fails by default and recommends adopt if the record exists", async () => {
    stack.declare({ office: office({}) });
    const refused = await stack.run("up", "--yes", "--skip-preview");
    expect(refused.code).not.toBe(0);
    expect(refused.text).toContain(`An identical record exists already: label ${id}.`);
    expect(refused.text).toContain("adopt: true");
    expect(await stack.ids("labels")).toEqual([id]);
  });

  it("an update adopts an existing record if adopt is true", async () => {
    stack.declare({ office: office({ color: "#123456", adopt: true }), portal: portal("one-passw0rd") });
    await stack.up();
    expect(stack.state()["office"]?.id).toBe(id);
    expect(await stack.stored("labels", id)).toMatchObject({ color: "#123456" });
  });

  it("a new password replaces an adopted test and keeps an adopted label", async () => {
    const before = stack.state()["portal"]?.id ?? "";
    stack.declare({ office: office({ color: "#123456" }), portal: portal("two-passw0rd") });
    expect(await stack.up()).toMatchObject({ same: 1 });
    expect(stack.state()["office"]?.id).toBe(id);
    const after = stack.state()["portal"]?.id ?? "";
    expect(after).not.toBe(before);
    expect(await stack.ids("http-server-tests")).toEqual([after]);
    const log = (await (await fetch(`${stack.emulator.url}/_emulator/requests?log=true`)).json()) as {
      log: { operation: string }[];
    };
    const writes = log.log.map(({ operation }) => operation).filter((operation) => /^tests.*(create|delete)$/.test(operation));
    expect(writes).toEqual(["tests.httpServer.create", "tests.httpServer.create", "tests.httpServer.delete"]);
  });
});
