import { lstatSync, mkdirSync, statSync } from "node:fs";
import { homedir, tmpdir } from "node:os";
import { isAbsolute, join } from "node:path";

/**
 * Returns a folder of this machine that only the user can read and write, and creates it if it does not exist: for files that the
 * processes of one user share. `XDG_RUNTIME_DIR` is such a folder where the system has it. The folder for temporary files may be
 * everybody's, so what is found there must be a folder of this user, and no link.
 *
 * @param places folders in which it may be, the first that is usable counts
 * @throws Error with the reason why there is none
 */
export function privateFolder(name: string, places = [process.env["XDG_RUNTIME_DIR"] || tmpdir(), tmpdir()]): string {
  const user = process.getuid?.();
  const problems: string[] = [];
  for (const place of new Set(places)) {
    const folder = join(place, `pulumi-endpoint-monitoring${user === undefined ? "" : `-${user}`}`);
    try {
      ensureParent(place, user);
      for (const path of [folder, join(folder, name)]) ensurePrivate(path, user);
      return join(folder, name);
    } catch (error) {
      problems.push((error as Error).message);
    }
  }
  throw new Error(problems.join("; "));
}

/** Returns the folder in which the programs of this user keep what can be made again, and creates it: a list for `privateFolder`. */
export function cacheFolders(): string[] {
  const places: Partial<Record<NodeJS.Platform, string | undefined>> = {
    darwin: join(homedir(), "Library/Caches"),
    win32: process.env["LOCALAPPDATA"],
  };
  const place = process.env["XDG_CACHE_HOME"] || places[process.platform] || join(homedir(), ".cache");
  if (!isAbsolute(place)) return [];
  mkdirSync(place, { recursive: true, mode: 0o700 });
  return [place];
}

/** Checks the folder of a private one. Whoever may rename what is in it could put another in its place. */
function ensureParent(place: string, user: number | undefined): void {
  if (user === undefined) return;
  const { uid, mode } = statSync(place);
  const isSticky = (mode & 0o1000) !== 0;
  if (uid !== user && uid !== 0) throw new Error(`${place} belongs to another user`);
  if ((mode & 0o022) !== 0 && !isSticky) throw new Error(`others may rename what is in ${place} (chmod go-w closes it)`);
}

function ensurePrivate(path: string, user: number | undefined): void {
  try {
    mkdirSync(path, { mode: 0o700 });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
  }
  const found = lstatSync(path);
  if (!found.isDirectory()) throw new Error(`${path} is not a folder`);
  // Windows has neither: there the folder for temporary files is the user's own.
  if (user === undefined) return;
  if (found.uid !== user) throw new Error(`${path} belongs to another user`);
  if ((found.mode & 0o077) !== 0) throw new Error(`${path} is open to other users (chmod 700 closes it)`);
}
