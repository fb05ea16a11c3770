/**
 * Plays the engine's part in the protocols of both fronts: which calls it makes, of which processes, in which order, for a program and a
 * state. It is written after the engine's step generator (pkg/resource/deploy/step_generator.go, 3.259), of which it knows what matters
 * for who stands for a record: old inputs in `check`, diffs that are left out, dependents of a replacement, both replacement orders,
 * deletions that wait, updates that end in part. test/engine/refactorings.test.ts holds the same cases on the real engine.
 */
import type { KindName } from "../../provider/registry";
import { type Properties, compact, hasUnknown, isObject, unknownValue } from "../../provider/values";
import type { Emulator } from "../../emulator";
import { sharedLog } from "../support/shared-log";
import { type Front, InPart, type ProviderProcess, registered, startProcess } from "./engine-processes";

/** A resource of a program. `{ $id: name }` among the arguments is the id of another. */
export interface Declared {
  kind: KindName;
  args: Properties;
  /** Front of the class. @defaultValue dynamic */
  front?: Front | undefined;
  /** Name of the explicit provider; without one it is the default provider of the front. Each is a process of its own. */
  provider?: string | undefined;
  /** A name that it had, or several. */
  alias?: string | readonly string[] | undefined;
  /** As the resource option; the resource classes set it to true where replacements delete first. */
  deleteBeforeReplace?: boolean | undefined;
  /** The resource option `replaceOnChanges`: properties whose change replaces. The host of dynamic providers does not name what changed. */
  replaceOnChanges?: readonly string[] | undefined;
  /** The resource option `replacementTrigger`: another value replaces, without a diff. */
  trigger?: string | undefined;
  retainOnDelete?: boolean | undefined;
  /** Properties that an update leaves as they were declared when it was last applied. A replacement takes those of the program. */
  ignoreChanges?: readonly string[] | undefined;
  /** Names of resources that it waits for, and that are deleted after it. */
  dependsOn?: readonly string[] | undefined;
  /** Name of the resource with which its record goes: nothing deletes it in an operation that deletes that one. */
  deletedWith?: string | undefined;
  /** Names of resources whose replacement replaces it, too. */
  replaceWith?: readonly string[] | undefined;
}
export type Program = Record<string, Declared>;

export interface Operation {
  /** Names of resources to replace, as by `--replace` or a taint. */
  replace?: readonly string[];
  /** Reads everything first, as `--refresh` does. */
  refresh?: boolean;
  /** Names that the operation is limited to, as `--target` does: of the program, or of the state. */
  target?: readonly string[] | undefined;
  /** Goes on beside a resource that fails, as `--continue-on-error` does. */
  continueOnError?: boolean;
  /** Creates and updates run beside each other where nothing depends on them, as they do with the engine. */
  parallel?: boolean;
  /** The engine is killed before it deletes what is left. */
  killedBeforeDeletes?: boolean;
  /** The engine is killed after so many creates, updates and deletes. */
  killedAfter?: number;
}

/** A resource in the state. */
export interface Held {
  urn: string;
  name: string;
  kind: KindName;
  front: Front;
  provider: string | undefined;
  id: string;
  inputs: Properties;
  outputs: Properties;
  declared: Declared;
  /** Whether its last create or update was carried out in part: the engine updates it next, whatever the diff says. */
  inPart?: boolean;
  /** Whether its record was deleted, and the create of its replacement is still to come. */
  pendingReplacement?: boolean;
}

/** The engine was killed. */
export class Killed extends Error {
  override readonly message = "the engine was killed";
}

export class EngineModel {
  /** The state, by URN: a name, and for a class of the native front its name with a prefix, since its type is another one. */
  readonly state = new Map<string, Held>();
  /** Resources that wait for their deletion after the replacement was created; they survive a killed engine. */
  readonly pendingDeletes: Held[] = [];
  /** Calls of the last operation that change something, and `check` and `diff`, each with the name of its resource. */
  calls: string[] = [];
  /** What the providers have printed. */
  readonly printed: string[] = [];
  /** Settings that an explicit provider has beyond those of the stack. */
  readonly providers: Record<string, Record<string, string>> = {};
  readonly #processes = new Map<string, ProviderProcess>();
  /** Opens the log that the processes of the running operation share: real ones have the engine's address in common. */
  #openLog = sharedLog();
  /** Errors of the last operation, each with the resource that failed. */
  failures: { name: string; error: unknown }[] = [];
  #left = Infinity;
  #isPreview = false;

