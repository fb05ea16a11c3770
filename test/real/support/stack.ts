import {
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parse } from "yaml";
import type { Emulator } from "../../../emulator";
import { start, type VariedOptions } from "../../support/variations/start";
import { records as recordKinds, type RecordKindName } from "../../../provider/registry";
import type { Properties } from "../../../provider/values";
import { amount } from "../../support/amount";
import { runCommand } from "../../support/command";
import { bodyOf, idOf, kindCases, operationsOf } from "../../support/kinds";
import { builtCommand, plainEnv, repository, type Run as Ended, type Started, startProcess } from "../../support/process";
import { KeyService } from "./key-service";
import {
  addPreparedStack,
  changeSettings,
  encrypted,
  type KeyHolder,
  keyOfStack,
  passphrase,
  selectedStack,
  selectStack,
  unselectStack,
} from "./prepared";
import { rememberingPath } from "./remembered";
import { call, headers } from "../../support/call";

/** How resources are declared: as dynamic resources, or through the native plugin. */
export type Front = "dynamic" | "native";

/** Both fronts, for suites that work with either. */
export const fronts: readonly Front[] = ["dynamic", "native"];

/** The fronts for slow suites that do not depend on the front: by default the plugin, which starts faster, and both in the long form. */
export const frontsWithinTime: readonly Front[] = fronts.slice(-amount(1, fronts.length));

/** One resource of a test's program. program.cjs documents its values. */
export interface Declared {
  kind: string;
  args?: object;
  /** Front of the class in a mixed program. @defaultValue the stack's front */
  front?: Front | undefined;
  /** Name of an explicit provider with the settings of the stack. Each is a process of its own. */
  provider?: string | undefined;
  /** Id to read with `get`, instead of declaring. */
  get?: unknown;
  /** Options of the engine. `parent` is the name of a component. */
  options?: object;
  /** Outputs to export, as `<name>.<output>`. */
  show?: string[];
}
export type Program = Record<string, Declared>;

/** A finished operation or command. */
export type Run = Pick<Ended, "stdout" | "stderr" | "text"> & { code: number | null };

/** A step of `pulumi preview --json`, with the members that tests use. */
export interface Step {
  op: string;
  name: string;
  replaceReasons: string[];
  newState?: { inputs: Record<string, unknown> };
}

/** Text that is printed about a resource, or the stack, below a preview. */
export interface Diagnostic {
  name: string;
  message: string;
}

/** A resource of the exported state. */
export interface StateResource {
  urn: string;
  name: string;
  id: string;
  protect?: boolean;
  inputs: Record<string, unknown>;
  outputs: Record<string, unknown>;
}

/**
 * A project and a stack on the real engine, with an emulator as the service, in their own folder, without an account, and
 * without using the user's Pulumi.
 */
export class Stack {
  /** All output of the engine in the life of this stack. */
  output = "";
  front: Front = "dynamic";
  /** Environment of the engine and of our command, in addition to each stack's own. */
  readonly environment: NodeJS.ProcessEnv = {
    // Suites count requests. Only suites about affected agents enable these lines.
    ENDPOINT_MONITORING_PREVIEW_REACH: "off",
    // The provider looks again for a new record that a test deletes after one second, not five.
    ENDPOINT_MONITORING_CREATE_OUTCOME_TIMEOUT: "12",
  };

  private constructor(
    readonly folder: string,
    public emulator: Emulator,
    private readonly options: VariedOptions,
    private readonly project: string,
    private readonly keys: KeyService | undefined,
  ) {}

  /**
   * @param example folder of `examples/` to run, or `typescript` for a project without a program. By default the program is
   * the argument of `declare`
   *
   * @param holder holder of the stack's keys: a passphrase if the suite tests it
   */
  static async start(options: VariedOptions = {}, example?: string, holder?: KeyHolder): Promise<Stack> {
    const settings: VariedOptions = { rateLimit: "off", ...options };
    return Stack.startOn(await start(settings), settings, example, holder);
  }

