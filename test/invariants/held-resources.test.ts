import { managedIn, nameOfUrn } from "../../engine/state";
import { secretMask } from "../../common/text";
import { secretSignature, signatureKey } from "../../provider/values";
import { typeToken } from "../../sdk/token";

const secret = (value: unknown) => ({ [signatureKey]: secretSignature, plaintext: JSON.stringify(value) });
const urn = (className: string, name: string) => `urn:pulumi:dev::project::${typeToken(className)}::${name}`;
const resource = (className: string, more: object) => ({
  urn: urn(className, "one"),
  type: typeToken(className),
  id: "7",
  inputs: { __provider: "x", testName: "One" },
  outputs: { __provider: "x", testName: "One" },
  ...more,
});
const managedFrom = (...resources: object[]) => managedIn("dev", { version: 3, deployment: { resources } });

it("the state reader omits external resources and pending deletes", () => {
  const [first, ...others] = managedFrom(
    resource("HttpServerTest", {}),
    { urn: "urn:pulumi:dev::project::pulumi:pulumi:Stack::project-dev", type: "pulumi:pulumi:Stack" },
    resource("Label", { external: true }),
    resource("Label", { delete: true }),
    resource("OfTomorrow", {}),
  );
  expect(others).toEqual([]);
  expect(first).toMatchObject({ stack: "dev", name: "one", kindName: "httpServerTest", id: "7", protect: false });
  expect(first?.inputs).toEqual({ testName: "One" });
});

it("the state reader decrypts secrets at any depth", () => {
  const [first] = managedFrom(
    resource("HttpServerTest", {
      inputs: { url: secret("https://a.example.com"), agents: ["a", secret("b")], maxMachines: 3 },
      outputs: { url: secret("https://a.example.com"), username: secret("u") },
      additionalSecretOutputs: ["testName"],
    }),
  );
  expect(first?.inputs).toEqual({ url: "https://a.example.com", agents: ["a", "b"], maxMachines: 3 });
  // The schema marks the password as secret, whether or not it has a value.
  expect([...(first?.secrets ?? [])].toSorted()).toEqual(["agents", "password", "testName", "url", "username"]);
});

it("the state reader recognizes secrets that a preview masked", () => {
  const closed = { [signatureKey]: secretSignature, ciphertext: "v1:abc" };
  const [first] = managedFrom(resource("Label", { inputs: { name: closed, color: secretMask } }));
  expect(first?.inputs).toEqual({ name: secretMask, color: secretMask });
  expect([...(first?.secrets ?? [])].toSorted()).toEqual(["color", "name"]);
});

it.each([
  [["project:///index.ts#6,1"], { file: "index.ts", line: 6, column: 1 }],
  [["project:///node_modules/x/a.js#1,1", "project:///lib/tests.ts#12,7"], { file: "lib/tests.ts", line: 12, column: 7 }],
  [["", "project:///a%20b%23.ts#2,3"], { file: "a b#.ts", line: 2, column: 3 }],
  [["project:///../packages/sites/site.ts#9,3"], { file: "../packages/sites/site.ts", line: 9, column: 3 }],
  [["project:///file:/home/runner/lib/site.ts#7,36", "project:///index.ts#2,1"], { file: "index.ts", line: 2, column: 1 }],
  [["project:///main/file:/home/runner/lib/site.ts#7,36"], undefined],
  [["project:///../node_modules/x.js#1,1"], undefined],
  [[], undefined],
])(
  "the state reader takes a resource's source position from the first stack frame inside the program: %j",
  (frames, position) => {
    const stackTrace = frames.map((sourcePosition) => (sourcePosition === "" ? {} : { sourcePosition }));
    expect(managedFrom(resource("Label", { stackTrace, sourcePosition: frames[0] }))[0]?.position).toEqual(position);
  },
);

it('the state reader accepts a resource name that contains "::"', () => {
  expect(nameOfUrn(urn("Label", "a::b"))).toBe("a::b");
});

it.each([undefined, {}, { deployment: null }, { deployment: {} }, { deployment: { resources: null } }])(
  "the state reader finds no resources in the state %j",
  (exported) => {
    expect(managedIn("dev", exported)).toEqual([]);
  },
);
