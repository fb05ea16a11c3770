import { resolve } from "node:path";
import { readSettings, type SettingName } from "../api";
import type { Session } from "../provider/session";
import { isObject, stringOf } from "../provider/values";
import { UsageError } from "./command";
import { type EngineRun, jsonOf, runEngine, type RunOptions } from "./engine-run";
import { type EngineResource, type Held, heldAmong, heldIn, resourcesIn } from "./held";
import type { Io } from "./io";
import { programEntry } from "./program-entry";
import { projectFolder, type ProjectFile, readProjectFile } from "./project-file";
import { openSession } from "./session";

/** An update as the engine remembers it. Its times are whole seconds, cut off. */
export interface Update {
  startTime: string;
  endTime?: string;
  kind: string;
  result: string;
}

/** A stack as `pulumi stack ls` has it. */
interface ListedStack {
  name: string;
  current?: boolean;
}

/** What `pulumi config --json` prints, secrets opened, by key. */
type Configuration = Record<string, { value?: string; secret?: boolean }>;

/** A Pulumi project on this machine: its stacks, what they hold, and how their provider is configured. Any backend will do. */
export class Project {
  #listing: Promise<readonly ListedStack[]> | undefined;

  private constructor(
    readonly io: Io,
    /** Folder of Pulumi.yaml. */
    readonly folder: string,
    readonly name: string,
    /** `main` of Pulumi.yaml: the program's folder or file. */
    readonly main: string | undefined,
    /** Folder that the program runs in, and its provider with it: what `main` says, else that of Pulumi.yaml. */
    readonly programFolder: string,
    /** Why its program cannot be extended with TypeScript or, where it is JavaScript, with that: the end of a sentence. */
    readonly noTypeScript: string | undefined,
    /** Arguments that Node runs its programs with: loaders, for one. */
    readonly nodeArguments: string,
    /** Full path of the tsconfig.json that Pulumi.yaml names. */
    readonly tsconfig: string | undefined,
  ) {}

  /**
   * Opens the project of a folder: the nearest one with a Pulumi.yaml, as the engine does. The engine is not asked yet.
   *
   * @param folder the command's own unless another is named
   * @throws UsageError where there is none, or its file is none
   */
  static open(io: Io, folder = io.cwd): Project {
    const root = projectFolder(folder);
    if (root === undefined) {
      throw new UsageError(`There is no Pulumi.yaml in ${folder} or above it. Go to a Pulumi project, or make one`, "work");
    }
    const { name, main, runtime } = readProjectFile(root);
    const entry = programEntry(root, main);
    const nodeArguments = stringOf(runtime.options["nodeargs"]) ?? "";
    const tsconfig = stringOf(runtime.options["tsconfig"]);
    return new Project(
      io,
      root,
      name,
      main,
      entry.folder,
      whyNoTypeScript(runtime, entry.file),
      nodeArguments,
      tsconfig === undefined ? undefined : resolve(entry.folder, tsconfig),
    );
  }

  /** Names of the stacks there are, in alphabetical order. */
  async stackNames(): Promise<string[]> {
    return (await this.#listed()).map(({ name }) => name).toSorted();
  }

  /** The stack of a name, else the one that is selected. @throws UsageError */
  async stack(name: string | undefined): Promise<ProjectStack> {
    return this.#find(await this.#listed(), name);
  }

  /** The stacks of these names, else every stack of the project. @throws UsageError */
  async stacks(names: readonly string[] = []): Promise<ProjectStack[]> {
    const listed = await this.#listed();
    const wanted = names.length > 0 ? names : listed.map(({ name }) => name).toSorted();
    return wanted.map((name) => this.#find(listed, name));
  }

  #find(stacks: readonly ListedStack[], name: string | undefined): ProjectStack {
    const known = stacks.map((stack) => stack.name).toSorted();
    const found = stacks.find((stack) => (name === undefined ? stack.current === true : sameStack(stack.name, name)));
    if (found) return new ProjectStack(this, found.name);
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
    return heldIn(stack, jsonOf(`Stack ${stack} cannot be read`, run, isState));
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
    unreadable: (error: UsageError, stack: string) => void,
    begun: (stack: string) => void = () => undefined,
  ): Promise<Held[]> {
    const held: Held[] = [];
    for (const name of (await this.stackNames()).filter((one) => !own.has(one))) {
      begun(name);
      try {
        held.push(...(await this.foreign(name)));
      } catch (error) {
        if (!(error instanceof UsageError)) throw error;
        unreadable(error, name);
      }
    }
    return held;
  }

  /** Version of the engine, such as `3.259.0`; nothing where it does not tell one. */
  async engineVersion(): Promise<string | undefined> {
    const { stdout } = await this.run(["version"]);
    return /\d+\.\d+\.\d+\S*/.exec(stdout)?.[0];
  }

  /** Runs the engine in the project's folder, as `runEngine` says. */
  run(args: readonly string[], options?: RunOptions): Promise<EngineRun> {
    return runEngine(this.io, this.folder, args, options);
  }

  /** Asked for once: a command sees no stack come and go. */
  #listed(): Promise<readonly ListedStack[]> {
    return (this.#listing ??= this.run(["stack", "ls", "--json"]).then((run) => jsonOf("Pulumi", run, isListing)));
  }
}

/** One stack of a project. */
export class ProjectStack {
  #configuration: Promise<Configuration> | undefined;