  /** Starts a stack on a running emulator. */
  static async startOn(
    emulator: Emulator,
    settings: VariedOptions = {},
    example?: string,
    holder: KeyHolder = "key service",
  ): Promise<Stack> {
    const folder = mkdtempSync(join(tmpdir(), "endpoint-monitoring-"));
    mkdirSync(join(folder, "node_modules"));
    symlinkSync(repository, join(folder, "node_modules/pulumi-endpoint-monitoring"), "dir");
    symlinkSync(join(repository, "node_modules/@pulumi"), join(folder, "node_modules/@pulumi"), "dir");
    if (example !== undefined) {
      if (example === "typescript") {
        writeFileSync(join(folder, "Pulumi.yaml"), "name: test\nruntime: nodejs\nmain: index.ts\n");
        copyFileSync(join(repository, "examples/quickstart/tsconfig.json"), join(folder, "tsconfig.json"));
      } else {
        cpSync(join(repository, "examples", example), folder, { recursive: true });
      }
      for (const name of ["@types", "typescript"])
        symlinkSync(join(repository, "node_modules", name), join(folder, "node_modules", name), "dir");
    } else {
      copyFileSync(join(__dirname, "program.cjs"), join(folder, "index.js"));
      writeFileSync(join(folder, "package.json"), '{ "main": "index.js" }\n');
      writeFileSync(join(folder, "Pulumi.yaml"), "name: test\nruntime:\n  name: nodejs\n  options:\n    typescript: false\n");
    }
    const { name } = parse(readFileSync(join(folder, "Pulumi.yaml"), "utf8")) as { name: string };
    const keys = holder === "key service" ? await KeyService.start() : undefined;
    const stack = new Stack(folder, emulator, settings, name, keys);
    await stack.add("dev");
    stack.select("dev");
    return stack;
  }

  /** Runs work while the project has a program in TypeScript, because commands that write programs reject JavaScript. */
  async inTypeScript<T>(work: () => Promise<T>): Promise<T> {
    const [program, renamed, projectFile] = ["index.js", "index.ts", "Pulumi.yaml"].map((name) => join(this.folder, name));
    if (program === undefined || renamed === undefined || projectFile === undefined) throw new TypeError("a path is missing");
    const [source, project] = [program, projectFile].map((file) => readFileSync(file, "utf8"));
    const compiler = join(this.folder, "node_modules/typescript");
    if (!existsSync(compiler)) symlinkSync(join(repository, "node_modules/typescript"), compiler, "dir");
    renameSync(program, renamed);
    writeFileSync(projectFile, "name: test\nruntime: nodejs\nmain: index.ts\n");
    try {
      return await work();
    } finally {
      rmSync(renamed);
      writeFileSync(program, source ?? "");
      writeFileSync(projectFile, project ?? "");
    }
  }

  /** Starts a stack with a program that uses the classes of a front. */
  static async startWith(front: Front, options: VariedOptions = {}, holder?: KeyHolder): Promise<Stack> {
    const stack = await Stack.start(options, undefined, holder);
    stack.take(front);
    return stack;
  }

  /** Makes the program use the classes of a front. The project keeps the plugin once it has been used. */
  take(front: Front): void {
    this.front = front;
    this.environment["TEST_FRONT"] = front;
    const file = join(this.folder, "Pulumi.yaml");
    const project = readFileSync(file, "utf8");
    if (front === "native" && !project.includes(nativePlugin)) writeFileSync(file, project + nativePlugin);
  }

  /** The module of the classes in a custom program. */
  get module(): string {
    return this.front === "native" ? "pulumi-endpoint-monitoring/native" : "pulumi-endpoint-monitoring";
  }

  /** Adds a stack to the project with the emulator and its token. The selected stack stays the same. */
  async add(name: string): Promise<void> {
    addPreparedStack(this.folder, this.project, name, this.keys ? "key service" : "passphrase");
    this.configure({ baseUrl: this.emulator.url }, name);
    await this.secret("endpoint-monitoring:token", "emulator-token", name);
  }

  /** Selects a stack for calls that name none. */
  select(name: string): void {
    selectStack(this.folder, this.project, name);
  }

  /** Unselects the stack. */
  unselect(): void {
    unselectStack(this.folder, this.project);
  }

  /** Name of the selected stack. */
  get selected(): string {
    return selectedStack(this.folder, this.project);
  }

  /** For many resources: the engine writes its state once at the end, not after each of them. */
  writeStateOnce(): void {
    Object.assign(this.environment, { PULUMI_SKIP_CHECKPOINTS: "true" });
  }

  /** Runs the `endpoint-monitoring` command in the project's folder, in this process, without settings of this machine. */
  async cli(...args: string[]): Promise<Run> {
    const run = await runCommand(args, { cwd: this.folder, env: this.env });
    this.output += run.text;
    return run;
  }

  /** Starts the built `endpoint-monitoring` command as a process without waiting, for signals. */
  startCli(...args: string[]): Started {
    return this.#start(process.execPath, [builtCommand, ...args]);
  }

  /** Sets configuration of the provider in its file. null removes a setting. */
  configure(settings: Record<string, string | null>, stack = this.selected): void {
    const namespaced = Object.entries(settings).map(([key, value]) => [`endpoint-monitoring:${key}`, value] as const);
    this.set(Object.fromEntries(namespaced), stack);
  }

  /** Sets any configuration in its file. null removes a setting. */
  set(settings: Record<string, string | null>, stack = this.selected): void {
    const values = Object.entries(settings).map(([key, value]) => [key, value ?? undefined] as const);
    changeSettings(this.folder, stack, Object.fromEntries(values));
  }

