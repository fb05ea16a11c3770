import { type dynamic, runtime } from "@pulumi/pulumi";
import { readSettings } from "../../api";
import { start } from "../../emulator";
import { Lifecycle } from "../../provider/lifecycle";
import { registry } from "../../provider/registry";
import { Session } from "../../provider/session";
import type { Properties } from "../../provider/values";
import { AgentToServerTest } from "../../sdk";

/** The properties of a test that the benchmarks create, as it is once it exists: what resources that do nothing have, too. */
export interface Shape {
  /** Inputs that a check fills in. */
  readonly defaults: Properties;
  /** Outputs beside the inputs. */
  readonly outputs: Properties;
  /** Names of all outputs of the class. */
  readonly names: readonly string[];
}

/** The arguments of a test in programs of the benchmarks. */
export const declared = { testName: "Test 0", server: "vpn.example.com" };

let shape: Promise<Shape> | undefined;

/** Asks our own provider, on an emulator of its own: no figure here can fall behind it. */
export function shapeOfTest(): Promise<Shape> {
  return (shape ??= created());
}

async function created(): Promise<Shape> {
  const emulator = await start({ rateLimit: "off", agents: 0 });
  const env = { ENDPOINT_MONITORING_BASE_URL: emulator.url, ENDPOINT_MONITORING_TOKEN: "emulator-token" };
  const session = new Session(readSettings(() => undefined, env));
  try {
    const test = new Lifecycle(registry.agentToServerTest, session);
    const { inputs } = test.check(declared);
    const { state } = await test.create(inputs);
    const without = (properties: Properties, others: Properties): Properties =>
      Object.fromEntries(Object.entries(properties).filter(([name]) => !(name in others)));
    return { defaults: without(inputs, declared), outputs: without(state, inputs), names: AgentToServerTest.of.outputs };
  } finally {
    await session.client.close();
    await emulator.close();
  }
}

/** Creates resources of that shape in a program: see nothing.cjs. */
export const { floorOf } = require("./nothing.cjs") as {
  floorOf: (shape: Shape) => { provider: dynamic.ResourceProvider };
};

/** The text of a provider as Pulumi's SDK keeps it in the state. */
export async function textOf(provider: dynamic.ResourceProvider): Promise<string> {
  return (await runtime.serializeFunction(() => provider)).text;
}
