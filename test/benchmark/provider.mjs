/** One provider process, driven as the engine drives it, but without an engine: its start, its CPU time and its memory. Linux alone. */
import { spawn } from "node:child_process";
import { createRequire } from "node:module";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { memoryOf, projectOf, statOf } from "./measure.mjs";

const root = path.join(path.dirname(fileURLToPath(import.meta.url)), "../..");
const require = createRequire(import.meta.url);
const { ResourceProviderClient } = require("@pulumi/pulumi/proto/provider_grpc_pb.js");
const messages = require("@pulumi/pulumi/proto/provider_pb.js");
const { credentials, Server, ServerCredentials } = require("@grpc/grpc-js");
const { Struct } = createRequire(require.resolve("@pulumi/pulumi"))("google-protobuf/google/protobuf/struct_pb");
const { providerString } = require(path.join(root, "dist/sdk/token.js"));

/** What each front starts, how it is told its settings, and what it gets beside the inputs. */
const kinds = {
  native: {
    executable: () => path.join(root, "plugin/pulumi-resource-endpoint-monitoring"),
    type: "endpoint-monitoring:index:AgentToServerTest",
    setting: (name) => name,
    extra: {},
  },
  dynamic: {
    executable: (engine) => path.join(engine.dir, "pulumi-resource-pulumi-nodejs"),
    type: "pulumi-nodejs:dynamic/endpoint-monitoring:AgentToServerTest",
    setting: (name) => `endpoint-monitoring:${name}`,
    extra: { __provider: providerString("AgentToServerTest") },
  },
  floor: {
    executable: (engine) => path.join(engine.dir, "pulumi-resource-pulumi-nodejs"),
    type: "pulumi-nodejs:dynamic:Resource",
    setting: (name) => `endpoint-monitoring:${name}`,
    extra: { __provider: "exports.handler=()=>({create:async(inputs)=>({id:inputs.testName,outs:inputs})})" },
  },
};

/** A message with the members that are given. */
function message(name, members) {
  const request = new messages[name]();
  for (const [member, value] of Object.entries(members))
    request[`set${member}`](typeof value === "object" ? Struct.fromJavaScript(value) : value);
  return request;
}

/** Starts what a provider takes for its engine. */
async function startEngine() {
  const server = new Server();
  const port = await new Promise((resolve, reject) => {
    server.bindAsync("127.0.0.1:0", ServerCredentials.createInsecure(), (error, bound) =>
      error ? reject(error) : resolve(bound),
    );
  });
  return { address: `127.0.0.1:${port}`, end: () => server.forceShutdown() };
}

/** Starts a provider, and configures it. @param url where the service is */
async function startProvider(front, engine, url, env) {
  const { executable, type, setting, extra } = kinds[front];
  const { folder, remove } = projectOf(front, 0);
  const caller = await startEngine();
  const begin = performance.now();
  const child = spawn(executable(engine), [caller.address], {
    cwd: folder,
    env: { ...process.env, PATH: `${path.dirname(process.execPath)}:${process.env.PATH}`, ...env },
    stdio: ["ignore", "pipe", "inherit"],
  });
  const port = await new Promise((resolve, reject) => {
    child.on("error", reject).on("exit", (code) => reject(new Error(`The provider ended with ${code}`)));
    child.stdout.once("data", (chunk) => resolve(Number(String(chunk).trim())));
  });
  const client = new ResourceProviderClient(`127.0.0.1:${port}`, credentials.createInsecure());
  const call = (method, name, members) =>
    new Promise((resolve, reject) =>
      client[method](message(name, members), (error, answer) => (error ? reject(error) : resolve(answer))),
    );
  const end = async () => {
    client.close();
    child.removeAllListeners("exit");
    const ended = new Promise((resolve) => child.on("exit", resolve));
    child.kill();
    await ended;
    caller.end();
    remove();
  };
  const named = (i) => ({ Urn: `urn:pulumi:dev::test::${type}::test-${i}`, Type: type });
  const declared = (i) => ({ testName: `Test ${i}`, server: "vpn.example.com", ...extra });
  /** @returns the inputs of a resource */
  const check = async (i, held = {}) =>
    (await call("check", "CheckRequest", { ...named(i), Olds: held, News: declared(i) })).getInputs().toJavaScript();
  const create = async (i) => {
    const inputs = await check(i);
    const answer = await call("create", "CreateRequest", { ...named(i), Properties: inputs });
    return { id: answer.getId(), state: answer.getProperties().toJavaScript(), inputs };
  };
  const compare = async (i, { id, state, inputs }) =>
    call("diff", "DiffRequest", { ...named(i), Id: id, Olds: state, News: await check(i, inputs) });
  await call("configure", "ConfigureRequest", {
    Args: { [setting("baseUrl")]: url, [setting("token")]: "emulator-token" },
    Acceptsecrets: true,
  });
  await check(0);
  const started = { seconds: statOf(child.pid).seconds, elapsed: (performance.now() - begin) / 1000 };
  const used = () => ({ seconds: statOf(child.pid).seconds - started.seconds, megabytes: memoryOf(child.pid).most });
  return { started, create, compare, used, end };
}

/**
 * Starts a provider that creates so many resources, then one that checks and compares them, as an update without a change does.
 *
 * @param url where the service is
 * @returns seconds of CPU time and elapsed seconds from the start until the first check is answered; and of the creates and the comparisons
 *   that follow, seconds of CPU time and the peak of memory in megabytes
 */
export async function driveProvider(front, engine, url, resources, env = {}) {
  const numbers = Array.from({ length: resources }, (_, i) => i);
  const states = [];
  const creating = await startProvider(front, engine, url, env);
  for (const i of numbers) states.push(await creating.create(i));
  const create = creating.used();
  await creating.end();
  const comparing = await startProvider(front, engine, url, env);
  for (const i of numbers) await comparing.compare(i, states[i]);
  const compare = comparing.used();
  await comparing.end();
  return { starts: [creating.started, comparing.started], create, compare };
}