  /** Sets a secret, encrypted as the engine encrypts it. */
  async secret(key: string, value: string, stack = this.selected): Promise<void> {
    const name = key.includes(":") ? key : `${this.project}:${key}`;
    const secretKey = keyOfStack(this.folder, stack);
    if (secretKey) changeSettings(this.folder, stack, { [name]: encrypted(value, secretKey) });
    else await this.must("config", "set", "--secret", key, value, "--stack", stack);
  }

  declare(program: Program): void {
    writeFileSync(join(this.folder, "program.json"), JSON.stringify(program));
  }

  /** Writes a custom program in JavaScript, instead of the one that declares the argument of `declare`. */
  write(program: string): void {
    writeFileSync(join(this.folder, "index.js"), program);
  }

  run(...args: string[]): Promise<Run> {
    return this.start(...args).ended;
  }

  /** Starts a command without waiting. `kill` kills only the engine, without cleanup. */
  start(...args: string[]): Started {
    return this.#start("pulumi", args);
  }

  #start(command: string, args: string[]): Started {
    const started = startProcess(command, args, { cwd: this.folder, env: this.env, bound: 600_000 });
    void started.ended.then(({ text }) => (this.output += text)).catch(() => undefined);
    return started;
  }

  /** Runs a command that must succeed. */
  async must(...args: string[]): Promise<Run> {
    const run = await this.run(...args);
    if (run.code !== 0) throw new Error(`pulumi ${args.join(" ")} ended with ${run.code}:\n${run.text}`);
    return run;
  }

  /** Runs `pulumi up`. @returns the number of resources by operation, without the stack itself */
  async up(...args: string[]): Promise<Record<string, number>> {
    await this.must("up", ...unattended, ...args);
    return this.#lastChanges();
  }

  async refresh(): Promise<Record<string, number>> {
    await this.must("refresh", ...unattended);
    return this.#lastChanges();
  }

  async destroy(): Promise<Record<string, number>> {
    await this.must("destroy", ...unattended);
    return this.#lastChanges();
  }

  /** Returns the steps of `pulumi preview --json`, without unchanged resources and the stack itself. */
  async preview(...args: string[]): Promise<Step[]> {
    return (await this.previewed(...args)).steps;
  }

  /** Returns these steps, and the texts that the engine would print below them, each with its resource. */
  async previewed(...args: string[]): Promise<{ steps: Step[]; diagnostics: Diagnostic[] }> {
    const { stdout } = await this.must("preview", "--json", ...args);
    const { steps, diagnostics = [] } = JSON.parse(stdout) as {
      steps: { op: string; urn: string; replaceReasons?: string[]; newState?: never }[];
      diagnostics?: { urn?: string; message: string }[];
    };
    const changing = steps
      .filter(({ op, urn }) => op !== "same" && !urn.includes("pulumi:pulumi:Stack"))
      .map(({ op, urn, replaceReasons = [], newState }) => ({ op, name: nameOf(urn), replaceReasons, newState }));
    return { steps: changing, diagnostics: diagnostics.map(({ urn = "", message }) => ({ name: nameOf(urn), message })) };
  }

  /** Returns our resources in the state of a stack, from its file with encrypted secrets. */
  resources(stack = this.selected): StateResource[] {
    const file = join(this.folder, `backend/.pulumi/stacks/${this.project}/${stack}.json`);
    const { checkpoint } = JSON.parse(readFileSync(file, "utf8")) as {
      checkpoint: { latest?: { resources?: StateResource[] } };
    };
    const managed = (checkpoint.latest?.resources ?? []).filter(
      ({ urn }) => urn.includes("endpoint-monitoring:") && !urn.includes("::pulumi:providers:"),
    );
    return managed.map((resource) => ({ ...resource, name: nameOf(resource.urn) }));
  }

  /** Returns them by name, if no two types share one. */
  state(stack = this.selected): Record<string, StateResource> {
    return Object.fromEntries(this.resources(stack).map((resource) => [resource.name, resource]));
  }

  /** Returns the requests since the last call, by operation. */
  async requests(): Promise<Record<string, number>> {
    const counts = this.emulator.requests();
    await call(this.emulator.url, "POST", "/_emulator/requests/reset");
    return counts;
  }

  /** Returns the stored record, including never-returned members, with a digest for secrets. */
  async stored(collection: string, id: string): Promise<Record<string, unknown>> {
    return (await call(this.emulator.url, "GET", `/_emulator/records/${collection}/${id}`)).body;
  }

  /** Returns the ids in a collection. */
  async ids(collection: string): Promise<string[]> {
    const { records } = (await call(this.emulator.url, "GET", `/_emulator/records/${collection}`)) as {
      records: { id: string }[];
    };
    return records.map(({ id }) => id);
  }

  /** Calls the service outside of Pulumi. */
  async api(method: string, path: string, body?: object): Promise<Response> {
    const answer = await fetch(this.emulator.url + path, { method, headers, body: body && JSON.stringify(body) });
    if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${await answer.text()}`);
    return answer;
  }

  /** Creates a record of a type outside of Pulumi. */
  async make(kind: RecordKindName, properties: Properties, query = ""): Promise<string> {
    return idOf(
      kind,
      (await (await this.api("POST", kindCases[kind].path + query, bodyOf(kind, properties))).json()) as object,
    );
  }

  /** Changes a record of a type outside of Pulumi. If an update replaces the whole record, it includes the current values. */
  async change(kind: RecordKindName, id: string, properties: Properties, query = ""): Promise<void> {
    const path = `${kindCases[kind].path}/${id}${query}`;
    const { method } = operationsOf(kind).update;
    if (method !== "PUT") return void (await this.api(method, path, properties));
    const record = (await (await this.api("GET", path)).json()) as Properties;
    const writable = new Set([...Object.keys(recordKinds[kind].properties), ...Object.keys(kindCases[kind].fixed ?? {})]);
    const stored = Object.fromEntries(Object.entries(record).filter(([name, value]) => writable.has(name) && value !== null));
    await this.api(method, path, { ...stored, ...properties });
  }

  /** Runs work on copies of the state and of the service's data file, and restores both afterwards. */
  async onCopy(work: () => Promise<void>): Promise<void> {
    const { dataFile = "" } = this.options;
    const port = Number(new URL(this.emulator.url).port);
    const originals = [dataFile, join(this.folder, "backend")];
    const exchange = async (copy: (file: string) => void): Promise<void> => {
      // A closed service has written all of its data into one file.
      await this.emulator.close();
      originals.forEach(copy);
      this.emulator = await start({ ...this.options, port });
    };
    await exchange((file) => cpSync(file, `${file}-kept`, { recursive: true }));
    await work();
    await exchange((file) => {
      rmSync(file, { recursive: true });
      renameSync(`${file}-kept`, file);
    });
  }

  async end(): Promise<void> {
    await Promise.all([this.emulator.close(), this.keys?.close()]);
    // An engine that was just stopped may still write.
    const options = { recursive: true, force: true, maxRetries: 5, retryDelay: 200 };
    for (const folder of [this.folder, this.remembered]) rmSync(folder, options);
  }

  /** The folder of remembered responses of the engine. */
  get remembered(): string {
    return `${this.folder}-remembered`;
  }

  get env(): NodeJS.ProcessEnv {
    return plainEnv({
      PATH: rememberingPath(this.remembered),
      PULUMI_HOME: join(this.folder, "home"),
      PULUMI_BACKEND_URL: `file://${join(this.folder, "backend")}`,
      PULUMI_CONFIG_PASSPHRASE: passphrase,
      ...this.keys?.env,
      // Only suites about types check programs in TypeScript.
      PULUMI_NODEJS_TRANSPILE_ONLY: "true",
      NODE_OPTIONS: [`--require=${join(__dirname, "lazy-closures.cjs")}`, process.env["NODE_OPTIONS"]]
        .filter(Boolean)
        .join(" "),
      // Each start of a provider reads the logs of the last hour's operations, which are a thousand in a run of all suites.
      XDG_RUNTIME_DIR: this.folder,
      // A start of the engine allocates much and ends soon.
      GOGC: "400",
      NO_COLOR: "1",
      // Each operation of the engine starts three Node processes, which load the same modules.
      NODE_COMPILE_CACHE: join(repository, "node_modules/.cache/compile"),
      ...this.environment,
    });
  }

  /** Returns the changes of the last operation in the stack's history. */
  #lastChanges(): Record<string, number> {
    const folder = join(this.folder, `backend/.pulumi/history/${this.project}/${this.selected}`);
    const last = readdirSync(folder)
      .filter((name) => name.endsWith(".history.json"))
      .toSorted()
      .at(-1);
    const { resourceChanges } = JSON.parse(readFileSync(join(folder, last ?? ""), "utf8")) as {
      resourceChanges?: Record<string, number>;
    };
    const { same = 0, ...changes } = resourceChanges ?? {};
    // The stack itself is among the unchanged resources, once it has been created.
    return same > 1 ? { ...changes, same: same - 1 } : changes;
  }
}

/** Configures a project so that the engine finds the native plugin, as README.md describes. */
const nativePlugin = `plugins:
  providers:
    - name: endpoint-monitoring
      path: ./node_modules/pulumi-endpoint-monitoring/plugin
`;

/** Options of an operation without questions and progress. */
const unattended = ["--yes", "--skip-preview", "--suppress-progress"];

function nameOf(urn: string): string {
  return urn.slice(urn.lastIndexOf("::") + 2);
}
