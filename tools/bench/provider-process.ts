/** One provider process, driven as the engine drives it, but without an engine: its start, its CPU time and its memory. Linux alone. */
import { spawn } from "node:child_process";
import { join } from "node:path";
import { credentials, Server } from "@grpc/grpc-js";
import { ResourceProviderClient } from "@pulumi/pulumi/proto/provider_grpc_pb";
import * as messages from "@pulumi/pulumi/proto/provider_pb";
import type { Properties } from "../../provider/values";
import { nativeToken, providerString, typeToken } from "../../sdk/token";
import { callOn, plain, portOf, set } from "../../test/support/plugin";
import { declared, floorOf, shapeOfTest, textOf } from "./floor";
import { inUse, type InUse, measuringItself, statOf } from "./processes";
import { type Front, Project, root } from "./project";

const dynamicHost = {
  executable: "pulumi-resource-pulumi-nodejs",
  setting: (name: string) => `endpoint-monitoring:${name}`,
} as const;

/** The process that a front starts, how it receives its settings, and the members that it gets beside the inputs. */
interface Started {
  readonly executable: string;
  readonly type: string;
  readonly setting: (name: string) => string;
  readonly extra: () => Promise<Properties>;
}

const startedAs: Record<Front, Started> = {
  native: {
    executable: join(root, "plugin/pulumi-resource-endpoint-monitoring"),
    type: nativeToken("AgentToServerTest"),
    setting: (name) => name,
    extra: async () => ({}),
  },
  dynamic: {
    ...dynamicHost,
    type: typeToken("AgentToServerTest"),
    extra: async () => ({ __provider: providerString("AgentToServerTest") }),
  },
  floor: {
    ...dynamicHost,
    type: "pulumi-nodejs:dynamic:Resource",
    extra: async () => ({ __provider: await textOf(floorOf(await shapeOfTest()).provider) }),
  },
};

/** The resources that a process used from its first answer on. */
export interface Used {
  /** Seconds of CPU time. */
  readonly seconds: number;
  /** Megabytes in use: its garbage is collected first. */
  readonly megabytes: number;
}

interface Created {
  readonly id: string;
  readonly state: Properties;
  readonly inputs: Properties;
}

/** A provider that has answered its first check. */
interface Provider {
  /** Seconds of CPU time until then. */
  readonly startSeconds: number;
  create(at: number): Promise<Created>;
  compare(at: number, held: Created): Promise<void>;
  used(): Promise<Used>;
  end(): Promise<void>;
}

/** A provider process that has its settings. */
export interface ProviderProcess {
  readonly pid: number;
  /** Its memory in use, if it was started with `measuringItself`: it collects the garbage first. */
  readonly inUse: () => Promise<InUse>;
  /** Calls a method of the protocol. */
  readonly call: <T>(method: string, request: object, members: Properties) => Promise<T>;
  readonly end: () => Promise<void>;
}

/** Starts a provider that goes to a service, and configures it. @param node options of its Node */
export async function openProvider(front: Front, url: string, node: readonly string[] = []): Promise<ProviderProcess> {
  const { executable, setting } = startedAs[front];
  const project = await Project.open(front, 0);
  // It dials its engine, and has nothing to ask of it.
  const engine = new Server();
  const child = spawn(executable, [`127.0.0.1:${await portOf(engine)}`], {
    cwd: project.folder,
    env: { ...project.env, NODE_OPTIONS: node.join("=") },
    stdio: ["ignore", "pipe", "inherit", "ipc"],
  });
  const port = await new Promise<string>((resolve, reject) => {
    child.on("error", reject).on("exit", (code) => reject(new Error(`The provider ended with ${code}`)));
    child.stdout?.once("data", (chunk) => resolve(String(chunk).trim()));
  });
  const client = new ResourceProviderClient(`127.0.0.1:${port}`, credentials.createInsecure());
  const call = <T>(method: string, request: object, members: Properties): Promise<T> =>
    callOn(client, method, set(request, members));
  const settings = { [setting("baseUrl")]: url, [setting("token")]: "emulator-token" };
  await call("configure", new messages.ConfigureRequest(), { Args: settings, Acceptsecrets: true });
  return {
    pid: child.pid ?? 0,
    inUse: () => inUse(child),
    call,
    end: async () => {
      client.close();
      child.removeAllListeners("exit");
      const ended = new Promise((resolve) => child.on("exit", resolve));
      child.kill();
      await ended;
      engine.forceShutdown();
      project.remove();
    },
  };
}

/** Starts a provider that goes to a service, and has it check a resource. */
async function startProvider(front: Front, url: string): Promise<Provider> {
  const { type, extra } = startedAs[front];
  const own = await extra();
  const { pid, call, inUse: inUseNow, end } = await openProvider(front, url, measuringItself);
  const named = (at: number) => ({ Urn: `urn:pulumi:dev::bench::${type}::test-${at}`, Type: type });
  const check = async (at: number, held: Properties = {}): Promise<Properties> => {
    const members = { ...named(at), Olds: held, News: { ...declared, testName: `Test ${at}`, ...own } };
    return plain((await call<messages.CheckResponse>("check", new messages.CheckRequest(), members)).getInputs());
  };
  await check(0);
  const startSeconds = statOf(pid).seconds;
  return {
    startSeconds,
    create: async (at) => {
      const inputs = await check(at);
      const members = { ...named(at), Properties: inputs };
      const answer = await call<messages.CreateResponse>("create", new messages.CreateRequest(), members);
      return { id: answer.getId(), state: plain(answer.getProperties()), inputs };
    },
    compare: async (at, { id, state, inputs }) => {
      const members = { ...named(at), Id: id, Olds: state, News: await check(at, inputs) };
      await call("diff", new messages.DiffRequest(), members);
    },
    used: async () => {
      const seconds = statOf(pid).seconds - startSeconds;
      const { heap, external } = await inUseNow();
      return { seconds, megabytes: heap + external };
    },
    end,
  };
}

/** The cost of a provider that created so many resources, and of one that then compared them, as an update without a change does. */
export interface Driven {
  /** Seconds of CPU time until the first check is answered, of both. */
  readonly startSeconds: readonly number[];
  readonly create: Used;
  readonly compare: Used;
}

/** @param url where the service is */
export async function driveProvider(front: Front, url: string, resources: number): Promise<Driven> {
  const numbers = Array.from({ length: resources }, (_, at) => at);
  const creating = await startProvider(front, url);
  const created: Created[] = [];
  for (const at of numbers) created.push(await creating.create(at));
  const create = await creating.used();
  await creating.end();
  const comparing = await startProvider(front, url);
  for (const [at, one] of created.entries()) await comparing.compare(at, one);
  const compare = await comparing.used();
  await comparing.end();
  return { startSeconds: [creating.startSeconds, comparing.startSeconds], create, compare };
}
