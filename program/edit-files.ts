import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { writeWhole } from "../common/files";
import type { SourceEdit } from "./source-edit";
import { UsageError } from "../common/errors";

/**
 * Writes edited files. If a file cannot be written, restores the files that were already written.
 *
 * @throws UsageError
 */
export function writeEdits(folder: string, edits: readonly SourceEdit[]): void {
  for (const [i, { path, before, after }] of edits.entries()) {
    try {
      replaceFile(join(folder, path), before, after);
    } catch (error) {
      putBack(folder, edits.slice(0, i));
      throw error;
    }
  }
}

/**
 * Restores edited files.
 *
 * @throws UsageError if another process changed one of the files after the edit
 */
export function putBack(folder: string, edits: readonly SourceEdit[]): void {
  for (const { path, before, after } of edits) replaceFile(join(folder, path), after, before);
}

/**
 * Writes a file atomically. The function does not overwrite changes by other processes.
 *
 * @param before the text that this command read, or undefined for a new file
 * @throws UsageError if the text of the file differs from `before`
 */
export function replaceFile(path: string, before: string | undefined, after: string): void {
  if (before !== undefined && (!existsSync(path) || readFileSync(path, "utf8") !== before)) {
    throw new UsageError(
      `Another process changed ${path} while this command ran. The other process's change was kept. Run the command again`,
      "work",
    );
  }
  writeWhole(path, after);
}
