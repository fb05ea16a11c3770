import { createRequire } from "node:module";
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { basename, dirname, join, relative, resolve, sep } from "node:path";
import { isObject, stringOf } from "../../provider/values";
import { UsageError } from "../command";
import { ProgramSource } from "../source/program";

/** Where the program is, and how its files refer to each other. */
export interface Place {
  /** Folder that all paths start from: the project's, or the one that is written to where that is elsewhere. */
  readonly root: string;
  /** Path from there to the folder that is written to; empty for the folder itself. */
  readonly below: string;
  /** Path of the file that the program starts with, whether or not it is there; absent where that is no TypeScript. */
  readonly entry: string | undefined;
  /** Path of the file that the project's program starts with, where that is TypeScript: another one for another folder. */
  readonly start: string | undefined;
  /** What imports of the program's own files end with: `.js` or `.ts` in ECMAScript modules. */
  readonly suffix: string;
  /** Whether the compiler is not told yet that imports may end so: it would refuse to check them. */
  readonly unchecked: boolean;
  /** The sources that are there; absent where there are none. */
  readonly source: ProgramSource | undefined;
}

/** What of a Pulumi project says where its program is. */
export interface ProgramOf {
  readonly folder: string;
  /** `main` of Pulumi.yaml. */
  readonly main?: string;
  /** What Node is started with. */
  readonly nodeArguments?: string;
}

/**
 * Finds out where the program goes.
 *
 * @param out folder that was asked for, else that of the project's program, else the one the command runs in
 * @param cwd the one the command runs in
 * @throws UsageError where it cannot go there
 */
export async function placeOf(project: ProgramOf | undefined, out: string | undefined, cwd: string): Promise<Place> {
  const folder = out === undefined ? (project === undefined ? cwd : programFolder(project)) : resolve(cwd, out);
  if (existsSync(folder) && !statSync(folder).isDirectory()) throw new UsageError(`${folder} is not a folder`, "work");
  const inside = project !== undefined && !relative(project.folder, folder).split(sep).includes("..");
  const root = inside ? project.folder : folder;
  const below = relative(root, folder).split(sep).join("/");
  const source = inside ? await ProgramSource.read(root) : await sourceOfFolder(folder);
  const start = inside ? entryOf(project, root, programFolder(project)) : undefined;
  const entry = entryOf(project, root, folder);
  return { root, below, entry, start, ...suffixOf(folder, source, project?.nodeArguments), source };
}

/** Path of a file in the folder that is written to, from the root. */
export function pathIn({ below }: Place, name: string): string {
  return below === "" ? name : `${below}/${name}`;
}

function programFolder(project: ProgramOf): string {
  const main = resolve(project.folder, project.main ?? ".");
  return /\.[cm]?[jt]sx?$/.test(main) ? dirname(main) : main;
}

/** The sources of one folder alone: what lies below one that is no project's may be anything. */
async function sourceOfFolder(folder: string): Promise<ProgramSource | undefined> {
  const names = existsSync(folder) ? readdirSync(folder, { withFileTypes: true }).filter((entry) => entry.isFile()) : [];
  const texts = names
    .filter(({ name }) => /\.[cm]?tsx?$/.test(name) && !name.startsWith(".") && !/\.d\.[cm]?ts$/.test(name))
    .map(({ name }): [string, string] => [name, readFileSync(join(folder, name), "utf8")]);
  // Without any, nothing has to be read, and the compiler need not be there.
  return texts.length > 0 ? ProgramSource.of(folder, Object.fromEntries(texts)) : undefined;
}

/** The file that the engine starts the program with, as it looks for it: Pulumi.yaml, package.json, then index. */
function entryOf(project: ProgramOf | undefined, root: string, folder: string): string | undefined {
  const packaged = mainOfPackage(folder);
  const named = [
    project?.main === undefined ? undefined : resolve(project.folder, project.main),
    // `npm init` names an index.js that is not there: then Node takes the index that is.
    packaged !== undefined && /\.[cm]?js$/.test(packaged) && !existsSync(packaged) ? undefined : packaged,
  ]
    .filter((path) => path !== undefined && !(existsSync(path) && statSync(path).isDirectory()))
    .find((path) => path !== undefined && dirname(path) === folder);
  const scripts = ["index.js", "index.mjs", "index.ts", "index.mts"].find((name) => existsSync(join(folder, name)));
  const entry = basename(named ?? scripts ?? "index.ts");
  if (/\.[cm]?jsx?$/.test(entry)) return undefined;
  const path = relative(root, join(folder, /\.[cm]?tsx?$/.test(entry) ? entry : `${entry}.ts`));
  return path.split(sep).join("/");
}

function mainOfPackage(folder: string): string | undefined {
  const [at, manifest] = packageOf(folder) ?? [];
  const main = stringOf(manifest?.["main"]);
  return at === undefined || main === undefined ? undefined : resolve(at, main);
}

/**
 * How the program's files import each other: as those do that are there, else as the package's kind of modules, what loads them and
 * the compiler want it.
 */
function suffixOf(
  folder: string,
  source: ProgramSource | undefined,
  nodeArguments: string | undefined,
): Pick<Place, "suffix" | "unchecked"> {
  const [at = folder, manifest] = packageOf(folder) ?? [];
  for (const text of source?.texts.values() ?? []) {
    const found = /^(?:import|export)\b[^;'"]*['"]\.{1,2}\/[^'"]*?(?<suffix>\.[jt]s)?['"]/m.exec(text);
    if (found) return { suffix: found.groups?.["suffix"] ?? "", unchecked: false };
  }
  if (manifest?.["type"] !== "module") return { suffix: "", unchecked: false };
  const config = join(at, "tsconfig.json");
  const byOwnNames = /"(?:allowImportingTsExtensions|rewriteRelativeImportExtensions)"\s*:\s*true/;
  const allowed = existsSync(config) && byOwnNames.test(readFileSync(config, "utf8"));
  // Node runs such programs itself, and knows the files by their own names only; a loader, by those that they compile to.
  if (!allowed && hasLoader(folder, nodeArguments)) return { suffix: ".js", unchecked: false };
  return { suffix: ".ts", unchecked: !allowed && existsSync(config) };
}

/** What `@pulumi/pulumi` loads ES modules in TypeScript with, in a project that has it. */
const moduleLoader = "ts-node/esm";

/** Whether anything but Node itself loads a program's modules. */
function hasLoader(folder: string, nodeArguments = ""): boolean {
  if (/--(?:experimental-)?loader\b|--import\b|--require\b/.test(nodeArguments)) return true;
  try {
    createRequire(join(folder, "_")).resolve(moduleLoader);
    return true;
  } catch {
    return false;
  }
}

/** The nearest package.json, with its folder; nothing where there is none that can be read. */
function packageOf(folder: string): [string, Record<string, unknown>] | undefined {
  for (let at = folder; ; at = dirname(at)) {
    const path = join(at, "package.json");
    if (existsSync(path)) {
      try {
        const manifest: unknown = JSON.parse(readFileSync(path, "utf8"));
        return isObject(manifest) ? [at, manifest] : undefined;
      } catch {
        return undefined;
      }
    }
    if (dirname(at) === at) return undefined;
  }
}
