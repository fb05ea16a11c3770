/** Runs the engine's own imports through the native plugin. */
import { type Program, Stack } from "./support/stack";

const office = { name: "Office", matchType: "or", filters: [{ key: "asn", mode: "in", values: ["64512"] }] };
const portal = { testName: "Portal", url: "https://www.example.com", authType: "basic", username: "probe" };

describe("imports by the engine", () => {
  let stack: Stack;
  let id: string;
  let elsewhere: string;
  let portalId: string;
  const post = async (path: string, body: object): Promise<Record<string, string>> =>
    (await (await stack.api("POST", path, body)).json()) as Record<string, string>;
  const declared = (args: object, wanted: string): Program => ({
    office: { kind: "Label", args: { ...office, ...args }, options: { import: wanted } },
  });
  const refused = async (...args: string[]): Promise<string> => {
    const run = await stack.run(...args);
    expect(run.code).not.toBe(0);
    expect(run.text).not.toMatch(/^\s+at .*:\d+:\d+/m);
    return run.text;
  };

  beforeAll(async () => {
    stack = await Stack.startWith("native");
    ({ id = "" } = await post("/v7/endpoint/labels?aid=1001", office));
    ({ id: elsewhere = "" } = await post("/v7/endpoint/labels?aid=1002", office));
    const body = { ...portal, password: "s3cret-value" };
    ({ testId: portalId = "" } = await post("/v7/endpoint/tests/scheduled-tests/http-server?aid=1001", body));
  });
  afterAll(() => stack.end());

  it("a preview imports a record of another account group by its full id", async () => {
    stack.declare(declared({ accountGroupId: "1002" }, elsewhere));
    expect(await refused("preview")).toContain(`is in account group 1002. To import the label, use the id 1002/${elsewhere}.`);
    stack.declare(declared({ accountGroupId: "1002" }, `1002/${elsewhere}`));
    expect((await stack.preview()).map(({ op }) => op)).toEqual(["import"]);
  });

  it("a preview shows differences between an imported record and its declaration", async () => {
    stack.declare(declared({ color: "#123456" }, id));
    const { stdout } = await stack.must("preview", "--diff");
    expect(stdout).toMatch(/= endpoint-monitoring:index:Label: \(import\)/);
    expect(stdout).toMatch(/~ color\s*: "#d9d9d9" => "#123456"/);
  });

  it('an update imports a record by the resource option "import"', async () => {
    stack.declare(declared({}, id));
    await stack.requests();
    expect(await stack.up()).toEqual({ create: 1, import: 1 });
    expect(Object.keys(await stack.requests()).filter((operation) => /create|update|delete/.test(operation))).toEqual([]);
    expect(stack.state()["office"]).toMatchObject({ id, outputs: { name: "Office" } });
    expect(await stack.preview()).toEqual([]);
    stack.declare({ office: { kind: "Label", args: office } });
    expect(await stack.up()).toEqual({ same: 1 });
  });

  it("the command pulumi import imports secrets and defaults", async () => {
    const command = ["import", "endpoint-monitoring:index:HttpServerTest", "portal", portalId];
    await stack.must(...command, "--yes", "--generate-code=false", "--protect=false");
    expect(stack.state()["portal"]).toMatchObject({
      id: portalId,
      outputs: { testName: "Portal", unknownFields: expect.anything() },
    });
    await stack.secret("password", "s3cret-value");
    const args = { ...portal, password: { $secret: "password" } };
    stack.declare({ office: { kind: "Label", args: office }, portal: { kind: "HttpServerTest", args } });
    // The password is declared for the first time: it is recorded, and nothing is sent.
    await stack.requests();
    expect(await stack.up()).toEqual({ same: 1, update: 1 });
    expect(Object.keys(await stack.requests()).filter((operation) => /create|update|delete/.test(operation))).toEqual([]);
    expect(stack.state()["portal"]?.outputs["password"]).toHaveProperty("ciphertext");
    expect(stack.output).not.toContain("s3cret-value");
  });
});
