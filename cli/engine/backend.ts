import { readdirSync, statSync } from "node:fs";
import { homedir } from "node:os";
import { join, resolve } from "node:path";
import { isObject, stringOf } from "../../provider/values";
import { parseJson, writePrivately } from "../files";
import type { Project } from "./project";
import { shortName } from "./stack";

/** A state file without content, which the engine leaves when it is killed while it writes one. */
export interface EmptyState {
  readonly stack: string;
  readonly file: string;
  readonly backup: string | undefined;
}

/**
 * Writes a stack into a backend in a folder, as the engine keeps it. No other user of this machine can read it.
 *
 * @param name the full one, as `organization/project/stack`
 * @param salt of the passphrase that its secrets are encrypted with
 * @param latest its deployment
 * @param rest what the engine exports beside the deployment
 */
export function writeStack(backend: string, name: string, salt: string, latest: object, rest: object = { version: 3 }): void {
  const [, project = "", stack = ""] = name.split("/");
  const secrets = { secrets_providers: { type: "passphrase", state: { salt } } };
  const checkpoint = { stack: name, latest: { ...latest, ...secrets } };
  writePrivately(join(backend, ".pulumi/meta.yaml"), "version: 1\n");
  writePrivately(join(backend, ".pulumi/stacks", project, `${stack}.json`), JSON.stringify({ ...rest, checkpoint }));
}

/** A backend of Pulumi that keeps states in files of this machine. Nothing else knows where it keeps what. */
export class FileBackend {
  private constructor(
    private readonly folder: string,
    private readonly project: string,
  ) {}

  /** The backend that the engine uses for a project; nothing where it is another one, or cannot be read. */
  static async of(project: Project): Promise<FileBackend | undefined> {
    const { code, stdout } = await project.run(["whoami", "--json"]);
    const printed = code === 0 ? parseJson(stdout) : undefined;
    const url = isObject(printed) ? stringOf(printed["url"]) : undefined;
    const path = /^file:\/\/(?<path>[^?]*)/.exec(url ?? "")?.groups?.["path"];
    if (path === undefined) return undefined;
    const root = path.startsWith("~") ? join(homedir(), path.slice(1)) : resolve(project.folder, decoded(path));
    return new FileBackend(join(root, ".pulumi"), project.name);
  }

  /** Files that lock a stack: of an engine that is at work on it, or that ended without unlocking it. */
  locks(stack: string): string[] {
    const name = shortName(stack);
    return [join(this.folder, "locks/organization", this.project, name), join(this.folder, "locks", name)].flatMap((folder) =>
      filesIn(folder).filter((file) => file.endsWith(".json")),
    );
  }

  emptyStates(): EmptyState[] {
    // Backends of old keep the stacks of all projects in one folder.
    const files = [join(this.folder, "stacks", this.project), join(this.folder, "stacks")].flatMap(filesIn);
    return files.flatMap((file) => {
      const stack = /(?<stack>[^/\\]+)\.json(?:\.gz|\.zst)?$/.exec(file)?.groups?.["stack"];
      return stack === undefined || sizeOf(file) > 0 ? [] : [{ stack, file, backup: this.#backupOf(stack, file) }];
    });
  }

  /** The copy that is made before a write, else the newest of those that are kept of each update. */
  #backupOf(stack: string, file: string): string | undefined {
    const kept = [join(this.folder, "backups", this.project, stack), join(this.folder, "backups", stack)].flatMap(filesIn);
    const newestFirst = kept.toSorted((a, b) => (statSync(a).mtimeMs < statSync(b).mtimeMs ? 1 : -1));
    return [`${file}.bak`, ...newestFirst].find((path) => sizeOf(path) > 0);
  }
}

function decoded(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}

function filesIn(folder: string): string[] {
  try {
    const entries = readdirSync(folder, { withFileTypes: true });
    return entries.filter((entry) => entry.isFile()).map(({ name }) => join(folder, name));
  } catch {
    return [];
  }
}

/** In bytes; 0 of what does not exist. */
function sizeOf(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.size ?? 0;
}
