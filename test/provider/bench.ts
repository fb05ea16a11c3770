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

/** The emulator's reads show every write at once. */
export const patience = { createOutcomeTimeout: "12", readLag: "0" };

/** The lifecycle of every kind against an emulator, without an engine: what happens between them is the engine tests' matter. */
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

  /** As a new provider process would have. */
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

  /** Checks what a program declares and creates it. */
  async create(name: KindName, declared: Properties): Promise<{ id: string; state: Properties; inputs: Properties }> {
    const { inputs, failures } = this.life(name).check(declared);
    if (failures.length > 0) throw new Error(JSON.stringify(failures));
    return { ...(await this.life(name).create(inputs)), inputs };
  }

  /** Puts faults before the next matching requests. */
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

/** A provider as its host has it, configured for an emulator. Each call has a host of its own, as each process has, unless one is given. */
export function hosted(
  { url }: Emulator,
  kind: KindName,
  { host = createHost(() => undefined), token = "emulator-token" } = {},
): DynamicProvider {
  const settings: Record<string, string> = { baseUrl: url, token, ...patience };
  const provider = host.provider(registry[kind]);
  provider.configure({ config: { get: (key) => settings[key.replace("endpoint-monitoring:", "")] } });
  return {
    ...provider,
    async check(state, inputs) {
      const checked = await provider.check(state, inputs);
      return { ...checked, inputs: opened(checked.inputs) };
    },
  };
}

/** Inputs as the engine passes them on from check: dynamic providers do not accept secrets, so it opens them. */
export function opened(inputs: Properties): Properties {
  return received(inputs).properties;
}

/** Has a bench for a moment. */
export async function withBench(work: (bench: Bench) => Promise<void>, options: VariedOptions = {}): Promise<void> {
  const bench = await Bench.start({}, options);
  try {
    await work(bench);
  } finally {
    await bench.end();
  }
}

/** A test with a bench of its own. They run side by side: much of their time is pauses before a request is tried again. */
export function each(name: string, work: (bench: Bench) => Promise<void>, options: VariedOptions = {}): void {
  it.concurrent(name, () => withBench(work, options), 60_000);
}

/** Every kind with its case. `{ $id }` of the case becomes the id of a label made in the emulator. */
export const everyKind = recordKinds.map((name): [RecordKindName, KindCase] => [name, kindCases[name]]);

/** Makes the labels that cases refer to, and gives a function that puts their ids in. */
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
