import { createHash } from "node:crypto";
import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import type { Clock } from "../../../engine/io";
import { isSource } from "../../../engine/program-entry";

const pollIntervalMs = 200;

/**
 * Calls a listener after each change to a program's source files, data files or settings. The function polls the files, because file
 * watchers are limited in number and miss saves by some editors. If a file is saved without new content, the function does not call the
 * listener.
 *
 * @returns a function that stops the polling
 */
export function watchProgram(folder: string, clock: Clock, onChange: () => void): () => void {
  let [stamps, content] = [stampsOf(folder), contentOf(folder)];
  return clock.every(pollIntervalMs, () => {
    const now = stampsOf(folder);
    if (now === stamps) return;
    stamps = now;
    const fresh = contentOf(folder);
    if (fresh === content) return;
    content = fresh;
    onChange();
  });
}

function stampsOf(folder: string): string {
  return watchedIn(folder)
    .map((file) => {
      const stat = statSync(file, { throwIfNoEntry: false });
      return `${file} ${stat?.mtimeMs} ${stat?.size}`;
    })
    .join("\n");
}

function contentOf(folder: string): string {
  const hash = createHash("sha256");
  for (const file of watchedIn(folder)) hash.update(file).update(readIfThere(file));
  return hash.digest("hex");
}

function readIfThere(file: string): Buffer | string {
  try {
    return readFileSync(file);
  } catch {
    return "";
  }
}

function watchedIn(folder: string): string[] {
  try {
    return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
      if (entry.name.startsWith(".") || entry.name === "node_modules") return [];
      const path = join(folder, entry.name);
      if (entry.isDirectory()) return watchedIn(path);
      return isSource(path) || /\.(?:json|ya?ml|csv)$/.test(entry.name) ? [path] : [];
    });
  } catch {
    // A folder that no longer exists contains no files to watch.
    return [];
  }
}
