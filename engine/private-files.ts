import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { UsageError } from "../common/errors";
import { messageOf } from "../common/text";
import { privateFolder } from "../provider/private-folder";

/**
 * Creates a folder that other users of this machine can neither read nor replace. The caller must delete the folder after use.
 *
 * @throws UsageError if no folder for temporary files is protected from changes by other users
 */
export function newPrivateFolder(env?: NodeJS.ProcessEnv): string {
  try {
    return mkdtempSync(
      join(privateFolder("work", ["TMPDIR", "PULUMI_HOME", "XDG_CACHE_HOME", "XDG_RUNTIME_DIR"], env), "run-"),
    );
  } catch (error) {
    throw new UsageError(`Files with secrets require a private folder, but ${messageOf(error)}`, "work");
  }
}

/** Writes a file that other users of this machine cannot read, and creates missing parent folders. */
export function writePrivately(file: string, text: string): void {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  writeFileSync(file, text, { mode: 0o600 });
}

/** Calls a function with a new private folder, and deletes the folder afterwards. */
export async function inPrivateFolder<T>(use: (folder: string) => Promise<T>): Promise<T> {
  const folder = newPrivateFolder();
  try {
    return await use(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
