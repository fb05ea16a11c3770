import { randomBytes } from "node:crypto";
import {
  closeSync,
  existsSync,
  fchmodSync,
  fsyncSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readlinkSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { basename, dirname, join, resolve } from "node:path";
import { cacheFolders, privateFolder } from "../provider/private-folder";
import { UsageError } from "./command";
import { messageOf } from "./report/text";

export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Returns the message of a failed system call, without the call and the path that Node appends. */
export function reasonOf(error: unknown): string {
  return messageOf(error).replace(/, \w+( '.*)?$/s, "");
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
    const existing = statSync(target, { throwIfNoEntry: false });
    // Such as /dev/stdout: there is nothing to replace.
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

/** Creates a folder that no other user of this machine can read or replace. The caller deletes it. */
export function newPrivateFolder(places = [tmpdir(), ...cacheFolders()]): string {
  return mkdtempSync(join(privateFolder("work", places), "run-"));
}

/** Writes a file that no other user of this machine can read, and the folders that it needs. */
export function writePrivately(file: string, text: string): void {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  writeFileSync(file, text, { mode: 0o600 });
}

/** Does something with such a folder, and deletes it afterwards. */
export async function inPrivateFolder<T>(use: (folder: string) => Promise<T>): Promise<T> {
  const folder = newPrivateFolder();
  try {
    return await use(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
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
    // The failure that is reported is the one before.
  }
}
