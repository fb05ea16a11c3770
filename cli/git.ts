import { execFile } from "node:child_process";
import { UsageError } from "./command";
import type { Io } from "./io";

/** Variables by which git, where it started us in a hook, would have our git work on the index and the folder of the user. */
const ofTheCaller = new Set([
  "GIT_DIR",
  "GIT_WORK_TREE",
  "GIT_INDEX_FILE",
  "GIT_PREFIX",
  "GIT_COMMON_DIR",
  "GIT_OBJECT_DIRECTORY",
]);

const maxOutputBytes = 256_000_000;

/** A git repository, which is read only. Nothing here talks to a remote. */
export class GitRepository {
  private constructor(
    private readonly io: Io,
    /** Full path of its working tree. */
    readonly root: string,
    /** The folder that it was found from: its path in the repository, empty or with `/` at its end. */
    readonly prefix: string,
  ) {}

  /** Finds the repository that a folder belongs to. @throws UsageError where git finds none */
  static async of(io: Io, folder: string): Promise<GitRepository> {
    const found = await run(io, folder, ["rev-parse", "--show-toplevel", "--show-prefix"]);
    if (found.code !== 0)
      throw new UsageError(`git finds no repository with a working tree at ${folder} (${reasonOf(found)})`, "work");
    const [root = "", prefix = ""] = found.stdout.split("\n");
    return new GitRepository(io, root, prefix);
  }

  /** Returns what git prints in the working tree. @throws UsageError where it fails */
  async git(args: readonly string[]): Promise<string> {
    const done = await run(this.io, this.root, args);
    if (done.code !== 0) throw new UsageError(`git ${args[0] ?? ""} failed: ${reasonOf(done)}`, "work");
    return done.stdout.trimEnd();
  }

  /** The same where a failure is an answer, too: nothing then. */
  async ask(args: readonly string[]): Promise<string | undefined> {
    const done = await run(this.io, this.root, args);
    return done.code === 0 ? done.stdout.trimEnd() : undefined;
  }
}

interface GitRun {
  code: number;
  stdout: string;
  stderr: string;
}

function run({ env }: Io, cwd: string, args: readonly string[]): Promise<GitRun> {
  const own = Object.fromEntries(Object.entries(env).filter(([name]) => !ofTheCaller.has(name)));
  const options = { cwd, env: { ...own, LC_ALL: "C", GIT_TERMINAL_PROMPT: "0" }, maxBuffer: maxOutputBytes };
  return new Promise((resolve, reject) => {
    execFile("git", [...args], options, (error, stdout, stderr) => {
      if (error?.code === "ENOENT") reject(new UsageError("git is not on PATH, and --base needs it", "work"));
      else resolve({ code: error === null ? 0 : typeof error.code === "number" ? error.code : 1, stdout, stderr });
    });
  });
}

/** What git said, in a line. */
function reasonOf({ code, stderr }: GitRun): string {
  const lines = stderr.split("\n").map((line) => line.trim());
  const reason = lines.find((line) => /^(fatal|error): /.test(line)) ?? lines.find((line) => line !== "");
  return reason?.replace(/^(fatal|error): /, "") ?? `it ended with ${code}`;
}
