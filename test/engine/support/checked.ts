import { spawnSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

const repository = join(__dirname, "../../..");

/** What the compiler has against the TypeScript of a folder, strictly and with nothing unused; empty for nothing. */
export function compilerSays(folder: string): string {
  const strict = ["--strict", "--noUnusedLocals", "--noUnusedParameters", "--exactOptionalPropertyTypes", "--isolatedModules"];
  return problemsIn(folder, ...strict);
}

/** What the compiler has against a folder by the settings in it; empty for nothing. */
export function problemsIn(folder: string, ...more: string[]): string {
  return said(folder, join(repository, "node_modules/typescript/bin/tsc"), ["--noEmit", "-p", ".", ...more]);
}

/** The TypeScript files of a folder, by name. */
export function sourcesIn(folder: string): Record<string, string> {
  const names = readdirSync(folder).filter((name) => name.endsWith(".ts"));
  return Object.fromEntries(names.map((name) => [name, readFileSync(join(folder, name), "utf8")]));
}

/** Lines of the first text that are not in the second in their order: what a diff shows as removed. */
export function removedLines(before: string, after: string): string[] {
  const left = after.split("\n");
  return before.split("\n").filter((line) => {
    const at = left.indexOf(line);
    if (at < 0) return true;
    left.splice(0, at + 1);
    return false;
  });
}

function said(cwd: string, script: string, args: string[]): string {
  const run = spawnSync(process.execPath, [script, ...args], { cwd, encoding: "utf8" });
  return run.status === 0 ? "" : `${run.stdout}${run.stderr}` || `exit code ${run.status}`;
}
