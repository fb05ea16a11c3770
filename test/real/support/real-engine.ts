import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { readSettings } from "../../../api";
import type { Review } from "../../../plan/judge/review";
import { Lifecycle } from "../../../provider/lifecycle";
import { type KindName, registry } from "../../../provider/registry";
import { Session } from "../../../provider/session";
import { compact, type Properties } from "../../../provider/values";
import { nativeToken, providerString, typeToken } from "../../../sdk/token";
import { type Declared, type Held, Killed, type Operation, pathOf, type Program } from "../../provider/engine-model";
import type { Engine } from "../../provider/random-life";
import type { ServiceView } from "../../provider/service-view";
import { type Declared as Resource, Stack, type StateResource } from "./stack";

/** Milliseconds between two checks of the requests of an update that will be killed. */
const pollMs = 10;
/** Milliseconds in which the responses of a killed engine's last requests may be stored. */
const storeMs = 300;
const writing = ["POST", "PUT", "PATCH", "DELETE"] as const;
const unattended = ["--yes", "--skip-preview", "--suppress-progress"];
const mutable = ["baseUrl", "movedFrom", "adopt", "replaceOrder"] as const;

/** A resource in the file of a stack, with the members that a life uses. */
interface FileResource extends StateResource {
  type: string;
  parent?: string;
  delete?: boolean;
  taint?: boolean;
  pendingReplacement?: boolean;
  retainOnDelete?: boolean;
}

/** A Pulumi stack with the operations of the engine model, so that the same random lives run on both. */
export class RealEngine implements Engine {
  readonly providers: Record<string, Record<string, string>> = {};
  readonly printed: string[] = [];
  failures: { name: string; error: unknown }[] = [];
  #wasKilled = false;

  /** @param settings the stack's settings, which change during its life */
  constructor(
    private readonly stack: Stack,
    private readonly service: ServiceView,
    private readonly settings: Record<string, string | undefined>,
  ) {
    stack.declare({});
    // Explicit providers of the native front read these from the environment.
    for (const name of ["accountGroupId", "createOutcomeTimeout", "timeout", "readLag"]) {
      const variable = `ENDPOINT_MONITORING_${name.replace(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase()}`;
      if (settings[name] !== undefined) stack.environment[variable] = settings[name];
    }
  }

