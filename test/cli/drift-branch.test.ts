/** The branch of accepted drift over many nights: what is committed on it, with real repositories, shallow clones and plain pushes. */
import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { AcceptedBranch } from "../../cli/drift/branch";
import type { DriftBranch } from "../../cli/drift/report";
import { GitRepository } from "../../cli/git";
import { closeAll } from "../../cli/io";
import { amount, random, seed } from "../support/amount";
import { silentIo } from "../support/command";
import { plainEnv } from "../support/process";

const name = "drift/accepted";
const env = plainEnv({ GIT_CONFIG_GLOBAL: "/dev/null", GIT_CONFIG_SYSTEM: "/dev/null" });
const program = (values: Record<string, number>): string =>
  Object.entries(values)
    .map(([key, value]) => `${key} = ${value};\n`)
    .join("// Between.\n// Between.\n\n");
const original = { a: 1, b: 1, c: 1 };

// Each night is some thirty processes of git.
jest.setTimeout(600_000);

let folder: string;
let remote: string;
let clones = 0;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "drift-branch-"));
  remote = join(folder, "remote.git");
  git(folder, "init", "--bare", "--quiet", "--initial-branch=main", remote);
  // Whatever would take a commit off a branch is refused.
  git(remote, "config", "receive.denyNonFastForwards", "true");
  git(folder, "clone", "--quiet", remote, "main");
  onMain("program.ts", program(original));
});
afterEach(() => rmSync(folder, { recursive: true }));

function git(at: string, ...args: string[]): string {
  const who = ["-c", "user.name=Ann", "-c", "user.email=ann@example.com", "-c", "init.defaultBranch=main"];
  return execFileSync("git", [...who, ...args], { cwd: at, encoding: "utf8", env, stdio: ["ignore", "pipe", "pipe"] }).trim();
}

/** A fresh clone as a pipeline has it: without history, detached, the branch as last fetched. */
function shallowClone(): string {
  const at = join(folder, `clone-${(clones += 1)}`);
  git(folder, "clone", "--quiet", "--depth=1", `file://${remote}`, at);
  if (exists()) git(at, "fetch", "--quiet", "origin", `+refs/heads/${name}:refs/remotes/origin/${name}`);
  git(at, "checkout", "--quiet", "--detach");
  return at;
}

const exists = (): boolean => git(remote, "branch", "--list", name) !== "";
const tip = (): string => git(remote, "rev-parse", name);
const parents = (): string[] => git(remote, "log", "-1", "--format=%P", name).split(" ");
const onRemote = (path = "program.ts", branch = name): string => `${git(remote, "show", `${branch}:${path}`)}\n`;

/** Accepts a program on the branch, in a fresh clone, and pushes it. @returns what is reported, the tip of the remote as `tip` */
async function night(edit: (text: string) => string) {
  const at = shallowClone();
  const io = { ...silentIo(env), cwd: at };
  const repository = await GitRepository.of(io, at);
  const branch = await AcceptedBranch.open(repository, name);
  const checkout = await repository.checkOut();
  const file = join(checkout, "program.ts");
  writeFileSync(file, edit(readFileSync(file, "utf8")));
  const done = await branch.accept(checkout, await repository.treeOf(checkout, ["program.ts"]), "Accept drift");
  if (done.changed) git(at, "push", "--quiet", "origin", `${done.commit ?? ""}:refs/heads/${name}`);
  await closeAll(io);
  expect([git(at, "status", "--porcelain"), existsSync(checkout), git(at, "worktree", "list").split("\n").length]).toEqual([
    "",
    false,
    1,
  ]);
  return reported(done);
}

function reported(done: DriftBranch) {
  return exists() && done.commit === tip() ? { ...done, commit: "tip" } : done;
}

/** Writes values of the service into a program, as accepting does. */
const accepting =
  (values: Record<string, number>) =>
  (text: string): string =>
    Object.entries(values).reduce(
      (all, [key, value]) => all.replace(new RegExp(`^${key} = \\d+;`, "m"), `${key} = ${value};`),
      text,
    );

/** What a person commits on the branch. */
function onBranch(path: string, edit: (text: string) => string, ...commit: string[]): string {
  const at = join(folder, `person-${(clones += 1)}`);
  git(folder, "clone", "--quiet", "--branch", name, `file://${remote}`, at);
  const file = join(at, path);
  writeFileSync(file, edit(existsSync(file) ? readFileSync(file, "utf8") : ""));
  git(at, "add", ".");
  git(at, "commit", "--quiet", "-m", `Change ${path}`, ...commit);
  git(at, "push", "--quiet", "--force", "origin", name);
  return git(at, "rev-parse", "HEAD");
}

function onMain(path: string, text: string): void {
  writeFileSync(join(folder, "main", path), text);
  git(join(folder, "main"), "add", ".");
  git(join(folder, "main"), "commit", "--quiet", "-m", `Change ${path}`);
  git(join(folder, "main"), "push", "--quiet", "origin", "HEAD:main");
}

const current = { name, commit: "tip", changed: false, isEmpty: false, isOurs: true, conflicts: [] };
const updated = { ...current, changed: true };

