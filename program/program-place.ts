import { existsSync, readdirSync, readFileSync } from "node:fs";
import { basename, dirname, extname, join, relative, sep } from "node:path";
import { ProgramSource } from "./program-source";
import { compiledBy, isJavaScript } from "./tsconfig";
import type { ImportedKind } from "../provider/imported-kinds";
import { isModule, isSource, manifestOf, programEntry } from "../engine/program-entry";
import { UsageError } from "../common/errors";

/** A Pulumi project: its folder, and the settings of Pulumi.yaml that say where its program is. */
interface PulumiProject {
  readonly folder: string;
  readonly main?: string | undefined;
  readonly tsconfig?: string | undefined;
}

/** Where the program is, how its files are written, and how they refer to each other. */
export interface ProgramPlace {
  /** Folder that all paths start from: the project's, or without a project the one that the command runs in. */
  readonly root: string;
  /** Path of the file that the program starts with, whether or not it exists. New files are beside it. */
  readonly entry: string;
  /** Short name of the stack that the files are for, if the project's other stacks run the same program. */
  readonly onlyFor: string | undefined;
  /** Extension of new files, such as `.ts`. */
  readonly extension: string;
  /** Whether the files run as ECMAScript modules, which have no `require`. */
  readonly isModule: boolean;
  /** Extension in imports of the program's files: `.js` or `.ts` in ECMAScript modules, else empty. */
  readonly suffix: string;
  /** The present sources, if there are any. */
  readonly source: ProgramSource | undefined;
}

/**
 * Finds the program: that of a project, else that of the folder that the command runs in.
 *
 * @param cwd the folder that the command runs in
 * @param onlyFor short name of the stack, if the project has others
 * @throws UsageError if a compiler writes the file that the program starts with, or if the file can have no imports of TypeScript
 */
export async function placeOf(project: PulumiProject | undefined, cwd: string, onlyFor?: string): Promise<ProgramPlace> {
  const root = project?.folder ?? cwd;
  const start = programEntry(root, project?.main).file;
  const compiled = project && (await compiledBy(start, root, project.tsconfig));
  if (compiled !== undefined) {
    throw new UsageError(
      `The program starts with ${start}, which is compiled (${compiled}): it would not load what is written until it is compiled ` +
        "again. Say main: FILE in Pulumi.yaml, with the source that the program is to start with",
      "work",
    );
  }
  if (isJavaScript(start) || start.endsWith(".cts")) {
    throw new UsageError(
      `import writes TypeScript with import statements only, and the program starts with ${start}. Rename that file to ` +
        `${basename(start).replace(/\.\w+$/, ".ts")}, or run this command in an empty folder and copy the declarations by hand`,
      "work",
    );
  }
  const source = project ? await ProgramSource.read(root) : await sourceOfFolder(root);
  const entry = relative(root, start).split(sep).join("/");
  return { root, entry, onlyFor, ...modulesOf(start, source), source };
}

/** Path of the file of a kind, from the root. A stack's own files are in the program's folder, which every compiler takes for the root. */
export function fileOf(
  place: Pick<ProgramPlace, "entry" | "extension" | "onlyFor">,
  { word }: Pick<ImportedKind, "word">,
): string {
  const stack = place.onlyFor === undefined ? "" : `-${place.onlyFor.replaceAll(".", "-")}`;
  return place.entry.replace(/[^/]*$/, `${word}${stack}${place.extension}`);
}

type Modules = Pick<ProgramPlace, "extension" | "isModule" | "suffix">;

/** Finds out how files of a program are written: like its first file, with imports like those that exist. */
function modulesOf(start: string, source: ProgramSource | undefined): Modules {
  const extension = extname(start).replace(/x$/, "");
  // Node runs these files itself, and knows them by their own names only.
  if (extension === ".mts") return { extension, isModule: true, suffix: ".ts" };
  const runsAsModule = isModule(manifestOf(dirname(start)));
  return { extension, isModule: runsAsModule, suffix: suffixInUse(source) ?? (runsAsModule ? ".ts" : "") };
}

/** The extension in present imports of own files. Undefined if there are none. */
function suffixInUse(source: ProgramSource | undefined): string | undefined {
  for (const text of source?.texts.values() ?? []) {
    const match = /^(?:import|export)\b[^;'"]*['"]\.{1,2}\/[^'"]*?(?<suffix>\.[jt]s)?['"]/m.exec(text);
    if (match) return match.groups?.["suffix"] ?? "";
  }
  return undefined;
}

/** Reads the sources of one folder. Folders below a folder without a project may hold anything. */
async function sourceOfFolder(folder: string): Promise<ProgramSource | undefined> {
  const entries = existsSync(folder) ? readdirSync(folder, { withFileTypes: true }) : [];
  const names = entries.filter((entry) => entry.isFile() && isSource(entry.name, false)).map(({ name }) => name);
  const texts = names.map((name) => [name, readFileSync(join(folder, name), "utf8")] as const);
  // Without any, the compiler need not be installed.
  return texts.length > 0 ? ProgramSource.of(folder, Object.fromEntries(texts)) : undefined;
}
