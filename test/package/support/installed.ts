import { execFileSync } from "node:child_process";
import { globSync, mkdirSync, readdirSync, readFileSync, statSync, symlinkSync } from "node:fs";
import { dirname, join } from "node:path";
import { temporary } from "../../support/temporary";
import { digestOf, keptOnce } from "./kept";

export const repository = join(__dirname, "../../..");
const modules = join(repository, "node_modules");

interface Libraries {
  /** Dependencies of the package that are not installed, because a program must compile without them. */
  without?: readonly string[];
  /** Folder of Node's types. */
  nodeTypes?: string;
}

/**
 * Installs the package as npm publishes it, with the repository's libraries, in a temporary folder.
 *
 * @returns the folder
 */
export function installPackage({ without = [], nodeTypes = "@types/node" }: Libraries = {}): string {
  const folder = temporary();
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
 * Packs this package as npm publishes it, once for all suites until one of its files changes. With RELEASE_FILES, returns the file
 * of the release.
 *
 * @returns the full path of the tarball. The caller must not delete it
 */
export function packOwn(): string {
  const { RELEASE_FILES: made } = process.env;
  if (made !== undefined) return packedIn(made);
  return packedIn(keptOnce("packed", digestOf(publishable()), (folder) => void pack(repository, folder)));
}

/** Packs any package as npm publishes it, into a folder. @returns the full path of the tarball */
export function pack(source: string, folder: string): string {
  const args = ["pack", "--ignore-scripts", "--pack-destination", folder];
  execFileSync("npm", args, { cwd: source, stdio: "pipe" });
  return join(folder, readdirSync(folder).find((name) => name.endsWith(".tgz")) ?? "");
}

/** Every file that the package may contain or that decides its content: names, modes and contents. */
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

/** The package in a folder. A release's folder also contains the native front's package. */
function packedIn(folder: string): string {
  const archive = readdirSync(folder).find((name) => /^pulumi-endpoint-monitoring-\d.*\.tgz$/.test(name));
  if (archive === undefined) throw new Error(`${folder} holds no package`);
  return join(folder, archive);
}

/** Names of all libraries of the repository, with their scopes. */
function libraries(): string[] {
  const visible = (folder: string) => readdirSync(folder).filter((name) => !name.startsWith("."));
  return visible(modules).flatMap((name) =>
    name.startsWith("@") ? visible(join(modules, name)).map((inner) => `${name}/${inner}`) : [name],
  );
}
