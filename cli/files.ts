import { randomBytes } from "node:crypto";
import {
  closeSync,
  existsSync,
  fchmodSync,
  fsyncSync,
  lstatSync,
  mkdirSync,
  openSync,
  readlinkSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { UsageError } from "./command";
import type { Io } from "./io";

/**
 * Writes a report to the file that a person names, from the folder the command runs in.
 *
 * @returns why it could not be written: the result of the command is shown all the same
 */
export function writeReport(io: Io, file: string, text: string): string | undefined {
  // Of a command that was interrupted there is no report: its requests have ended for that reason.
  if (io.signal?.aborted) return undefined;
  try {
    writeWhole(resolve(io.cwd, file), text, undefined, file);
    return undefined;
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    return error.message;
  }
}

/**
 * Writes a file whole or not at all, whatever interrupts it: the text goes to a file beside it, which then takes its name. Only
 * such a file beside it can be left over, after a kill. A symbolic link stays one, and a file keeps its permissions.
 *
 * @param mode permissions of the file, such as 0o600 for one that holds secrets. Default: those it has; of a new file, what the
 *   user's mask allows
 * @param called what messages call it
 * @throws UsageError where the place cannot be written to
 */
export function writeWhole(path: string, text: string, mode?: number, called = path): void {
  let beside: string | undefined;
  try {
    mkdirSync(dirname(path), { recursive: true });
    const target = linkedFile(path);
    const former = statSync(target, { throwIfNoEntry: false });
    // Such as /dev/stdout: there is nothing to replace.
    if (former && !former.isFile() && !former.isDirectory()) return writeFileSync(target, text);
    beside = join(dirname(target), `.${basename(target)}.${randomBytes(4).toString("hex")}.tmp`);
    const file = openSync(beside, "wx", mode ?? 0o666);
    try {
      const permissions = mode ?? former?.mode;
      if (permissions !== undefined) fchmodSync(file, permissions & 0o7777);
      writeFileSync(file, text);
      fsyncSync(file);
    } finally {
      closeSync(file);
    }
    renameSync(beside, target);
  } catch (error) {
    if (beside !== undefined) discard(beside);
    // Every error here is one of the file system; the path is told already.
    const reason = (error as NodeJS.ErrnoException).message.replace(/, \w+ '.*$/s, "");
    throw new UsageError(`${called} cannot be written (${reason})`, "work");
  }
}

/** Where a path leads through symbolic links, also to a file that does not exist yet. */
function linkedFile(path: string): string {
  const link = lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() ? readlinkSync(path) : undefined;
  if (link === undefined) return path;
  return existsSync(path) ? realpathSync(path) : linkedFile(resolve(dirname(path), link));
}

/** Deletes what may be there. Where not even that can be asked, nothing is. */
function discard(path: string): void {
  try {
    rmSync(path, { force: true });
  } catch {
    // The failure that is told is the one before.
  }
}