  constructor(
    private readonly service: { readonly emulator: Pick<Emulator, "url"> },
    private readonly settings: Record<string, string | undefined> = {},
  ) {}

  /** `pulumi up`. @throws the first error */
  async up(program: Program, operation: Operation = {}): Promise<void> {
    this.#start(operation);
    if (operation.refresh) await this.#refreshAll();
    const update = new Update(this.state, program, operation);
    const steps = new Map<string, Promise<void>>();
    for (const [name, declared] of Object.entries(program)) {
      if (this.#hasEnded(operation)) break;
      await Promise.all([...dependenciesOf(declared)].flatMap((on) => steps.get(on) ?? []));
      const fail = (error: unknown): undefined => this.#failed(update, name, error);
      const start = await this.#register(update, name, declared).catch(fail);
      const step = start?.().catch(fail);
      if (step) steps.set(name, step);
      if (!operation.parallel) await step;
    }
    await Promise.all(steps.values());
    if (!this.#hasEnded(operation) && !operation.killedBeforeDeletes) await this.#deleteLeft(update, operation);
    this.#throwFirst();
  }

  /** `pulumi destroy`: deletes alone. */
  async destroy(operation: Pick<Operation, "target" | "continueOnError" | "killedAfter"> = {}): Promise<void> {
    this.#start(operation);
    await this.#deleteLeft(new Update(this.state, {}, operation), operation);
    this.#throwFirst();
  }

  /** `pulumi refresh`, or the part of `pulumi up --refresh` that comes before the program. */
  async refresh(): Promise<void> {
    this.#start({});
    await this.#refreshAll();
  }

  /** `pulumi preview`, which asks for checks and diffs and changes nothing. @throws the first error */
  async preview(program: Program): Promise<void> {
    this.#start({});
    const before = new Map(this.state);
    const update = new Update(this.state, program, {});
    this.#isPreview = true;
    try {
      for (const [name, declared] of Object.entries(program)) await this.#register(update, name, declared);
    } finally {
      this.#isPreview = false;
      this.#restore(before);
    }
  }

  /** `pulumi refresh --preview-only`. */
  async previewRefresh(): Promise<void> {
    const before = new Map(this.state);
    await this.refresh().finally(() => this.#restore(before));
  }

  /** `pulumi state rename`, which also renames what refers to the resource. */
  rename(from: string, to: string): void {
    for (const [urn, held] of this.state) {
      if (held.declared.deletedWith === from) held.declared = { ...held.declared, deletedWith: to };
      if (held.name !== from) continue;
      this.state.delete(urn);
      const renamed = urnOf(held.front, to);
      this.state.set(renamed, { ...held, name: to, urn: renamed });
    }
  }

  /** `pulumi stack export` and `pulumi stack import`: the state is what its text says. */
  exportAndImport(): void {
    this.#restore(new Map(JSON.parse(JSON.stringify([...this.state])) as [string, Held][]));
  }

  /** `pulumi state delete`. */
  forget(urn: string): Promise<void> {
    this.state.delete(urn);
    return Promise.resolve();
  }

  #restore(state: ReadonlyMap<string, Held>): void {
    this.state.clear();
    for (const [urn, held] of state) this.state.set(urn, held);
  }

  /** What the state holds records by: without what a replacement deleted already. */
  get entries(): Held[] {
    return [...this.state.values(), ...this.pendingDeletes].filter(({ pendingReplacement }) => !pendingReplacement);
  }

  /** Ids of the state. */
  ids(): string[] {
    return [...this.state.values()].filter(({ pendingReplacement }) => !pendingReplacement).map(({ id }) => id);
  }

  /** Registers a resource: checks and diffs it. @returns what starts its step, which may run beside those of others */
  async #register(update: Update, name: string, declared: Declared): Promise<(() => Promise<void>) | undefined> {
    const { front = "dynamic", kind } = declared;
    const urn = urnOf(front, name);
    const old = update.oldOf(name, declared);
    if (old) update.operatedOn.add(old.urn);
    if ([...dependenciesOf(declared)].some((on) => update.failed.has(on))) {
      update.failed.add(name);
      return undefined;
    }
    if (!update.isTargeted(name, old)) return undefined;
    const resource = { urn, name, kind, front, provider: declared.provider, declared };
    const props = registered(front, { name, kind }, this.#resolved(declared.args));
    const recreating = old !== undefined && update.deleted.has(old.urn);
    const forced = old !== undefined && update.isForced(name, declared);
    if (forced) update.replaced.add(name);
    const news = await (old && !recreating && !forced
      ? this.#check(resource, old.inputs, withIgnored(props, old.inputs, declared.ignoreChanges))
      : this.#check(resource, {}, props));
    if (!old) return () => this.#create(resource, news);
    if (recreating) return () => this.#create(resource, news, old);
    if (old.urn !== urn) {
      this.state.delete(old.urn);
      this.state.set(urn, { ...old, urn, name });
    }
    const current = this.state.get(urn) ?? old;
    const triggered = declared.trigger !== old.declared.trigger;
    const verdict =
      forced || triggered
        ? { changes: true, replaces: ["id"], changed: [], deleteBeforeReplace: false }
        : await this.#call(resource, "diff", (of) => of.diff(resource, old.id, old.outputs, news));
    const replaces =
      verdict.replaces.length > 0 || verdict.changed.some((property) => declared.replaceOnChanges?.includes(property));
    if (replaces || old.pendingReplacement) {
      update.replaced.add(name);
      const inputs = forced ? news : await this.#check(resource, {}, props);
      if (!(declared.deleteBeforeReplace ?? verdict.deleteBeforeReplace)) {
        return () => this.#create(resource, inputs, current, true);
      }
      for (const dependent of await this.#dependents(old, update)) {
        await this.#deleteToReplace(dependent);
        update.deleted.add(dependent.urn);
      }
      if (!old.pendingReplacement) await this.#deleteToReplace(current);
      return () => this.#create(resource, inputs, current);
    }
    if (verdict.changes || old.inPart === true) return () => this.#update(resource, old, news);
    this.state.set(urn, { ...old, ...resource, inputs: news });
    return undefined;
  }

  /** Deletes what is pending and what the program no longer declares: what depends on others first. */
  async #deleteLeft(update: Update, operation: Operation): Promise<void> {
    const isTargeted = ({ name }: Held): boolean => operation.target === undefined || operation.target.includes(name);
    const removed = [...update.olds.values()].filter(({ urn }) => !update.operatedOn.has(urn) && !update.deleted.has(urn));
    const kept = new Set<string>();
    const isDeletedWith = ({ declared: { deletedWith } }: Held): boolean => removed.some(({ name }) => name === deletedWith);
    for (const held of [...this.pendingDeletes, ...removed.toReversed()].filter(isTargeted)) {
      if (this.#hasEnded(operation)) return;
      if (held.pendingReplacement) {
        if (this.state.get(held.urn) === held) this.state.delete(held.urn);
        continue;
      }
      if (kept.has(held.name)) {
        for (const on of dependenciesOf(held.declared)) kept.add(on);
        continue;
      }
      try {
        await this.#delete(held, isDeletedWith(held));
      } catch (error) {
        this.failures.push({ name: held.name, error });
        // What it depends on stays, too.
        for (const on of dependenciesOf(held.declared)) kept.add(on);
      }
    }
    if (operation.target !== undefined) return;
    for (const urn of update.deleted) if (this.state.get(urn)?.pendingReplacement) this.#dropUnlessDeclared(urn, update);
  }

  /** A dependent that was deleted for a replacement, and is not declared any more, needs no replacement of its own. */
  #dropUnlessDeclared(urn: string, update: Update): void {
    if (!update.operatedOn.has(urn)) this.state.delete(urn);
  }

  async #refreshAll(): Promise<void> {
    for (const held of [...this.state.values(), ...this.pendingDeletes]) {
      if (held.pendingReplacement) continue;
      const read = await this.#call(held, "read", (of) => of.read(held, held.id, held.outputs, held.inputs));
      const at = this.pendingDeletes.indexOf(held);
      if (read.id === "") {
        if (at >= 0) this.pendingDeletes.splice(at, 1);
        else this.state.delete(held.urn);
        continue;
      }
      // A refresh clears the failure.
      const fresh = { ...held, inPart: false, outputs: read.state, inputs: read.inputs };
      await this.#call(held, "diff", (of) => of.diff(held, held.id, fresh.outputs, held.inputs));
      if (at >= 0) this.pendingDeletes[at] = fresh;
      else this.state.set(held.urn, fresh);
    }
  }

  /** Resources that depend on one that is being replaced, and would be replaced for it: the provider is asked. Dependents first. */
  async #dependents(root: Held, { olds, operatedOn }: Update): Promise<Held[]> {
    const replaced = new Set([root.name]);
    const found: Held[] = [];
    for (const held of olds.values()) {
      if (operatedOn.has(held.urn) || held.pendingReplacement) continue;
      const inputs = Object.fromEntries(
        Object.entries(held.inputs).map(([property, value]) => [
          property,
          [...namesIn(held.declared.args[property])].some((on) => replaced.has(on)) ? unknownValue : value,
        ]),
      );
      if (!hasUnknown(inputs)) continue;
      const { replaces } = await this.#call(held, "diff", (of) => of.diff(held, held.id, held.outputs, inputs));
      if (replaces.length === 0) continue;
      replaced.add(held.name);
      found.unshift(held);
    }
    return found;
  }

