/** What several suites need and what takes long to make: it is made by the first of them, and kept until what it is made of changes. */
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { copyFileSync, cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { repository } from "../../support/process";

const cache = join(repository, "node_modules/.cache/kept");

/** Beginning of the name of a folder that is not filled yet. */
const draftName = ".draft-";

/** Age at which what nothing asks for any more is deleted: another run may still use what is younger. */
const oldMs = 3_600_000;

export function digestOf(parts: readonly (string | Buffer)[]): string {
  const hash = createHash("sha256");
  for (const part of parts) hash.update(part).update("\n");
  return hash.digest("hex").slice(0, 16);
}

/** The folder that is kept for a key. */
export function kept(name: string, key: string): string | undefined {
  const folder = join(cache, `${name}-${key}`);
  return existsSync(folder) ? folder : undefined;
}

/** Returns a folder that `make` has filled once for a key. */
export function keptOnce(name: string, key: string, make: (folder: string) => void): string {
  const made = kept(name, key);
  if (made !== undefined) return made;
  const folder = join(cache, `${name}-${key}`);
  mkdirSync(cache, { recursive: true });
  for (const other of readdirSync(cache).filter((one) => one.startsWith(`${name}-`) || one.startsWith(draftName))) {
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

/** Files that npm writes in place, which a copy therefore does not share. */
const written = ["package.json", "package-lock.json", "node_modules/.package-lock.json"];

/** Copies what npm has installed into an empty folder: by hard links, where both are on one file system. */
export function copyInstalled(from: string, to: string): void {
  const linked = spawnSync("cp", ["-al", join(from, "node_modules"), to]);
  if (linked.status !== 0)
    cpSync(join(from, "node_modules"), join(to, "node_modules"), { recursive: true, verbatimSymlinks: true });
  for (const name of written) {
    rmSync(join(to, name), { force: true });
    copyFileSync(join(from, name), join(to, name));
  }
}
