/** Runs one provider process on Linux without an engine, and sends requests as the engine does. */
import { spawn } from "node:child_process";
import { join } from "node:path";
import { credentials, Server } from "@grpc/grpc-js";
import { type dynamic, runtime } from "@pulumi/pulumi";
import { ResourceProviderClient } from "@pulumi/pulumi/proto/provider_grpc_pb";
import * as messages from "@pulumi/pulumi/proto/provider_pb";
import type { Properties } from "../../provider/values";
import { nativeToken, providerString, typeToken } from "../../sdk/token";
import { callOn, portOf, set } from "../../test/support/plugin";
import { inUse, type InUse, statOf } from "./processes";
import { Project, root, type Subject } from "./project";

const { providers } = require("./baselines.cjs") as {
  providers: Record<"least" | "handwritten", Record<"Label" | "AgentToServerTest", dynamic.ResourceProvider>>;
};

/** Returns the text of a baseline's provider, as Pulumi's SDK stores it in the state. */
export async function textOf(baseline: "least" | "handwritten", className: "Label" | "AgentToServerTest"): Promise<string> {
  return (await runtime.serializeFunction(() => providers[baseline][className])).text;
}

/** A running provider process that is configured. */
export interface ProviderProcess {
  readonly pid: number;
  /** Returns the provider's memory in use after a garbage collection. The process must be started with `measuringItself`. */
  readonly inUse: () => Promise<InUse>;
  readonly call: <T>(method: string, request: object, members: Properties) => Promise<T>;
  readonly end: () => Promise<void>;
}

/** Starts and configures a provider that uses a service. @param node Node options of the provider process */
export async function openProvider(subject: Subject, url: string, node: readonly string[] = []): Promise<ProviderProcess> {
  const isNative = subject === "native";
  const executable = isNative ? join(root, "plugin/pulumi-resource-endpoint-monitoring") : "pulumi-resource-pulumi-nodejs";
  const project = await Project.open(subject, "");
  // The provider connects to its engine, but this engine answers no requests.
  const engine = new Server();
  const child = spawn(executable, [`127.0.0.1:${await portOf(engine)}`], {
    cwd: project.folder,
    env: { ...project.env, NODE_OPTIONS: node.join("=") },
    stdio: ["ignore", "pipe", "inherit", "ipc"],
  });
  const port = await new Promise<string>((resolve, reject) => {
    child.on("error", reject).on("exit", (code) => reject(new Error(`The provider exited with code ${code}`)));
    child.stdout?.once("data", (chunk) => resolve(String(chunk).trim()));
  });
  const client = new ResourceProviderClient(`127.0.0.1:${port}`, credentials.createInsecure());
  const call = <T>(method: string, request: object, members: Properties): Promise<T> =>
    callOn(client, method, set(request, members));
  const prefix = isNative ? "" : "endpoint-monitoring:";
  const settings = { [`${prefix}baseUrl`]: url, [`${prefix}token`]: "emulator-token" };
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

/** Returns a provider's CPU seconds from its start until it has answered its first check. */
export async function startSeconds(subject: Exclude<Subject, "handwritten">, url: string): Promise<number> {
  const className = "AgentToServerTest";
  const tokens = { native: nativeToken(className), dynamic: typeToken(className), least: "pulumi-nodejs:dynamic:Resource" };
  const type = tokens[subject];
  const provider = {
    native: async () => ({}),
    dynamic: async () => ({ __provider: providerString(className) }),
    least: async () => ({ __provider: await textOf("least", className) }),
  }[subject];
  const { pid, call, end } = await openProvider(subject, url);
  try {
    const inputs = { testName: "Test", server: "vpn.example.com", ...(await provider()) };
    const members = { Urn: `urn:pulumi:dev::bench::${type}::test`, Type: type, Olds: {}, News: inputs };
    await call("check", new messages.CheckRequest(), members);
    return statOf(pid).seconds;
  } finally {
    await end();
  }
}
