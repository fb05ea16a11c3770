/**
 * Provider processes of both fronts, as the engine uses them: the engine's messages and how it reads the responses. A dynamic
 * provider is loaded from the provider string in the properties of each call, as Pulumi's own host does
 * (@pulumi/pulumi/cmd/dynamic-provider, 3.259). A native provider gets protocol messages without a connection.
 */
import * as messages from "@pulumi/pulumi/proto/provider_pb";
import { PartialError } from "../../plugin/errors";
import type { EngineLog } from "../../plugin/engine-log";
import { loadProtocol, type PluginProtocol } from "../../plugin/protocol";
import { NativeProvider } from "../../plugin/provider";
import { createHost, type DynamicProvider, type Host, type KindProvider, type Print } from "../../provider/dynamic";
import type { OperationLog } from "../../provider/operation-log";
import { type KindName, registry } from "../../provider/registry";
import { type Properties, isObject } from "../../provider/values";
import { nativeToken, providerString, typeToken } from "../../sdk/token";
import { plain, set } from "../support/plugin";

/** How resources are declared. */
export type Front = "dynamic" | "native";

/** The resource that a call is about. */
export interface Subject {
  readonly name: string;
  readonly kind: KindName;
}

/** A diff as the engine reads it. */
export interface Verdict {
  changes: boolean;
  replaces: readonly string[];
  /** Changed properties. The host of dynamic providers does not name them. */
  changed: readonly string[];
  deleteBeforeReplace: boolean;
}

/** A provider process: one operation's calls to one provider. */
export interface ProviderProcess {
  check(subject: Subject, oldInputs: Properties, declared: Properties): Promise<{ inputs: Properties; failures: string[] }>;
  diff(subject: Subject, id: string, state: Properties, inputs: Properties): Promise<Verdict>;
  create(subject: Subject, inputs: Properties): Promise<{ id: string; state: Properties }>;
  read(
    subject: Subject,
    id: string,
    state: Properties,
    inputs: Properties,
  ): Promise<{ id: string; state: Properties; inputs: Properties }>;
  update(subject: Subject, id: string, state: Properties, inputs: Properties): Promise<Properties>;
  delete(subject: Subject, id: string, state: Properties): Promise<void>;
}

/** A partly failed create or update, as the engine receives it. */
export class InPart extends Error {
  constructor(
    readonly id: string,
    readonly properties: Properties,
    readonly reasons: readonly string[],
    cause: Error,
  ) {
    super(cause.message, { cause });
    // A message for users has no stack trace. A bug has one.
    this.stack = cause.stack ?? "";
  }
}

/** Settings of a new process. */
export interface Start {
  /** Settings of the provider by name. */
  settings: Readonly<Record<string, string | undefined>>;
  /** Opens the log that the processes of an operation share. */
  openLog: () => OperationLog;
  print: Print;
}

export function startProcess(front: Front, start: Start): ProviderProcess {
  return front === "dynamic" ? new DynamicProcess(start) : new NativeProcess(start);
}

/** Returns inputs as the classes of a front register them. */
export function registered(front: Front, { name, kind }: Subject, args: Properties): Properties {
  return front === "dynamic" ? { ...args, __provider: providerString(registry[kind].name), __resource: name } : args;
}

/** A failure of the host that no provider sees. */
export class HostFailure extends Error {}

class DynamicProcess implements ProviderProcess {
  readonly #host: Host;
  readonly #loaded = new Map<string, DynamicProvider>();

  constructor(private readonly start: Start) {
    this.#host = createHost(start.print, start.openLog);
  }

  async check(_: Subject, oldInputs: Properties, declared: Properties): ReturnType<ProviderProcess["check"]> {
    const { inputs, failures } = await this.#load(declared).check(opened(oldInputs), opened(declared));
    return { inputs: withProvider(inputs, declared), failures: failures.map(({ reason }) => reason) };
  }

  async diff(_: Subject, id: string, state: Properties, inputs: Properties): Promise<Verdict> {
    const verdict = await this.#load(inputs).diff(id, opened(state), opened(inputs));
    return { ...verdict, changed: [] };
  }

  async create(_: Subject, inputs: Properties): Promise<{ id: string; state: Properties }> {
    const { id, outs } = await inPart(() => this.#load(inputs).create(opened(inputs)));
    return { id, state: withProvider(outs, inputs) };
  }

  async read(_: Subject, id: string, state: Properties, inputs: Properties): ReturnType<ProviderProcess["read"]> {
    const read = await this.#load(state).read(id, opened(state));
    return {
      id: read.id,
      state: withProvider(read.props, state),
      inputs: marked(withProvider(read.inputs ?? {}, state), inputs),
    };
  }

  async update(_: Subject, id: string, state: Properties, inputs: Properties): Promise<Properties> {
    const { outs } = await inPart(() => this.#load(inputs).update(id, opened(state), opened(inputs)));
    return withProvider(outs, inputs);
  }

  async delete(_: Subject, id: string, state: Properties): Promise<void> {
    await this.#load(state).delete(id, opened(state));
  }

  /** @throws HostFailure for properties without a provider string, as the host does */
  #load({ __provider: text }: Properties): DynamicProvider {
    if (typeof text !== "string") throw new HostFailure(`code must be a string, not ${typeof text}`);
    const loaded = this.#loaded.get(text);
    if (loaded) return loaded;
    const [, name, discreet] = /\.(\w+?)(\.discreet)?$/.exec(text) ?? [];
    const kind = registry[name as KindName];
    const provider: KindProvider = this.#host.provider(kind);
    const chosen = discreet === undefined ? provider : provider.discreet;
    const { settings } = this.start;
    chosen.configure({ config: { get: (key) => settings[key.replace(/^endpoint-monitoring:/, "")] } });
    this.#loaded.set(text, chosen);
    return chosen;
  }
}

/**
 * Converts errors of a create or update as the host does. The engine receives the properties of a partial success unchanged.
 */
async function inPart<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const { id, properties, reasons } = error as { id?: string; properties?: Properties; reasons?: string[] };
    if (id === undefined || id === "" || !(error instanceof Error)) throw error;
    throw new InPart(id, wired(properties ?? {}), reasons ?? [], error);
  }
}

