import { digest } from "../support/digest";
import { kindCases } from "../support/kinds";
import { type Declared, type Front, fronts, Stack } from "./support/stack";

const first = "corr3ct-horse";
const second = "battery-st4ple";
const { password: _, authType: __, username: ___, ...plain } = kindCases.httpServerTest.full;
const authenticated = { ...plain, authType: "basic", username: "probe" };

/** Tests each change of a password. The first tests have the initial password. */
const before = { none: undefined, kept: { $secret: "first" }, rotated: { $secret: "first" }, removed: { $secret: "first" } };
type Name = keyof typeof before;

describe("the password of an HTTP server test", () => {
  let stack: Stack;
  /** The resource of a front. Both are in one program, so that an engine operation covers both. */
  const of = (front: Front, name: Name): string => `${name}-${front}`;
  const declare = (passwords: Record<Name, unknown>): void =>
    stack.declare(
      Object.fromEntries(
        fronts.flatMap((front) =>
          Object.entries(passwords).map(([name, password]): [string, Declared] => [
            `${name}-${front}`,
            {
              kind: "HttpServerTest",
              front,
              args: { ...authenticated, testName: `${name} ${front}`, ...(password === undefined ? {} : { password }) },
              show: ["password", "url"],
            },
          ]),
        ),
      ),
    );
  const stored = async (name: string): Promise<Record<string, unknown>> =>
    stack.stored("http-server-tests", stack.state()[name]?.id ?? "");

  beforeAll(async () => {
    stack = await Stack.startWith("native");
    await stack.secret("first", first);
    await stack.secret("second", second);
    declare(before);
    await stack.up();
  });
  afterAll(() => stack.end());

  it.each(fronts)("the service receives the password from %s resources", async (front) => {
    expect(await stored(of(front, "kept"))).toHaveProperty("password", digest(first));
    expect(await stored(of(front, "none"))).not.toHaveProperty("password");
  });

  describe("state after a refresh and an update with a plain-text password", () => {
    let refreshed: ReturnType<Stack["state"]>;
    let updated: Record<string, number>;
    beforeAll(async () => {
      await stack.refresh();
      refreshed = stack.state();
      declare({ ...before, kept: first });
      updated = await stack.up();
    });

    it.each(fronts)("Pulumi encrypts the password of %s resources in the state's inputs and outputs", (front) => {
      const { inputs, outputs } = refreshed[of(front, "kept")] ?? {};
      for (const side of [inputs, outputs]) expect(side?.["password"]).toHaveProperty("ciphertext");
      expect(updated).toEqual({ same: 4 * fronts.length });
      expect(stack.state()[of(front, "kept")]?.inputs["password"]).toHaveProperty("ciphertext");
    });
  });

  describe("password changes in a program", () => {
    let preview: string;
    beforeAll(async () => {
      declare({ none: { $secret: "first" }, kept: first, rotated: { $secret: "second" }, removed: undefined });
      ({ stdout: preview } = await stack.must("preview", "--json"));
      await stack.up();
    });

    it.each(fronts)("an update of %s resources adds a password in the service", async (front) => {
      const { steps } = JSON.parse(preview) as { steps: { op: string; urn: string; replaceReasons?: string[] }[] };
      expect(steps).toContainEqual(
        expect.objectContaining({
          op: "replace",
          urn: expect.stringMatching(new RegExp(`::${of(front, "none")}$`)),
          replaceReasons: ["password"],
        }),
      );
      expect(await stored(of(front, "none"))).toHaveProperty("password", digest(first));
    });

    it.each(fronts)("an update of %s resources changes a password in the service", async (front) => {
      expect(await stored(of(front, "rotated"))).toHaveProperty("password", digest(second));
    });

    it.each(fronts)("an update of %s resources deletes a password in the service", async (front) => {
      const removed = of(front, "removed");
      // A replacement of each front reports it.
      expect(preview.match(/password removed/g)).toHaveLength(fronts.length);
      expect(await stored(removed)).not.toHaveProperty("password");
      expect(stack.state()[removed]?.outputs).not.toHaveProperty("password");
    });
  });

  it("the engine's output contains neither passwords nor the token", () => {
    for (const secret of [first, second, "emulator-token"]) expect(stack.output).not.toContain(secret);
  });
});

/** Ways to set a password other than the class's arguments. */
const transforming = {
  "a transform of the resource": "{ transforms: [set] }",
  "a transformation of the resource": "{ transformations: [set] }",
  "a transform of the stack": "(pulumi.runtime.registerResourceTransform(set), undefined)",
};

describe("a password from a transform", () => {
  let stack: Stack;
  let diff: string;
  beforeAll(async () => {
    stack = await Stack.startWith("native");
    // Each applies to one resource only.
    const declared = fronts.flatMap((front) =>
      Object.entries(transforming).map(
        ([way, options]) => `{
        const set = ({ name, props, opts }) => (name === "${way}, ${front}" ? { props: { ...props, password: "${first}" }, opts } : undefined);
        const args = ${JSON.stringify({ ...authenticated, testName: `${way}, ${front}` })};
        new (require("pulumi-endpoint-monitoring${front === "native" ? "/native" : ""}").HttpServerTest)("${way}, ${front}", args, ${options});
      }`,
      ),
    );
    stack.write(['const pulumi = require("@pulumi/pulumi");', ...declared].join("\n"));
    ({ text: diff } = await stack.must("preview", "--diff"));
    await stack.up();
  });
  afterAll(() => stack.end());

  describe.each(fronts)("transforms of %s resources", (front) => {
    it.each(Object.keys(transforming))("Pulumi encrypts a password that comes from %s", async (way) => {
      const test = stack.state()[`${way}, ${front}`];
      for (const side of [test?.inputs, test?.outputs]) expect(side?.["password"]).toHaveProperty("ciphertext");
      expect(await stack.stored("http-server-tests", test?.id ?? "")).toHaveProperty("password", digest(first));
    });
  });

  it("the preview shows the password property once", async () => {
    expect(diff.match(/\bpassword\b/g)).toHaveLength(Object.keys(transforming).length * fronts.length);
    expect(await stack.preview()).toEqual([]);
    expect(stack.output).not.toContain(first);
  });
});
