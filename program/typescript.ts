import { createRequire } from "node:module";
import { join } from "node:path";
import type ts from "typescript";
import { UsageError } from "../common/errors";

export type TypeScript = typeof ts;

/** Supported versions of the compiler, as in package.json. */
const supported = { from: 5, below: 7 };

/**
 * Loads the compiler for a program. The project's own compiler takes precedence, because it supports the program's syntax.
 *
 * @throws UsageError if neither the project nor this package has a compiler
 */
export async function loadTypeScript(folder: string): Promise<TypeScript> {
  // The TypeScript compiler is an optional peer dependency and loads slowly, so the function loads it on demand.
  const ofPackage = async (): Promise<unknown> => (await import("typescript")).default;
  const ofProject = async (): Promise<unknown> => createRequire(join(folder, "_.js"))("typescript");
  for (const load of [ofProject, ofPackage]) {
    const loaded = usable(await load().catch(() => ({})));
    if (loaded) return loaded;
  }
  throw new UsageError(
    `The TypeScript compiler, which reads the program, is not installed. Run "npm install --save-dev typescript@6" in ${folder}`,
    "work",
  );
}

function usable(module: unknown): TypeScript | undefined {
  const { version, createSourceFile } = module as Partial<TypeScript>;
  const major = Number.parseInt(version ?? "", 10);
  if (typeof createSourceFile !== "function" || !(major >= supported.from && major < supported.below)) return undefined;
  // The cast is safe, because the code above checks the version of the module.
  return module as TypeScript;
}

/** Returns the modules that a source text imports, requires or re-exports. The result omits type imports, because they load no module. */
export function modulesIn(compiler: TypeScript, text: string): string[] {
  const loading = text.replace(/^\s*(?:import|export)\s+type\b(?!\s*from\b)[^;'"]*from\s*(["'])[^"'\n]*\1/gm, "");
  return compiler.preProcessFile(loading, true, true).importedFiles.map(({ fileName }) => fileName);
}

/** Returns a node and all its descendants. In the result, each node comes before its children. */
export function nodesIn(compiler: TypeScript, root: ts.Node): ts.Node[] {
  const nodes: ts.Node[] = [];
  const visit = (node: ts.Node): void => {
    nodes.push(node);
    compiler.forEachChild(node, visit);
  };
  visit(root);
  return nodes;
}

export function isData(path: string): boolean {
  return /\.(json|ya?ml)$/.test(path);
}

/**
 * Calls the function `work`, which runs the compiler on the file `path`.
 *
 * @throws UsageError if the text is too deeply nested for the compiler
 */
export function withinDepth<T>(path: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    throw new UsageError(
      `The code in ${path} is nested too deeply for the TypeScript compiler. Simplify the file, or move the file out of the program's folder`,
      "work",
    );
  }
}

/**
 * Parses a file. After a syntax error, parts of the syntax tree are missing.
 *
 * @throws UsageError, as `withinDepth` does
 */
export function parse(compiler: TypeScript, path: string, text: string): ts.SourceFile {
  return withinDepth(path, () => compiler.createSourceFile(path, text, compiler.ScriptTarget.Latest, true));
}

/** @throws UsageError, as `withinDepth` does */
export function mistakeIn(compiler: TypeScript, path: string, text: string): { line: number; column: number } | undefined {
  const options = { target: compiler.ScriptTarget.Latest, module: compiler.ModuleKind.ESNext };
  const transpileOptions = { fileName: path, reportDiagnostics: true, compilerOptions: options };
  const { diagnostics: [mistake] = [] } = withinDepth(path, () => compiler.transpileModule(text, transpileOptions));
  if (!mistake) return undefined;
  const { line, character } = mistake.file?.getLineAndCharacterOfPosition(mistake.start ?? 0) ?? { line: 0, character: 0 };
  return { line: line + 1, column: character + 1 };
}
