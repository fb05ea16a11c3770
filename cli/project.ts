import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { existsSync, statSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import type { LocalWorkspace } from "@pulumi/pulumi/automation/index.js";
import { readSettings, type SettingName } from "../api";
import { Session } from "../provider/session";
import { stringOf } from "../provider/values";
import { UsageError } from "./command";
import { ended, engineError, type EngineRun } from "./engine-run";
import { type EngineResource, type Held, heldAmong, heldIn, resourcesIn } from "./held";

/** An update as the engine remembers it. Its times are whole seconds, cut off. */
export interface Update {
  startTime: string;
  endTime?: string;
  kind: string;
  result: string;
}

/** A Pulumi project on this machine: its stacks, what they hold, and how their provider is configured. Any backend will do. */
export class Project {
  private constructor(
    /** Folder of Pulumi.yaml. */
    readonly folder: string,
    readonly name: string,
    /** `main` of Pulumi.yaml: the program's folder or file. */
    readonly main: string | undefined,
    /** Folder that the program runs in, and its provider with it: what `main` says, else that of Pulumi.yaml. */
    readonly programFolder: string,
    /** Why its programs cannot be TypeScript, as the end of a sentence; absent where they can. */
    readonly noTypeScript: string | undefined,
    /** Arguments that Node runs its programs with: loaders, for one. */
    readonly nodeArguments: string,
    private readonly workspace: LocalWorkspace,
  ) {}

  /**
   * Opens the project of a folder: the nearest one with a Pulumi.yaml, as the engine does.
   *
   * @throws UsageError where there is none, or no engine
   */
  static async open(folder = process.cwd()): Promise<Project> {
    const root = projectFolder(folder);
    if (root === undefined) {
      throw new UsageError(`There is no Pulumi.yaml in ${folder} or above it. Go to a Pulumi project, or make one`, "work");
    }
    // Loaded when needed: it takes a good part of a second, and other commands do without.
    const { LocalWorkspace: Workspace } = await import("@pulumi/pulumi/automation/index.js");
    const workspace = await explained(() => Workspace.create({ workDir: root }));
    const { name, main, runtime = "nodejs" } = await explained(() => workspace.projectSettings());
    const program = resolve(root, main ?? ".");
    const isFolder = statSync(program, { throwIfNoEntry: false })?.isDirectory() ?? false;
    const folderOfProgram = isFolder ? program : dirname(program);
    const runs = typeof runtime === "string" ? { name: runtime } : runtime;
    const nodeArguments = stringOf(runs.options?.["nodeargs"]) ?? "";
    return new Project(root, name, main, folderOfProgram, whyNoTypeScript(runs), nodeArguments, workspace);
  }

  /** Version of the engine, such as `3.259.0`; nothing where it does not tell one. */
  get engineVersion(): string | undefined {
    return this.workspace.pulumiCommand.version?.format();
  }

  /** Names of the stacks there are, in alphabetical order. */
  async stackNames(): Promise<string[]> {
    return (await explained(() => this.workspace.listStacks())).map(({ name }) => name).toSorted();
  }

  /** The stack of a name, else the one that is selected. @throws UsageError */
  async stack(name: string | undefined): Promise<ProjectStack> {
    return this.#find(await explained(() => this.workspace.listStacks()), name);
  }

  /** The stacks of these names, else every stack of the project. @throws UsageError */
  async stacks(names: readonly string[] = []): Promise<ProjectStack[]> {
    const listed = await explained(() => this.workspace.listStacks());
    const wanted = names.length > 0 ? names : listed.map(({ name }) => name).toSorted();
    return wanted.map((name) => this.#find(listed, name));
  }

  #find(stacks: readonly { name: string; current: boolean }[], name: string | undefined): ProjectStack {
    const known = stacks.map((stack) => stack.name).toSorted();
    const found = stacks.find((stack) => (name === undefined ? stack.current : sameStack(stack.name, name)));
    if (found) return new ProjectStack(this, found.name, this.workspace);
    const there = known.length > 0 ? `There are ${known.join(", ")}` : "There is none yet: run `pulumi stack init`";
    if (name !== undefined) throw new UsageError(`Project ${this.name} has no stack ${name}. ${there}`, "work");
    throw new UsageError(`No stack of project ${this.name} is selected: say --stack NAME. ${there}`, "work");
  }

  /**
   * What a stack of any project in this backend holds, by its full name such as `organization/project/stack`. Secrets stay
   * closed, so its passphrase is not needed.
   */
  async foreign(stack: string): Promise<Held[]> {
    const run = await this.run(["stack", "export", "--stack", stack]);
    if (run.code !== 0) throw engineError(`Stack ${stack} cannot be read`, run);
    return heldIn(stack, JSON.parse(run.stdout));
  }

  /**
   * What the project's other stacks hold, which run the same program.
   *
   * @param own names of the stacks that are left out
   * @param unreadable told of each that cannot be read: what it holds is missing
   * @param begun told of each before it is read
   */
  async heldByOthers(
    own: ReadonlySet<string>,
    unreadable: (error: UsageError) => void,
    begun: (stack: string) => void = () => undefined,
  ): Promise<Held[]> {
    const held: Held[] = [];
    for (const name of (await this.stackNames()).filter((one) => !own.has(one))) {
      begun(name);
      try {
        held.push(...(await this.foreign(name)));
      } catch (error) {
        if (!(error instanceof UsageError)) throw error;
        unreadable(error);
      }
    }
    return held;
  }

  /**
   * Runs the engine in the project's folder, without questions and colours. Ctrl+C goes to it once, and it is waited for: it
   * winds up by itself.
   *
   * @param input what it reads from standard input: a secret, which arguments would show to others on the machine
   */
  async run(args: readonly string[], onLine: (line: string) => void = () => undefined, input?: string): Promise<EngineRun> {
    let interrupted = false;
    let child: ChildProcessWithoutNullStreams | undefined;
    const forward = (signal: NodeJS.Signals): void => {
      interrupted = true;
      child?.kill(signal);
    };
    // Before it starts: there is no moment in which Ctrl+C would end this command alone.
    process.on("SIGINT", forward).on("SIGTERM", forward);
    try {
      child = this.#start(args);
      return await ended(child, onLine, input, () => interrupted);
    } finally {
      process.off("SIGINT", forward).off("SIGTERM", forward);
    }
  }

  #start(args: readonly string[]): ChildProcessWithoutNullStreams {
    // In a group of its own, else a terminal would send it a Ctrl+C beside ours, and the second one ends it hard.
    return spawn(this.workspace.pulumiCommand.command, [...args, "--non-interactive", "--color", "never"], {
      cwd: this.folder,
      detached: process.platform !== "win32",
      stdio: ["pipe", "pipe", "pipe"],
    });
  }
}

