/**
 * Plays the engine's part in the protocol of dynamic providers: which calls it makes, in which order, for a program and a state. It is
 * written after the engine's step generator (pkg/resource/deploy/step_generator.go, 3.259), of which it knows what matters for
 * who stands for a record: old inputs in `check`, diffs that are left out, dependents of a replacement, both replacement orders.
 * test/engine/refactorings.test.ts holds the same cases on the real engine.
 */
import { createHost, type DynamicProvider } from "../../provider/dynamic";
import { registry, type KindName } from "../../provider/registry";
import { type Properties, hasUnknown, isObject, unknownValue } from "../../provider/values";
import { type Bench, opened } from "./bench";

/** A resource of a program. `{ $id: name }` among the arguments is the id of another. */
export interface Declared {
  kind: KindName;
  args: Properties;
  alias?: string;
  /** As the resource option; the resource classes set it to true where replacements delete first. */
  deleteBeforeReplace?: boolean;
  /** The resource option `replacementTrigger`: another value replaces, without a diff. */
  trigger?: string;
  retainOnDelete?: boolean;
}
export type Program = Record<string, Declared>;

export interface Operation {
  /** Names of resources to replace, as by `--replace` or a taint. */
  replace?: readonly string[];
  /** Reads everything first, as `--refresh` does. */
  refresh?: boolean;
  /** The engine is killed before it deletes what is left. */
  killedBeforeDeletes?: boolean;
}

interface Held {
  kind: KindName;
  id: string;
  inputs: Properties;
  outputs: Properties;
  declared: Declared;
  /** Whether its last create or update was carried out in part: the engine updates it next, whatever the diff says. */
  inPart?: boolean;
}

export class EngineModel {
  /** The state, by name. */
  readonly state = new Map<string, Held>();
  /** Calls of the last operation that change something, and `check` and `diff`, each with the name of its resource. */
  calls: string[] = [];
  /** What the providers have printed. */
  readonly printed: string[] = [];
  #providers = new Map<KindName, DynamicProvider>();
  /** Resources that wait for their deletion after the replacement was created; they survive a killed engine. */
  readonly #pendingDeletes: [string, Held][] = [];

  constructor(
    private readonly bench: Bench,
    private readonly settings: Record<string, string | undefined> = {},
  ) {}

