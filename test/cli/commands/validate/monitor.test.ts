/** Calls the monitor over gRPC, as a program's SDK does. */
import { pathToFileURL } from "node:url";
import { credentials, type ServiceError } from "@grpc/grpc-js";
import { EngineClient } from "@pulumi/pulumi/proto/engine_grpc_pb";
import * as engine from "@pulumi/pulumi/proto/engine_pb";
import { ResourceMonitorClient } from "@pulumi/pulumi/proto/resource_grpc_pb";
import * as resource from "@pulumi/pulumi/proto/resource_pb";
import { SourcePosition, StackFrame, StackTrace } from "@pulumi/pulumi/proto/source_pb";
import { Empty } from "google-protobuf/google/protobuf/empty_pb";
import { type JavaScriptValue, Struct } from "google-protobuf/google/protobuf/struct_pb";
import { type Monitor, startMonitor } from "../../../../cli/commands/validate/monitor";
import { loadProtocol } from "../../../../cli/commands/validate/protocol";
import { type Properties, signatureKey, unknownValue } from "../../../../provider/values";
import { secret } from "../../../support/plugin";
import { repository } from "../../../support/process";

type Done<T> = (error: ServiceError | null, response: T) => void;

let monitor: Monitor;
let counts: number[];
let resources: ResourceMonitorClient;
let log: EngineClient;
beforeEach(async () => {
  counts = [];
  monitor = await startMonitor(loadProtocol(repository), "office", "dev", (count) => counts.push(count));
  resources = new ResourceMonitorClient(monitor.address, credentials.createInsecure());
  log = new EngineClient(monitor.address, credentials.createInsecure());
});
afterEach(() => {
  resources.close();
  log.close();
  monitor.end();
});

const answer = <T>(call: (done: Done<T>) => unknown): Promise<T> =>
  new Promise((resolve, reject) => call((error, response) => (error ? reject(error) : resolve(response))));

const team = "urn:pulumi:dev::office::office:index:Team::sales";

async function register(properties: Properties, parent = "", frames: StackFrame[] = []): Promise<Properties> {
  const request = new resource.RegisterResourceRequest();
  request.setType("endpoint-monitoring:index:Label").setName("a").setParent(parent);
  request.setObject(Struct.fromJavaScript(properties as Record<string, JavaScriptValue>));
  if (frames.length > 0) request.setStacktrace(new StackTrace().setFramesList(frames));
  const response = await answer<resource.RegisterResourceResponse>((done) => resources.registerResource(request, done));
  return { urn: response.getUrn(), properties: response.getObject()?.toJavaScript(), id: response.getId() };
}

test("the resource monitor registers a resource like a preview: with a URN and the properties, but without an id", async () => {
  const stack = "urn:pulumi:dev::office::pulumi:pulumi:Stack::office-dev";
  const expected = { urn: "urn:pulumi:dev::office::endpoint-monitoring:index:Label::a", properties: { name: "A" }, id: "" };
  expect(await register({ name: "A" })).toEqual(expected);
  expect(await register({ name: "A" }, stack)).toEqual(expected);
  const urn = "urn:pulumi:dev::office::office:index:Team$endpoint-monitoring:index:Label::a";
  expect(await register({ name: "A" }, team)).toEqual({ ...expected, urn });
  const declaration = { type: "endpoint-monitoring:index:Label", name: "a", properties: { name: "A" } };
  expect(monitor.declarations).toEqual([expected, expected, { urn }].map((each) => ({ ...declaration, urn: each.urn })));
  expect(counts).toEqual([1, 2, 3]);
});

test("the resource monitor unwraps secrets, and replaces an asset with an unknown value", async () => {
  const asset = { [signatureKey]: "c44067f5952c0a294b673a41bacd8c17", text: "x" };
  await register({ password: secret([secret("p")]), asset });
  expect(monitor.declarations.map(({ properties }) => properties)).toEqual([{ password: ["p"], asset: unknownValue }]);
});

test("the resource monitor records the position of the innermost call in the program's own code", async () => {
  const frame = (uri: string, line: number) =>
    new StackFrame().setPc(new SourcePosition().setUri(uri).setLine(line).setColumn(5));
  const library = frame("file:///program/node_modules/lib/index.js", 1);
  const inner = frame(pathToFileURL("/program/my office/label.ts").href, 7);
  const frames = [new StackFrame(), frame("node:internal/modules", 2), library, inner, frame("file:///program/index.ts", 3)];
  await register({}, "", frames);
  await register({}, "", [library]);
  const position = { file: "/program/my office/label.ts", line: 7, column: 5 };
  expect(monitor.declarations.map((declaration) => declaration.position)).toEqual([position, undefined]);
});

test("the resource monitor records no declaration for a resource that the program only reads", async () => {
  const request = new resource.ReadResourceRequest()
    .setType("endpoint-monitoring:index:Label")
    .setName("office")
    .setParent(team);
  const response = await answer<resource.ReadResourceResponse>((done) => resources.readResource(request, done));
  expect(response.getUrn()).toBe("urn:pulumi:dev::office::office:index:Team$endpoint-monitoring:index:Label::office");
  expect(response.getProperties()?.toJavaScript()).toEqual({});
  expect([monitor.declarations, counts]).toEqual([[], []]);
});

test("the resource monitor supports secrets and aliases", async () => {
  const request = (id: string) => new resource.SupportsFeatureRequest().setId(id);
  const supports = async (id: string) =>
    (await answer<resource.SupportsFeatureResponse>((done) => resources.supportsFeature(request(id), done))).getHassupport();
  expect(await Promise.all(["secrets", "aliasSpecs", "transforms", ""].map(supports))).toEqual([true, true, false, false]);
});

test("the resource monitor lets a program finish, and keeps the errors that the program logs", async () => {
  const { DEBUG, INFO, WARNING, ERROR } = engine.LogSeverity;
  for (const severity of [DEBUG, INFO, WARNING, ERROR]) {
    const request = new engine.LogRequest().setSeverity(severity).setMessage(`severity ${severity}`);
    await answer<Empty>((done) => log.log(request, done));
  }
  const root = new engine.SetRootResourceRequest().setUrn(team);
  await answer<engine.SetRootResourceResponse>((done) => log.setRootResource(root, done));
  const got = await answer<engine.GetRootResourceResponse>((done) =>
    log.getRootResource(new engine.GetRootResourceRequest(), done),
  );
  expect(got.getUrn()).toBe(team);
  const outputs = new resource.RegisterResourceOutputsRequest();
  expect(await answer<Empty>((done) => resources.registerResourceOutputs(outputs, done))).toBeInstanceOf(Empty);
  expect(await answer<Empty>((done) => resources.signalAndWaitForShutdown(new Empty(), done))).toBeInstanceOf(Empty);
  expect(monitor.errors).toEqual([`severity ${ERROR}`]);
});
