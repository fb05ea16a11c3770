import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { EngineResource } from "../../engine/state";
import type { MigrationReport } from "../../cli/commands/migrate/run";
import type { Emulator } from "../../emulator";
import { check } from "../../provider/check";
import type { Kind } from "../../provider/kind";
import { Lifecycle } from "../../provider/lifecycle";
import { type KindName, registry } from "../../provider/registry";
import type { Session } from "../../provider/session";
import { unknownValue } from "../../provider/values";
import { type CommandRun, startCommand, type StartedCommand } from "../support/command";
import { AnsweringEngine, type EngineAnswer } from "../support/answering-engine";
import { temporary } from "../support/temporary";
import { inState, urnOf } from "./drift-support";
import { sessionWith } from "./review-support";
import { declaredBy, type Declared } from "../program/acceptor-support";

/** A change that an update would make. */
interface Step {
  op: string;
  urn: string;
  oldState?: EngineResource;
  newState?: EngineResource;
}

/**
 * A project with an engine that runs its program in this process. Previews and updates use the current files and the handlers of
 * the resource types. The service is the emulator.
 */
export class MigrationBench {
  readonly folder = temporary();
  /** The resources of the stacks by URN, for stack `dev` and others. */
  readonly state = new Map<string, EngineResource>();
  readonly others: Record<string, EngineResource[]> = {};
  readonly configuration: Record<string, string> = {};
  /** Resources of other providers in the stack `dev` that its program does not change. */
  readonly foreign: EngineResource[] = [];
  /** Outputs of the stack `dev` after its last update. */
  outputs: Record<string, unknown> = {};
  /** Resources that the stack protects, by name. */
  readonly protectedNames = new Set<string>();
  /** Positions in the program at the last update, by resource name: `index.ts#4,17`. */
  readonly positions: Record<string, string> = {};
  /** Engine commands so far. */
  get calls(): string[] {
    return this.#engine.calls;
  }

  readonly #session: Session;
  #service: string;
  #ran: { key: string; declared: ReadonlyMap<string, Declared> } | undefined;
  #onPreview: () => void = () => undefined;
  readonly #engine = new AnsweringEngine(this.folder, ({ args }) => this.#reply(args));

  constructor(readonly emulator: Emulator) {
    this.#session = sessionWith(emulator.url);
    this.#service = emulator.url;
  }

  async start(files: Record<string, string>): Promise<this> {
    for (const [path, text] of Object.entries({ "Pulumi.yaml": "name: test\nruntime: nodejs\n", ...files }))
      this.write(path, text);
    await this.up();
    return this;
  }

  async end(): Promise<void> {
    await this.#session.client.close();
    this.#engine.end();
  }

  write(path: string, text: string): void {
    mkdirSync(dirname(join(this.folder, path)), { recursive: true });
    writeFileSync(join(this.folder, path), text);
  }

  /** The program's source files, with the entry file first. */
  get files(): Record<string, string> {
    const paths = readdirSync(this.folder, { recursive: true, encoding: "utf8" }).filter((path) =>
      /^[^.].*\.[cm]?[jt]s$/.test(path),
    );
    const ordered = paths.toSorted((a, b) => Number(b.startsWith("index.")) - Number(a.startsWith("index.")));
    return Object.fromEntries(ordered.map((path) => [path, readFileSync(join(this.folder, path), "utf8")]));
  }

  /** Runs the command. @returns the data of its report, or nothing after a failure */
  async migrate(...args: string[]): Promise<CommandRun & { report: MigrationReport }> {
    const run = await this.#start([...args, "--json"]).ended;
    const { data } = JSON.parse(run.stdout) as { data: MigrationReport };
    return { ...run, report: data };
  }

