/** Registers resources with a server of the engine's protocol. */
import { Server, ServerCredentials, type sendUnaryData, type ServerUnaryCall } from "@grpc/grpc-js";
import { output, rootStackResource, RunError, runtime, secret } from "@pulumi/pulumi";
import { ResourceMonitorService } from "@pulumi/pulumi/proto/resource_grpc_pb";
import {
  RegisterResourceResponse,
  SupportsFeatureResponse,
  type RegisterResourceRequest,
  type SupportsFeatureRequest,
} from "@pulumi/pulumi/proto/resource_pb";
import * as dynamic from "../../sdk";
import { classes } from "../../sdk/generated/classes";
import * as native from "../../sdk/native";
import { nativeToken, typeToken } from "../../sdk/token";

const { EndpointAgent, HttpServerTest, Label, TestRun } = dynamic;

const registrations = new Map<string, RegisterResourceRequest>();
let server: Server;

beforeAll(async () => {
  server = new Server();
  server.addService(ResourceMonitorService, {
    supportsFeature: (
      _: ServerUnaryCall<SupportsFeatureRequest, SupportsFeatureResponse>,
      answer: sendUnaryData<SupportsFeatureResponse>,
    ) => {
      const response = new SupportsFeatureResponse();
      response.setHassupport(true);
      answer(null, response);
    },
    registerResource: (
      { request }: ServerUnaryCall<RegisterResourceRequest, RegisterResourceResponse>,
      answer: sendUnaryData<RegisterResourceResponse>,
    ) => {
      registrations.set(request.getName(), request);
      const response = new RegisterResourceResponse();
      response.setUrn(`urn:pulumi:dev::test::${request.getType()}::${request.getName()}`);
      response.setId("1");
      response.setObject(request.getObject());
      answer(null, response);
    },
  });
  const port = await new Promise<number>((resolve, reject) => {
    server.bindAsync("127.0.0.1:0", ServerCredentials.createInsecure(), (error, bound) =>
      error ? reject(error) : resolve(bound),
    );
  });
  runtime.resetOptions("test", "dev", 4, "", `127.0.0.1:${port}`, false, "");
  // Runs the first step of a program's runner, which Pulumi's types keep internal.
  await (runtime as unknown as { awaitFeatureSupport: () => Promise<void> }).awaitFeatureSupport();
});
afterAll(async () => {
  await runtime.disconnect();
  server.forceShutdown();
});
afterEach(() => runtime.setAllConfig({}));

const office = { name: "Office", matchType: "or" as const, filters: [] };

/** Returns the registration of a declared resource. */
async function registered(declare: (name: string) => { urn: unknown }, name: string): Promise<RegisterResourceRequest> {
  declare(name);
  for (let i = 0; i < 400 && !registrations.has(name); i += 1) await new Promise((resolve) => setTimeout(resolve, 25));
  const request = registrations.get(name);
  if (!request) throw new Error(`${name} was not registered`);
  return request;
}
const orderOf = (request: RegisterResourceRequest): boolean | undefined =>
  request.getDeletebeforereplacedefined() ? request.getDeletebeforereplace() : undefined;

it("a replacement deletes the old record first by default", async () => {
  expect(orderOf(await registered((name) => new Label(name, office), "default"))).toBe(true);
  const ownOrder = await registered((name) => new Label(name, office, { deleteBeforeReplace: false }), "own");
  expect(orderOf(ownOrder)).toBe(false);
  runtime.setAllConfig({ "endpoint-monitoring:replaceOrder": "create-first" });
  expect(orderOf(await registered((name) => new Label(name, office), "configured"))).toBeUndefined();
  runtime.setAllConfig({});
  process.env["ENDPOINT_MONITORING_REPLACE_ORDER"] = "create-first";
  try {
    expect(orderOf(await registered((name) => new Label(name, office), "environment"))).toBeUndefined();
  } finally {
    delete process.env["ENDPOINT_MONITORING_REPLACE_ORDER"];
  }
});

it("a replacement of an EndpointAgent always deletes the old resource first", async () => {
  expect(orderOf(await registered((name) => new EndpointAgent(name, { agentId: "1" }), "kiosk"))).toBe(true);
  runtime.setAllConfig({ "endpoint-monitoring:replaceOrder": "create-first" });
  expect(orderOf(await registered((name) => new EndpointAgent(name, { agentId: "1" }), "lobby"))).toBe(true);
});

it.each([
  [() => new Label("office", office, { import: "400000000000001" }), /^Label "office": .*import --run.*adopt: true/],
  [
    () => new EndpointAgent("kiosk", { agentId: "1" }, { import: "1" }),
    /^EndpointAgent "kiosk": .*import --run.*agentId or a lookup/,
  ],
  [() => new TestRun("again", { testId: "1" }, { import: "1" }), /^TestRun "again": .*no record that could be imported/],
])('a resource rejects the option "import" and suggests a remedy (case %#)', (declare, message) => {
  expect(declare).toThrow(message);
  // The engine's runner prints it without a stack trace.
  expect(declare).toThrow(RunError);
});

