import { existsSync, readdirSync, readFileSync } from "node:fs";
import { basename, dirname, join, relative } from "node:path";
import { defaults } from "../../emulator/defaults";
import { UsageError } from "../command";
import { projectFileIn, readProjectFile } from "../engine/project-file";
import { pluginEdit, pluginPath } from "../plugin-lines";
import { isModule, manifestOf, programEntry } from "../program-entry";
import { withDependencies } from "./dependencies";
import type { PackageManager } from "./package-manager";
import type { Forge } from "./forges";
import { pipelineFiles } from "./pipelines";
import * as templates from "./templates";

/** The project that the user asks for. */
export interface WantedProject {
  /** Name of a new project; undefined for that of the folder. */
  readonly name: string | undefined;
  /** Port of the emulator that the project uses; undefined for the service itself. */
  readonly emulatorPort: number | undefined;
  readonly forge: Forge | undefined;
  /** Whether the native plugin provides the resources. */
  readonly native: boolean;
}

/** The files that a project needs. */
export interface Plan {
  /** Texts by path, relative to the folder. A file that exists is left alone. */
  readonly files: ReadonlyMap<string, string>;
  /** The project file that exists, with the entry for the native plugin that it lacks. */
  readonly extended?: { readonly path: string; readonly text: string };
  /** The package.json, or pnpm's package.yaml, with the dependencies of the program: a file that may exist and change. */
  readonly manifest: { readonly path: string; readonly text: string; readonly added: readonly string[] };
  /** Whether there is a program with classes of dynamic providers, and the native plugin is asked for. */
  readonly isDynamic: boolean;
  /** Whether the project has a stack already, as far as the folder shows. */
  readonly hasStack: boolean;
  /** Settings of the first stack, by their name. */
  readonly settings: Readonly<Record<string, string>>;
}

/** Plans a project in a folder. @throws UsageError where Pulumi could not run the result */
export function planProject(folder: string, wanted: WantedProject, manager: PackageManager): Plan {
  const projectFile = projectFileIn(folder);
  const program = projectFile === undefined ? newProgram(folder) : existingProgram(folder, wanted);
  const name = wanted.name ?? templates.projectName(basename(folder));
  const isNew = projectFile === undefined && !readdirSync(folder).some((file) => file.endsWith(".js"));
  const dependencies = withDependencies(program.packageFolder, program.style === "typescript", isNew);
  const settings = settingsFor(wanted);
  const plugin = wanted.native ? pluginPath(folder, program.packageFolder) : undefined;
  const extended = wanted.native ? pluginEdit({ folder, programFolder: program.packageFolder }) : undefined;
  const compilerSettings = join(program.folder, "tsconfig.json");
  const files: Record<string, string> = {
    [basename(projectFile ?? "Pulumi.yaml")]: templates.projectFileText(name, program.file, manager.name, plugin),
    [program.file]: templates.programText(program.style, wanted.native, settings["baseUrl"]),
    ...(program.style === "typescript" &&
      !program.hasOwnSettings && { [compilerSettings]: templates.compilerSettings(dependencies.isModule) }),
    ".gitignore": templates.ignoredFiles,
    ...manager.files,
    ...(wanted.emulatorPort !== undefined && { [`Pulumi.${templates.firstStack}.yaml`]: templates.stackText(settings) }),
    ...(wanted.forge && pipelineFiles(wanted.forge, manager)),
  };
  return {
    files: new Map(Object.entries(files)),
    ...(extended && { extended: { path: basename(extended.full), text: extended.text } }),
    manifest: { path: join(relative(folder, program.packageFolder), dependencies.file), ...dependencies },
    isDynamic: wanted.native && isDynamic(join(folder, program.file)),
    hasStack: readdirSync(folder).some((file) => /^Pulumi\..+\.ya?ml$/.test(file)),
    settings,
  };
}

/** Whether a program that exists imports the classes of dynamic providers, as far as its first file shows. */
function isDynamic(file: string): boolean {
  return existsSync(file) && /["']pulumi-endpoint-monitoring["']/.test(readFileSync(file, "utf8"));
}

function settingsFor({ emulatorPort }: WantedProject): Record<string, string> {
  if (emulatorPort === undefined) return {};
  return { baseUrl: `http://${defaults.host}:${emulatorPort}`, token: defaults.token };
}

/** The program of a project. */
interface Program {
  /** Paths of its file and of its folder, relative to the project's folder. */
  readonly file: string;
  readonly folder: string;
  readonly style: templates.ModuleStyle;
  /** Whether Pulumi.yaml names its compiler settings. */
  readonly hasOwnSettings: boolean;
  /** Folder of its package.json. */
  readonly packageFolder: string;
}

function newProgram(folder: string): Program {
  const { file } = programEntry(folder, undefined);
  if (existsSync(file)) {
    throw new UsageError(
      `${folder} holds a program that Pulumi would run (${relative(folder, file)}), but no Pulumi.yaml. ` +
        "Make an empty folder, and run this command there",
      "work",
    );
  }
  return { file: "index.ts", folder: "", style: "typescript", hasOwnSettings: false, packageFolder: folder };
}

function existingProgram(folder: string, { name }: WantedProject): Program {
  if (name !== undefined) throw new UsageError(`--name is for a new project, and ${folder} has a Pulumi.yaml`);
  const { main, runtime } = readProjectFile(folder);
  if (runtime.name !== "nodejs") throw new UsageError(`The runtime of the project is ${runtime.name}, not nodejs`, "work");
  const entry = programEntry(folder, main);
  const manifest = manifestOf(entry.folder);
  const isScript = runtime.options["typescript"] === false || /\.[cm]?jsx?$/.test(entry.file);
  // Where there is no program yet, the entry is a file in TypeScript.
  const file = isScript ? entry.file.replace(/\.ts$/, ".js") : entry.file;
  return {
    file: relative(folder, file),
    folder: relative(folder, entry.folder),
    style: !isScript ? "typescript" : isModule(manifest) || file.endsWith(".mjs") ? "module" : "commonjs",
    hasOwnSettings: runtime.options["tsconfig"] !== undefined,
    packageFolder: manifest?.folder ?? dirname(file),
  };
}
