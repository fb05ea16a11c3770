/**
 * Plays the part of Pulumi's own host of dynamic providers (@pulumi/pulumi/cmd/dynamic-provider, 3.259). Properties are sent
 * as protobuf structs, which reject `undefined`, and the host adds the provider string to them. The host prints an error of
 * `check`, `diff`, `read` and `delete` with its stack. An error of `create` and `update` with an id is a partial success.
 */
import { createRequire } from "node:module";
import { createHost, type DynamicProvider } from "../../provider/dynamic";
import type { Kind } from "../../provider/kind";
import { type KindName, registry } from "../../provider/registry";
import type { Properties } from "../../provider/values";
import { opened } from "./bench";

const providerString = "exports.handler=…";

interface StructClass {
  fromJavaScript(value: object): { toJavaScript(): object };
}
/** The library that the host uses. */
const { Struct } = createRequire(require.resolve("@pulumi/pulumi"))("google-protobuf/google/protobuf/struct_pb") as {
  Struct: StructClass;
};

/** A failed call, as the engine receives it. */
export class HostError extends Error {
  /** The result of a partly failed create or update. */
  readonly inPart?: { id: string; properties: Properties; reasons: string[] };

  constructor(error: Error & { id?: string; properties?: Properties; reasons?: string[] }, printed: boolean, out: string[]) {
    super(error.message);
    if (printed) out.push(`${String(error)}: ${error.stack}`);
    else if (error.id !== undefined && error.id !== "") {
      this.inPart = { id: error.id, properties: crossed(error.properties ?? {}), reasons: error.reasons ?? [] };
    }
  }
}

/** One provider process. */
export class OfficialHost {
  /** Printed lines of the provider, and printed errors. */
  readonly printed: string[] = [];
  readonly #host = createHost((line) => this.printed.push(line));
  readonly #cache = new Map<KindName, DynamicProvider>();

  /** @param config the stack configuration, by full key @param kinds the resource types of the installed package */
  constructor(
    private readonly config: Record<string, string>,
    private readonly kinds: Record<KindName, Kind> = registry,
  ) {}

  async check(
    kind: KindName,
    oldInputs: Properties,
    newInputs: Properties,
  ): Promise<{ inputs: Properties; failures: string[] }> {
    return this.#told(async () => {
      const { inputs, failures } = await this.#provider(kind).check(sent(oldInputs), sent(newInputs));
      // The engine prints the value of a named property.
      for (const { property } of failures) if (property !== "") throw new Error(`the failure names ${property}`);
      return { inputs: opened(returned(inputs)), failures: failures.map(({ reason }) => reason) };
    });
  }

  async diff(kind: KindName, id: string, state: Properties, newInputs: Properties) {
    return this.#told(async () => {
      const { changes, replaces, deleteBeforeReplace } = await this.#provider(kind).diff(id, sent(state), sent(newInputs));
      return { changes, replaces, deleteBeforeReplace };
    });
  }

  async create(kind: KindName, inputs: Properties): Promise<{ id: string; properties: Properties }> {
    return this.#inPart(async () => {
      const { id, outs } = await this.#provider(kind).create(sent(inputs));
      return { id, properties: returned(outs) };
    });
  }

  async read(kind: KindName, id: string, properties: Properties) {
    return this.#told(async () => {
      const read = await this.#provider(kind).read(id, sent(properties));
      return { id: read.id, properties: returned(read.props), inputs: read.inputs && returned(read.inputs) };
    });
  }

  async update(kind: KindName, id: string, state: Properties, newInputs: Properties): Promise<Properties> {
    return this.#inPart(async () => returned((await this.#provider(kind).update(id, sent(state), sent(newInputs))).outs));
  }

  async delete(kind: KindName, id: string, properties: Properties): Promise<void> {
    return this.#told(() => this.#provider(kind).delete(id, sent(properties)));
  }

  /** Configures the provider once, without waiting for it. */
  #provider(kind: KindName): DynamicProvider {
    const cached = this.#cache.get(kind);
    if (cached) return cached;
    const provider = this.#host.provider(this.kinds[kind]);
    this.#cache.set(kind, provider);
    provider.configure({ config: { get: (key) => this.config[key] } });
    return provider;
  }

  async #told<T>(call: () => Promise<T>): Promise<T> {
    return call().catch((error: unknown) => {
      throw new HostError(error as Error, true, this.printed);
    });
  }

  async #inPart<T>(call: () => Promise<T>): Promise<T> {
    return call().catch((error: unknown) => {
      throw new HostError(error as Error, false, this.printed);
    });
  }
}

/** Returns the engine's properties as the host passes them on. */
function sent(properties: Properties): Properties {
  return crossed(Object.keys(properties).length === 0 ? {} : { __provider: providerString, ...properties });
}

/** Returns a provider's result as the engine receives it, without the provider string, which the host adds. */
function returned(properties: Properties): Properties {
  const { __provider, ...rest } = crossed({ ...properties, __provider: providerString });
  return rest;
}

/** Returns properties after a transfer as protobuf. @throws for `undefined` at any depth */
function crossed(properties: Properties): Properties {
  // Struct itself throws.
  return Struct.fromJavaScript(properties).toJavaScript() as Properties;
}
