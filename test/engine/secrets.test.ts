import { kindCases } from "../support/kinds";
import { Stack } from "./support/stack";

const first = "corr3ct-horse";
const second = "battery-st4ple";
const { password: _, authType: __, username: ___, ...plain } = kindCases.httpServerTest.full;
const authenticated = { ...plain, authType: "basic", username: "probe" };

describe("the password of an HTTP-server test", () => {
  let stack: Stack;
  const declare = (args: object): void =>
    stack.declare({ portal: { kind: "HttpServerTest", args, show: ["password", "url"] } });
  const stored = async (): Promise<Record<string, unknown>> =>
    stack.stored("http-server-tests", stack.state()["portal"]?.id ?? "");

  beforeAll(async () => {
    stack = await Stack.start();
    await stack.secret("first", first);
    await stack.secret("second", second);
  }, 60_000);
  afterAll(() => stack.end());

  it("reaches the service when a test that had none gets one", async () => {
    declare(authenticated);
    await stack.up();
    expect(await stored()).not.toHaveProperty("password");
    declare({ ...authenticated, password: { $secret: "first" } });
    expect(await stack.preview()).toContainEqual(expect.objectContaining({ op: "replace", replaceReasons: ["password"] }));
    await stack.up();
    expect(await stored()).toHaveProperty("password", first);
  }, 60_000);

  it("is encrypted in state, in inputs and outputs, and kept over a refresh", async () => {
    await stack.refresh();
    for (const side of [stack.state()["portal"]?.inputs, stack.state()["portal"]?.outputs]) {
      expect(side?.["password"]).toHaveProperty("ciphertext");
    }
    expect(await stack.up()).toEqual({ same: 1 });
  }, 60_000);

  it("is secret even where the program says it in clear", async () => {
    declare({ ...authenticated, password: first });
    expect(await stack.up()).toEqual({ same: 1 });
    expect(stack.state()["portal"]?.inputs["password"]).toHaveProperty("ciphertext");
  }, 60_000);

  it("reaches the service when it is rotated", async () => {
    declare({ ...authenticated, password: { $secret: "second" } });
    await stack.up();
    expect(await stored()).toHaveProperty("password", second);
  }, 60_000);

  it("is gone from the service when it is removed", async () => {
    declare(authenticated);
    const { stdout } = await stack.must("preview");
    expect(stdout).toContain("password removed");
    await stack.up();
    expect(await stored()).not.toHaveProperty("password");
    expect(stack.state()["portal"]?.outputs).not.toHaveProperty("password");
  }, 60_000);

  it("was in nothing the engine printed, and neither was the token", async () => {
    await stack.destroy();
    for (const secret of [first, second, "emulator-token"]) expect(stack.output).not.toContain(secret);
  }, 60_000);
});
