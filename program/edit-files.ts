import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { writeWhole } from "../common/files";
import type { FileEdit } from "./acceptance";
import { UsageError } from "../common/errors";

/**
 * Writes edited files, each whole or not at all. Where one cannot be written the others are put back.
 *
 * @throws UsageError
 */
export function writeEdits(folder: string, edits: readonly FileEdit[]): void {
  for (const [i, { path, before, after }] of edits.entries()) {
    try {
      replaceFile(join(folder, path), before, after);
    } catch (error) {
      putBack(folder, edits.slice(0, i));
      throw error;
    }
  }
}

/** Puts files back as they were before they were edited. @throws UsageError where somebody else has written to one since */
export function putBack(folder: string, edits: readonly FileEdit[]): void {
  for (const { path, before, after } of edits) replaceFile(join(folder, path), after, before);
}

/**
 * Writes a file whole or not at all. Nobody else's change of it is lost.
 *
 * @param before the text that this command read. Absent for a new file
 * @throws UsageError if somebody else has changed it
 */
export function replaceFile(path: string, before: string | undefined, after: string): void {
  if (before !== undefined && (!existsSync(path) || readFileSync(path, "utf8") !== before)) {
    throw new UsageError(`${path} has changed while this command was at work, and is left as it is now. Run it again`, "work");
  }
  writeWhole(path, after);
}