  /** `pulumi up`. @throws the first error, which ends it */
  async up(program: Program, { replace = [], refresh = false, killedBeforeDeletes = false }: Operation = {}): Promise<void> {
    this.#start();
    if (refresh) await this.refreshAll();
    const olds = new Map(this.state);
    const operatedOn = new Set<string>();
    const dependentsDeleted = new Set<string>();
    for (const [name, declared] of Object.entries(program)) {
      const oldName = olds.has(name) ? name : (declared.alias ?? name);
      const old = olds.get(oldName);
      if (old) operatedOn.add(oldName);
      const props = { ...this.#resolved(declared.args), __resource: name };
      const recreating = dependentsDeleted.has(oldName);
      const forced = replace.includes(name) && old !== undefined;
      const news = await this.#check(name, declared.kind, old && !recreating && !forced ? old.inputs : {}, props);
      if (!old || recreating) {
        await this.#create(name, declared, news);
        continue;
      }
      this.state.delete(oldName);
      this.state.set(name, old);
      const triggered = declared.trigger !== old.declared.trigger;
      const verdict =
        forced || triggered
          ? { changes: true, replaces: ["id"], deleteBeforeReplace: false }
          : await this.#call(name, declared.kind, "diff", (provider) => provider.diff(old.id, wire(old.outputs), wire(news)));
      if (verdict.replaces.length > 0) {
        const inputs = forced ? news : await this.#check(name, declared.kind, {}, props);
        if (declared.deleteBeforeReplace ?? verdict.deleteBeforeReplace) {
          for (const [dependent, held] of await this.#dependents(oldName, olds, operatedOn)) {
            await this.#delete(dependent, held);
            dependentsDeleted.add(dependent);
          }
          await this.#delete(name, old);
          await this.#create(name, declared, inputs);
        } else {
          await this.#create(name, declared, inputs);
          this.#pendingDeletes.push([name, old]);
        }
      } else if (verdict.changes || old.inPart === true) {
        await this.#update(name, declared, old, news);
      } else {
        this.state.set(name, { ...old, declared, inputs: news });
      }
    }
    if (killedBeforeDeletes) return;
    const removed = [...olds].filter(([name]) => !operatedOn.has(name) && !dependentsDeleted.has(name));
    // One that fails, and those behind it, are still to be deleted by the next update.
    for (let next = this.#pendingDeletes[0]; next; next = this.#pendingDeletes[0]) {
      await this.#delete(...next);
      this.#pendingDeletes.shift();
    }
    for (const [name, held] of removed.toReversed()) await this.#delete(name, held);
  }

  /** `pulumi destroy`: deletes alone. */
  async destroy(): Promise<void> {
    this.#start();
    for (const [name, held] of [...this.state].toReversed()) await this.#delete(name, held);
  }

  /** `pulumi refresh`, or the part of `pulumi up --refresh` that comes before the program. */
  async refresh(): Promise<void> {
    this.#start();
    await this.refreshAll();
  }

  /** Ids of the state. */
  ids(): string[] {
    return [...this.state.values()].map(({ id }) => id);
  }

  private async refreshAll(): Promise<void> {
    for (const [name, held] of this.state) {
      const read = await this.#call(name, held.kind, "read", (provider) => provider.read(held.id, wire(held.outputs)));
      if (read.id === "") {
        this.state.delete(name);
        continue;
      }
      // A refresh clears the failure.
      const fresh = { ...held, inPart: false, outputs: wire(read.props), inputs: wire(read.inputs ?? held.inputs) };
      await this.#call(name, held.kind, "diff", (provider) => provider.diff(held.id, wire(fresh.outputs), wire(held.inputs)));
      this.state.set(name, fresh);
    }
  }

  /** Resources that depend on one that is being replaced, and would be replaced for it: the provider is asked. Dependents first. */
  async #dependents(root: string, olds: ReadonlyMap<string, Held>, operatedOn: ReadonlySet<string>): Promise<[string, Held][]> {
    const replaced = new Set([root]);
    const found: [string, Held][] = [];
    for (const [name, held] of olds) {
      if (operatedOn.has(name)) continue;
      const inputs = Object.fromEntries(
        Object.entries(held.inputs).map(([property, value]) => [
          property,
          refersTo(held.declared.args[property], replaced) ? unknownValue : value,
        ]),
      );
      if (!hasUnknown(inputs)) continue;
      const { replaces } = await this.#call(name, held.kind, "diff", (provider) =>
        provider.diff(held.id, wire(held.outputs), wire(inputs)),
      );
      if (replaces.length === 0) continue;
      replaced.add(name);
      found.unshift([name, held]);
    }
    return found;
  }

  async #check(name: string, kind: KindName, olds: Properties, props: Properties): Promise<Properties> {
    const { inputs, failures } = await this.#call(name, kind, "check", (provider) => provider.check(wire(olds), wire(props)));
    const [failure] = failures;
    if (failure) throw new Error(failure.reason);
    return wire(opened(inputs));
  }

  async #create(name: string, declared: Declared, inputs: Properties): Promise<void> {
    const { kind } = declared;
    const created = this.#call(name, kind, "create", (provider) => provider.create(wire(inputs)));
    const { id, outs } = await created.catch((error: unknown) => {
      this.#keepPart(error, name, { kind, id: "", inputs, outputs: {}, declared });
      throw error;
    });
    this.state.set(name, { kind, id, inputs, outputs: wire(outs), declared });
  }

  async #update(name: string, declared: Declared, old: Held, inputs: Properties): Promise<void> {
    const updated = this.#call(name, declared.kind, "update", (provider) =>
      provider.update(old.id, wire(old.outputs), wire(inputs)),
    );
    const { outs } = await updated.catch((error: unknown) => {
      this.#keepPart(error, name, { ...old, declared, inputs });
      throw error;
    });
    this.state.set(name, { ...old, declared, inputs, outputs: wire(outs), inPart: false });
  }

  /** An error with an id and properties is a partial success: the object is kept in state. */
  #keepPart(error: unknown, name: string, held: Held): void {
    if (!isObject(error) || typeof error["id"] !== "string" || !isObject(error["properties"])) return;
    this.state.set(name, { ...held, id: error["id"], outputs: wire(error["properties"]), inPart: true });
  }

  async #delete(name: string, held: Held): Promise<void> {
    if (!held.declared.retainOnDelete) {
      await this.#call(name, held.kind, "delete", (provider) => provider.delete(held.id, wire(held.outputs)));
    }
    if (this.state.get(name) === held) this.state.delete(name);
  }

  async #call<T>(name: string, kind: KindName, method: string, make: (provider: DynamicProvider) => Promise<T>): Promise<T> {
    this.calls.push(`${method} ${name}`);
    const provider = this.#providers.get(kind);
    if (!provider) throw new Error(`no provider of ${kind}`);
    return make(provider);
  }

  /** One operation is one provider process. */
  #start(): void {
    const settings: Record<string, string | undefined> = {
      baseUrl: this.bench.emulator.url,
      token: "emulator-token",
      ...this.settings,
    };
    const host = createHost((line) => this.printed.push(line));
    this.calls = [];
    this.#providers = new Map(
      Object.entries(registry).map(([name, kind]) => {
        const provider = host.provider(kind);
        provider.configure({ config: { get: (key) => settings[key.replace(/^endpoint-monitoring:/, "")] } });
        return [name as KindName, provider];
      }),
    );
  }

  #resolved(args: Properties): Properties {
    const put = (value: unknown): unknown => {
      if (Array.isArray(value)) return value.map(put);
      if (!isObject(value)) return value;
      if ("$id" in value) return this.state.get(String(value["$id"]))?.id;
      return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, put(member)]));
    };
    return put(args) as Properties;
  }
}

/** What crosses the wire, with the provider string that the host carries among the properties. */
function wire(properties: Properties): Properties {
  return Object.keys(properties).length === 0
    ? {}
    : { ...(JSON.parse(JSON.stringify(properties)) as Properties), __provider: "exports.handler=…" };
}

function refersTo(value: unknown, names: ReadonlySet<string>): boolean {
  if (Array.isArray(value)) return value.some((item) => refersTo(item, names));
  if (!isObject(value)) return false;
  return "$id" in value ? names.has(String(value["$id"])) : Object.values(value).some((item) => refersTo(item, names));
}
