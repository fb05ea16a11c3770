import { randomBytes } from "node:crypto";
import { closeSync, fsyncSync, mkdirSync, openSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { UsageError } from "./command";
import type { Io } from "./io";

/** Writes a report to the file that a person names, from the folder the command runs in. @throws UsageError as `writeWhole` */
export function writeReport(io: Io, file: string, text: string): void {
  writeWhole(resolve(io.cwd, file), text, undefined, file);
}

/**
 * Writes a file whole or not at all, whatever interrupts it: the text goes to a file beside it, which then takes its name. Only
 * such a file beside it can be left over, after a kill.
 *
 * @param mode permissions of a new file, such as 0o600 for one that holds secrets
 * @param called what messages call it
 * @throws UsageError where the place cannot be written to
 */
export function writeWhole(path: string, text: string, mode = 0o666, called = path): void {
  const beside = join(dirname(path), `.${basename(path)}.${randomBytes(4).toString("hex")}.tmp`);
  try {
    mkdirSync(dirname(path), { recursive: true });
    const file = openSync(beside, "wx", mode);
    try {
      writeFileSync(file, text);
      fsyncSync(file);
    } finally {
      closeSync(file);
    }
    renameSync(beside, path);
  } catch (error) {
    discard(beside);
    // Every error here is one of the file system; the path is told already.
    const reason = (error as NodeJS.ErrnoException).message.replace(/, \w+ '.*$/s, "");
    throw new UsageError(`${called} cannot be written (${reason})`, "work");
  }
}

/** Deletes what may be there. Where not even that can be asked, nothing is. */
function discard(path: string): void {
  try {
    rmSync(path, { force: true });
  } catch {
    // The failure that is told is the one before.
  }
}
