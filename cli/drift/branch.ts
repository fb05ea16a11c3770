import { UsageError } from "../command";
import type { GitRepository } from "../git";
import type { DriftBranch } from "./report";

/** Who commits where git is configured for nobody. */
export const defaultAuthor = { name: "endpoint-monitoring", email: "endpoint-monitoring@localhost" };

/**
 * Last lines of our commits: the tree that the commit was made with, so that one that was amended is not ours; the commit that was
 * checked out; and, where what was accepted was merged with the commits of others, the commit with that alone.
 */
const trailers = {
  tree: "Endpoint-Monitoring-Drift",
  base: "Endpoint-Monitoring-Base",
  accepted: "Endpoint-Monitoring-Accepted",
};

/** Commits of people that are looked through for the last one of ours. */
const maxCommits = 1_000;

interface Commit {
  id: string;
  tree: string;
  parents: string[];
  isOurs: boolean;
  /** The commit that was checked out when one of ours was made. */
  base?: string;
  /** Of a merge of ours: what was accepted, alone. */
  accepted?: string;
}

/** A branch of accepted drift. Commits are only ever added to it: whatever people commit on it stays. */
export class AcceptedBranch {
  private constructor(
    private readonly repository: GitRepository,
    readonly name: string,
    /** Its tip, here or as last fetched; nothing where there is no such branch. */
    private readonly tip: string | undefined,
    /** Its tip here, which the branch is expected to have still when it is moved. */
    private readonly local: string | undefined,
  ) {}

  /** @throws UsageError where the name is none, or the branch cannot be moved */
  static async open(repository: GitRepository, name: string): Promise<AcceptedBranch> {
    if ((await repository.ask(["check-ref-format", `refs/heads/${name}`])) === undefined || name.startsWith("-")) {
      throw new UsageError(`--branch takes the name of a branch, which "${name}" cannot be`);
    }
    const folder = await repository.folderOn(name);
    if (folder !== undefined) {
      throw new UsageError(
        `Branch ${name} is checked out in ${folder}: check out another one there, or name another with --branch`,
        "work",
      );
    }
    const local = await commitOf(repository, `refs/heads/${name}`);
    const remote = await remoteTip(repository, name);
    return new AcceptedBranch(repository, name, await newer(repository, name, local, remote), local);
  }

  /** The branch as it is, where there is nothing to accept. */
  async unchanged(): Promise<DriftBranch> {
    return this.#result({ changed: false, isEmpty: true }, this.tip);
  }

  /**
   * Adds a commit with what was accepted, unless the branch has that already.
   *
   * @param folder a checkout of ours of the commit that is checked out in the repository
   * @param tree what the program becomes
   * @param message without trailers
   */
  async accept(folder: string, tree: string, message: string): Promise<DriftBranch> {
    const { repository, tip } = this;
    const { head } = repository;
    if (tree === (await repository.git(["rev-parse", `${head}^{tree}`]))) return this.unchanged();
    // What was merged into HEAD is over, and begins anew.
    if (tip === undefined || (await repository.isIn(tip, head))) return this.#moveTo(await this.#commit(tree, [head], message));

    const last = await this.#lastAccepted(tip);
    const isKnown = last === undefined || last.base === head || (await repository.isIn(head, last.id));
    const parents = [...(last ? [last.id] : []), ...(last && isKnown ? [] : [head])];
    const accepted = await this.#commit(tree, parents, message);
    // What others have changed since, and what is accepted now, are both changes of what was accepted last.
    const merged = await repository.merge(folder, last?.id ?? (await this.#commonBase(tip)), tip, accepted);
    if ("conflicts" in merged) return this.#result({ changed: false, isEmpty: false, conflicts: merged.conflicts }, tip);
    const isThere = merged.tree === (await commitAt(repository, tip)).tree;
    if (isThere || (await this.#mergesTo(folder, last?.base, tip, merged.tree))) {
      return this.#result({ changed: false, isEmpty: false }, tip);
    }
    return this.#moveTo(tip === last?.id ? accepted : await this.#commit(merged.tree, [tip, accepted], message, accepted));
  }

  /** Whether merging the branch into what is checked out gives a tree already: that it has moved on makes no commit. */
  async #mergesTo(folder: string, base: string | undefined, tip: string, tree: string): Promise<boolean> {
    const { repository } = this;
    if (base === undefined || (await commitOf(repository, base)) === undefined) return false;
    const merged = await repository.merge(folder, base, repository.head, tip);
    return "tree" in merged && merged.tree === tree;
  }

  async #commit(tree: string, parents: readonly string[], message: string, accepted?: string): Promise<string> {
    const facts = {
      [trailers.tree]: tree,
      [trailers.base]: this.repository.head,
      ...(accepted && { [trailers.accepted]: accepted }),
    };
    const lines = Object.entries(facts).map(([key, value]) => `${key}: ${value}\n`);
    const text = `${message}\n\n${lines.join("")}`;
    const from = parents.flatMap((parent) => ["-p", parent]);
    return this.repository.git(["commit-tree", tree, ...from], {
      input: text,
      env: await this.repository.author(defaultAuthor),
    });
  }

  async #moveTo(commit: string): Promise<DriftBranch> {
    const before = this.local ?? "0".repeat(commit.length);
    await this.repository.git(["update-ref", "-m", "drift --accept", `refs/heads/${this.name}`, commit, before]);
    return this.#result({ changed: true, isEmpty: false }, commit);
  }