it("an alias matches resources of both provider types", async () => {
  const [dynamicType, other] = [typeToken("Label"), nativeToken("Label")];
  const urn = (type: string): string => `urn:pulumi:dev::test::${type}::urn`;
  const aliases = [
    { name: "old" },
    output({ name: "later", parent: rootStackResource }),
    { name: "typed", type: "a:b:C" },
    urn(dynamicType),
  ];
  const request = await registered((name) => new Label(name, office, { aliases }), "renamed");
  const specs = request.getAliasesList().map((alias) => {
    const spec = alias.getSpec();
    return spec ? `${spec.getName() || "renamed"} ${spec.getType() || dynamicType}` : alias.getUrn();
  });
  expect(specs.toSorted()).toEqual(
    [
      `urn:pulumi:dev::test::${other}::renamed`,
      ...[dynamicType, other].flatMap((type) => [`old ${type}`, `later ${type}`, urn(type)]),
      // It appears twice, because a type of neither front belongs to the program.
      "typed a:b:C",
      "typed a:b:C",
    ].toSorted(),
  );
  expect(request.getObject()?.toJavaScript()).toMatchObject({ __resource: "renamed" });
});

describe("resource options without effect", () => {
  const options = {
    customTimeouts: { create: "5m" },
    replaceOnChanges: ["color"],
    version: "1.2.3",
    pluginDownloadURL: "https://example.com",
  };
  const ignored = Object.entries(options).map(([name, value]) => [name, { [name]: value }] as const);
  const warnings: string[] = [];
  const { warn } = console;
  beforeEach(() => {
    warnings.length = 0;
    console.warn = (line: string) => warnings.push(line);
  });
  afterEach(() => {
    console.warn = warn;
  });

  it.each(ignored)("a resource class warns about the option: %s", async (option, ignoredOptions) => {
    await registered((name) => new Label(name, office, ignoredOptions), `dynamic ${option}`);
    expect(warnings).toEqual([
      expect.stringMatching(
        new RegExp(`The resource option ${option} has no effect: it does not reach a dynamic provider\\. [A-Z]`),
      ),
    ]);
  });

  it("a native class warns only about the option customTimeouts", async () => {
    // The engine finds the plugin.
    process.env["PULUMI_DEBUG_PROVIDERS"] = "endpoint-monitoring:1";
    await registered((name) => new native.Label(name, office, options), "native");
    expect(warnings).toEqual([expect.stringContaining("The resource option customTimeouts has no effect: requests have")]);
    delete process.env["PULUMI_DEBUG_PROVIDERS"];
  });

  it("a resource class does not warn about an unset option", async () => {
    await registered((name) => new Label(name, office, { replaceOnChanges: [] }), "silent");
    expect(warnings).toEqual([]);
  });
});

describe.each(Object.keys(classes) as (keyof typeof classes)[])("the method isInstance of %s", (name) => {
  const [Dynamic, Native] = [dynamic, native].map((front) => (front as unknown as Record<string, unknown>)[name]);
  const typed = (token: string): object => ({ __pulumiType: token });
  // The typed helpers of @pulumi/policy call it like this, without its class.
  const check = (Class: unknown): ((object: unknown) => boolean) =>
    (Class as { isInstance: (object: unknown) => boolean }).isInstance;

  it("isInstance recognizes a resource by its type token, even without its class", () => {
    const [ofDynamic, ofNative] = [check(Dynamic), check(Native)];
    // A native class extends the dynamic class.
    expect([typeToken(name), nativeToken(name)].map((token) => ofDynamic(typed(token)))).toEqual([true, true]);
    expect([typeToken(name), nativeToken(name)].map((token) => ofNative(typed(token)))).toEqual([false, true]);
  });

  it("isInstance returns false for any other value", () => {
    const other = name === "Label" ? "TestRun" : "Label";
    for (const Class of [Dynamic, Native]) {
      for (const value of [undefined, null, 1, {}, typed(typeToken(other)), typed(nativeToken(other))]) {
        expect(check(Class)(value)).toBe(false);
      }
    }
  });
});

it("the password of a test is a secret input and a secret output", async () => {
  const args = { testName: "T", url: "https://example.com", authType: "basic" as const, username: "u", password: "pa55word" };
  const request = await registered((name) => new HttpServerTest(name, args), "portal");
  expect(request.getAdditionalsecretoutputsList()).toEqual(["password"]);
  expect(request.getObject()?.toJavaScript()["password"]).toEqual({
    "4dabf18193072939515e22adb298388d": "1b47061264138c4ac30d75fd1eb44270",
    value: "pa55word",
  });
});

it("a secret argument selects the provider that logs no values", async () => {
  const test = { testName: "T", url: "https://example.com" };
  const declared: Record<string, ConstructorParameters<typeof HttpServerTest>[1]> = {
    plain: { ...test, authType: "basic", username: "u", password: "pa55word" },
    known: { ...test, testName: output("T"), authType: "basic", username: "u", password: secret("pa55word") },
    "secret-name": { ...test, testName: secret("T") },
    "secret-inside": { ...test, agentSelectorType: "specific-agents", agents: [output("1"), secret("2")] },
  };
  const discreet: Record<string, boolean> = {};
  for (const [name, args] of Object.entries(declared)) {
    const request = await registered((resourceName) => new HttpServerTest(resourceName, args), name);
    const provider: unknown = request.getObject()?.toJavaScript()["__provider"];
    expect(provider).toMatch(/\.httpServerTest(\.discreet)?$/);
    discreet[name] = typeof provider === "string" && provider.endsWith(".discreet");
  }
  expect(discreet).toEqual({ plain: false, known: false, "secret-name": true, "secret-inside": true });
});
