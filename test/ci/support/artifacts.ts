import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";

/** A run of a pipeline. */
export interface Run {
  id: number;
  event: string;
  ref: string;
  sha: string;
  /** Commit at the end of the branch of its pull request. */
  head: string;
  /** Whether it is of a fork. Undefined where the forge does not say. */
  isFork?: boolean | undefined;
  /** File of its workflow. @defaultValue that of the review */
  path?: string;
}

/** What a run has kept. */
export interface Artifact {
  id: number;
  name: string;
  run: Run;
  expired: boolean;
  /** When it was written: one after the other, on the morning before anything is merged. */
  at: string;
  files: Record<string, string>;
}

/** Artifacts of a repository at GitHub, and what its actions do with them. */
export class Artifacts {
  readonly all: Artifact[] = [];
  /** What the token of the job may do; everything where nobody says. */
  permissions: Record<string, string> | undefined;
  #nextId = 1;

  constructor(private readonly token: string) {}

  add(run: Run, name: string, files: Record<string, string>): Artifact {
    const id = this.#nextId++;
    const artifact = { id, name, run, expired: false, at: new Date(Date.UTC(2026, 0, 1, 0, id)).toISOString(), files };
    this.all.push(artifact);
    return artifact;
  }

  upload(run: Run, { name = "", path = "", "if-no-files-found": none }: Record<string, string>): void {
    if (name === "" || /[":<>|*?\\/\r\n]/.test(name)) throw new Error(`The artifact name is not valid: ${name}`);
    if (this.all.some((one) => one.run.id === run.id && one.name === name))
      throw new Error(`${name} exists already in this run`);
    const found = path.trim().split("\n").flatMap(matching);
    if (found.length === 0 && none === "ignore") return;
    if (found.length === 0) throw new Error(`No files were found: ${path}`);
    this.add(run, name, Object.fromEntries(found.map((file) => [basename(file), readFileSync(file, "base64")])));
  }

  download(run: Run, given: Record<string, string>): void {
    const { name, pattern = "", path = "", "run-id": id = String(run.id), "github-token": token } = given;
    if (id !== String(run.id) && (token !== this.token || (this.permissions && this.permissions["actions"] !== "read"))) {
      throw new Error("Resource not accessible by integration");
    }
    const [before = "", after = ""] = pattern.split("*");
    const isIt = (one: string) => (name === undefined ? one.startsWith(before) && one.endsWith(after) : one === name);
    const found = this.all.filter((one) => String(one.run.id) === id && isIt(one.name) && !one.expired);
    if (found.length === 0 && name !== undefined) throw new Error(`Artifact not found for name: ${name}`);
    for (const { files } of found) {
      for (const [file, content] of Object.entries(files)) {
        const target = join(path, file);
        mkdirSync(dirname(target), { recursive: true });
        writeFileSync(target, content, "base64");
      }
    }
  }
}

/** Files that a path names, whose last part may have one `*`. */
function matching(line: string): string[] {
  const [folder, pattern] = [dirname(line.trim()), basename(line.trim())];
  const [before = "", after = ""] = pattern.split("*");
  try {
    const names = readdirSync(folder).filter((one) => one.startsWith(before) && one.endsWith(after));
    return names.map((one) => join(folder, one));
  } catch {
    return [];
  }
}