  async #check(resource: Registered, olds: Properties, props: Properties): Promise<Properties> {
    const { inputs, failures } = await this.#call(resource, "check", (of) => of.check(resource, olds, props));
    const [failure] = failures;
    if (failure !== undefined) throw new Error(failure);
    return inputs;
  }

  /** @param old what it replaces, if anything @param later whether the old one is deleted after it */
  async #create(resource: Registered, inputs: Properties, old?: Held, later = false): Promise<void> {
    const keep = (held: Pick<Held, "id" | "outputs" | "inPart">): void => {
      // An old one that is not deleted yet waits for it from now on, whether the new one is there as a whole or in part.
      if (old && later) this.pendingDeletes.push(old);
      this.state.set(resource.urn, { ...resource, inputs, ...held });
    };
    try {
      const { id, state } = await this.#change(resource, "create", (of) => of.create(resource, inputs));
      keep({ id, outputs: state });
    } catch (error) {
      if (error instanceof InPart) keep({ id: error.id, outputs: error.properties, inPart: true });
      throw error;
    }
  }

  async #update(resource: Registered, old: Held, inputs: Properties): Promise<void> {
    const { id } = old;
    try {
      const outputs = await this.#change(resource, "update", (of) => of.update(resource, id, old.outputs, inputs));
      this.state.set(resource.urn, { ...resource, id, inputs, outputs });
    } catch (error) {
      if (error instanceof InPart)
        this.state.set(resource.urn, { ...resource, id, inputs, outputs: error.properties, inPart: true });
      throw error;
    }
  }

  /** Deletes a record whose replacement comes next: until then the state remembers what it replaces. */
  async #deleteToReplace(held: Held): Promise<void> {
    await this.#deleteRecord(held);
    this.state.set(held.urn, { ...held, pendingReplacement: true });
  }

  async #delete(held: Held, isDeletedWith: boolean): Promise<void> {
    if (!isDeletedWith) await this.#deleteRecord(held);
    const at = this.pendingDeletes.indexOf(held);
    if (at >= 0) this.pendingDeletes.splice(at, 1);
    else if (this.state.get(held.urn) === held) this.state.delete(held.urn);
  }

  async #deleteRecord(held: Held): Promise<void> {
    if (!held.declared.retainOnDelete && !this.#isPreview)
      await this.#change(held, "delete", (of) => of.delete(held, held.id, held.outputs));
  }

  /** A call that changes something. */
  async #change<T>(resource: Registered, method: string, make: (of: ProviderProcess) => Promise<T>): Promise<T> {
    if (this.#left <= 0) throw new Killed();
    this.#left -= 1;
    return this.#call(resource, method, make);
  }

  async #call<T>(resource: Registered, method: string, make: (of: ProviderProcess) => Promise<T>): Promise<T> {
    this.calls.push(`${method} ${resource.name}`);
    return make(this.#process(resource));
  }

  /** The process of a resource's provider, which the engine starts when it needs it. */
  #process({ front, provider }: Registered): ProviderProcess {
    const key = `${front} ${provider ?? ""}`;
    const running = this.#processes.get(key);
    if (running) return running;
    const settings: Record<string, string | undefined> = {
      baseUrl: this.service.emulator.url,
      token: "emulator-token",
      readLag: "0",
      ...this.settings,
      ...(provider === undefined ? {} : this.providers[provider]),
    };
    const started = startProcess(front, { settings, openLog: this.#openLog, print: (line) => this.printed.push(line) });
    this.#processes.set(key, started);
    return started;
  }

  /** Begins an operation: no process outlives one. */
  #start({ killedAfter = Infinity }: Pick<Operation, "killedAfter">): void {
    this.#openLog = sharedLog();
    this.#processes.clear();
    this.failures = [];
    this.#left = killedAfter;
    this.calls = [];
  }

  #failed(update: Update, name: string, error: unknown): undefined {
    this.failures.push({ name, error });
    update.failed.add(name);
    return undefined;
  }

  #hasEnded({ continueOnError = false }: Pick<Operation, "continueOnError">): boolean {
    return this.failures.some(({ error }) => !continueOnError || error instanceof Killed);
  }

  #throwFirst(): void {
    const [first] = this.failures;
    if (first) throw first.error;
  }

  #resolved(args: Properties): Properties {
    const put = (value: unknown): unknown => {
      if (Array.isArray(value)) return value.map(put);
      if (!isObject(value)) return value;
      if ("$id" in value)
        return (this.state.get(String(value["$id"])) ?? this.state.get(urnOf("native", String(value["$id"]))))?.id;
      return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, put(member)]));
    };
    return compact(put(args) as Properties);
  }
}

