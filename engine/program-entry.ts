import { existsSync, readFileSync, statSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { isObject, objectOf, stringOf } from "../provider/values";
import { foldersUp } from "../common/files";

export interface ProgramEntry {
  /** Working folder of the program and its provider. */
  readonly folder: string;
  /** Full path of the program's entry file, which may not exist. */
  readonly file: string;
}

export interface Manifest {
  readonly folder: string;
  readonly data: Readonly<Record<string, unknown>>;
}

/**
 * Whether the name of a file is the name of a source file. Names with a leading dot do not count, because such files are temporary.
 *
 * @param javascript whether JavaScript files count as source files; true by default
 */
export function isSource(path: string, javascript = true): boolean {
  const name = basename(path);
  const extension = javascript ? /\.[cm]?[jt]sx?$/ : /\.[cm]?tsx?$/;
  return extension.test(name) && !/\.d(\.\w+)?\.[cm]?ts$/.test(name) && !name.startsWith(".");
}

/**
 * Finds a program's entry file, which is the file that the engine runs first. The engine runs `main` in Pulumi.yaml, or `exports` or `main`
 * in the nearest package.json. If Pulumi.yaml and package.json name no entry file, the engine runs the file that Node would load for the
 * folder. The rules for the entry file follow the engine's function `getPwdMain`, and `cmd/run/run.js` in `@pulumi/pulumi`.
 */
export function programEntry(root: string, main: string | undefined): ProgramEntry {
  const place = resolve(root, main ?? ".");
  // A path that does not exist counts as a file if it ends with the name of a source file.
  if (isFile(place) || (!existsSync(place) && isSource(place))) return { folder: dirname(place), file: place };
  const manifest = manifestOf(place);
  const named = manifest && startOf(manifest);
  if (named !== undefined && isFile(named)) return { folder: place, file: named };
  const folder = named !== undefined && existsSync(named) ? named : place;
  const entry = (isModule(manifest) ? moduleStarts(folder) : commonStarts(folder)).find(isFile);
  // For a program without files, the result is the TypeScript file that package.json names, or `index.ts`.
  const planned = named !== undefined && /\.[cm]?tsx?$/.test(named) ? named : join(folder, "index.ts");
  return { folder: place, file: entry ?? planned };
}

/**
 * Returns the nearest package.json in a folder or its parent folders. A project that uses pnpm may have a package.yaml instead.
 * A file that cannot be read counts as empty.
 */
export function manifestOf(from: string): Manifest | undefined {
  const paths = foldersUp(from).flatMap((folder) => [join(folder, "package.json"), join(folder, "package.yaml")]);
  const path = paths.find((candidate) => existsSync(candidate));
  return path === undefined ? undefined : { folder: dirname(path), data: dataOf(path) };
}

export function isModule(manifest: Manifest | undefined): boolean {
  return manifest?.data["type"] === "module";
}

/** Returns the path of the package's main file, which may not exist. */
function startOf({ folder, data: { exports, main } }: Manifest): string | undefined {
  const root = isObject(exports) ? exports["."] : exports;
  const exported = isObject(root) ? root["default"] || root["require"] || root["import"] : root;
  const start = stringOf(exports === undefined ? main : exported);
  return start === undefined ? undefined : join(folder, start);
}

function moduleStarts(folder: string): string[] {
  return ["index.js", "index.mjs", "index.ts", "index.mts"].map((name) => join(folder, name));
}

/**
 * Returns the files that `require` tries for a folder, in order. The endings `.ts` and `.tsx` come from `cmd/run/run.js` in
 * `@pulumi/pulumi`.
 */
function commonStarts(folder: string): string[] {
  const main = stringOf(dataOf(join(folder, "package.json"))["main"]);
  const stems = main === undefined ? [] : [join(folder, main), join(folder, main, "index")];
  const endings = ["", ".js", ".json", ".node", ".ts", ".tsx"];
  return [...stems, join(folder, "index")].flatMap((stem) => endings.map((ending) => stem + ending));
}

/** Whether a path is a file. An invalid path, such as a path that is too long, is not a file. */
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
