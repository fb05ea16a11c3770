/**
 * Plays the engine's part in the protocols of both fronts: its calls and their order, for a program and a state. It follows
 * the engine's step generator (pkg/resource/deploy/step_generator.go, 3.259) in the parts that decide ownership of records:
 * old inputs in `check`, skipped diffs, dependents of a replacement, both replacement orders, pending deletes, partial
 * updates. test/real/random-life.test.ts runs the same lives on the real engine.
 */
import type { KindName } from "../../provider/registry";
import { type Properties, compact, hasUnknown, isObject, unknownValue } from "../../provider/values";
import type { Emulator } from "../../emulator";
import { sharedLog } from "../support/shared-log";
import { type Front, InPart, type ProviderProcess, registered, startProcess } from "./engine-processes";

/** A resource of a program. `{ $id: name }` in the arguments is the id of another resource. */
export interface Declared {
  kind: KindName;
  args: Properties;
  /** Front of the class. @defaultValue dynamic */
  front?: Front | undefined;
  /** Name of the explicit provider. The default is the front's default provider. Each provider is a process. */
  provider?: string | undefined;
  /** Name of the component that it is in. */
  parent?: string | undefined;
  /** Previous names of the resource, each as a path. */
  alias?: string | readonly string[] | undefined;
  /** The resource option of this name. The resource classes set it to true if replacements delete first. */
  deleteBeforeReplace?: boolean | undefined;
  /**
   * The resource option `replaceOnChanges`: properties that replace the resource when they change. The host of dynamic
   * providers does not name the changed properties.
   */
  replaceOnChanges?: readonly string[] | undefined;
  /** The resource option `replacementTrigger`: a change of its value replaces the resource, without a diff. */
  trigger?: string | undefined;
  retainOnDelete?: boolean | undefined;
  /** Properties that keep the inputs of the last update. A replacement uses the program's values. */
  ignoreChanges?: readonly string[] | undefined;
  /** Names of resources that the engine creates before this one, and deletes after it. */
  dependsOn?: readonly string[] | undefined;
  /** Name of the resource that deletes this record when it is deleted. */
  deletedWith?: string | undefined;
  /** Names of resources that replace this one when they are replaced. */
  replaceWith?: readonly string[] | undefined;
}
export type Program = Record<string, Declared>;

export interface Operation {
  /** Names of resources to replace, as `--replace` or a taint does. */
  replace?: readonly string[];
  /** Refreshes all resources first, as `--refresh` does. */
  refresh?: boolean;
  /** Names in the program or state to limit the operation to, as `--target` does. */
  target?: readonly string[] | undefined;
  /** Continues with other resources after a failure, as `--continue-on-error` does. */
  continueOnError?: boolean;
  /** Runs independent creates and updates concurrently, as the engine does. */
  parallel?: boolean;
  /** Kills the engine before it deletes removed resources. */
  killedBeforeDeletes?: boolean;
  /** Kills the engine after this number of creates, updates and deletes. */
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
  /** Whether its last create or update partly failed. The engine then updates it next, whatever the diff returns. */
  inPart?: boolean;
  /** Whether its record was deleted and the replacement is not created yet. */
  pendingReplacement?: boolean;
  /** Whether the next update replaces it, as `pulumi state taint` requests. */
  isTainted?: boolean;
  /** Whether it is only in the state until its record is deleted. */
  delete?: boolean;
}

/** Thrown when the engine is killed. */
export class Killed extends Error {
  override readonly message = "the engine was killed";
}

export class EngineModel {
  /** The state by URN: the name, with a prefix for a native class, which has another type. */
  readonly state = new Map<string, Held>();
  /** Resources to delete after their replacement was created. They survive a killed engine. */
  readonly pendingDeletes: Held[] = [];
  /** Calls of the last operation that change something, and calls of `check` and `diff`, each with its resource. */
  calls: string[] = [];
  /** Lines that the providers printed. */
  readonly printed: string[] = [];
  /** Settings of explicit providers, in addition to the stack's settings. */
  readonly providers: Record<string, Record<string, string>> = {};
  readonly #processes = new Map<string, ProviderProcess>();
  /** Opens the log that the processes of one operation share. Real processes share the engine's address. */
  #openLog = sharedLog();
  /** Errors of the last operation, each with the failed resource. */
  failures: { name: string; error: unknown }[] = [];
  #left = Infinity;
  #isPreview = false;

  constructor(
    private readonly service: { readonly emulator: Pick<Emulator, "url"> },
    private readonly settings: Record<string, string | undefined> = {},
  ) {}

  /** Runs `pulumi up`. @throws the first error */
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

  /** Runs `pulumi destroy`, which only deletes. */
  async destroy(operation: Pick<Operation, "target" | "continueOnError" | "killedAfter"> = {}): Promise<void> {
    this.#start(operation);
    await this.#deleteLeft(new Update(this.state, {}, operation), operation);
    this.#throwFirst();
  }

