import { createRequire } from "node:module";
import { extname, join } from "node:path";
import { isModule, manifestOf } from "../program-entry";
import type { Syntax } from "../edit/imports";
import type { ProgramSource } from "../edit/program";
import { compilerSettings, isJavaScript, type CompilerSettings } from "../edit/tsconfig";

/** How files of a program are written, and how they refer to each other. */
export interface Modules {
  /** Extension of new files, such as `.ts`. */
  readonly extension: string;
  /** How a file imports and exports. */
  readonly syntax: Syntax;
  /** Extension in imports of the program's files: `.js` or `.ts` in ECMAScript modules, else empty. */
  readonly suffix: string;
  /** Whether tsconfig.json does not allow this extension, so that the compiler refuses such imports. */
  readonly unchecked: boolean;
}

/** The facts from which the syntax of a program's modules follows. */
interface ModulesOf {
  /** Folder that is written to. */
  folder: string;
  /** Full path of its first file, whether or not it is there; and its path in the sources. */
  entry: string;
  path: string;
  source: ProgramSource | undefined;
  /** Node's arguments. */
  nodeArguments?: readonly string[];
  /** The project's own name of its tsconfig.json. */
  tsconfig?: string;
}

/**
 * How the program's files are written: in the language of the first one, which import each other as those do that are there, else as
 * the package's kind of modules, what loads them and the compiler want it.
 */
export async function modulesOf(of: ModulesOf): Promise<Modules> {
  const end = extname(of.entry);
  const extension = end.replace(/x$/, "");
  if (isJavaScript(of.entry)) {
    const syntax = syntaxOf(of, end);
    return { extension, syntax, suffix: syntax === "import" ? ".js" : "", unchecked: false };
  }
  // Node runs these itself, as they are: only their types are taken off.
  if (end === ".cts") return { extension, syntax: "require", ...ownNames(of) };
  if (end === ".mts") return { extension, syntax: "import", ...(await byOwnNames(of)) };
  const found = suffixInUse(of.source);
  if (found !== undefined) return { extension, syntax: "import", suffix: found, unchecked: false };
  if (!isModule(manifestOf(of.folder))) return { extension, syntax: "import", suffix: "", unchecked: false };
  return { extension, syntax: "import", ...(await byOwnNames(of)) };
}

function syntaxOf({ folder, path, source }: ModulesOf, end: string): Modules["syntax"] {
  if (end === ".mjs") return "import";
  if (end === ".cjs") return "require";
  const file = source?.file(path);
  const { ts } = source ?? {};
  const isOne =
    file &&
    ts &&
    file.statements.some((one) => ts.isImportDeclaration(one) || ts.isExportDeclaration(one) || ts.isExportAssignment(one));
  return isOne || isModule(manifestOf(folder)) ? "import" : "require";
}

/** The extension in present imports of own files. Undefined if there are none. */
function suffixInUse(source: ProgramSource | undefined): string | undefined {
  for (const [path, text] of source?.texts ?? []) {
    if (isJavaScript(path)) continue;
    const found = /^(?:import|export)\b[^;'"]*['"]\.{1,2}\/[^'"]*?(?<suffix>\.[jt]s)?['"]/m.exec(text);
    if (found) return found.groups?.["suffix"] ?? "";
  }
  return undefined;
}

/** Node runs such programs itself, and knows the files by their own names only; a loader, by those that they compile to. */
async function byOwnNames(of: ModulesOf): Promise<Pick<Modules, "suffix" | "unchecked">> {
  const settings = await compilerSettings(of.folder, manifestOf(of.folder)?.folder ?? of.folder, of.tsconfig);
  const allowed = allowsOwnNames(settings);
  if (!allowed && hasLoader(of.folder, of.nodeArguments)) return { suffix: ".js", unchecked: false };
  return { suffix: ".ts", unchecked: !allowed && settings !== undefined };
}

/** The compiler has nothing against the names in a `require`. */
function ownNames({ folder, nodeArguments }: ModulesOf): Pick<Modules, "suffix" | "unchecked"> {
  return { suffix: hasLoader(folder, nodeArguments) ? ".js" : ".ts", unchecked: false };
}

function allowsOwnNames(settings: CompilerSettings | undefined): boolean {
  const { allowImportingTsExtensions, rewriteRelativeImportExtensions } = settings?.options ?? {};
  return allowImportingTsExtensions === true || rewriteRelativeImportExtensions === true;
}

/** The loader of `@pulumi/pulumi` for ES modules in TypeScript. */
const moduleLoader = "ts-node/esm";

/** Whether anything but Node itself loads a program's modules. */
function hasLoader(folder: string, nodeArguments: readonly string[] = []): boolean {
  if (nodeArguments.some((word) => /^(?:--(?:experimental-)?loader|--import|--require|-r)\b/.test(word))) return true;
  try {
    createRequire(join(folder, "_")).resolve(moduleLoader);
    return true;
  } catch {
    return false;
  }
}
