import { createRequire } from "node:module";
import { dirname, join, resolve } from "node:path";
import { isObject, stringOf } from "../provider/values";
import { type Io } from "./io";
import { programEntry } from "./program-entry";
import { versionIn } from "../api/versions";
import { projectFolder, type ProjectFile, readProjectFile, shellWords } from "./project-file";
import { type EngineRun, jsonOf, runEngine, type RunOptions } from "./run";

import { isState, type ManagedResource, managedIn } from "./state";
import { UsageError } from "../common/errors";

export interface ListedStack {
  name: string;
  current?: boolean;
}

export class Project {
  #listing: Promise<readonly ListedStack[]> | undefined;

  readonly name: string;
  /** The program's folder or file, from `main` in the project file. */
  readonly main: string | undefined;
  /** URL of the backend, from the environment or the project file; undefined if the user's login determines the backend. */
  readonly backend: string | undefined;
  /** Working folder of the program and its provider. */
  readonly programFolder: string;
  /** Full path of the program's entry file, which is the file that the engine runs first. The entry file may not exist yet. */
  readonly programFile: string;
  readonly runtime: string;
  /** The reason why the program cannot contain TypeScript, as a clause for the end of a sentence. */
  readonly noTypeScript: string | undefined;
  /** Whether Pulumi compiles the program's TypeScript; false if Pulumi.yaml contains `typescript: false`. */
  readonly compilesTypeScript: boolean;
  /** Command-line arguments for the Node process of the program, such as loaders. */
  readonly nodeArguments: readonly string[];
  /** Full path of the tsconfig.json that the project file names. */
  readonly tsconfig: string | undefined;

  private constructor(
    readonly io: Io,
    readonly folder: string,
  ) {
    const { name, main, backend, runtime } = readProjectFile(folder);
    const entry = programEntry(folder, main);
    const tsconfig = stringOf(runtime.options["tsconfig"]);
    this.name = name;
    this.main = main;
    this.backend = io.env["PULUMI_BACKEND_URL"] || backend;
    this.programFolder = entry.folder;
    this.programFile = entry.file;
    this.runtime = runtime.name;
    this.noTypeScript = whyNoTypeScript(runtime, entry.file);
    this.compilesTypeScript = runtime.options["typescript"] !== false;
    this.nodeArguments = shellWords(stringOf(runtime.options["nodeargs"]) ?? "");
    this.tsconfig = tsconfig === undefined ? undefined : resolve(entry.folder, tsconfig);
  }

  /**
   * Opens the nearest project at or above a folder, without starting the engine.
   *
   * @param folder folder where the search for Pulumi.yaml starts; by default, the command's working folder
   * @throws UsageError if Pulumi.yaml is missing or invalid
   */
  static open(io: Io, folder = io.cwd): Project {
    const root = projectFolder(folder);
    if (root !== undefined) return new Project(io, root);
    throw new UsageError(
      `There is no Pulumi.yaml in ${folder} or its parent folders. Run the command in a Pulumi project, ` +
        `or create a project with \`endpoint-monitoring init\``,
      "work",
    );
  }

  async stackNames(): Promise<string[]> {
    return (await this.listed()).map(({ name }) => name).toSorted();
  }

  /**
   * Reads the resources of a stack in another project. Pass the stack's full name, such as `organization/project/stack`. Secrets stay
   * encrypted, so no passphrase is necessary.
   */
  async foreign(stack: string): Promise<ManagedResource[]> {
    const run = await this.run(["stack", "export", "--stack", stack]);
    return managedIn(stack, jsonOf(`Stack ${stack} cannot be read`, run, isState));
  }

  /** Reads the resources of the project's other stacks, which run the same program. */
  async managedByOthers(
    excluded: ReadonlySet<string>,
    onUnreadable: (error: UsageError, stack: string) => void,
    onRead: (stack: string) => void = () => undefined,
  ): Promise<ManagedResource[]> {
    const managed: ManagedResource[] = [];
    for (const name of (await this.stackNames()).filter((stack) => !excluded.has(stack))) {
      onRead(name);
      try {
        for (const resource of await this.foreign(name)) managed.push(resource);
      } catch (error) {
        if (!(error instanceof UsageError)) throw error;
        onUnreadable(error, name);
      }
    }
    return managed;
  }

  /** Returns the engine's version, such as `3.259.0`, or undefined if the engine prints no version. */
  async engineVersion(): Promise<string | undefined> {
    return versionIn((await this.run(["version"])).stdout);
  }

  /** Returns the folder of an npm package that the program can load, or undefined if the package is not installed. */
  packageFolder(name: string): string | undefined {
    try {
      return dirname(createRequire(join(this.programFolder, "_.js")).resolve(`${name}/package.json`));
    } catch {
      return undefined;
    }
  }

  run(args: readonly string[], options?: RunOptions): Promise<EngineRun> {
    return runEngine(this.io, this.folder, args, options);
  }

  listed(): Promise<readonly ListedStack[]> {
    return (this.#listing ??= this.run(["stack", "ls", "--json"]).then((run) => jsonOf("Pulumi", run, isListing)));
  }
}

const typeScriptRuntimes: ReadonlySet<string> = new Set(["nodejs", "bun"]);

/** @param entry entry file of the program. A JavaScript program starts without the TypeScript compiler, but may load TypeScript itself */
function whyNoTypeScript({ name, options }: ProjectFile["runtime"], entry: string): string | undefined {
  if (!typeScriptRuntimes.has(name)) return `the runtime in its Pulumi.yaml is ${name}`;
  if (/\.[cm]?jsx?$/.test(entry)) return undefined;
  return options["typescript"] === false ? "its Pulumi.yaml has typescript: false" : undefined;
}

function isListing(printed: unknown): printed is ListedStack[] {
  return Array.isArray(printed) && printed.every((item) => isObject(item) && typeof item["name"] === "string");
}