  /** Runs `pulumi refresh`, or the refresh of `pulumi up --refresh`. */
  async refresh(): Promise<void> {
    this.#start({});
    await this.#refreshAll();
  }

  /** Runs `pulumi preview`: checks and diffs without changes. @throws the first error */
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

  /** Runs `pulumi refresh --preview-only`. */
  async previewRefresh(): Promise<void> {
    const before = new Map(this.state);
    await this.refresh().finally(() => this.#restore(before));
  }

  /** Runs `pulumi state rename`, which also updates references to the resource. */
  rename(from: string, to: string): void {
    for (const [urn, entry] of this.state) {
      if (entry.declared.deletedWith === from) entry.declared = { ...entry.declared, deletedWith: to };
      if (entry.name !== from) continue;
      this.state.delete(urn);
      const renamed = urnOf(entry.front, to);
      this.state.set(renamed, { ...entry, name: to, urn: renamed });
    }
  }

  /** Runs `pulumi stack export` and `pulumi stack import`, so the state passes through text. */
  exportAndImport(): void {
    this.#restore(new Map(JSON.parse(JSON.stringify([...this.state])) as [string, Held][]));
  }

  /** Runs `pulumi state taint` or `untaint`. */
  taint(urn: string, isTainted: boolean): Promise<void> {
    const entry = this.state.get(urn);
    if (entry) this.state.set(urn, { ...entry, isTainted });
    return Promise.resolve();
  }

  /** Runs `pulumi import` for a resource of the program. */
  async import(name: string, declared: Declared, id: string): Promise<void> {
    this.#start({});
    const { front = "dynamic", kind, provider } = declared;
    const resource = { urn: urnOf(front, pathOf(name, declared)), name, kind, front, provider, declared };
    const { inputs, state } = await this.#call(resource, "read", (of) =>
      of.read(resource, id, registered(front, resource, {}), {}),
    );
    this.state.set(resource.urn, { ...resource, id, inputs, outputs: state });
  }

  /** Runs `pulumi state delete`. */
  forget(urn: string): Promise<void> {
    this.state.delete(urn);
    return Promise.resolve();
  }

