import { createRequire } from "node:module";
import { join } from "node:path";
import type ts from "typescript";
import { UsageError } from "../common/errors";

/** The TypeScript compiler, as far as the command uses it: syntax, never types. */
export type TypeScript = typeof ts;

/** Versions whose compiler we can drive, as package.json says. */
const supported = { from: 5, below: 7 };

/**
 * The compiler that reads a project's program: the project's own, which knows its syntax, else ours.
 *
 * @throws UsageError if there is none
 */
export async function loadTypeScript(folder: string): Promise<TypeScript> {
  // Ours is loaded when needed: it is an optional peer, and takes a good part of a second.
  const ours = async (): Promise<unknown> => (await import("typescript")).default;
  const own = async (): Promise<unknown> => createRequire(join(folder, "_.js"))("typescript");
  for (const load of [own, ours]) {
    const loaded = usable(await load().catch(() => ({})));
    if (loaded) return loaded;
  }
  throw new UsageError(
    `The TypeScript compiler, which reads the program, is not installed. Run "npm install --save-dev typescript@6" in ${folder}`,
    "work",
  );
}

/** Returns the module if it is a compiler of a supported version. */
function usable(module: unknown): TypeScript | undefined {
  const { version, createSourceFile } = module as Partial<TypeScript>;
  const major = Number.parseInt(version ?? "", 10);
  if (typeof createSourceFile !== "function" || !(major >= supported.from && major < supported.below)) return undefined;
  // Its own version says that it is one of those whose types we compile against.
  return module as TypeScript;
}

/** Modules that a text imports, requires or passes on, as they are written. Imports of types alone load nothing. */
export function modulesIn(compiler: TypeScript, text: string): string[] {
  const loading = text.replace(/^\s*(?:import|export)\s+type\b(?!\s*from\b)[^;'"]*from\s*(["'])[^"'\n]*\1/gm, "");
  return compiler.preProcessFile(loading, true, true).importedFiles.map(({ fileName }) => fileName);
}

/** Returns a node and all nodes in it, each before those in it. */
export function nodesIn(compiler: TypeScript, root: ts.Node): ts.Node[] {
  const nodes: ts.Node[] = [];
  const visit = (node: ts.Node): void => {
    nodes.push(node);
    compiler.forEachChild(node, visit);
  };
  visit(root);
  return nodes;
}

/** Whether a file that a program names holds data. */
export function isData(path: string): boolean {
  return /\.(json|ya?ml)$/.test(path);
}

/**
 * Has the compiler work on a file.
 *
 * @throws UsageError for a text that is nested deeper than the compiler can read
 */
export function withinDepth<T>(path: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    throw new UsageError(
      `${path} is nested deeper than the TypeScript compiler can read. Correct it, or move it out of the program's folder`,
      "work",
    );
  }
}

/** Parses a file: syntax only. A text that is no TypeScript gives a tree with holes. @throws UsageError, as `withinDepth` does */
export function parse(compiler: TypeScript, path: string, text: string): ts.SourceFile {
  return withinDepth(path, () => compiler.createSourceFile(path, text, compiler.ScriptTarget.Latest, true));
}

/** Returns the place of the first mistake that keeps a text from being a program. @throws UsageError, as `withinDepth` does */
export function mistakeIn(compiler: TypeScript, path: string, text: string): { line: number; column: number } | undefined {
  const options = { target: compiler.ScriptTarget.Latest, module: compiler.ModuleKind.ESNext };
  const transpileOptions = { fileName: path, reportDiagnostics: true, compilerOptions: options };
  const { diagnostics: [mistake] = [] } = withinDepth(path, () => compiler.transpileModule(text, transpileOptions));
  if (!mistake) return undefined;
  const { line, character } = mistake.file?.getLineAndCharacterOfPosition(mistake.start ?? 0) ?? { line: 0, character: 0 };
  return { line: line + 1, column: character + 1 };
}
