import { existsSync, readFileSync, statSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { isObject, objectOf, stringOf } from "../provider/values";
import { foldersUp } from "../common/files";

/** The file that the engine starts a program with. */
export interface ProgramEntry {
  /** Folder that the program runs in, and its provider with it. */
  readonly folder: string;
  /** Full path of the file, whether or not it exists. */
  readonly file: string;
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
 * (`cmd/run/run.js`) do: `main` of Pulumi.yaml. If that is a folder, `exports` or `main` of the nearest package.json. For a folder, the file
 * that Node loads, or the runner itself in a package of ECMAScript modules.
 *
 * @param root folder of Pulumi.yaml
 * @param main `main` of Pulumi.yaml: a file or a folder
 */
export function programEntry(root: string, main: string | undefined): ProgramEntry {
  const place = resolve(root, main ?? ".");
  // A path that does not exist yet is a file if it is called like one.
  if (isFile(place) || (!existsSync(place) && isSource(place))) return { folder: dirname(place), file: place };
  const manifest = manifestOf(place);
  const named = manifest && startOf(manifest);
  if (named !== undefined && isFile(named)) return { folder: place, file: named };
  const folder = named !== undefined && existsSync(named) ? named : place;
  const entry = (isModule(manifest) ? moduleStarts(folder) : commonStarts(folder)).find(isFile);
  // A program that is not written yet starts with the file that the package names, unless a compiler writes that.
  const planned = named !== undefined && /\.[cm]?tsx?$/.test(named) ? named : join(folder, "index.ts");
  return { folder: place, file: entry ?? planned };
}

/** The nearest manifest, from a folder upwards, if there is one. A manifest that cannot be read is empty. pnpm has package.yaml. */
export function manifestOf(from: string): Manifest | undefined {
  const paths = foldersUp(from).flatMap((folder) => [join(folder, "package.json"), join(folder, "package.yaml")]);
  const path = paths.find((candidate) => existsSync(candidate));
  return path === undefined ? undefined : { folder: dirname(path), data: dataOf(path) };
}

export function isModule(manifest: Manifest | undefined): boolean {
  return manifest?.data["type"] === "module";
}

/** The path that a manifest names as its start, whether or not there is a file. */
function startOf({ folder, data: { exports, main } }: Manifest): string | undefined {
  const own = isObject(exports) ? exports["."] : exports;
  const exported = isObject(own) ? own["default"] || own["require"] || own["import"] : own;
  const start = stringOf(exports === undefined ? main : exported);
  return start === undefined ? undefined : join(folder, start);
}

function moduleStarts(folder: string): string[] {
  return ["index.js", "index.mjs", "index.ts", "index.mts"].map((name) => join(folder, name));
}

/** The files that `require` of a folder tries, in its order. The loader of the runner adds the last two endings. */
function commonStarts(folder: string): string[] {
  const main = stringOf(dataOf(join(folder, "package.json"))["main"]);
  const stems = main === undefined ? [] : [join(folder, main), join(folder, main, "index")];
  const endings = ["", ".js", ".json", ".node", ".ts", ".tsx"];
  return [...stems, join(folder, "index")].flatMap((stem) => endings.map((ending) => stem + ending));
}

/** Whether a path is a file. A name that is too long, or has a character that no path takes, is not. */
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
