import { spawnSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

const repository = join(__dirname, "../../..");

/** Returns the compiler's errors for the TypeScript of a folder, with strict settings and no unused declarations allowed. */
export function compilerSays(folder: string): string {
  const strict = ["--strict", "--noUnusedLocals", "--noUnusedParameters", "--exactOptionalPropertyTypes", "--isolatedModules"];
  return problemsIn(folder, ...strict);
}

/** Returns the compiler's errors for a folder with its own settings. */
export function problemsIn(folder: string, ...more: string[]): string {
  return outputOf(folder, join(repository, "node_modules/typescript/bin/tsc"), ["--noEmit", "-p", ".", ...more]);
}

/** Returns the TypeScript files of a folder by name. */
export function sourcesIn(folder: string): Record<string, string> {
  const names = readdirSync(folder).filter((name) => name.endsWith(".ts"));
  return Object.fromEntries(names.map((name) => [name, readFileSync(join(folder, name), "utf8")]));
}

/** Returns the lines of the first text that are missing in the second, as a diff shows removed lines. */
export function removedLines(before: string, after: string): string[] {
  const remaining = after.split("\n");
  return before.split("\n").filter((line) => {
    const at = remaining.indexOf(line);
    if (at < 0) return true;
    remaining.splice(0, at + 1);
    return false;
  });
}

function outputOf(cwd: string, script: string, args: string[]): string {
  const run = spawnSync(process.execPath, [script, ...args], { cwd, encoding: "utf8" });
  return run.status === 0 ? "" : `${run.stdout}${run.stderr}` || `exit code ${run.status}`;
}
