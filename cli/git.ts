import { execFile, spawnSync } from "node:child_process";
import { copyFileSync, existsSync, lstatSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import { UsageError } from "./command";
import { closeAtEnd, type Io } from "./io";

interface GitRun {
  code: number;
  stdout: string;
  stderr: string;
}

/** Variables by which git, where it started us in a hook, would have our git work on the index and the folder of the user. */
const ofTheCaller = new Set([
  "GIT_DIR",
  "GIT_WORK_TREE",
  "GIT_INDEX_FILE",
  "GIT_PREFIX",
  "GIT_COMMON_DIR",
  "GIT_OBJECT_DIRECTORY",
]);

/** No hook of the user's runs for what happens in a folder of ours. */
const withoutHooks = ["-c", "core.hooksPath=/dev/null"];

const maxOutputBytes = 256_000_000;

/** A git repository with a commit. Nothing here talks to a remote. */
export class GitRepository {
  private constructor(
    private readonly io: Io,
    /** Full path of its working tree. */
    readonly root: string,
    /** The folder that it was found from: its path in the repository, empty or with `/` at its end. */
    readonly prefix: string,
    /** The commit that is checked out. */
    readonly head: string,
  ) {}

  /** The repository that a folder belongs to. @throws UsageError where git finds none, or it has no commit yet */
  static async of(io: Io, folder: string): Promise<GitRepository> {
    const found = await run(io, folder, ["rev-parse", "--show-toplevel", "--show-prefix"]);
    if (found.code !== 0)
      throw new UsageError(`git finds no repository with a working tree at ${folder} (${reasonOf(found)})`, "work");
    const [root = "", prefix = ""] = found.stdout.split("\n");
    const head = await run(io, folder, ["rev-parse", "--verify", "--quiet", "HEAD^{commit}"]);
    if (head.code !== 0) throw new UsageError(`The git repository ${root} has no commit yet: commit the project first`, "work");
    return new GitRepository(io, root, prefix, head.stdout.trim());
  }

  /** What git prints. @param folder where it runs: that of the working tree unless another is named. @throws UsageError where it fails */
  async git(args: readonly string[], { folder = this.root, input = "", env = {} }: GitOptions = {}): Promise<string> {
    const done = await run(this.io, folder, args, { input, env });
    if (done.code !== 0) throw new UsageError(`git ${args[0] ?? ""} failed: ${reasonOf(done)}`, "work");
    return done.stdout.trimEnd();
  }

  /** The same where a failure is an answer, too: nothing then. */
  async ask(args: readonly string[], { folder = this.root }: GitOptions = {}): Promise<string | undefined> {
    const done = await run(this.io, folder, args);
    return done.code === 0 ? done.stdout.trimEnd() : undefined;
  }

  /**
   * Checks out the commit in a folder of its own: whatever is done there, and however the command ends, the user's files and index
   * stay as they are. What git does not track, such as installed packages, is linked into it, so that programs run there.
   *
   * @returns its full path. It is deleted when the command ends
   */
  async checkOut(): Promise<string> {
    const outer = realpathSync(mkdtempSync(join(tmpdir(), "endpoint-monitoring-")));
    // Named like the original, as programs may look at that.
    const folder = join(outer, basename(this.root));
    closeAtEnd(this.io, async () => {
      // At once: nobody waits for what an interrupted command has under way.
      rmSync(outer, { recursive: true, force: true });
      spawnSync("git", ["worktree", "prune"], { cwd: this.root, env: environment(this.io), stdio: "ignore" });
    });
    await this.git([...withoutHooks, "worktree", "add", "--quiet", "--detach", folder, this.head]);
    const untracked = await this.git(["ls-files", "-z", "--others", "--directory", "--no-empty-directory"]);
    for (const path of untracked.split("\0")) if (path !== "") link(join(this.root, path), join(folder, path));
    const above = packagesAbove(this.root);
    if (above !== undefined) link(above, join(outer, "node_modules"));
    return folder;
  }

  /** The tree of a checkout of ours, with its files as they are there now. @param files from the folder that the repository was found from */
  async treeOf(folder: string, files: readonly string[]): Promise<string> {
    if (files.length > 0) await this.git(["add", "--", ...files], { folder: join(folder, this.prefix) });
    return this.git(["write-tree"], { folder });
  }

  /** The folder in which a branch is checked out, if it is in any. */
  async folderOn(branch: string): Promise<string | undefined> {
    const listed = await this.git(["worktree", "list", "--porcelain"]);
    const found = listed.split("\n\n").find((one) => one.split("\n").includes(`branch refs/heads/${branch}`));
    return found?.split("\n")[0]?.replace(/^worktree /, "");
  }

  /** Who commits, as environment: nothing where git knows that itself. @param otherwise name and address where nobody is configured */
  async author(otherwise: { name: string; email: string }): Promise<NodeJS.ProcessEnv> {
    const { name, email } = otherwise;
    const of = async (who: "AUTHOR" | "COMMITTER"): Promise<NodeJS.ProcessEnv> =>
      (await this.ask(["-c", "user.useConfigOnly=true", "var", `GIT_${who}_IDENT`])) === undefined
        ? { [`GIT_${who}_NAME`]: name, [`GIT_${who}_EMAIL`]: email }
        : {};
    return { ...(await of("AUTHOR")), ...(await of("COMMITTER")) };
  }

  /** Whether a commit is another one, or comes before it. In a shallow clone that may not be known: false then. */
  async isIn(ancestor: string, commit: string): Promise<boolean> {
    return (await this.ask(["merge-base", "--is-ancestor", ancestor, commit])) !== undefined;
  }

  /**
   * Merges two commits in a checkout of ours.
   *
   * @returns the tree of the result, or the files in which both changed the same
   */
  async merge(folder: string, base: string, ours: string, theirs: string): Promise<{ tree: string } | { conflicts: string[] }> {
    await this.git([...withoutHooks, "reset", "--quiet", "--hard", ours], { folder });
    const merged = await run(this.io, folder, ["merge-recursive", base, "--", ours, theirs]);
    if (merged.code === 0) return { tree: await this.git(["write-tree"], { folder }) };
    const unmerged = (await this.git(["diff", "--name-only", "--diff-filter=U", "-z"], { folder })).split("\0");
    const conflicts = unmerged.filter((path) => path !== "");
    if (conflicts.length === 0) throw new UsageError(`git merge-recursive failed: ${reasonOf(merged)}`, "work");
    return { conflicts };
  }
}

interface GitOptions {
  folder?: string;
  input?: string;
  env?: NodeJS.ProcessEnv;
}

function environment({ env }: Io, more: NodeJS.ProcessEnv = {}): NodeJS.ProcessEnv {
  const own = Object.entries(env).filter(([name]) => !ofTheCaller.has(name));
  return { ...Object.fromEntries(own), LC_ALL: "C", GIT_TERMINAL_PROMPT: "0", ...more };
}

function run(io: Io, cwd: string, args: readonly string[], { input = "", env = {} }: GitOptions = {}): Promise<GitRun> {
  return new Promise((resolve, reject) => {
    const options = { cwd, env: environment(io, env), maxBuffer: maxOutputBytes };
    const child = execFile("git", [...args], options, (error, stdout, stderr) => {
      if (error?.code === "ENOENT") reject(new UsageError("git is not on PATH, and committing on a branch needs it", "work"));
      else resolve({ code: error === null ? 0 : typeof error.code === "number" ? error.code : 1, stdout, stderr });
    });
    child.stdin?.on("error", () => undefined).end(input);
  });
}

/** What git said, in a line. */
function reasonOf({ code, stderr }: GitRun): string {
  const lines = stderr.split("\n").map((line) => line.trim());
  const reason = lines.find((line) => /^(fatal|error): /.test(line)) ?? lines.find((line) => line !== "");
  return reason?.replace(/^(fatal|error): /, "") ?? `it ended with ${code}`;
}

/** Links a file or a folder, where nothing is in its place. */
function link(from: string, to: string): void {
  if (lstatSync(to, { throwIfNoEntry: false })) return;
  mkdirSync(dirname(to), { recursive: true });
  const isFolder = lstatSync(from).isDirectory();
  try {
    symlinkSync(from.replace(/\/$/, ""), to.replace(/\/$/, ""), isFolder ? "junction" : "file");
  } catch (error) {
    // Windows lets few users link files.
    if (isFolder || process.platform !== "win32") throw error;
    copyFileSync(from, to);
  }
}

/** The nearest packages above a folder, where Node would find them. */
function packagesAbove(folder: string): string | undefined {
  for (let at = dirname(folder); ; at = dirname(at)) {
    const packages = join(at, "node_modules");
    if (existsSync(packages)) return packages;
    if (dirname(at) === at) return undefined;
  }
}
