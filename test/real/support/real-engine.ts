import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { type KindName, registry } from "../../../provider/registry";
import { compact, type Properties } from "../../../provider/values";
import { nativeToken, typeToken } from "../../../sdk/token";
import { type Declared, type Held, Killed, type Operation, type Program } from "../../provider/engine-model";
import type { Engine } from "../../provider/random-life";
import type { ServiceView } from "../../provider/service-view";
import { type Declared as Resource, Stack, type StateResource } from "./stack";

/** Milliseconds between two checks of the requests of an update that will be killed. */
const pollMs = 10;
/** Milliseconds in which the responses of a killed engine's last requests may be stored. */
const storeMs = 300;
const writing = ["POST", "PUT", "PATCH", "DELETE"] as const;
const mutable = ["baseUrl", "movedFrom", "adopt", "replaceOrder"] as const;

/** A resource in the file of a stack, with the members that a life uses. */
interface FileResource extends StateResource {
  type: string;
  delete?: boolean;
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
    return new Map(this.#held(({ delete: isPending }) => isPending !== true).map((held) => [held.urn, held]));
  }

  get entries(): Held[] {
    return this.#held(() => true).filter(({ pendingReplacement }) => !pendingReplacement);
  }

  async up(program: Program, operation: Operation = {}): Promise<void> {
    this.stack.declare(Object.fromEntries(Object.entries(program).map(([name, declared]) => [name, resourceOf(declared)])));
    const urnsOf = (names: readonly string[] = []): string[] => names.flatMap((name) => this.#urnsOf(name, program));
    const flags = [
      ...urnsOf(operation.replace).flatMap((urn) => ["--replace", urn]),
      ...urnsOf(operation.target).flatMap((urn) => ["--target", urn]),
      ...(operation.refresh ? ["--refresh"] : []),
      ...(operation.continueOnError ? ["--continue-on-error"] : []),
      ...(operation.parallel ? [] : ["--parallel", "1"]),
    ];
    await this.#run(["up", ...flags], operation);
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

  async #run(args: readonly string[], { killedAfter, killedBeforeDeletes = false }: Operation = {}): Promise<void> {
    this.failures = [];
    this.stack.configure(Object.fromEntries(mutable.map((name) => [name, this.settings[name] ?? this.#defaultOf(name)])));
    writeFileSync(join(this.stack.folder, "providers.json"), JSON.stringify(this.providers));
    if (this.#wasKilled) await this.stack.must("cancel", "--yes");
    this.#wasKilled = false;
    const started = this.stack.start(...args, "--yes", "--skip-preview", "--suppress-progress");
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

  #defaultOf(name: string): string | null {
    return name === "baseUrl" ? this.service.emulator.url : null;
  }

  #held(isShown: (resource: FileResource) => boolean): Held[] {
    const resources = this.stack.resources() as FileResource[];
    return resources.filter(isShown).flatMap((resource): Held[] => {
      const [kind] = Object.entries(registry).find(([, { name }]) => resource.type.endsWith(`:${name}`)) ?? [];
      if (kind === undefined) return [];
      const { urn, name, id, inputs, outputs, retainOnDelete, pendingReplacement } = resource;
      const front = resource.type.startsWith("pulumi-nodejs:") ? "dynamic" : "native";
      // The registry's names are the kinds.
      const declared: Declared = { kind: kind as KindName, args: inputs, front, retainOnDelete };
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
        },
      ];
    });
  }

  /** Returns the URNs of a resource in the state, or otherwise in the program. */
  #urnsOf(name: string, program: Program): string[] {
    const urns = [...this.state.values()].filter((held) => held.name === name).map(({ urn }) => urn);
    const { kind, front } = program[name] ?? {};
    if (kind !== undefined && urns.length === 0) {
      const type = (front === "native" ? nativeToken : typeToken)(registry[kind].name);
      urns.push(`urn:pulumi:${this.stack.selected}::test::${type}::${name}`);
    }
    return urns;
  }
}

/** Returns a resource as the program of a stack declares it. */
function resourceOf({
  kind,
  args,
  front,
  provider,
  alias = [],
  deleteBeforeReplace,
  replaceOnChanges,
  trigger,
  retainOnDelete,
}: Declared): Resource {
  const options: Properties = compact({
    aliases: [alias].flat().map((name) => ({ name })),
    deleteBeforeReplace,
    replaceOnChanges: replaceOnChanges?.length ? replaceOnChanges : undefined,
    replacementTrigger: trigger === "" ? undefined : trigger,
    retainOnDelete: retainOnDelete ? true : undefined,
  });
  return { kind: registry[kind].name, args, front, ...(provider !== undefined && { provider }), options };
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
