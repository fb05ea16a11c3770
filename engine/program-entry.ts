import { existsSync, readFileSync, statSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { isObject, objectOf, stringOf } from "../provider/values";
import { foldersUp } from "../common/files";

/** The file with which the engine starts a program. */
export interface ProgramEntry {
  /** Working folder of the program and its provider. */
  readonly folder: string;
  /** Full path of the file, whether or not it exists. */
  readonly file: string;
}

/** The package.json of a package, with its folder. */
export interface Manifest {
  readonly folder: string;
  readonly data: Readonly<Record<string, unknown>>;
}

/**
 * Whether a file is a source of a program, by its name. Names with a leading dot are excluded, because they are those of
 * temporary files.
 *
 * @param javascript whether JavaScript files count. Default: true
 */
export function isSource(path: string, javascript = true): boolean {
  const name = basename(path);
  const extension = javascript ? /\.[cm]?[jt]sx?$/ : /\.[cm]?tsx?$/;
  return extension.test(name) && !/\.d(\.\w+)?\.[cm]?ts$/.test(name) && !name.startsWith(".");
}

/**
 * Finds the file with which a program starts. The rules are those of the engine (`getPwdMain`) and of `cmd/run/run.js` in `@pulumi/pulumi`.
 * The file is `main` of Pulumi.yaml. If that is a folder, it is `exports` or `main` of the nearest package.json. If that is a folder also,
 * it is the file that Node loads for the folder, or that `run.js` loads in a package of ECMAScript modules.
 *
 * @param root folder of Pulumi.yaml
 * @param main `main` of Pulumi.yaml: a file or a folder
 */
export function programEntry(root: string, main: string | undefined): ProgramEntry {
  const place = resolve(root, main ?? ".");
  // A path that does not exist yet counts as a file if it has the name of a source.
  if (isFile(place) || (!existsSync(place) && isSource(place))) return { folder: dirname(place), file: place };
  const manifest = manifestOf(place);
  const named = manifest && startOf(manifest);
  if (named !== undefined && isFile(named)) return { folder: place, file: named };
  const folder = named !== undefined && existsSync(named) ? named : place;
  const entry = (isModule(manifest) ? moduleStarts(folder) : commonStarts(folder)).find(isFile);
  // A program without files starts with the file in package.json, unless a compiler writes that file.
  const planned = named !== undefined && /\.[cm]?tsx?$/.test(named) ? named : join(folder, "index.ts");
  return { folder: place, file: entry ?? planned };
}

/** Returns the nearest manifest in a folder or above it. An unreadable manifest is empty. pnpm has package.yaml. */
export function manifestOf(from: string): Manifest | undefined {
  const paths = foldersUp(from).flatMap((folder) => [join(folder, "package.json"), join(folder, "package.yaml")]);
  const path = paths.find((candidate) => existsSync(candidate));
  return path === undefined ? undefined : { folder: dirname(path), data: dataOf(path) };
}

export function isModule(manifest: Manifest | undefined): boolean {
  return manifest?.data["type"] === "module";
}

/** Returns the path of the package's main file, whether or not it exists. */
function startOf({ folder, data: { exports, main } }: Manifest): string | undefined {
  const root = isObject(exports) ? exports["."] : exports;
  const exported = isObject(root) ? root["default"] || root["require"] || root["import"] : root;
  const start = stringOf(exports === undefined ? main : exported);
  return start === undefined ? undefined : join(folder, start);
}

function moduleStarts(folder: string): string[] {
  return ["index.js", "index.mjs", "index.ts", "index.mts"].map((name) => join(folder, name));
}

/** Returns the files that `require` tries for a folder, in its order. `run.js` also tries the last two endings. */
function commonStarts(folder: string): string[] {
  const main = stringOf(dataOf(join(folder, "package.json"))["main"]);
  const stems = main === undefined ? [] : [join(folder, main), join(folder, main, "index")];
  const endings = ["", ".js", ".json", ".node", ".ts", ".tsx"];
  return [...stems, join(folder, "index")].flatMap((stem) => endings.map((ending) => stem + ending));
}

/** Whether a path is a file. An invalid path, such as one that is too long, is not a file. */
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
