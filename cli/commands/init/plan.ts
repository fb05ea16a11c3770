import { existsSync, readdirSync, readFileSync } from "node:fs";
import { basename, dirname, join, relative } from "node:path";
import { defaults } from "../../../emulator/defaults";
import type { CiProviderName } from "./options";
import { projectFileIn, readProjectFile } from "../../../engine/project-file";
import { pluginEdit, pluginEntry, pluginPath } from "../../plugin-lines";
import { manifestOf, programEntry } from "../../../engine/program-entry";
import { withDependencies } from "./dependencies";
import type { PackageManager } from "./package-manager";
import { pipelineFiles } from "./pipelines";
import * as templates from "./templates";
import { UsageError } from "../../../common/errors";

interface WantedProject {
  /** Port of the emulator that the project uses. If undefined, the project uses the ThousandEyes API. */
  readonly emulatorPort: number | undefined;
  readonly ciProvider: CiProviderName | undefined;
  readonly native: boolean;
}

/** A file that `init` writes. If the file already exists, `init` only adds to it. */
export interface PlannedFile {
  readonly path: string;
  readonly text: string;
  readonly added?: readonly string[];
}

export interface Plan {
  readonly files: readonly PlannedFile[];
  /** Whether the user requested the native plugin although the existing program uses dynamic providers. */
  readonly isDynamic: boolean;
  readonly hasStack: boolean;
  readonly hasBaseUrl: boolean;
  readonly settings: Readonly<Record<string, string>>;
}

/**
 * Plans the files that `init` writes into a project.
 * @throws UsageError if Pulumi could not run the project
 */
export function planProject(folder: string, wanted: WantedProject, manager: PackageManager): Plan {
  const projectFile = projectFileIn(folder);
  const program = projectFile === undefined ? newProgram(folder) : existingProgram(folder);
  const { isTypeScript, packageFolder } = program;
  const isNew = projectFile === undefined && !readdirSync(folder).some((file) => file.endsWith(".js"));
  const { isModule: compilesModules, ...manifest } = withDependencies(packageFolder, isTypeScript, isNew);
  const settings: Record<string, string> =
    wanted.emulatorPort === undefined
      ? {}
      : { baseUrl: `http://${defaults.host}:${wanted.emulatorPort}`, token: defaults.token };
  const plugin = wanted.native ? pluginPath(folder, packageFolder) : undefined;
  const extended = wanted.native ? pluginEdit({ folder, programFolder: packageFolder }) : undefined;
  const texts: Record<string, string> = {
    [program.file]: templates.programText(wanted.native, settings["baseUrl"]),
    ...(isTypeScript &&
      !program.hasOwnSettings && { [join(program.folder, "tsconfig.json")]: templates.compilerSettings(compilesModules) }),
    ".gitignore": templates.ignoredFiles,
    ...manager.files,
    ...(wanted.emulatorPort !== undefined && { [`Pulumi.${templates.firstStack}.yaml`]: templates.stackText(settings) }),
    ...(wanted.ciProvider && pipelineFiles(wanted.ciProvider, manager, folder)),
  };
  const stackFiles = readdirSync(folder).filter((file) => /^Pulumi\..+\.ya?ml$/.test(file));
  return {
    files: [
      {
        path: basename(projectFile ?? "Pulumi.yaml"),
        text:
          extended?.text ??
          templates.projectFileText(templates.projectName(basename(folder)), program.file, manager.name, plugin),
        added: extended ? [pluginEntry] : [],
      },
      ...Object.entries(texts).map(([path, text]) => ({ path, text })),
      { path: join(relative(folder, packageFolder), "package.json"), ...manifest },
    ],
    isDynamic: wanted.native && isDynamic(join(folder, program.file)),
    hasStack: stackFiles.length > 0,
    hasBaseUrl: stackFiles.some((file) => readFileSync(join(folder, file), "utf8").includes("endpoint-monitoring:baseUrl")),
    settings,
  };
}

function isDynamic(file: string): boolean {
  return existsSync(file) && /["']pulumi-endpoint-monitoring["']/.test(readFileSync(file, "utf8"));
}

interface InitialProgram {
  /** Paths of the program's file and folder, relative to the project folder. */
  readonly file: string;
  readonly folder: string;
  readonly isTypeScript: boolean;
  readonly hasOwnSettings: boolean;
  readonly packageFolder: string;
}

function newProgram(folder: string): InitialProgram {
  const { file } = programEntry(folder, undefined);
  // If the folder already contains a program, such as a package's main file, Pulumi runs this program.
  if (existsSync(file) && !relative(folder, file).startsWith("..")) {
    throw new UsageError(
      `${folder} has no Pulumi.yaml, but contains ${relative(folder, file)}, which Pulumi would run as the program. ` +
        "Create an empty folder, and run `init` there",
      "work",
    );
  }
  return { file: "index.ts", folder: "", isTypeScript: true, hasOwnSettings: false, packageFolder: folder };
}

function existingProgram(folder: string): InitialProgram {
  const { main, runtime } = readProjectFile(folder);
  if (runtime.name !== "nodejs")
    throw new UsageError(`The project's runtime is ${runtime.name}, but this command requires nodejs`, "work");
  const entry = programEntry(folder, main);
  const manifest = manifestOf(entry.folder);
  const isScript = runtime.options["typescript"] === false || /\.[cm]?jsx?$/.test(entry.file);
  if (isScript && !existsSync(entry.file)) {
    throw new UsageError(
      "`init` writes only TypeScript, but Pulumi.yaml configures a JavaScript program: `main` is a JavaScript file, or `typescript` is false. Write the " +
        "JavaScript program first, or remove the setting for JavaScript from Pulumi.yaml",
      "work",
    );
  }
  return {
    file: relative(folder, entry.file),
    folder: relative(folder, entry.folder),
    isTypeScript: !isScript,
    hasOwnSettings: runtime.options["tsconfig"] !== undefined,
    packageFolder: manifest?.folder ?? dirname(entry.file),
  };
}
