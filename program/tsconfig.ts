import { existsSync } from "node:fs";
import { dirname, join, resolve, sep } from "node:path";
import type ts from "typescript";
import { foldersUp } from "../common/files";
import { loadTypeScript } from "./typescript";

export interface CompilerSettings {
  readonly path: string;
  /** The compiler options, including the options from extended files. All paths in the options are full paths. */
  readonly options: ts.CompilerOptions;
}

/**
 * Returns the compiler's settings for a folder, from the nearest tsconfig.json in the folder or above it. The function skips invalid
 * settings, because the compiler reports them.
 *
 * @param top the highest folder to search
 * @param named path of the tsconfig.json to use instead
 * @throws UsageError if the file exists and the compiler is missing
 */
export async function compilerSettings(folder: string, top: string, named?: string): Promise<CompilerSettings | undefined> {
  const path = named ?? nearest(folder, top);
  if (path === undefined || !existsSync(path)) return undefined;
  const compiler = await loadTypeScript(folder);
  const { config } = compiler.readConfigFile(path, (file) => compiler.sys.readFile(file)) as { config?: unknown };
  // The function does not need a list of source files, so `readDirectory` reads no folders.
  const host = { ...compiler.sys, readDirectory: () => [] };
  return { path, options: compiler.parseJsonConfigFileContent(config ?? {}, host, dirname(path), undefined, path).options };
}

function nearest(folder: string, top: string): string | undefined {
  const folders = foldersUp(resolve(folder));
  const within = folders.slice(0, folders.indexOf(resolve(top)) + 1 || undefined);
  return within.map((parent) => join(parent, "tsconfig.json")).find((path) => existsSync(path));
}

export function isJavaScript(file: string): boolean {
  return /\.[cm]?jsx?$/.test(file);
}

/** Returns the source or the tsconfig.json of a compiled JavaScript file, or undefined for a handwritten file. */
export async function compiledBy(entry: string, root: string, tsconfig: string | undefined): Promise<string | undefined> {
  if (!isJavaScript(entry)) return undefined;
  const stem = entry.replace(/jsx?$/, "ts");
  const twin = [stem, `${stem}x`].find((path) => existsSync(path));
  if (twin !== undefined) return twin;
  const settings = await compilerSettings(dirname(entry), root, tsconfig);
  const { outDir } = settings?.options ?? {};
  const isBelow = (folder: string, path: string): boolean => path.startsWith(folder.endsWith(sep) ? folder : folder + sep);
  if (settings === undefined || outDir === undefined || !isBelow(dirname(settings.path), outDir)) return undefined;
  return isBelow(outDir, entry) ? settings.path : undefined;
}