/** Returns a response's properties with the provider string of the call. */
function withProvider(properties: Properties, { __provider }: Properties): Properties {
  return { ...wired(properties), __provider };
}

const wired = (properties: Properties): Properties => JSON.parse(JSON.stringify(properties)) as Properties;

const signature = "4dabf18193072939515e22adb298388d";

/** Returns properties without secret wrappers, for a provider that does not accept secrets. */
function opened(properties: Properties): Properties {
  const open = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(open);
    if (!isObject(value)) return value;
    if (signature in value) return open(value["value"]);
    return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, open(member)]));
  };
  return open(properties) as Properties;
}

/**
 * Returns a response's properties, with previously secret properties marked as secret. The engine does so for providers
 * without secrets.
 */
function marked(properties: Properties, before: Properties): Properties {
  const marks = Object.entries(properties).map(([name, value]) => {
    const former = before[name];
    return [name, isObject(former) && signature in former ? { ...former, value } : value];
  });
  return Object.fromEntries(marks) as Properties;
}

let protocol: PluginProtocol | undefined;

class NativeProcess implements ProviderProcess {
  readonly #provider: NativeProvider;

  constructor({ settings, openLog, print }: Start) {
    protocol ??= loadProtocol();
    const write = (line: string): Promise<void> => Promise.resolve(print(line));
    const log = { attach: () => undefined, print: write, warn: write };
    // The provider calls only these three methods.
    this.#provider = new NativeProvider(protocol, log as unknown as EngineLog, openLog);
    const configured = Object.entries(settings).filter(([, value]) => value !== undefined);
    this.#provider.configure(set(new messages.ConfigureRequest(), { Args: Object.fromEntries(configured) }));
  }

  async check(subject: Subject, oldInputs: Properties, declared: Properties): ReturnType<ProviderProcess["check"]> {
    const request = set(new messages.CheckRequest(), { ...named(subject), Olds: oldInputs, News: declared });
    const answer = await Promise.resolve(request).then((message) => this.#provider.check(message));
    return { inputs: plain(answer.getInputs()), failures: answer.getFailuresList().map((failure) => failure.getReason()) };
  }

  async diff(subject: Subject, id: string, state: Properties, inputs: Properties): Promise<Verdict> {
    const request = set(new messages.DiffRequest(), { ...named(subject), Id: id, Olds: state, News: inputs });
    const answer = await Promise.resolve(request).then((message) => this.#provider.diff(message));
    return {
      changes: answer.getChanges() === messages.DiffResponse.DiffChanges.DIFF_SOME,
      replaces: answer.getReplacesList(),
      changed: answer.getDiffsList(),
      deleteBeforeReplace: answer.getDeletebeforereplace(),
    };
  }

  async create(subject: Subject, inputs: Properties): Promise<{ id: string; state: Properties }> {
    const request = set(new messages.CreateRequest(), { ...named(subject), Properties: inputs });
    const answer = await partial(() => this.#provider.create(request));
    return { id: answer.getId(), state: plain(answer.getProperties()) };
  }

  async read(subject: Subject, id: string, state: Properties, inputs: Properties): ReturnType<ProviderProcess["read"]> {
    const request = set(new messages.ReadRequest(), { ...named(subject), Id: id, Properties: state, Inputs: inputs });
    const answer = await this.#provider.read(request);
    return { id: answer.getId(), state: plain(answer.getProperties()), inputs: plain(answer.getInputs()) };
  }

  async update(subject: Subject, id: string, state: Properties, inputs: Properties): Promise<Properties> {
    const request = set(new messages.UpdateRequest(), { ...named(subject), Id: id, Olds: state, News: inputs });
    return plain((await partial(() => this.#provider.update(request))).getProperties());
  }

  async delete(subject: Subject, id: string, state: Properties): Promise<void> {
    await this.#provider.delete(set(new messages.DeleteRequest(), { ...named(subject), Id: id, Properties: state }));
  }
}

/** Converts errors of a create or update as the plugin's server does. */
async function partial<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof PartialError)) throw error;
    const { failure, outputs } = error;
    throw new InPart(failure.id, plain(outputs), failure.reasons, failure);
  }
}

function named({ name, kind }: Subject): { Type: string; Urn: string } {
  const type = nativeToken(registry[kind].name);
  return { Type: type, Urn: `urn:pulumi:dev::test::${type}::${name}` };
}

/** Returns the type token of a resource type on a front. */
export function typeOf(front: Front, kind: KindName): string {
  return (front === "native" ? nativeToken : typeToken)(registry[kind].name);
}