/** One stack of a project. */
export class ProjectStack {
  constructor(
    readonly project: Project,
    readonly name: string,
    private readonly workspace: LocalWorkspace,
  ) {}

  /** A session with the service as the stack's configuration says, and the environment behind it. @throws ConfigurationError */
  async session(): Promise<Session> {
    return new Session(readSettings(await this.configured()));
  }

  /** What the stack's configuration says of a setting. @throws UsageError where it cannot be read, or its secrets not be opened */
  async configured(): Promise<(setting: SettingName) => string | undefined> {
    const config = await explained(() => this.workspace.getAllConfig(this.name));
    return (setting) => config[`endpoint-monitoring:${setting}`]?.value;
  }

  /** The project's own configuration of this stack, secrets opened, by key. */
  async configuration(): Promise<Record<string, string>> {
    const config = await explained(() => this.workspace.getAllConfig(this.name));
    const own = `${this.project.name}:`;
    return Object.fromEntries(
      Object.entries(config).flatMap(([key, { value }]) => (key.startsWith(own) ? [[key.slice(own.length), value]] : [])),
    );
  }

  /** Our resources in the stack's state, secrets opened. */
  async held(): Promise<Held[]> {
    return heldAmong(this.name, await this.resources());
  }

  /** Every resource in the stack's state, as the engine writes it, secrets opened. */
  async resources(): Promise<EngineResource[]> {
    return resourcesIn(await explained(() => this.workspace.exportStack(this.name)));
  }

  /** The last `pulumi up`, whether it succeeded or failed; nothing where there was none. */
  async lastUpdate(): Promise<Update | undefined> {
    const size = 20;
    // Many a refresh may have come after it.
    for (let page = 1; ; page += 1) {
      const run = await this.run(["stack", "history", "--json", "--page-size", `${size}`, "--page", `${page}`]);
      if (run.code !== 0) throw engineError(`The history of stack ${this.name} cannot be read`, run);
      const updates = JSON.parse(run.stdout) as Update[];
      const found = updates.find(({ kind }) => kind === "update");
      if (found || updates.length < size) return found;
    }
  }

  /** Runs the engine on this stack. */
  run(args: readonly string[], onLine?: (line: string) => void, input?: string): Promise<EngineRun> {
    return this.project.run([...args, "--stack", this.name], onLine, input);
  }
}

/** Folder of the project that a folder belongs to: the nearest one with a Pulumi.yaml. */
export function projectFolder(from: string): string | undefined {
  for (let folder = resolve(from); ; folder = dirname(folder)) {
    if (isProjectFolder(folder)) return folder;
    if (dirname(folder) === folder) return undefined;
  }
}

/** Whether a folder is that of a project. */
export function isProjectFolder(folder: string): boolean {
  return ["Pulumi.yaml", "Pulumi.yml", "Pulumi.json"].some((name) => existsSync(join(folder, name)));
}

/** Runtimes of the engine that run TypeScript. */
const typeScriptRuntimes: ReadonlySet<string> = new Set(["nodejs", "bun"]);

function whyNoTypeScript({ name, options = {} }: { name: string; options?: Record<string, unknown> }): string | undefined {
  if (!typeScriptRuntimes.has(name)) return `the runtime in its Pulumi.yaml is ${name}`;
  return options["typescript"] === false ? "its Pulumi.yaml says typescript: false" : undefined;
}

/** `dev` is the stack that a backend lists as `organization/project/dev`. */
function sameStack(listed: string, given: string): boolean {
  return listed === given || listed.endsWith(`/${given}`);
}

/** Runs a call of the Automation API; what the engine says of a failure becomes a line. @throws UsageError */
async function explained<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    if (/ENOENT|not found on|Failed to find/i.test(error.message)) {
      throw new UsageError(
        "The Pulumi engine is not on PATH. Install it: https://www.pulumi.com/docs/install/, or `npm install --save-dev pulumi`",
        "work",
      );
    }
    const said = /error: (?<reason>[^\n]+)/.exec(error.message)?.groups?.["reason"];
    throw new UsageError(`Pulumi: ${said ?? error.message.trim().split("\n")[0] ?? ""}`, "work");
  }
}
