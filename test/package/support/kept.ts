/** Results that several suites share and that take long to create. The first suite creates them, until an input changes. */
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { copyFileSync, cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { repository } from "../../support/process";

const cache = join(repository, "node_modules/.cache/kept");

/** Prefix of a folder that is not complete yet. */
const draftName = ".draft-";

/** Age at which an unused result is deleted. Another run may still use a newer one. */
const oldMs = 3_600_000;

export function digestOf(parts: readonly (string | Buffer)[]): string {
  const hash = createHash("sha256");
  for (const part of parts) hash.update(part).update("\n");
  return hash.digest("hex").slice(0, 16);
}

/** The folder for a key. */
export function kept(name: string, key: string): string | undefined {
  const folder = join(cache, `${name}-${key}`);
  return existsSync(folder) ? folder : undefined;
}

/** Returns a folder that `make` filled once for a key. */
export function keptOnce(name: string, key: string, make: (folder: string) => void): string {
  const made = kept(name, key);
  if (made !== undefined) return made;
  const folder = join(cache, `${name}-${key}`);
  mkdirSync(cache, { recursive: true });
  for (const other of readdirSync(cache).filter((entry) => entry.startsWith(`${name}-`) || entry.startsWith(draftName))) {
    const path = join(cache, other);
    const { mtimeMs } = statSync(path, { throwIfNoEntry: false }) ?? { mtimeMs: Infinity };
    if (mtimeMs < Date.now() - oldMs) rmSync(path, { recursive: true, force: true });
  }
  const draft = mkdtempSync(join(cache, draftName));
  make(draft);
  try {
    renameSync(draft, folder);
  } catch (error) {
    // Another suite was faster.
    if (!existsSync(folder)) throw error;
    rmSync(draft, { recursive: true });
  }
  return folder;
}

/** Files that npm changes in place, so a copy must not share them. */
const written = ["package.json", "package-lock.json", "node_modules/.package-lock.json"];

/** Copies an npm installation into an empty folder, with hard links if both are on one file system. */
export function copyInstalled(from: string, to: string): void {
  const linked = spawnSync("cp", ["-al", join(from, "node_modules"), to]);
  if (linked.status !== 0)
    cpSync(join(from, "node_modules"), join(to, "node_modules"), { recursive: true, verbatimSymlinks: true });
  for (const name of written) {
    rmSync(join(to, name), { force: true });
    copyFileSync(join(from, name), join(to, name));
  }
}
