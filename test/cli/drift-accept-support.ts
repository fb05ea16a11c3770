import { mkdirSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { DriftReport } from "../../cli/commands/drift/data";
import type { EngineResource } from "../../engine/state";
import { Lifecycle } from "../../provider/lifecycle";
import { type KindName, registry } from "../../provider/registry";
import type { Session } from "../../provider/session";
import { runCommand } from "../support/command";
import { AnsweringEngine, answersOf } from "../support/answering-engine";
import type { SuiteEmulator } from "../support/emulator";
import { temporary } from "../support/temporary";
import { created } from "./drift-support";
import { sessionWith } from "./review-support";
import { declaredBy } from "../program/acceptor-support";

/** The settings of Pulumi's own compiler without the library of browsers, which takes the compiler half a second at each compilation. */
const compilerSettings = JSON.stringify({
  compilerOptions: { target: "ES2020", module: "CommonJS", moduleResolution: "Node10", lib: ["ES2020"], types: [] },
});

/** The output of a preview that the engine refuses because of a resource. */
function refusalOf({ urn }: EngineResource): string {
  return JSON.stringify({ steps: [], diagnostics: [{ urn, severity: "error", message: "the color is too bright" }] });
}

/** A program in its own folder, with a script as the engine. The service is the emulator. */
export class DeployedProgram {
  /** Resources of the stack by name. */
  resources = new Map<string, EngineResource>();
  /** Additional environment variables of the command. */
  readonly environment: NodeJS.ProcessEnv = {};
  readonly #outer = temporary();
  readonly folder = join(this.#outer, "program");
  readonly #session: Session;

  constructor(private readonly emulator: Pick<SuiteEmulator, "url" | "env">) {
    this.#session = sessionWith(emulator.url);
    mkdirSync(this.folder);
  }

  /** Writes a program and creates its resources. @param below the project's folder */
  async deploy(files: Record<string, string>, below = "."): Promise<this> {
    const project = { "Pulumi.yaml": "name: test\nruntime: nodejs\n", "tsconfig.json": compilerSettings };
    for (const [path, text] of Object.entries({ ...project, ...files })) this.write(join(below, path), text);
    for (const { kindName, name, args } of declaredBy(files))
      this.resources.set(name, await created(this.#session, kindName, name, args));
    return this;
  }

  get(name: string): EngineResource {
    const resource = this.resources.get(name);
    if (!resource) throw new Error(`There is no ${name}`);
    return resource;
  }

  /** Changes a record as a user does in the UI. */
  async change(kindName: KindName, name: string, values: object): Promise<void> {
    const { id = "", inputs = {}, outputs = {} } = this.get(name);
    await new Lifecycle(registry[kindName], this.#session).update(id, outputs, { ...inputs, ...values });
  }

  /**
   * Runs `drift`.
   *
   * @param differing names of resources that the edited program still changes, according to the engine
   * @param refusing a text of `index.ts` with which the engine refuses to run the program
   * @param refused name of a resource that the engine names in this refusal
   * @param date the current time for the command
   */
  async drift(
    args: readonly string[],
    { differing = [] as readonly string[], refusing = "", refused = "", cwd = this.folder, date = "2026-06-15T12:00:00Z" } = {},
  ) {
    const steps = [...this.resources].map(([name, { urn }]) => ({ op: differing.includes(name) ? "update" : "same", urn }));
    const state = { deployment: { resources: [...this.resources.values()] } };
    const answer = answersOf({
      "stack ls": [{ name: "dev", current: true }],
      "stack export --show-secrets --stack dev ": state,
      "config --json --show-secrets --stack dev ": {},
      "preview ": { steps },
      "refresh ": "",
    });
    const engine = new AnsweringEngine(mkdtempSync(join(this.#outer, "engine-")), (call) =>
      refusing !== "" && call.args[0] === "preview" && this.text("index.ts").includes(refusing)
        ? { code: 1, stderr: "TypeError: no\n", stdout: refused === "" ? "" : refusalOf(this.get(refused)) }
        : answer(call),
    );
    const env = engine.env({ ...this.emulator.env, ...this.environment });
    const clock = { now: () => 0, every: () => () => undefined, date: () => new Date(date) };
    const run = await runCommand(["drift", ...args], { cwd, env, clock });
    engine.end();
    return { ...run, calls: engine.calls };
  }

  /** The same with `--json`. */
  async report(args: readonly string[], options: Parameters<DeployedProgram["drift"]>[1] = {}) {
    const run = await this.drift([...args, "--json"], options);
    const { data } = JSON.parse(run.stdout) as { data?: DriftReport };
    if (!data) throw new Error(run.stderr);
    return { ...run, data };
  }

  write(path: string, text: string): void {
    mkdirSync(dirname(join(this.folder, path)), { recursive: true });
    writeFileSync(join(this.folder, path), text);
  }

  text(path: string): string {
    return readFileSync(join(this.folder, path), "utf8");
  }

  async end(): Promise<void> {
    await this.#session.client.close();
  }
}
