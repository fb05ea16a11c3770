import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { dirname, extname, join, relative, resolve, sep } from "node:path";
import { UsageError } from "../command";
import { isModule, isSource, manifestOf, type ProgramEntry, programEntry } from "../program-entry";
import { ProgramSource } from "../edit/program";
import { compiledBy, isJavaScript } from "../edit/tsconfig";
import { type Modules, modulesOf } from "./modules";

/** Where the program is, and how its files refer to each other. */
export interface ProgramPlace extends Modules {
  /** Folder that all paths start from: the project's, or the one that is written to where that is elsewhere. */
  readonly root: string;
  /** Path from there to the folder that is written to; empty for the folder itself. */
  readonly below: string;
  /** Path of the file that loads those that are written, whether or not it is there. */
  readonly entry: string;
  /** Path of the file that the project's program starts with: another one for another folder. */
  readonly start: string | undefined;
  /** Present if the files are for one stack alone, since others run the same program. */
  readonly guard?: { readonly stack: string; /** Whether the program has no `require`. */ readonly isModule: boolean };
  /** The present sources, if there are any. */
  readonly source: ProgramSource | undefined;
}

/** The settings of a Pulumi project that name its program. */
interface ProgramOf {
  readonly folder: string;
  /** `main` of Pulumi.yaml. */
  readonly main?: string;
  /** Node's arguments. */
  readonly nodeArguments?: readonly string[];
  /** Full path of the tsconfig.json that Pulumi.yaml names. */
  readonly tsconfig?: string;
}

/**
 * Finds out where the program goes.
 *
 * @param out folder that was asked for, else that of the file the project's program starts with, else the one the command runs in
 * @param cwd the one the command runs in
 * @param stack short name of the stack, if the project has others: it gets files of its own
 * @throws UsageError if it cannot go there
 */
export async function placeOf(
  project: ProgramOf | undefined,
  out: string | undefined,
  cwd: string,
  stack?: string,
): Promise<ProgramPlace> {
  const start = project && programEntry(project.folder, project.main);
  const own = out === undefined && start ? stack : undefined;
  const folder = out !== undefined ? resolve(cwd, out) : start ? dirname(start.file) : cwd;
  if (existsSync(folder) && !statSync(folder).isDirectory()) throw new UsageError(`${folder} is not a folder`, "work");
  const inside = project !== undefined && isWithin(project.folder, folder);
  if (project && start && out === undefined) await tellWhatCannotBeExtended(project, start, inside);
  const root = inside ? project.folder : folder;
  const first = entryIn(folder, start?.file);
  const file = own === undefined ? first : join(folder, `stack${suffixOf(own)}${extname(first).replace(/x$/, "")}`);
  const javascript = [file, start?.file ?? file].some(isJavaScript);
  const source = inside ? await ProgramSource.read(root, { javascript }) : await sourceOfFolder(folder, javascript);
  const entry = pathFrom(root, file);
  const modules = await modulesOf({ ...project, folder, entry: file, path: entry, source });
  return {
    root,
    below: pathFrom(root, folder),
    entry,
    start: inside && start ? pathFrom(root, start.file) : undefined,
    ...modules,
    ...(own !== undefined && start && { guard: { stack: own, isModule: isEsm(start, modules.syntax) } }),
    source,
  };
}

function isEsm({ file, folder }: ProgramEntry, syntax: Modules["syntax"]): boolean {
  if (isJavaScript(file)) return syntax === "import";
  return /\.mtsx?$/.test(file) || (!/\.ctsx?$/.test(file) && isModule(manifestOf(folder)));
}

/** The same place once files are written. */
export async function placeWith(place: ProgramPlace, files: readonly { path: string; text: string }[]): Promise<ProgramPlace> {
  const texts = files.map(({ path, text }) => [path, text] as const);
  return { ...place, source: place.source?.with(texts) ?? (await ProgramSource.of(place.root, Object.fromEntries(texts))) };
}

/** Path of a file in the folder that is written to, from the root. */
function pathIn({ below }: Pick<ProgramPlace, "below">, name: string): string {
  return below === "" ? name : `${below}/${name}`;
}

/** Path of the file of a kind, from the root. */
export function fileOf(place: Pick<ProgramPlace, "below" | "extension" | "guard">, { word }: { word: string }): string {
  return pathIn(place, `${word}${place.guard ? suffixOf(place.guard.stack) : ""}${place.extension}`);
}

/** The end of the names of a stack's own files. They are in the program's folder, which every compiler takes for the root. */
function suffixOf(stack: string): string {
  return `-${stack.replaceAll(".", "-")}`;
}

/** @throws UsageError if the program starts with a file that cannot load the new ones */
async function tellWhatCannotBeExtended(
  { folder, tsconfig }: ProgramOf,
  { file }: ProgramEntry,
  inside: boolean,
): Promise<void> {
  const advice = "say main: FILE in Pulumi.yaml, with the source that the program is to start with";
  const said = `The program starts with ${file}`;
  if (!inside) throw new UsageError(`${said}, outside of the project's folder ${folder}: ${advice}`, "work");
  if (!isSource(file)) throw new UsageError(`${said}, which is no source that could load others: ${advice}`, "work");
  const compiled = await compiledBy(file, folder, tsconfig);
  if (compiled === undefined) return;
  const what = `${said}, which is compiled (${compiled}): it would not load what is written until it is compiled again`;
  throw new UsageError(`${what}. Instead ${advice}, or name the folder of the sources with --out`, "work");
}

/** The file in a folder that loads the others: the program's own start, the index that is there, else a new one like the start. */
function entryIn(folder: string, start: string | undefined): string {
  if (start !== undefined && dirname(start) === folder) return start;
  const { file } = programEntry(folder, undefined);
  if (dirname(file) === folder && existsSync(file) && isSource(file)) return file;
  const there = ["ts", "js", "mts", "mjs", "cts", "cjs"].map((end) => join(folder, `index.${end}`));
  const extension = /\.[cm]?[jt]s(?=x?$)/.exec(start ?? "")?.[0] ?? ".ts";
  return there.find((path) => existsSync(path)) ?? join(folder, `index${extension}`);
}

function isWithin(folder: string, path: string): boolean {
  return !relative(folder, path).split(sep).includes("..");
}

function pathFrom(root: string, path: string): string {
  return relative(root, path).split(sep).join("/");
}

/** Reads the sources of one folder. Folders below a folder without a project may hold anything. */
async function sourceOfFolder(folder: string, javascript: boolean): Promise<ProgramSource | undefined> {
  const names = existsSync(folder) ? readdirSync(folder, { withFileTypes: true }).filter((entry) => entry.isFile()) : [];
  const texts = names
    .filter(({ name }) => isSource(name, javascript))
    .map(({ name }): [string, string] => [name, readFileSync(join(folder, name), "utf8")]);
  // Without any, nothing has to be read, and the compiler need not be there.
  return texts.length > 0 ? ProgramSource.of(folder, Object.fromEntries(texts)) : undefined;
}