it("gets a commit where something new differs, and none where nothing does or main alone moves on", async () => {
  expect(await night((text) => text)).toEqual({ name, changed: false, isEmpty: true, isOurs: true, conflicts: [] });
  expect(await night(accepting({ a: 2 }))).toEqual(updated);
  expect([onRemote(), parents()]).toEqual([program({ ...original, a: 2 }), [git(remote, "rev-parse", "main")]]);
  expect(await night(accepting({ a: 2 }))).toEqual(current);
  onMain("README.md", "Read me.\n");
  expect(await night(accepting({ a: 2 }))).toEqual(current);

  const before = tip();
  expect(await night(accepting({ a: 2, c: 3 }))).toEqual(updated);
  expect([onRemote(), onRemote("README.md")]).toEqual([program({ ...original, a: 2, c: 3 }), "Read me.\n"]);
  expect(parents()).toEqual([before, git(remote, "rev-parse", "main")]);
  // One has been put back.
  expect(await night(accepting({ c: 3 }))).toEqual(updated);
  expect(onRemote()).toBe(program({ ...original, c: 3 }));
  expect(await night((text) => text)).toEqual({ ...current, isEmpty: true });
});

it("keeps what people commit, and puts its own on top", async () => {
  await night(accepting({ a: 2 }));
  const theirs = onBranch("program.ts", (text) => text.replace("// Between.", "// By a person."));
  expect(await night(accepting({ a: 2 }))).toEqual({ ...current, isOurs: false });
  onMain("README.md", "Read me.\n");
  expect(await night(accepting({ a: 2, b: 2 }))).toEqual({ ...updated, isOurs: false });
  expect(onRemote()).toBe(program({ a: 2, b: 2, c: 1 }).replace("// Between.", "// By a person."));
  expect(parents()[0]).toBe(theirs);
  expect(await night((text) => text)).toEqual({ ...current, isEmpty: true, isOurs: false });
});

it("keeps the value that a person gives instead, and a revert; a new value in the same line is a conflict", async () => {
  await night(accepting({ a: 2, b: 2 }));
  onBranch("program.ts", accepting({ a: 9, b: 1 }));
  expect(await night(accepting({ a: 2, b: 2 }))).toEqual({ ...current, isOurs: false });
  expect(await night(accepting({ a: 2, b: 2, c: 2 }))).toEqual({ ...updated, isOurs: false });
  expect(onRemote()).toBe(program({ a: 9, b: 1, c: 2 }));
  const before = tip();
  expect(await night(accepting({ a: 3, b: 2, c: 2 }))).toEqual({ ...current, isOurs: false, conflicts: ["program.ts"] });
  expect(tip()).toBe(before);
});

it("takes its own commit for a person's once it was amended", async () => {
  await night(accepting({ a: 2 }));
  git(remote, "config", "receive.denyNonFastForwards", "false");
  const at = join(folder, "person");
  git(folder, "clone", "--quiet", "--branch", name, `file://${remote}`, at);
  writeFileSync(join(at, "program.ts"), program({ ...original, a: 9 }));
  git(at, "commit", "--quiet", "--amend", "--no-edit", "-a");
  git(at, "push", "--quiet", "--force", "origin", name);
  expect(await night(accepting({ a: 2 }))).toEqual({ ...current, isOurs: false, conflicts: ["program.ts"] });
  expect(onRemote()).toBe(program({ ...original, a: 9 }));
});

it("begins anew on the present commit after it was merged", async () => {
  await night(accepting({ a: 2 }));
  git(join(folder, "main"), "pull", "--quiet", "--no-rebase", "--no-ff", "--no-edit", "origin", name);
  git(join(folder, "main"), "push", "--quiet", "origin", "HEAD:main");
  // In a clone with its history that is known; in a shallow one the branch is behind, and catches up.
  expect(await night(accepting({ a: 2 }))).toEqual({ ...current, isEmpty: true });
  expect(await night(accepting({ a: 3 }))).toEqual(updated);
  expect(onRemote()).toBe(program({ ...original, a: 3 }));
});

it("is refused where its commits here and there differ, where it is checked out, and as a name that none can have", async () => {
  await night(accepting({ a: 2 }));
  const at = join(folder, "main");
  const io = { ...silentIo(env), cwd: at };
  const open = async (branch = name): Promise<unknown> => AcceptedBranch.open(await GitRepository.of(io, at), branch);
  git(at, "fetch", "--quiet");
  git(at, "checkout", "--quiet", "-b", name, "main");
  await expect(open()).rejects.toThrow(`Branch ${name} is checked out in ${at}: check out another one there`);
  git(at, "commit", "--quiet", "--allow-empty", "-m", "Unpushed");
  git(at, "checkout", "--quiet", "main");
  await expect(open()).rejects.toThrow(
    `Branch ${name} has commits here that its remote does not have, and the other way round`,
  );
  for (const bad of ["a..b", "-x", "a b", "x.lock", "refs/heads/"])
    await expect(open(bad)).rejects.toThrow("--branch takes the name of a branch");
  git(at, "branch", "--quiet", "-D", name);
  await expect(open()).resolves.toBeDefined();
});

it("whatever people, the service and main do in whatever order: nothing of a person is lost, and every push is a plain one", async () => {
  const next = random(seed(20));
  const pick = (count: number): number => Math.floor(next() * count);
  for (let left = amount(5, 150), real = { ...original }, notes = 0; left > 0; left -= 1) {
    const what = pick(5);
    if (what === 0) onMain(`main-${left}.txt`, "main");
    else if (what === 1 && exists()) onBranch(`person-${(notes += 1)}.txt`, () => "person");
    else real = { ...real, [["a", "b", "c"][pick(3)] ?? ""]: 1 + pick(3) };
    const done = await night(accepting(real));
    expect(done).toMatchObject({ conflicts: [], isOurs: notes === 0 });
    if (done.isEmpty) continue;
    expect({ seed: seed(20), left, text: onRemote() }).toEqual({ seed: seed(20), left, text: program(real) });
    const files = git(remote, "ls-tree", "--name-only", name).split("\n");
    expect(files.filter((file) => file.startsWith("person-"))).toHaveLength(notes);
  }
});