  #restore(state: ReadonlyMap<string, Held>): void {
    this.state.clear();
    for (const [urn, entry] of state) this.state.set(urn, entry);
  }

  /** All entries of the state. */
  get all(): Held[] {
    return [...this.state.values(), ...this.pendingDeletes.map((entry) => ({ ...entry, delete: true }))];
  }

  /** State entries that have a record, without those that a replacement already deleted. */
  get entries(): Held[] {
    return this.all.filter(({ pendingReplacement }) => !pendingReplacement);
  }

  /** Returns the ids in the state. */
  ids(): string[] {
    return [...this.state.values()].filter(({ pendingReplacement }) => !pendingReplacement).map(({ id }) => id);
  }

  /**
   * Registers a resource: runs check and diff.
   *
   * @returns a function that runs the step, concurrently with independent steps
   */
  async #register(update: Update, name: string, declared: Declared): Promise<(() => Promise<void>) | undefined> {
    const { front = "dynamic", kind } = declared;
    const urn = urnOf(front, pathOf(name, declared));
    const old = update.oldOf(name, declared);
    if (old) update.operatedOn.add(old.urn);
    if ([...dependenciesOf(declared)].some((on) => update.failed.has(on))) {
      update.failed.add(name);
      return undefined;
    }
    if (!update.isTargeted(name, old)) return undefined;
    const resource = { urn, name, kind, front, provider: declared.provider, declared };
    const props = registered(front, { name, kind }, this.#resolved(declared.args, update.program));
    const recreating = old !== undefined && update.deleted.has(old.urn);
    const forced = old !== undefined && (old.isTainted === true || update.isForced(name, declared));
    if (forced) update.replaced.add(name);
    const checkedInputs = await (old && !recreating && !forced
      ? this.#check(resource, old.inputs, withIgnored(props, old.inputs, declared.ignoreChanges))
      : this.#check(resource, {}, props));
    if (!old) return () => this.#create(resource, checkedInputs);
    if (recreating) return () => this.#create(resource, checkedInputs, old);
    if (old.urn !== urn) {
      this.state.delete(old.urn);
      this.state.set(urn, { ...old, urn, name });
    }
    const current = this.state.get(urn) ?? old;
    const triggered = declared.trigger !== old.declared.trigger;
    const verdict =
      forced || triggered
        ? { changes: true, replaces: ["id"], changed: [], deleteBeforeReplace: false }
        : await this.#call(resource, "diff", (of) => of.diff(resource, old.id, old.outputs, checkedInputs));
    const replaces =
      verdict.replaces.length > 0 || verdict.changed.some((property) => declared.replaceOnChanges?.includes(property));
    if (replaces || old.pendingReplacement) {
      update.replaced.add(name);
      const inputs = forced ? checkedInputs : await this.#check(resource, {}, props);
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
    if (verdict.changes || old.inPart === true) return () => this.#update(resource, old, checkedInputs);
    this.state.set(urn, { ...old, ...resource, inputs: checkedInputs });
    return undefined;
  }

  /** Deletes pending resources and resources that the program no longer declares, dependents first. */
  async #deleteLeft(update: Update, operation: Operation): Promise<void> {
    const isTargeted = ({ name }: Held): boolean => operation.target === undefined || operation.target.includes(name);
    const removed = [...update.oldState.values()].filter(({ urn }) => !update.operatedOn.has(urn) && !update.deleted.has(urn));
    const kept = new Set<string>();
    const isDeletedWith = ({ declared: { deletedWith } }: Held): boolean => removed.some(({ name }) => name === deletedWith);
    for (const entry of [...this.pendingDeletes, ...removed.toReversed()].filter(isTargeted)) {
      if (this.#hasEnded(operation)) return;
      if (entry.pendingReplacement) {
        if (this.state.get(entry.urn) === entry) this.state.delete(entry.urn);
        continue;
      }
      if (kept.has(entry.name)) {
        for (const on of dependenciesOf(entry.declared)) kept.add(on);
        continue;
      }
      try {
        await this.#delete(entry, isDeletedWith(entry));
      } catch (error) {
        this.failures.push({ name: entry.name, error });
        // Its dependencies also stay.
        for (const on of dependenciesOf(entry.declared)) kept.add(on);
      }
    }
    if (operation.target !== undefined) return;
    for (const urn of update.deleted) if (this.state.get(urn)?.pendingReplacement) this.#dropUnlessDeclared(urn, update);
  }

  /** Drops a dependent that was deleted for a replacement and is no longer declared. It needs no replacement. */
  #dropUnlessDeclared(urn: string, update: Update): void {
    if (!update.operatedOn.has(urn)) this.state.delete(urn);
  }

  async #refreshAll(): Promise<void> {
    for (const entry of [...this.state.values(), ...this.pendingDeletes]) {
      if (entry.pendingReplacement) continue;
      const read = await this.#call(entry, "read", (of) => of.read(entry, entry.id, entry.outputs, entry.inputs));
      const at = this.pendingDeletes.indexOf(entry);
      if (read.id === "") {
        if (at >= 0) this.pendingDeletes.splice(at, 1);
        else this.state.delete(entry.urn);
        continue;
      }
      // A refresh clears the failure.
      const fresh = { ...entry, inPart: false, outputs: read.state, inputs: read.inputs };
      await this.#call(entry, "diff", (of) => of.diff(entry, entry.id, fresh.outputs, entry.inputs));
      if (at >= 0) this.pendingDeletes[at] = fresh;
      else this.state.set(entry.urn, fresh);
    }
  }

  /** Returns the dependents that a replacement also replaces, as the provider's diff decides. Dependents come first. */
  async #dependents(root: Held, { oldState, operatedOn }: Update): Promise<Held[]> {
    const replaced = new Set([root.name]);
    const dependent: Held[] = [];
    for (const entry of oldState.values()) {
      if (operatedOn.has(entry.urn) || entry.pendingReplacement) continue;
      const inputs = Object.fromEntries(
        Object.entries(entry.inputs).map(([property, value]) => [
          property,
          [...namesIn(entry.declared.args[property])].some((on) => replaced.has(on)) ? unknownValue : value,
        ]),
      );
      if (!hasUnknown(inputs)) continue;
      const { replaces } = await this.#call(entry, "diff", (of) => of.diff(entry, entry.id, entry.outputs, inputs));
      if (replaces.length === 0) continue;
      replaced.add(entry.name);
      dependent.unshift(entry);
    }
    return dependent;
  }

  async #check(resource: Registered, oldInputs: Properties, props: Properties): Promise<Properties> {
    const { inputs, failures } = await this.#call(resource, "check", (of) => of.check(resource, oldInputs, props));
    const [failure] = failures;
    if (failure !== undefined) throw new Error(failure);
    return inputs;
  }

  /** @param old the replaced resource, if any @param later whether the old resource is deleted afterwards */
  async #create(resource: Registered, inputs: Properties, old?: Held, later = false): Promise<void> {
    const keep = (entry: Pick<Held, "id" | "outputs" | "inPart">): void => {
      // The old resource waits for its deletion, even if the create of the new one partly failed.
      if (old && later) this.pendingDeletes.push(old);
      this.state.set(resource.urn, { ...resource, inputs, ...entry });
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

  /** Deletes a record before its replacement is created. Until then the state records the pending replacement. */
  async #deleteToReplace(entry: Held): Promise<void> {
    await this.#deleteRecord(entry);
    this.state.set(entry.urn, { ...entry, pendingReplacement: true });
  }

  async #delete(entry: Held, isDeletedWith: boolean): Promise<void> {
    if (!isDeletedWith) await this.#deleteRecord(entry);
    const at = this.pendingDeletes.indexOf(entry);
    if (at >= 0) this.pendingDeletes.splice(at, 1);
    else if (this.state.get(entry.urn) === entry) this.state.delete(entry.urn);
  }

  async #deleteRecord(entry: Held): Promise<void> {
    if (!entry.declared.retainOnDelete && !this.#isPreview)
      await this.#change(entry, "delete", (of) => of.delete(entry, entry.id, entry.outputs));
  }

  /** Makes a call that changes something, and records it. */
  async #change<T>(resource: Registered, method: string, make: (of: ProviderProcess) => Promise<T>): Promise<T> {
    if (this.#left <= 0) throw new Killed();
    this.#left -= 1;
    return this.#call(resource, method, make);
  }

  async #call<T>(resource: Registered, method: string, make: (of: ProviderProcess) => Promise<T>): Promise<T> {
    this.calls.push(`${method} ${resource.name}`);
    return make(this.#process(resource));
  }

  /** Returns the process of a resource's provider, and starts it if necessary. */
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

  /** Begins an operation with new processes. */
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

  #resolved(args: Properties, program: Program): Properties {
    const named = (name: string): Held | undefined => {
      const { front = "dynamic", parent } = program[name] ?? {};
      return (
        this.state.get(urnOf(front, pathOf(name, { parent }))) ?? [...this.state.values()].find((entry) => entry.name === name)
      );
    };
    const put = (value: unknown): unknown => {
      if (Array.isArray(value)) return value.map(put);
      if (!isObject(value)) return value;
      if ("$id" in value) return named(String(value["$id"]))?.id;
      return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, put(member)]));
    };
    return compact(put(args) as Properties);
  }
}

