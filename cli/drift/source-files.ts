import { readFileSync } from "node:fs";
import { join } from "node:path";
import { UsageError } from "../command";
import { writeWhole } from "../files";
import type { FileEdit } from "../source/accepted";

/**
 * Writes edited files, each whole or not at all. Where one can't be written the others are put back.
 *
 * @throws UsageError
 */
export function writeSource(folder: string, edits: readonly FileEdit[]): void {
  const written: FileEdit[] = [];
  try {
    for (const edit of edits) {
      replace(folder, edit.path, edit.before, edit.after);
      written.push(edit);
    }
  } catch (error) {
    putBack(folder, written);
    throw error;
  }
}

/** Puts files back as they were before they were edited. @throws UsageError where somebody else has written to one since */
export function putBack(folder: string, edits: readonly FileEdit[]): void {
  for (const { path, before, after } of edits) replace(folder, path, after, before);
}

/** Nobody else's change of the file is lost: what is replaced has to be what was read. */
function replace(folder: string, path: string, from: string, to: string): void {
  const file = join(folder, path);
  if (readFileSync(file, "utf8") !== from)
    throw new UsageError(`${path} was changed by somebody else meanwhile: run this again`, "work");
  writeWhole(file, to);
}