  get state(): ReadonlyMap<string, Held> {
    return new Map(this.#held(({ delete: isPending }) => isPending !== true).map((entry) => [entry.urn, entry]));
  }

  get all(): Held[] {
    return this.#held(() => true);
  }

  get entries(): Held[] {
    return this.all.filter(({ pendingReplacement }) => !pendingReplacement);
  }

  async up(program: Program, operation: Operation = {}): Promise<void> {
    const flags = [
      ...this.#declare(program, operation),
      ...(operation.continueOnError ? ["--continue-on-error"] : []),
      ...(operation.parallel ? [] : ["--parallel", "1"]),
    ];
    await this.#run(["up", ...flags], operation);
  }

  async review(program: Program, operation: Operation): Promise<Review | string> {
    const flags = this.#declare(program, operation);
    this.#configure();
    const file = join(this.stack.folder, "preview.json");
    const words = ["--json", "--show-sames", "--show-replacement-steps"];
    // The command accepts no options of an update, so it gets the engine's preview with them.
    if (flags.length > 0) writeFileSync(file, (await this.stack.run("preview", ...words, ...flags)).stdout);
    const { stdout } = await this.stack.cli("review", "--json", ...(flags.length > 0 ? ["--preview", file] : []));
    const { data, error } = JSON.parse(stdout) as { data?: Review; error?: { message: string } };
    return data ?? error?.message ?? "";
  }

  /** Writes the program. @returns the options of an operation that a preview has too */
  #declare(program: Program, { replace = [], target = [], refresh = false }: Operation): string[] {
    const resources = Object.entries(program).map(([name, declared]) => [name, this.#resourceOf(declared)] as const);
    this.stack.declare(Object.fromEntries(resources));
    return [
      ...replace.flatMap((name) => this.#urnsOf(name, program)).flatMap((urn) => ["--replace", urn]),
      ...target.flatMap((name) => ["--target", `**::${name}`]),
      ...(refresh ? ["--refresh"] : []),
    ];
  }

  /** Runs the program, so that the current settings apply and not those of the last update. */
  async refresh(): Promise<void> {
    await this.#run(["refresh", "--run-program"]);
  }

  async destroy(): Promise<void> {
    await this.#run(["destroy", "--run-program"]);
  }

  async forget(urn: string): Promise<void> {
    await this.stack.must("state", "delete", urn, "--yes");
  }

  async taint(urn: string, isTainted: boolean): Promise<void> {
    await this.stack.must("state", isTainted ? "taint" : "untaint", urn, "--yes");
  }

  /** The plugin reads a record that the engine imports. For a dynamic resource, the file contains what a read returns. */
  async import(name: string, declared: Declared, id: string): Promise<void> {
    const { kind, front } = declared;
    const { name: className } = registry[kind];
    const entry = { type: (front === "native" ? nativeToken : typeToken)(className), name, id };
    const file = join(this.stack.folder, "import.json");
    const resource = front === "native" ? entry : { ...entry, ...(await this.#read(kind, id)) };
    writeFileSync(file, JSON.stringify({ resources: [resource] }));
    this.#configure();
    await this.stack.must("import", "--file", file, "--generate-code=false", "--protect=false", ...unattended);
  }

  async #read(kind: KindName, id: string): Promise<{ inputs: Properties; outputs: Properties }> {
    const settings: Record<string, string> = { baseUrl: this.service.emulator.url, token: "emulator-token" };
    const session = new Session(readSettings((setting) => settings[setting]));
    const read = await new Lifecycle(registry[kind], session).read(id, {}).finally(() => session.client.close());
    if (!read) throw new Error(`There is no ${kind} ${id}`);
    const carried = (values: Properties): Properties => ({
      ...compact(values),
      __provider: providerString(registry[kind].name),
    });
    return { inputs: carried(read.inputs), outputs: carried(read.state) };
  }

  async #run(args: readonly string[], { killedAfter, killedBeforeDeletes = false }: Operation = {}): Promise<void> {
    this.failures = [];
    this.#configure();
    if (this.#wasKilled) await this.stack.must("cancel", "--yes");
    this.#wasKilled = false;
    const started = this.stack.start(...args, ...unattended);
    const run = { hasEnded: false };
    const ended = started.ended.finally(() => (run.hasEnded = true));
    if (killedBeforeDeletes || killedAfter !== undefined) {
      const isDue = this.#counter(killedBeforeDeletes ? "delete" : undefined, killedAfter);
      while (!run.hasEnded && !isDue()) await sleep(pollMs);
      // From now on no request changes anything.
      if (!run.hasEnded) for (const method of writing) this.service.fault({ method, kind: "drop-before", n: 1_000 });
      if (!run.hasEnded) await sleep(storeMs);
      if (!run.hasEnded) {
        this.#wasKilled = true;
        started.kill();
      }
    }
    const { code, text } = await ended;
    this.printed.push(...text.split("\n"));
    if (this.#wasKilled) throw new Killed();
    if (code === 0) return;
    if (/(?:Type|Range|Reference)Error:/.test(text)) throw new TypeError(text);
    this.failures = failuresIn(text);
    const [first] = this.failures;
    throw first?.error ?? new Error(text);
  }

  /**
   * Returns a function that returns whether this number of changing requests, or the first delete, has been sent since now.
   */
  #counter(verb: string | undefined, most = 0): () => boolean {
    const isCounted = (operation: string): boolean =>
      verb ? operation.endsWith(`.${verb}`) : /\.(?:create|update|delete)$/.test(operation);
    const sent = (): number =>
      Object.entries(this.service.emulator.requests()).reduce((sum, [operation, n]) => sum + (isCounted(operation) ? n : 0), 0);
    const before = sent();
    return () => sent() - before >= (verb ? 1 : most);
  }

  #configure(): void {
    const defaults: Record<string, string> = { baseUrl: this.service.emulator.url };
    this.stack.configure(Object.fromEntries(mutable.map((name) => [name, this.settings[name] ?? defaults[name] ?? null])));
    writeFileSync(join(this.stack.folder, "providers.json"), JSON.stringify(this.providers));
  }

  #held(isShown: (resource: FileResource) => boolean): Held[] {
    const resources = this.stack.resources() as FileResource[];
    return resources.filter(isShown).flatMap((resource): Held[] => {
      const [kind] = Object.entries(registry).find(([, { name }]) => resource.type.endsWith(`:${name}`)) ?? [];
      if (kind === undefined) return [];
      const { urn, name, id, inputs, outputs, retainOnDelete, pendingReplacement } = resource;
      const front = resource.type.startsWith("pulumi-nodejs:") ? "dynamic" : "native";
      // The registry's names are the kinds.
      const [, parent] = /::test:index:Group::(.+)$/.exec(resource.parent ?? "") ?? [];
      const declared: Declared = { kind: kind as KindName, args: inputs, front, parent, retainOnDelete };
      return [
        {
          urn,
          name,
          kind: kind as KindName,
          front,
          provider: undefined,
          id,
          inputs,
          outputs,
          declared,
          pendingReplacement: pendingReplacement === true,
          delete: resource.delete === true,
          isTainted: resource.taint === true,
        },
      ];
    });
  }

  /** Returns the URNs of a resource in the state, or otherwise in the program. */
  #urnsOf(name: string, program: Program): string[] {
    const urns = [...this.state.values()].filter((entry) => entry.name === name).map(({ urn }) => urn);
    const declared = program[name];
    return urns.length > 0 || !declared ? urns : [this.#urnOf(pathOf(name, declared), declared)];
  }

  #urnOf(path: string, { kind, front }: Declared): string {
    const type = (front === "native" ? nativeToken : typeToken)(registry[kind].name);
    const [name, parent] = path.split("/").toReversed();
    return `urn:pulumi:${this.stack.selected}::test::${parent === undefined ? "" : "test:index:Group$"}${type}::${name}`;
  }

  /** Returns a resource as the program of a stack declares it. */
  #resourceOf(declared: Declared): Resource {
    const { kind, args, front, provider, parent, alias = [], replaceOnChanges, trigger, retainOnDelete } = declared;
    const isNested = (path: string): boolean => parent !== undefined || path.includes("/");
    const options: Properties = compact({
      parent,
      aliases: [alias].flat().map((path) => (isNested(path) ? this.#urnOf(path, declared) : { name: path })),
      deleteBeforeReplace: declared.deleteBeforeReplace,
      replaceOnChanges: replaceOnChanges?.length ? replaceOnChanges : undefined,
      replacementTrigger: trigger === "" ? undefined : trigger,
      retainOnDelete: retainOnDelete ? true : undefined,
    });
    return { kind: registry[kind].name, args, front, ...(provider !== undefined && { provider }), options };
  }
}

/** Returns the errors below the names of their resources in the engine's diagnostics. */
function failuresIn(text: string): { name: string; error: Error }[] {
  const failures: { name: string; error: Error }[] = [];
  let name = "";
  let last: Error | undefined;
  for (const line of text.split("\n")) {
    const [, resource] = /^ {2}\S+ \((\S+)\):$/.exec(line) ?? [];
    const [, message] = /^ {4}error: (.*)$/.exec(line) ?? [];
    if (resource !== undefined) name = resource;
    if (message !== undefined && !/^(?:update|resource \S+) failed$/.test(message)) {
      last = new Error(message);
      failures.push({ name, error: last });
    } else if (last && /^ {4}\s+\* /.test(line)) last.message += ` ${line.trim()}`;
    else last = undefined;
  }
  return failures;
}

/** Starts the two stacks of a life on one service. */
export async function twoStacks(service: ServiceView): Promise<{ dev: Stack; prod: Stack }> {
  const [dev, prod] = await Promise.all([Stack.startOn(service.emulator), Stack.startOn(service.emulator)]);
  for (const stack of [dev, prod]) stack.take("native");
  return { dev, prod };
}