  /** Runs the command without --json. @returns its standard output */
  async read(...args: string[]): Promise<{ text: string }> {
    return { text: (await this.#start(args).ended).stdout };
  }

  /** Runs the command, and interrupts it during the engine's preview. */
  interruptedAt(preview: number, ...args: string[]): Promise<CommandRun> {
    const command = this.#start(args);
    let seen = 0;
    this.#onPreview = () => {
      seen += 1;
      if (seen === preview) command.interrupt();
    };
    return command.ended.finally(() => (this.#onPreview = () => undefined));
  }

  /** Calls a function while the service cannot be reached. */
  async without<T>(work: () => Promise<T>): Promise<T> {
    this.#service = "http://127.0.0.1:1";
    try {
      return await work();
    } finally {
      this.#service = this.emulator.url;
    }
  }

  #start(args: readonly string[]): StartedCommand {
    const service = { ENDPOINT_MONITORING_BASE_URL: this.#service, ENDPOINT_MONITORING_TOKEN: "emulator-token" };
    const env = this.#engine.env(service);
    return startCommand(["migrate", "labels", ...args], { cwd: this.folder, env });
  }

  /** The program's resources by URN. Runs the program once for each version of its text. */
  #declaredNow(): ReadonlyMap<string, Declared> {
    const { files } = this;
    const key = JSON.stringify(files);
    if (this.#ran?.key !== key) {
      // A label and its tag have the same name and different ids.
      const all = declaredBy(files, {}, (kindName, name) => `id-of-${kindName} ${name}`);
      const declared = all.map((resource) => [urnOf(resource.kindName, resource.name), resource] as const);
      this.#ran = { key, declared: new Map(declared) };
    }
    return this.#ran.declared;
  }

  /** The steps of the next update. Each step refers to the ids that the resources have at that time. */
  *#steps(): Generator<Step> {
    const declared = this.#declaredNow();
    for (const [urn, resource] of declared) yield this.#step(urn, resource, declared);
    const deleted = [...this.state.values()].filter(({ urn }) => !declared.has(urn));
    for (const oldState of deleted) yield { op: "delete", urn: oldState.urn, oldState };
  }

  /** The steps of a preview of the next update. */
  steps(): Step[] {
    return [...this.#steps()];
  }

  /** Runs the steps of a preview. @returns the operations, each with type and name of its resource */
  async up(): Promise<string[]> {
    const done: string[] = [];
    for (const { op, urn, oldState, newState } of this.#steps()) {
      if (op === "same") continue;
      const [kindName, name] = kindAndName(urn);
      const kind: Kind = registry[kindName];
      const lifecycle = new Lifecycle(kind, this.#session);
      done.push(`${op} ${kindName} ${name}`);
      if (oldState && op !== "update") await lifecycle.delete(oldState.id ?? "", oldState.outputs ?? {});
      this.state.delete(urn);
      if (!newState) continue;
      const inputs = newState.inputs ?? {};
      if (op === "update") throw new Error(`${urn} would be updated: no step of a migration does that`);
      const { id, state } = await lifecycle.create(inputs);
      const protect = this.protectedNames.has(name);
      this.state.set(urn, inState(kindName, name, {}, { id, inputs, outputs: state, ...(protect && { protect }) }));
    }
    return done;
  }

  #step(urn: string, { kindName, args }: Declared, declared: ReadonlyMap<string, Declared>): Step {
    const kind: Kind = registry[kindName];
    const resolved = Object.entries(args).map(([property, value]): [string, unknown] => {
      const target = kind.refersTo[property];
      return [property, target === undefined ? value : this.#ids(target as KindName, value, declared)];
    });
    const { inputs, failures } = check(kind, Object.fromEntries(resolved));
    if (failures[0]) throw new Error(`${urn}: ${failures[0].path} ${failures[0].reason}`);
    const oldState = this.state.get(urn);
    const newState = { ...inState(kindName, kindAndName(urn)[1]), inputs };
    if (!oldState) return { op: "create", urn, newState };
    const changes = new Lifecycle(kind, this.#session).diff(oldState.id ?? "", oldState.outputs ?? {}, inputs);
    const op = changes.some(({ replaces }) => replaces) ? "replace" : changes.length > 0 ? "update" : "same";
    return { op, urn, oldState, newState };
  }

  /** Replaces ids of existing resources. A new resource has no id yet. */
  #ids(target: KindName, value: unknown, declared: ReadonlyMap<string, Declared>): unknown {
    if (Array.isArray(value)) return value.map((item) => this.#ids(target, item, declared));
    const [, kindName, name] = /^id-of-(\w+) (.*)$/s.exec(String(value)) ?? [];
    if (kindName === undefined || name === undefined) return value;
    if (kindName !== target) throw new Error(`${String(value)} is no id of a ${target}`);
    const urn = urnOf(target, name);
    if (!declared.has(urn)) throw new Error(`${String(value)} is no ${target}`);
    return this.state.get(urn)?.id ?? unknownValue;
  }

  #reply(args: readonly string[]): EngineAnswer {
    try {
      return { stdout: JSON.stringify(this.#answer(args)) };
    } catch (error) {
      return { code: 255, stdout: JSON.stringify({ steps: [], diagnostics: [{ severity: "error", message: String(error) }] }) };
    }
  }

  #answer(words: readonly string[]): unknown {
    const stack = words[words.indexOf("--stack") + 1];
    const stacks = ["dev", ...Object.keys(this.others)];
    if (words[0] === "stack" && words[1] === "ls") return stacks.map((name) => ({ name, current: name === "dev" }));
    if (words[0] === "stack") {
      const resources = stack === "dev" ? [...this.state.values()] : (this.others[stack ?? ""] ?? []);
      const seen = resources.map((resource) => {
        const position = this.positions[kindAndName(resource.urn)[1]];
        return position === undefined ? resource : { ...resource, sourcePosition: `project:///${position}` };
      });
      const root = { urn: "urn:pulumi:dev::test::pulumi:pulumi:Stack::test-dev", type: "pulumi:pulumi:Stack" };
      return { deployment: { resources: [{ ...root, outputs: this.outputs }, ...this.foreign, ...seen] } };
    }
    if (words[0] === "config" && words[1] === "--json") {
      return Object.fromEntries(Object.entries(this.configuration).map(([key, value]) => [key, { value }]));
    }
    if (words[0] === "preview") {
      this.#onPreview();
      return { steps: this.steps() };
    }
    throw new Error(`not asked for: ${words.join(" ")}`);
  }
}

function kindAndName(urn: string): [KindName, string] {
  const kindName = (Object.keys(registry) as KindName[]).find((candidate) => urn.startsWith(urnOf(candidate, "")));
  if (!kindName) throw new Error(`${urn} has no resource type of this package`);
  return [kindName, urn.slice(urnOf(kindName, "").length)];
}
