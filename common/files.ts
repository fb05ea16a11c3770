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
import { messageOf } from "./text";
import { UsageError } from "./errors";

export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Returns a folder and all its parent folders, the nearest first. */
export function foldersUp(folder: string): string[] {
  const above = dirname(folder);
  return above === folder ? [folder] : [folder, ...foldersUp(above)];
}

/** Returns the message of a failed system call without the suffix that Node appends: the name of the call and the path. */
export function reasonOf(error: unknown): string {
  return messageOf(error).replace(/, \w+( '.*)?$/s, "");
}

/**
 * Writes a file completely or not at all, even if the process is interrupted. The function keeps symbolic links, and by default
 * also the permissions of an existing file. If the process is killed, a temporary file may remain in the folder.
 *
 * @param mode permissions of the file, such as 0o600 for a file with secrets. By default, an existing file keeps its
 * permissions, and the umask determines the permissions of a new file
 * @param called name of the file in messages
 * @throws UsageError if the file cannot be written
 */
export function writeWhole(path: string, text: string, mode?: number, called = path): void {
  let beside: string | undefined;
  try {
    mkdirSync(dirname(path), { recursive: true });
    const target = linkedFile(path);
    const existing = statSync(target, { throwIfNoEntry: false });
    // A regular file cannot replace a device such as /dev/stdout, so the function writes to the device directly.
    if (existing && !existing.isFile() && !existing.isDirectory()) return writeFileSync(target, text);
    beside = join(dirname(target), `.${basename(target)}.${randomBytes(4).toString("hex")}.tmp`);
    const file = openSync(beside, "wx", mode ?? 0o666);
    try {
      const permissions = mode ?? existing?.mode;
      if (permissions !== undefined) fchmodSync(file, permissions & 0o7777);
      writeFileSync(file, text);
      fsyncSync(file);
    } finally {
      closeSync(file);
    }
    renameSync(beside, target);
  } catch (error) {
    if (beside !== undefined) discard(beside);
    throw new UsageError(`${called} cannot be written (${reasonOf(error)})`, "work");
  }
}

/** Returns the target of a path with symbolic links, even if the target does not exist. */
function linkedFile(path: string): string {
  const link = lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() ? readlinkSync(path) : undefined;
  if (link === undefined) return path;
  return existsSync(path) ? realpathSync(path) : linkedFile(resolve(dirname(path), link));
}

function discard(path: string): void {
  try {
    rmSync(path, { force: true });
  } catch {
    // A failed deletion of the temporary file is ignored, because the caller already reports the failed write.
  }
}
