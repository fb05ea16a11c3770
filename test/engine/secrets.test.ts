import { digest } from "../support/digest";
import { kindCases } from "../support/kinds";
import { fronts, Stack } from "./support/stack";

const first = "corr3ct-horse";
const second = "battery-st4ple";
const { password: _, authType: __, username: ___, ...plain } = kindCases.httpServerTest.full;
const authenticated = { ...plain, authType: "basic", username: "probe" };

/** A test for each thing that becomes of a password; the first ones are as they are before it. */
const before = { none: undefined, kept: { $secret: "first" }, rotated: { $secret: "first" }, removed: { $secret: "first" } };
type Name = keyof typeof before;

describe.each(fronts)("the password of an HTTP-server test, %s front", (front) => {
  let stack: Stack;
  const declare = (passwords: Record<Name, unknown>): void =>
    stack.declare(
      Object.fromEntries(
        Object.entries(passwords).map(([name, password]) => [
          name,
          {
            kind: "HttpServerTest",
            args: { ...authenticated, testName: name, ...(password === undefined ? {} : { password }) },
            show: ["password", "url"],
          },
        ]),
      ),
    );
  const stored = async (name: Name): Promise<Record<string, unknown>> =>
    stack.stored("http-server-tests", stack.state()[name]?.id ?? "");

  beforeAll(async () => {
    stack = await Stack.startWith(front);
    await stack.secret("first", first);
    await stack.secret("second", second);
    declare(before);
    await stack.up();
  }, 300_000);
  afterAll(() => stack.end());

  it("reaches the service", async () => {
    expect(await stored("kept")).toHaveProperty("password", digest(first));
    expect(await stored("none")).not.toHaveProperty("password");
  });

  it("is encrypted in state, in inputs and outputs, and kept over a refresh, even where the program says it in clear then", async () => {
    await stack.refresh();
    for (const side of [stack.state()["kept"]?.inputs, stack.state()["kept"]?.outputs]) {
      expect(side?.["password"]).toHaveProperty("ciphertext");
    }
    declare({ ...before, kept: first });
    expect(await stack.up()).toEqual({ same: 4 });
    expect(stack.state()["kept"]?.inputs["password"]).toHaveProperty("ciphertext");
  }, 300_000);

  describe("then it is changed", () => {
    let preview: string;
    beforeAll(async () => {
      declare({ none: { $secret: "first" }, kept: first, rotated: { $secret: "second" }, removed: undefined });
      ({ stdout: preview } = await stack.must("preview", "--json"));
      await stack.up();
    }, 300_000);

    it("reaches the service when a test that had none gets one", async () => {
      const { steps } = JSON.parse(preview) as { steps: { op: string; urn: string; replaceReasons?: string[] }[] };
      expect(steps).toContainEqual(
        expect.objectContaining({ op: "replace", urn: expect.stringMatching(/::none$/), replaceReasons: ["password"] }),
      );
      expect(await stored("none")).toHaveProperty("password", digest(first));
    });

    it("reaches the service when it is rotated", async () => {
      expect(await stored("rotated")).toHaveProperty("password", digest(second));
    });

    it("is gone from the service when it is removed", async () => {
      expect(preview).toContain("password removed");
      expect(await stored("removed")).not.toHaveProperty("password");
      expect(stack.state()["removed"]?.outputs).not.toHaveProperty("password");
    });
  });

  it("was in nothing the engine printed, and neither was the token", async () => {
    await stack.destroy();
    for (const secret of [first, second, "emulator-token"]) expect(stack.output).not.toContain(secret);
  }, 300_000);
});

/** Ways to set a password that the class was not given. */
const transforming = {
  "a transform of the resource": "{ transforms: [set] }",
  "a transformation of the resource": "{ transformations: [set] }",
  "a transform of the stack": "(pulumi.runtime.registerResourceTransform(set), undefined)",
};

describe.each(fronts)("a password that is set beside the class, %s front", (front) => {
  let stack: Stack;
  let diff: string;
  beforeAll(async () => {
    stack = await Stack.startWith(front);
    // Each is set for one resource alone.
    const declared = Object.entries(transforming).map(
      ([name, options]) => `{
        const set = ({ name, props, opts }) => (name === "${name}" ? { props: { ...props, password: "${first}" }, opts } : undefined);
        new HttpServerTest("${name}", ${JSON.stringify({ ...authenticated, testName: name })}, ${options});
      }`,
    );
    stack.write(
      ['const pulumi = require("@pulumi/pulumi");', `const { HttpServerTest } = require("${stack.module}");`, ...declared].join(
        "\n",
      ),
    );
    ({ text: diff } = await stack.must("preview", "--diff"));
    await stack.up();
  }, 300_000);
  afterAll(() => stack.end());

  it.each(Object.keys(transforming))("by %s is encrypted in state", async (name) => {
    const { [name]: test } = stack.state();
    for (const side of [test?.inputs, test?.outputs]) expect(side?.["password"]).toHaveProperty("ciphertext");
    expect(await stack.stored("http-server-tests", test?.id ?? "")).toHaveProperty("password", digest(first));
  });

  it("is shown as changed, makes no further difference, and is in no output", async () => {
    expect(diff.match(/\bpassword\b/g)).toHaveLength(Object.keys(transforming).length);
    expect(await stack.preview()).toEqual([]);
    await stack.destroy();
    expect(stack.output).not.toContain(first);
  }, 300_000);
});
