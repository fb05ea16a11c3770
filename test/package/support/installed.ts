import { execFileSync } from "node:child_process";
import { globSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, statSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { digestOf, keptOnce } from "./kept";

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
  const installed = join(folder, "node_modules/pulumi-endpoint-monitoring");
  mkdirSync(installed, { recursive: true });
  execFileSync("tar", ["-xzf", packOwn(), "-C", installed, "--strip-components=1"], { cwd: folder, stdio: "pipe" });
  for (const name of libraries()) {
    if (without.includes(name)) continue;
    const link = join(folder, "node_modules", name);
    mkdirSync(dirname(link), { recursive: true });
    symlinkSync(join(modules, name === "@types/node" ? nodeTypes : name), link, "dir");
  }
  return folder;
}

/**
 * Packs this package as npm would publish it: once for all suites, as long as none of its files changes. A release has made the file
 * already, where there is one in RELEASE_FILES.
 *
 * @returns the full path of the tarball, which is not the caller's
 */
export function packOwn(): string {
  const { RELEASE_FILES: made } = process.env;
  if (made !== undefined) return packedIn(made);
  return packedIn(keptOnce("packed", digestOf(publishable()), (folder) => void pack(repository, folder)));
}

/** Packs any package as npm would publish it, into a folder. @returns the full path of the tarball */
export function pack(source: string, folder: string): string {
  const args = ["pack", "--ignore-scripts", "--pack-destination", folder];
  execFileSync("npm", args, { cwd: source, stdio: "pipe" });
  return join(folder, readdirSync(folder).find((name) => name.endsWith(".tgz")) ?? "");
}

/** Every file that may be in the package, or that decides what is: names, modes and contents. */
function publishable(): (string | Buffer)[] {
  const { files = [] } = JSON.parse(readFileSync(join(repository, "package.json"), "utf8")) as { files?: string[] };
  const rooms = new Set(files.filter((name) => !name.startsWith("!")).map((name) => name.split("/")[0] ?? ""));
  return globSync(["*", ".npmignore", ".gitignore", ...Array.from(rooms, (room) => `${room}/**/*`)], {
    cwd: repository,
    exclude: ["**/node_modules", "**/*.map"],
  })
    .toSorted()
    .flatMap((name) => {
      const path = join(repository, name);
      const stat = statSync(path);
      return stat.isFile() ? [`${name} ${stat.mode}`, readFileSync(path)] : [];
    });
}

/** The package in a folder: among the files of a release, it is beside that of the native front. */
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
