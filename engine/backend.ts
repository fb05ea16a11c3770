import { readdirSync, statSync } from "node:fs";
import { homedir } from "node:os";
import { join, resolve } from "node:path";
import { objectOf, stringOf } from "../provider/values";
import { parseJson } from "../common/files";
import type { Project } from "./project";
import { shortName } from "./stack";

/** An empty state file, which remains if the engine is killed while it writes the state. */
export interface EmptyState {
  readonly stack: string;
  readonly file: string;
  readonly backup: string | undefined;
}

export class FileBackend {
  private constructor(
    private readonly folder: string,
    private readonly project: string,
  ) {}

  /** Returns the backend of a project, or undefined if the backend is not a folder. */
  static async of(project: Project): Promise<FileBackend | undefined> {
    const url = project.backend || (await urlFromEngine(project));
    const path = /^file:\/\/(?<path>[^?]*)/.exec(url ?? "")?.groups?.["path"];
    if (path === undefined) return undefined;
    const root = path.startsWith("~") ? join(homedir(), path.slice(1)) : resolve(project.folder, decoded(path));
    return new FileBackend(join(root, ".pulumi"), project.name);
  }

  /**
   * Returns the lock files of a stack. A lock file exists while an engine is running. A lock file remains if the engine ends
   * without unlocking the stack.
   */
  locks(stack: string): string[] {
    const name = shortName(stack);
    return [join(this.folder, "locks/organization", this.project, name), join(this.folder, "locks", name)].flatMap((folder) =>
      filesIn(folder).filter((file) => file.endsWith(".json")),
    );
  }

  emptyStates(): EmptyState[] {
    // Older versions of the engine store the stacks of all projects in one folder.
    const files = [join(this.folder, "stacks", this.project), join(this.folder, "stacks")].flatMap(filesIn);
    return files.flatMap((file) => {
      const stack = /(?<stack>[^/\\]+)\.json(?:\.gz|\.zst)?$/.exec(file)?.groups?.["stack"];
      return stack === undefined || sizeOf(file) > 0 ? [] : [{ stack, file, backup: this.#backupOf(stack, file) }];
    });
  }

  /** Returns the copy of a state file that the engine made before its last write, or the newest backup. */
  #backupOf(stack: string, file: string): string | undefined {
    const backups = [join(this.folder, "backups", this.project, stack), join(this.folder, "backups", stack)].flatMap(filesIn);
    const newestFirst = backups.toSorted((a, b) => (statSync(a).mtimeMs < statSync(b).mtimeMs ? 1 : -1));
    return [`${file}.bak`, ...newestFirst].find((path) => sizeOf(path) > 0);
  }
}

/** Returns the URL of the backend that the user is logged in to. */
async function urlFromEngine(project: Project): Promise<string | undefined> {
  const { code, stdout } = await project.run(["whoami", "--json"]);
  return code === 0 ? stringOf(objectOf(parseJson(stdout))["url"]) : undefined;
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

function sizeOf(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.size ?? 0;
}
