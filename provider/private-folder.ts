import { lstatSync, mkdirSync, statSync } from "node:fs";
import { homedir, tmpdir } from "node:os";
import { isAbsolute, join } from "node:path";

/** Possible parent folders of a private folder, keyed by the environment variable that determines each folder. */
const places = {
  XDG_RUNTIME_DIR: (env: NodeJS.ProcessEnv) => env["XDG_RUNTIME_DIR"],
  TMPDIR: (env: NodeJS.ProcessEnv) =>
    process.platform === "win32" ? tmpdir() : env["TMPDIR"] || env["TMP"] || env["TEMP"] || "/tmp",
  PULUMI_HOME: (env: NodeJS.ProcessEnv) => env["PULUMI_HOME"] || join(homeOf(env), ".pulumi"),
  XDG_CACHE_HOME: (env: NodeJS.ProcessEnv) => {
    const windows = process.platform === "win32" ? env["LOCALAPPDATA"] : undefined;
    return env["XDG_CACHE_HOME"] || windows || join(homeOf(env), process.platform === "darwin" ? "Library/Caches" : ".cache");
  },
};
export type FolderCandidate = keyof typeof places;

/** Environment variables with the path of a folder that belongs to the user. `privateFolder` creates a missing folder. */
const ofUser: ReadonlySet<FolderCandidate> = new Set<FolderCandidate>(["PULUMI_HOME", "XDG_CACHE_HOME"]);
/** Codes of errors that persist until the user solves the problem. Other errors, such as a full disk, may be temporary. */
const lasting: ReadonlySet<string | undefined> = new Set([
  undefined,
  "EACCES",
  "ELOOP",
  "ENAMETOOLONG",
  "ENOENT",
  "ENOTDIR",
  "EPERM",
  "EROFS",
]);

/**
 * Returns a folder that only the user can read and write. Processes with the same environment choose the same folder.
 * Symbolic links and folders of other users are refused, because every user can create entries in `/tmp`.
 *
 * @throws Error with the problem of each parent folder, if no parent folder is usable
 */
export function privateFolder(
  name: string,
  order: readonly FolderCandidate[] = ["XDG_RUNTIME_DIR", "TMPDIR", "PULUMI_HOME", "XDG_CACHE_HOME"],
  env: NodeJS.ProcessEnv = process.env,
): string {
  const user = process.getuid?.();
  const faults: string[] = [];
  for (const place of order) {
    try {
      const parent = places[place](env);
      if (!parent) continue;
      if (!isAbsolute(parent)) throw new Error(`${parent} is not an absolute path`);
      if (ofUser.has(place)) mkdirSync(parent, { recursive: true, mode: 0o700 });
      ensureParent(parent, user);
      const folder = join(parent, `pulumi-endpoint-monitoring${user === undefined ? "" : `-${user}`}`);
      for (const path of [folder, join(folder, name)]) ensurePrivate(path, user);
      return join(folder, name);
    } catch (error) {
      const { code, message } = error as NodeJS.ErrnoException;
      if (!lasting.has(code)) throw error;
      faults.push(`${place}: ${message}`);
    }
  }
  throw new Error(
    `no private folder can be used. ${faults.join("; ")}. Set XDG_RUNTIME_DIR to a folder that only you can write to`,
  );
}

/** @throws Error if the user has no account on this machine and HOME is not set */
export function homeOf(env: NodeJS.ProcessEnv): string {
  if (env["HOME"]) return env["HOME"];
  try {
    return homedir();
  } catch {
    throw new Error("HOME is not set, and the user has no account on this machine");
  }
}

/** Refuses a parent folder if other users can rename its entries, because they could replace the private folder. */
function ensureParent(parent: string, user: number | undefined): void {
  const { uid, mode } = statSync(parent);
  if (user === undefined) return;
  const isSticky = (mode & 0o1000) !== 0;
  if (uid !== user && uid !== 0) throw new Error(`${parent} belongs to another user`);
  if ((mode & 0o022) !== 0 && !isSticky)
    throw new Error(`other users may rename the contents of ${parent} (chmod go-w prevents this)`);
}

function ensurePrivate(path: string, user: number | undefined): void {
  try {
    mkdirSync(path, { mode: 0o700 });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
  }
  const stats = lstatSync(path);
  if (!stats.isDirectory()) throw new Error(`${path} is not a folder`);
  // On Windows, Node.js reports neither file owners nor permission bits, but each Windows user has a separate folder for temporary files.
  if (user === undefined) return;
  if (stats.uid !== user) throw new Error(`${path} belongs to another user`);
  if ((stats.mode & 0o077) !== 0) throw new Error(`other users can access ${path} (chmod 700 prevents this)`);
}