type Registered = Pick<Held, "urn" | "name" | "kind" | "front" | "provider" | "declared">;

/** Facts that an operation collects about its resources. */
class Update {
  readonly oldState: ReadonlyMap<string, Held>;
  /** URNs in the state that the program also declares. */
  readonly operatedOn = new Set<string>();
  /** URNs that were deleted because a dependency is replaced. */
  readonly deleted = new Set<string>();
  /** Names of resources that failed, and of their dependents. */
  readonly failed = new Set<string>();
  /** Names of resources that are replaced. */
  readonly replaced = new Set<string>();

  constructor(
    state: ReadonlyMap<string, Held>,
    readonly program: Program,
    private readonly operation: Operation,
  ) {
    this.oldState = new Map(state);
  }

  /** Returns the resource in the state by URN, or by alias. Each class has an alias for its type on the other front. */
  oldOf(name: string, { front = "dynamic", parent, alias = [] }: Declared): Held | undefined {
    const other: Front = front === "dynamic" ? "native" : "dynamic";
    const urns = [pathOf(name, { parent }), ...[alias].flat()].flatMap((path) => [urnOf(front, path), urnOf(other, path)]);
    return urns.map((urn) => this.oldState.get(urn)).find((entry) => entry !== undefined && !this.operatedOn.has(entry.urn));
  }

  isTargeted(name: string, old: Held | undefined): boolean {
    const { target } = this.operation;
    return target === undefined || target.includes(name) || (old !== undefined && target.includes(old.name));
  }

  isForced(name: string, { replaceWith = [] }: Declared): boolean {
    return this.operation.replace?.includes(name) === true || replaceWith.some((other) => this.replaced.has(other));
  }
}

/** Returns the URN of a resource path on a front. */
export function urnOf(front: Front, path: string): string {
  return front === "native" ? `native ${path}` : path;
}

/** Returns the path of a resource: its name, after the name of its component. */
export function pathOf(name: string, { parent }: Pick<Declared, "parent">): string {
  return parent === undefined ? name : `${parent}/${name}`;
}

/** Returns the declared properties, with previous inputs for ignored changes. */
function withIgnored(props: Properties, former: Properties, ignored: readonly string[] = []): Properties {
  return { ...props, ...Object.fromEntries(ignored.map((property) => [property, former[property]])) };
}

/** Returns the names of a resource's dependencies. */
function dependenciesOf({ args, dependsOn = [] }: Declared): Set<string> {
  return new Set([...namesIn(args), ...dependsOn]);
}

/** Returns the names of the resources that values refer to. */
function namesIn(value: unknown): Set<string> {
  if (Array.isArray(value)) return new Set(value.flatMap((item) => [...namesIn(item)]));
  if (!isObject(value)) return new Set();
  return "$id" in value ? new Set([String(value["$id"])]) : namesIn(Object.values(value));
}