  async #result(
    what: Pick<DriftBranch, "changed" | "isEmpty"> & { conflicts?: string[] },
    tip: string | undefined,
  ): Promise<DriftBranch> {
    const isOurs = tip === undefined || (await isAllOurs(this.repository, tip));
    return { name: this.name, ...(tip !== undefined && { commit: tip }), isOurs, conflicts: [], ...what };
  }

  /** What was accepted last on the branch, alone; nothing where that is not found. */
  async #lastAccepted(tip: string): Promise<Commit | undefined> {
    let at: string | undefined = tip;
    for (let looked = 0; looked < maxCommits; looked += 1) {
      if (at === undefined || (await commitOf(this.repository, at)) === undefined) return undefined;
      const commit: Commit = await commitAt(this.repository, at);
      if (commit.isOurs) return commit.accepted === undefined ? commit : commitAt(this.repository, commit.accepted);
      [at] = commit.parents;
    }
    return undefined;
  }

  /** Where a branch that has no commit of ours began. @throws UsageError where that is not known */
  async #commonBase(tip: string): Promise<string> {
    const base = await this.repository.ask(["merge-base", this.repository.head, tip]);
    if (base !== undefined) return base;
    throw new UsageError(
      `Branch ${this.name} has commits of others alone, and this clone does not have what they are based on: fetch all of its ` +
        "history (`git fetch --unshallow`), or name another branch with --branch",
      "work",
    );
  }
}

async function commitOf(repository: GitRepository, name: string): Promise<string | undefined> {
  return repository.ask(["rev-parse", "--verify", "--quiet", `${name}^{commit}`]);
}

/** The branch as last fetched: that of `origin`, else of the first remote that has it. */
async function remoteTip(repository: GitRepository, name: string): Promise<string | undefined> {
  const remotes = (await repository.git(["remote"])).split("\n").filter((remote) => remote !== "");
  const sorted = remotes.toSorted((a, b) => Number(b === "origin") - Number(a === "origin"));
  for (const remote of sorted) {
    const tip = await commitOf(repository, `refs/remotes/${remote}/${name}`);
    if (tip !== undefined) return tip;
  }
  return undefined;
}

/** @throws UsageError where both have what the other lacks, and people made it */
async function newer(
  repository: GitRepository,
  name: string,
  local: string | undefined,
  remote: string | undefined,
): Promise<string | undefined> {
  if (local === undefined || remote === undefined || local === remote) return local ?? remote;
  if (await repository.isIn(local, remote)) return remote;
  if (await repository.isIn(remote, local)) return local;
  // Commits of ours alone are made again.
  if (await isAllOurs(repository, local)) return remote;
  throw new UsageError(
    `Branch ${name} has commits here that its remote does not have, and the other way round: merge them, or name another with --branch`,
    "work",
  );
}

/** Whether this command made every commit of a branch. Older commits than the base of one of ours are not the branch's. */
async function isAllOurs(repository: GitRepository, tip: string): Promise<boolean> {
  const waiting = [tip];
  for (let id = waiting.pop(); id !== undefined; id = waiting.pop()) {
    const { isOurs, parents, base } = await commitAt(repository, id);
    if (!isOurs) return false;
    waiting.push(...parents.filter((parent) => parent !== base));
  }
  return true;
}

async function commitAt(repository: GitRepository, id: string): Promise<Commit> {
  const value = (key: string): string => `%(trailers:key=${key},valueonly,separator=%x2C)`;
  const format = ["%H", "%T", "%P", ...[trailers.tree, trailers.base, trailers.accepted].map(value)].join("%n");
  const shown = await repository.git(["log", "-1", "--no-show-signature", `--format=${format}%n.`, id, "--"]);
  const [commit = "", tree = "", parents = "", made = "", base = "", accepted = ""] = shown.split("\n");
  const isOurs = made === tree;
  const own = { base, ...(accepted === "" ? {} : { accepted }) };
  return { id: commit, tree, parents: parents.split(" ").filter(Boolean), isOurs, ...(isOurs && own) };
}
