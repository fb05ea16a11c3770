import { existsSync, readdirSync, readFileSync } from "node:fs";
import { basename, dirname, extname, join, relative, sep } from "node:path";
import { ProgramSource } from "./program-source";
import { compiledBy, isJavaScript } from "./tsconfig";
import type { ImportedKind } from "../provider/imported-kinds";
import { isModule, isSource, manifestOf, programEntry } from "../engine/program-entry";
import { UsageError } from "../common/errors";

interface PulumiProject {
  readonly folder: string;
  readonly main?: string | undefined;
  readonly tsconfig?: string | undefined;
}

export interface ProgramPlace {
  /** Base folder of all relative paths: the folder of the project, or the command's working folder without a project. */
  readonly root: string;
  /** Path of the program's entry file, even if the file does not exist yet. New files are created in the folder of the entry file. */
  readonly entry: string;
  /** Short name of the stack that needs the files, if several stacks run the same program. */
  readonly onlyFor: string | undefined;
  /** Extension of new files, such as `.ts`. */
  readonly extension: string;
  /** Whether the files run as ECMAScript modules, without `require`. */
  readonly isModule: boolean;
  /** Extension in statements that import the program's files, such as `.js`. CommonJS modules need no extension. */
  readonly suffix: string;
  readonly source: ProgramSource | undefined;
}

/**
 * Finds the program of a project. Without a project, the source files in the command's working folder are the program.
 *
 * @param cwd the command's working folder
 * @param onlyFor short name of the stack, if the project has several stacks
 * @throws UsageError if a compiler writes the program's entry file, or if the entry file cannot import TypeScript
 */
export async function placeOf(project: PulumiProject | undefined, cwd: string, onlyFor?: string): Promise<ProgramPlace> {
  const root = project?.folder ?? cwd;
  const start = programEntry(root, project?.main).file;
  const compiled = project && (await compiledBy(start, root, project.tsconfig));
  if (compiled !== undefined) {
    throw new UsageError(
      `The program's entry file ${start} is the output of a compiler (${compiled}). New files would have no effect until you compile the program again. ` +
        "Set main in Pulumi.yaml to the TypeScript source file",
      "work",
    );
  }
  if (isJavaScript(start) || start.endsWith(".cts")) {
    throw new UsageError(
      `\`import\` writes only TypeScript with import statements, but the program starts with ${start}. Rename ${basename(start)} to ` +
        `${basename(start).replace(/\.\w+$/, ".ts")}, or run this command in an empty folder and copy the declarations by hand`,
      "work",
    );
  }
  const source = project ? await ProgramSource.read(root) : await sourceOfFolder(root);
  const entry = relative(root, start).split(sep).join("/");
  return { root, entry, onlyFor, ...modulesOf(start, source), source };
}

export function fileOf(
  place: Pick<ProgramPlace, "entry" | "extension" | "onlyFor">,
  { word }: Pick<ImportedKind, "word">,
): string {
  const stack = place.onlyFor === undefined ? "" : `-${place.onlyFor.replaceAll(".", "-")}`;
  return place.entry.replace(/[^/]*$/, `${word}${stack}${place.extension}`);
}

type Modules = Pick<ProgramPlace, "extension" | "isModule" | "suffix">;

/** Returns the conventions for new files, based on the entry file and existing imports. */
function modulesOf(start: string, source: ProgramSource | undefined): Modules {
  const extension = extname(start).replace(/x$/, "");
  // Node runs .mts files directly, but imports must contain their extension.
  if (extension === ".mts") return { extension, isModule: true, suffix: ".ts" };
  const runsAsModule = isModule(manifestOf(dirname(start)));
  return { extension, isModule: runsAsModule, suffix: suffixInUse(source) ?? (runsAsModule ? ".ts" : "") };
}

/** Returns the extension that existing import statements use for the program's files. */
function suffixInUse(source: ProgramSource | undefined): string | undefined {
  for (const text of source?.texts.values() ?? []) {
    const match = /^(?:import|export)\b[^;'"]*['"]\.{1,2}\/[^'"]*?(?<suffix>\.[jt]s)?['"]/m.exec(text);
    if (match) return match.groups?.["suffix"] ?? "";
  }
  return undefined;
}

/** Reads the source files in a folder. The function skips subfolders, because they may be unrelated. */
async function sourceOfFolder(folder: string): Promise<ProgramSource | undefined> {
  const entries = existsSync(folder) ? readdirSync(folder, { withFileTypes: true }) : [];
  const names = entries.filter((entry) => entry.isFile() && isSource(entry.name, false)).map(({ name }) => name);
  const texts = names.map((name) => [name, readFileSync(join(folder, name), "utf8")] as const);
  // `ProgramSource.of` loads the compiler, so the function calls it only if the folder contains source files.
  return texts.length > 0 ? ProgramSource.of(folder, Object.fromEntries(texts)) : undefined;
}
