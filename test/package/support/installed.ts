import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";

export const repository = join(__dirname, "../../..");
const modules = join(repository, "node_modules");

interface Libraries {
  /** Libraries that the package depends on and that are not there: a program has to be checked without them. */
  without?: readonly string[];
  /** Where the types of Node are. */
  nodeTypes?: string;
}

/**
 * Installs the package as npm would publish it beside the libraries of the repository, in a folder of its own.
 *
 * @returns the folder; removing it is the caller's
 */
export function installPackage({ without = [], nodeTypes = "@types/node" }: Libraries = {}): string {
  const folder = mkdtempSync(join(tmpdir(), "endpoint-monitoring-packed-"));
  const tarball = pack(repository, folder);
  const installed = join(folder, "node_modules/pulumi-endpoint-monitoring");
  mkdirSync(installed, { recursive: true });
  execFileSync("tar", ["-xzf", tarball, "-C", installed, "--strip-components=1"], { cwd: folder, stdio: "pipe" });
  for (const name of libraries()) {
    if (without.includes(name)) continue;
    const link = join(folder, "node_modules", name);
    mkdirSync(dirname(link), { recursive: true });
    symlinkSync(join(modules, name === "@types/node" ? nodeTypes : name), link, "dir");
  }
  return folder;
}

/**
 * Packs a package as npm would publish it, into a folder. Of this repository it takes the file that a release has made, where there is one
 * in RELEASE_FILES.
 *
 * @returns the full path of the tarball
 */
export function pack(source: string, folder: string): string {
  const { RELEASE_FILES: made } = process.env;
  if (made !== undefined && source === repository) return packedIn(made);
  const args = ["pack", "--ignore-scripts", "--pack-destination", folder];
  execFileSync("npm", args, { cwd: source, stdio: "pipe" });
  return join(folder, readdirSync(folder).find((name) => name.endsWith(".tgz")) ?? "");
}

/** The package among the files of a release, beside that of the native front. */
function packedIn(folder: string): string {
  const found = readdirSync(folder).find((name) => /^pulumi-endpoint-monitoring-\d.*\.tgz$/.test(name));
  if (found === undefined) throw new Error(`${folder} holds no package`);
  return join(folder, found);
}

/** Names of all libraries of the repository, with their scopes. */
function libraries(): string[] {
  const visible = (folder: string) => readdirSync(folder).filter((name) => !name.startsWith("."));
  return visible(modules).flatMap((name) =>
    name.startsWith("@") ? visible(join(modules, name)).map((inner) => `${name}/${inner}`) : [name],
  );
}