  constructor(
    readonly project: Project,
    readonly name: string,
  ) {}

  /** A session with the service as the stack's configuration says, and the environment behind it. @throws ConfigurationError */
  async session(): Promise<Session> {
    const { io } = this.project;
    return openSession(io, readSettings(await this.configured(), io.env));
  }

  /** What the stack's configuration says of a setting. @throws UsageError where it cannot be read, or its secrets not be opened */
  async configured(): Promise<(setting: SettingName) => string | undefined> {
    const config = await this.#config();
    return (setting) => config[`endpoint-monitoring:${setting}`]?.value;
  }

  /** The project's own configuration of this stack, secrets opened, by key. */
  async configuration(): Promise<Record<string, string>> {
    const config = await this.#config();
    const own = `${this.project.name}:`;
    return Object.fromEntries(
      Object.entries(config).flatMap(([key, { value }]) =>
        key.startsWith(own) && value !== undefined ? [[key.slice(own.length), value]] : [],
      ),
    );
  }

  /** The secrets of the configuration, of whatever they are. @throws UsageError where it cannot be read, or they not be opened */
  async secretValues(): Promise<string[]> {
    const config = await this.#config();
    return Object.values(config).flatMap(({ value, secret }) => (secret === true && value !== undefined ? [value] : []));
  }

  /** Our resources in the stack's state, secrets opened. */
  async held(): Promise<Held[]> {
    return heldAmong(this.name, await this.resources());
  }

  /** Every resource in the stack's state, as the engine writes it, secrets opened. */
  async resources(): Promise<EngineResource[]> {
    const run = await this.run(["stack", "export", "--show-secrets"]);
    return resourcesIn(jsonOf("Pulumi", run, isState));
  }

  /** The last `pulumi up`, whether it succeeded or failed; nothing where there was none. */
  async lastUpdate(): Promise<Update | undefined> {
    const size = 20;
    // Many a refresh may have come after it.
    for (let page = 1; ; page += 1) {
      const run = await this.run(["stack", "history", "--json", "--page-size", `${size}`, "--page", `${page}`]);
      const updates = jsonOf(`The history of stack ${this.name} cannot be read`, run, isHistory);
      const found = updates.find(({ kind }) => kind === "update");
      if (found || updates.length < size) return found;
    }
  }

  /** Runs the engine on this stack. */
  run(args: readonly string[], options?: RunOptions): Promise<EngineRun> {
    return this.project.run([...args, "--stack", this.name], options);
  }

  /** The whole configuration, asked for once: what this command sets itself it does not read again. */
  #config(): Promise<Configuration> {
    return (this.#configuration ??= this.run(["config", "--json", "--show-secrets"]).then((run) =>
      jsonOf("Pulumi", run, isConfiguration),
    ));
  }
}

/** Runtimes of the engine that run TypeScript. */
const typeScriptRuntimes: ReadonlySet<string> = new Set(["nodejs", "bun"]);

/** @param entry the file that the program starts with: one in JavaScript needs no TypeScript */
function whyNoTypeScript({ name, options }: ProjectFile["runtime"], entry: string): string | undefined {
  if (!typeScriptRuntimes.has(name)) return `the runtime in its Pulumi.yaml is ${name}`;
  if (/\.[cm]?jsx?$/.test(entry)) return undefined;
  return options["typescript"] === false ? "its Pulumi.yaml says typescript: false" : undefined;
}

/** `dev` is the stack that a backend lists as `organization/project/dev`. */
function sameStack(listed: string, given: string): boolean {
  return listed === given || listed.endsWith(`/${given}`);
}

function isListing(printed: unknown): printed is ListedStack[] {
  return Array.isArray(printed) && printed.every((one) => isObject(one) && typeof one["name"] === "string");
}

function isConfiguration(printed: unknown): printed is Configuration {
  return isObject(printed) && Object.values(printed).every(isObject);
}

function isState(printed: unknown): printed is object {
  return isObject(printed) && "deployment" in printed;
}

function isHistory(printed: unknown): printed is Update[] {
  return Array.isArray(printed) && printed.every(isObject);
}