type Registered = Pick<Held, "urn" | "name" | "kind" | "front" | "provider" | "declared">;

/** What an operation knows of its resources. */
class Update {
  readonly olds: ReadonlyMap<string, Held>;
  /** URNs of the state that the program has resources for. */
  readonly operatedOn = new Set<string>();
  /** URNs that were deleted since what they depend on is replaced. */
  readonly deleted = new Set<string>();
  /** Names of resources that failed, or depend on one that did. */
  readonly failed = new Set<string>();
  /** Names of resources that are replaced. */
  readonly replaced = new Set<string>();

  constructor(
    state: ReadonlyMap<string, Held>,
    readonly program: Program,
    private readonly operation: Operation,
  ) {
    this.olds = new Map(state);
  }

  /** The resource in the state: under its URN, else under an alias, of which each class has one for its type on the other front. */
  oldOf(name: string, { front = "dynamic", alias = [] }: Declared): Held | undefined {
    const other: Front = front === "dynamic" ? "native" : "dynamic";
    const urns = [name, ...[alias].flat()].flatMap((one) => [urnOf(front, one), urnOf(other, one)]);
    return urns.map((urn) => this.olds.get(urn)).find((held) => held !== undefined && !this.operatedOn.has(held.urn));
  }

  isTargeted(name: string, old: Held | undefined): boolean {
    const { target } = this.operation;
    return target === undefined || target.includes(name) || (old !== undefined && target.includes(old.name));
  }

  isForced(name: string, { replaceWith = [] }: Declared): boolean {
    return this.operation.replace?.includes(name) === true || replaceWith.some((other) => this.replaced.has(other));
  }
}

/** Name of a resource in the state's order of fronts. */
export function urnOf(front: Front, name: string): string {
  return front === "native" ? `native ${name}` : name;
}

/** What a program declares, with the former inputs where their changes are ignored. */
function withIgnored(props: Properties, former: Properties, ignored: readonly string[] = []): Properties {
  return { ...props, ...Object.fromEntries(ignored.map((property) => [property, former[property]])) };
}

/** Names of the resources that a resource waits for. */
function dependenciesOf({ args, dependsOn = [] }: Declared): Set<string> {
  return new Set([...namesIn(args), ...dependsOn]);
}

/** Names of the resources that values refer to. */
function namesIn(value: unknown): Set<string> {
  if (Array.isArray(value)) return new Set(value.flatMap((item) => [...namesIn(item)]));
  if (!isObject(value)) return new Set();
  return "$id" in value ? new Set([String(value["$id"])]) : namesIn(Object.values(value));
}
