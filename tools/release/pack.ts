import { execFileSync } from "node:child_process";
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, relative, sep } from "node:path";
import { gzipSync } from "node:zlib";

/** Options with which GNU tar and bsdtar omit the owner of files. */
const owners = {
  gnu: ["--format=ustar", "--sort=name", "--mtime=@0", "--owner=0", "--group=0", "--numeric-owner"],
  bsd: ["--format=ustar", "--uid=0", "--gid=0", "--numeric-owner"],
};

/** Packs folders or files as `.tar.gz`. The archive omits owner, time and umask, so equal files give equal bytes. */
export function pack(folder: string, names: readonly string[], file: string): void {
  const paths = names.flatMap((name) => filesIn(join(folder, name))).map((path) => relative(folder, path).split(sep).join("/"));
  for (const path of paths) {
    const absolute = join(folder, path);
    chmodSync(absolute, statSync(absolute).mode & 0o100 ? 0o755 : 0o644);
    utimesSync(absolute, 0, 0);
  }
  const work = mkdtempSync(join(tmpdir(), "endpoint-monitoring-pack-"));
  try {
    const [list, archive] = [join(work, "names"), join(work, "archive.tar")];
    writeFileSync(list, paths.toSorted().join("\n"));
    tar(...owners[kindOfTar()], "-cf", archive, "-C", folder, "-T", list);
    writeFileSync(file, gzipSync(readFileSync(archive), { level: 9 }));
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}

function filesIn(path: string): string[] {
  if (!statSync(path).isDirectory()) return [path];
  const entries = readdirSync(path, { recursive: true, withFileTypes: true });
  return entries.filter((entry) => entry.isFile()).map(({ parentPath, name }) => join(parentPath, name));
}

function kindOfTar(): keyof typeof owners {
  const version = tar("--version");
  if (version.includes("GNU tar")) return "gnu";
  if (version.includes("bsdtar")) return "bsd";
  throw new Error(
    `The tar on PATH is neither GNU tar nor bsdtar, so its archives may differ between machines: ${version.trim()}`,
  );
}

/** @throws Error if tar is missing or fails */
function tar(...args: string[]): string {
  try {
    return execFileSync("tar", args, { encoding: "utf8", env: process.env, stdio: ["ignore", "pipe", "pipe"] });
  } catch (error) {
    const { code, stderr = "" } = error as NodeJS.ErrnoException & { stderr?: string };
    throw new Error(
      code === "ENOENT"
        ? "A release needs tar on PATH. Install GNU tar or bsdtar."
        : `tar failed, so the archive was not made: ${stderr.trim()}`,
      { cause: error },
    );
  }
}

/** A file that an archive will contain. */
export interface NewFile {
  readonly name: string;
  readonly content: Buffer | string;
  readonly executable?: boolean;
}

export function writeFiles(folder: string, files: readonly NewFile[]): void {
  for (const { name, content, executable = false } of files) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), content, { mode: executable ? 0o755 : 0o644 });
  }
}
