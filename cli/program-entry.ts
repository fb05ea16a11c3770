import { existsSync, readFileSync, statSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { isObject, objectOf, stringOf } from "../provider/values";

/** The file that the engine starts a program with. */
export interface ProgramEntry {
  /** Folder that the program runs in, and its provider with it. */
  readonly folder: string;
  /** Full path of the file, whether or not it is there. */
  readonly file: string;
  /** The file that names it, for messages. Undefined for the index of the program's folder. */
  readonly because: string | undefined;
}

/** The manifest of a package, with its folder. */
export interface Manifest {
  readonly folder: string;
  readonly data: Readonly<Record<string, unknown>>;
}

/**
 * Whether a file is a source of a program, by its name. A half-written temporary file of ours has a leading dot.
 *
 * @param javascript whether one in JavaScript is. Default: true
 */
export function isSource(path: string, javascript = true): boolean {
  const name = basename(path);
  const isOne = javascript ? /\.[cm]?[jt]sx?$/ : /\.[cm]?tsx?$/;
  return isOne.test(name) && !/\.d(\.\w+)?\.[cm]?ts$/.test(name) && !name.startsWith(".");
}

/**
 * Finds the file that a program starts with, as the engine (`getPwdMain`) and the runner of programs in `@pulumi/pulumi`
 * (`cmd/run/run.js`) do: `main` of Pulumi.yaml; where that is a folder, `exports` or `main` of the nearest package.json; and for a
 * folder what Node takes, or the runner itself in a package of ECMAScript modules.
 *
 * @param root folder of Pulumi.yaml
 * @param main what Pulumi.yaml says: a file or a folder
 */
export function programEntry(root: string, main: string | undefined): ProgramEntry {
  const place = resolve(root, main ?? ".");
  // One that is not there yet is a file where it is called like one.
  if (isFile(place) || (!existsSync(place) && isSource(place))) {
    return { folder: dirname(place), file: place, because: "main of Pulumi.yaml" };
  }
  const manifest = manifestOf(place);
  const named = manifest && startOf(manifest);
  const because = manifest && `package.json in ${manifest.folder}`;
  if (named !== undefined && isFile(named)) return { folder: place, file: named, because };
  const folder = named !== undefined && existsSync(named) ? named : place;
  const found = isModule(manifest) ? firstOf(folder, moduleIndexes) : loadedAsFolder(folder);
  if (found !== undefined) return { folder: place, file: found, because: folder === place ? undefined : because };
  // Nothing is there: the file that the package names will do, where it is no compiled one.
  if (named !== undefined && /\.[cm]?tsx?$/.test(named)) return { folder: place, file: named, because };
  return { folder: place, file: join(folder, "index.ts"), because: undefined };
}

/** The nearest manifest, from a folder upwards; nothing where there is none, and an empty one where it cannot be read. */
export function manifestOf(from: string): Manifest | undefined {
  for (let folder = from; ; folder = dirname(folder)) {
    const path = manifestNames.map((name) => join(folder, name)).find((one) => existsSync(one));
    if (path !== undefined) return { folder, data: dataOf(path) };
    if (dirname(folder) === folder) return undefined;
  }
}

/** Whether a package's files are ECMAScript modules. */
export function isModule(manifest: Manifest | undefined): boolean {
  return manifest?.data["type"] === "module";
}

/** pnpm has the second one. */
const manifestNames = ["package.json", "package.yaml"];

const moduleIndexes = ["index.js", "index.mjs", "index.ts", "index.mts"];

/** Endings that Node appends to a name, in its order. The loader of the runner adds the last two. */
const extensions = [".js", ".json", ".node", ".ts", ".tsx"];

/** The path that a manifest names as its start, whether or not there is a file. */
function startOf({ folder, data }: Manifest): string | undefined {
  const { exports, main } = data;
  const said = exports === undefined ? main : isObject(exports) ? conditionOf(exports["."]) : exports;
  const start = stringOf(said);
  return start === undefined ? undefined : join(folder, start);
}

function conditionOf(exported: unknown): unknown {
  return isObject(exported) ? exported["default"] || exported["require"] || exported["import"] : exported;
}

/** The file that `require` of a folder loads. */
function loadedAsFolder(folder: string): string | undefined {
  const main = stringOf(dataOf(join(folder, "package.json"))["main"]);
  const named = main === undefined ? undefined : join(folder, main);
  const candidates = named === undefined ? [] : [named, ...extensions.map((end) => named + end), ...indexes(named)];
  return [...candidates, ...indexes(folder)].find(isFile);
}

function indexes(folder: string): string[] {
  return extensions.map((end) => join(folder, `index${end}`));
}

function firstOf(folder: string, names: readonly string[]): string | undefined {
  return names.map((name) => join(folder, name)).find((path) => existsSync(path));
}

/** A name that no file can have is none: too long, or with a character that no path takes. */
function isFile(path: string): boolean {
  try {
    return statSync(path).isFile();
  } catch {
    return false;
  }
}

function dataOf(path: string): Record<string, unknown> {
  try {
    const text = readFileSync(path, "utf8");
    const data: unknown = path.endsWith(".yaml") ? (require("yaml") as typeof import("yaml")).parse(text) : JSON.parse(text);
    return objectOf(data);
  } catch {
    return {};
  }
}
