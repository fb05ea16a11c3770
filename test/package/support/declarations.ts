import { existsSync, readFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import ts from "typescript";

/** Declarations and imports that an export of a package reaches. */
export interface Reached {
  /** Declarations of the package, from its root. */
  files: string[];
  /** Imports of other packages: `FILE imports NAME`. */
  imports: string[];
}

/** Follows the imports of declarations from `entry`, a file of the package at `root`. */
export function reachedFrom(root: string, entry: string): Reached {
  const files = new Set<string>();
  const imports = new Set<string>();
  const follow = (file: string): void => {
    if (files.has(file)) return;
    files.add(file);
    const { importedFiles, typeReferenceDirectives } = ts.preProcessFile(readFileSync(file, "utf8"), true, true);
    for (const { fileName } of [...importedFiles, ...typeReferenceDirectives]) {
      if (fileName.startsWith(".")) follow(declarationOf(join(dirname(file), fileName)));
      else imports.add(`${relative(root, file)} imports ${fileName}`);
    }
  };
  follow(join(root, entry));
  return { files: [...files].map((file) => relative(root, file)), imports: [...imports] };
}

function declarationOf(path: string): string {
  const declaration = [`${path}.d.ts`, join(path, "index.d.ts")].find((file) => existsSync(file));
  if (declaration === undefined) throw new Error(`There is no declaration ${path}.`);
  return declaration;
}
