import type { Emulator } from "../../emulator";
import { start, type VariedOptions } from "../support/variations/start";
import { readSettings } from "../../api";
import type { Properties } from "../../provider/values";
import { received } from "../../plugin/values";
import { createHost, type DynamicProvider } from "../../provider/dynamic";
import { Lifecycle } from "../../provider/lifecycle";
import { registry, type KindName, type RecordKindName } from "../../provider/registry";
import { Session } from "../../provider/session";
import { caseLabels, kindCases, recordKinds, type KindCase } from "../support/kinds";

/** The emulator's reads show each write at once. */
export const patience = { createOutcomeTimeout: "12", readLag: "0" };

/**
 * Runs lifecycle operations of each resource type against an emulator, without an engine. The engine tests cover the engine's
 * part.
 */
export class Bench {
  session: Session;

  constructor(
    readonly emulator: Emulator,
    private readonly settings: Record<string, string>,
  ) {
    this.session = this.newSession();
  }

  static async start(settings: Record<string, string> = {}, options: VariedOptions = {}): Promise<Bench> {
    return new Bench(await start({ rateLimit: "off", ...options }), settings);
  }

  /** Starts a session as a new provider process does. */
  newSession(settings: Record<string, string> = {}): Session {
    const values: Record<string, string> = {
      baseUrl: this.emulator.url,
      token: "emulator-token",
      ...patience,
      ...this.settings,
      ...settings,
    };
    this.session = new Session(readSettings((name) => values[name], {}));
    return this.session;
  }

  life(name: KindName): Lifecycle {
    return new Lifecycle(registry[name], this.session);
  }

  /** Checks the declared properties and creates the resource. */
  async create(name: KindName, declared: Properties): Promise<{ id: string; state: Properties; inputs: Properties }> {
    const { inputs, failures } = this.life(name).check(declared);
    if (failures.length > 0) throw new Error(JSON.stringify(failures));
    return { ...(await this.life(name).create(inputs)), inputs };
  }

  /** Adds a fault to the next matching requests. */
  async fault(fault: object): Promise<void> {
    const answer = await this.door("faults", fault);
    if (!answer.ok) throw new Error(await answer.text());
  }

  door(path: string, body: object = {}, method: "POST" | "PATCH" = "POST"): Promise<Response> {
    const headers = { "content-type": "application/json" };
    return fetch(`${this.emulator.url}/_emulator/${path}`, { method, headers, body: JSON.stringify(body) });
  }

  async ids(collection: string): Promise<string[]> {
    const answer = await fetch(`${this.emulator.url}/_emulator/records/${collection}`);
    const { records } = (await answer.json()) as { records: { id: string }[] };
    return records.map(({ id }) => id);
  }

  async end(): Promise<void> {
    await this.session.client.close();
    await this.emulator.close();
  }
}

/** Configures a provider for an emulator, and returns the provider. */
export function configured<P extends Pick<DynamicProvider, "configure">>(
  provider: P,
  { url }: Pick<Emulator, "url">,
  token = "emulator-token",
): P {
  const settings: Record<string, string> = { baseUrl: url, token, ...patience };
  provider.configure({ config: { get: (key) => settings[key.replace("endpoint-monitoring:", "")] } });
  return provider;
}

/**
 * Returns a provider with its host, configured for an emulator. By default each call gets its own host, as each process does.
 */
export function hosted(
  emulator: Emulator,
  kind: KindName,
  { host = createHost(() => undefined), token = "emulator-token" } = {},
): DynamicProvider {
  const provider = configured(host.provider(registry[kind]), emulator, token);
  return {
    ...provider,
    async check(state, inputs) {
      const checked = await provider.check(state, inputs);
      return { ...checked, inputs: opened(checked.inputs) };
    },
  };
}

/** Returns inputs as the engine passes them on from check: without secret wrappers, which dynamic providers do not accept. */
export function opened(inputs: Properties): Properties {
  return received(inputs).properties;
}

/** Runs work with a bench, and closes the bench. */
export async function withBench(work: (bench: Bench) => Promise<void>, options: VariedOptions = {}): Promise<void> {
  const bench = await Bench.start({}, options);
  try {
    await work(bench);
  } finally {
    await bench.end();
  }
}

/** Declares a concurrent test with its own bench. The tests mostly wait for retries. */
export function each(name: string, work: (bench: Bench) => Promise<void>, options: VariedOptions = {}): void {
  it.concurrent(name, () => withBench(work, { agents: 0, ...options }));
}

/** Each resource type with its case. `{ $id }` in the case becomes the id of a label in the emulator. */
export const everyKind = recordKinds.map((name): [RecordKindName, KindCase] => [name, kindCases[name]]);

/** Creates the labels of the cases. Returns a function that inserts their ids. */
export async function withLabels(bench: Bench): Promise<(values: Properties) => Properties> {
  const ids: Record<string, string> = {};
  for (const [name, args] of Object.entries(caseLabels)) ids[name] = (await bench.create("label", args)).id;
  const put = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(put);
    if (typeof value !== "object" || value === null) return value;
    if ("$id" in value) return ids[String(value.$id)];
    return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, put(member)]));
  };
  return (values) => put(values) as Properties;
}
