import { committer } from "./pipeline";
import type { publishTasks } from "./options";
import { findApproval } from "./approval";
import { type JsonObject, CiProviderApi, label, TemporaryFailure, withRetries, textOf } from "./ci-provider";
import type { Pipeline } from "./pipeline";
import { UsageError } from "../../../common/errors";

/** Maximum length of a comment or of an issue's description, in characters. GitHub accepts 65,536 characters. */
const maxBody = 65_000;
const theirCommits =
  "Another user has committed to this branch, so this run did not update it. The branch may not contain the current drift.";

/**
 * Runs a task that reports to the CI provider.
 * @returns a sentence about the result
 */
export function runPublishTask(task: (typeof publishTasks)[number], pipeline: Pipeline): Promise<string> {
  const ciProvider = new CiProviderApi(pipeline.ciVariables);
  if (task === "approval") return withRetries(() => findApproval(ciProvider, pipeline));
  const report = new CiReport(ciProvider, pipeline, task === "comment" ? "review" : "drift");
  return withRetries(() => (task === "comment" ? report.comment() : report.drift()));
}

/**
 * Writes one comment, issue or pull request for each project and stack. A hidden first line identifies the comment, issue or pull request
 * for the next run.
 */
class CiReport {
  readonly #marker: string;

  constructor(
    private readonly ciProvider: CiProviderApi,
    private readonly pipeline: Pipeline,
    about: string,
  ) {
    const key = `${about} ${pipeline.title}`.replace(/[^\w./ ]+/g, "-").replace(/--+/g, "-");
    this.#marker = `<!-- endpoint-monitoring: ${key} -->`;
  }

  async comment(): Promise<string> {
    const { ciProvider, pipeline } = this;
    const parts = ["review.md", "rehearse.md"].filter((name) => pipeline.has(name)).map((name) => pipeline.read(name).trim());
    if (!pipeline.has("review.md")) parts.unshift("**The review failed.** The log of the job shows the reason.");
    const body = this.#body(
      parts.join("\n\n"),
      `Commit ${ciProvider.is.commit?.slice(0, 7)} · ${now()} · [job](${ciProvider.is.job})`,
    );
    const [mine] = await this.#own(ciProvider.is.comments());
    if (mine) await ciProvider.request(ciProvider.is.edit, ciProvider.is.comment(mine["id"]), { body });
    else await ciProvider.request("POST", ciProvider.is.comments(), { body });
    return mine ? "Comment updated" : "Comment written";
  }

  async drift(): Promise<string> {
    const { pipeline } = this;
    if (!pipeline.has("drift.found")) {
      throw new UsageError(
        "The job `drift` failed, so there is no report. The log of the job `drift` shows the reason",
        "work",
      );
    }
    const issue = await this.#issue(pipeline.read("drift.found") === "true");
    return pipeline.setting("DRIFT") === "pull-request" ? `${issue}. ${await this.#pullRequest()}` : issue;
  }

  /** Creates or updates the issue about drift. Closes the issue if no drift was found, or if a pull request accepts the drift. */
  async #issue(isFound: boolean): Promise<string> {
    const { ciProvider, pipeline } = this;
    const issues = `${ciProvider.is.project}/issues`;
    const answers = await this.#own(`${issues}?state=all&labels=${label}`);
    const mine = answers.find((answer) => this.#isOpen(answer)) ?? answers[0];
    if (!isFound || pipeline.has("drift.bundle"))
      return (await this.#close(issues, mine)) ? "Issue closed" : "No issue is open";
    const issue = { title: `Drift: ${pipeline.title}`, ...ciProvider.is.issue };
    return `Issue ${await this.#open(issues, mine, this.#body(pipeline.read("drift.md"), this.#seen()), issue)}`;
  }

  /** Does not change the branch if a user made its last commit. */
  async #pullRequest(): Promise<string> {
    const { ciProvider, pipeline } = this;
    const { branch } = pipeline;
    // A closed pull request stays closed, because its branch may now belong to another pull request.
    const mine = (await this.#own(`${ciProvider.is.pulls}?state=all&${ciProvider.is.from(branch)}`)).find((answer) =>
      this.#isOpen(answer),
    );
    if (!pipeline.has("drift.bundle")) {
      const wasOpen = await this.#close(ciProvider.is.pulls, mine);
      const tip = this.#tip();
      if (tip.commit !== undefined && !tip.isTheirs) this.#push(tip, "");
      return wasOpen ? "Pull request closed" : "No pull request is open";
    }
    const tip = this.#tip();
    if (!tip.isTheirs) {
      this.#git("fetch", "--quiet", pipeline.file("drift.bundle"), branch);
      this.#push(tip, "FETCH_HEAD");
    }
    const body = this.#body(pipeline.read("drift.md"), `${tip.isTheirs ? `${theirCommits} ` : ""}${this.#seen()}`);
    const request = mine ? {} : { title: `Drift: ${pipeline.title}`, ...ciProvider.is.merge(branch) };
    return `Pull request ${await this.#open(ciProvider.is.pulls, mine, body, request)}`;
  }

  #tip(): { ref: string; commit?: string; isTheirs: boolean } {
    const ref = `refs/heads/${this.pipeline.branch}`;
    const [commit] = this.#git("ls-remote", this.ciProvider.is.remote, ref).split("\t");
    if (!commit) return { ref, isTheirs: false };
    this.#git("fetch", "--quiet", this.ciProvider.is.remote, ref);
    return { ref, commit, isTheirs: this.#git("log", "-1", "--format=%ce", commit) !== committer };
  }

  /**
   * Moves the remote branch to the commit `source`, or deletes the branch if `source` is empty. Fails if the remote branch has new commits.
   */
  #push({ ref, commit = "" }: { ref: string; commit?: string }, source: string): void {
    this.#git("push", "--quiet", `--force-with-lease=${ref}:${commit}`, this.ciProvider.is.remote, `${source}:${ref}`);
  }

  /** Runs git with the token in its environment, because other users can see process arguments. */
  #git(...args: string[]): string {
    const env = {
      GIT_CONFIG_COUNT: "2",
      GIT_CONFIG_KEY_0: "http.extraHeader",
      GIT_CONFIG_VALUE_0: `authorization: basic ${Buffer.from(this.ciProvider.is.login).toString("base64")}`,
      GIT_CONFIG_KEY_1: "http.followRedirects",
      GIT_CONFIG_VALUE_1: "false",
      GIT_TERMINAL_PROMPT: "0",
    };
    try {
      return this.pipeline.git(args, false, { env });
    } catch (error) {
      // The exit code of git does not distinguish network failures from other failures, so every failure counts as temporary.
      throw new TemporaryFailure((error as Error).message);
    }
  }

  /** Updates the issue or pull request `mine`, or creates an issue or pull request if `mine` is undefined. */
  async #open(listPath: string, mine: JsonObject | undefined, body: string, fields: JsonObject): Promise<string> {
    const { is } = this.ciProvider;
    if (!mine) {
      await this.ciProvider.request("POST", listPath, { ...fields, [is.text]: body });
      return "opened";
    }
    const isOpen = this.#isOpen(mine);
    await this.ciProvider.request(is.edit, `${listPath}/${String(mine[is.id])}`, {
      [is.text]: body,
      ...(isOpen ? {} : is.state(true)),
    });
    return isOpen ? "updated" : "reopened";
  }

  async #close(listPath: string, mine: JsonObject | undefined): Promise<boolean> {
    if (!mine || !this.#isOpen(mine)) return false;
    const { is } = this.ciProvider;
    const last = String(mine[is.text]).slice(this.#marker.length).trim();
    const body = this.#body(`**Resolved.** There is no drift. ${this.#seen()}\n\n---\n\nThe last report:\n\n${last}`);
    await this.ciProvider.request(is.edit, `${listPath}/${String(mine[is.id])}`, { [is.text]: body, ...is.state(false) });
    return true;
  }

  #isOpen(item: JsonObject): boolean {
    return item["state"] === this.ciProvider.is.open;
  }

  /**
   * Returns comments, issues and pull requests that contain the report's marker and that the token's user wrote. The method also compares
   * the author, because other users can copy the marker.
   */
  async #own(path: string): Promise<JsonObject[]> {
    const marked = (await this.ciProvider.list(path)).filter(
      (item) => (textOf(item["body"]) ?? textOf(item["description"]))?.startsWith(this.#marker) && !item["pull_request"],
    );
    if (marked.length === 0) return [];
    const me = withoutSuffix(await this.ciProvider.is.me(this.ciProvider));
    if (me === "")
      throw new UsageError("The CI provider did not return the token's user, so existing reports cannot be found", "work");
    return marked.filter((item) => withoutSuffix(this.ciProvider.is.author(item)) === me);
  }

  #seen(): string {
    return `Seen ${now()} by [this job](${this.ciProvider.is.job}).`;
  }

  #body(markdown: string, foot = ""): string {
    const available = maxBody - this.#marker.length - foot.length;
    const text = markdown.trim();
    if (text.length <= available) return `${this.#marker}\n${text}\n\n${foot}`.trimEnd();
    const beginning = text.slice(0, available - 100);
    const lines = beginning.slice(0, beginning.lastIndexOf("\n") + 1) || beginning;
    return `${this.#marker}\n${lines}\n\n(The rest is too long to show: see the log of the job.)\n\n${foot}`.trimEnd();
  }
}

function withoutSuffix(login: unknown): string {
  return (textOf(login) ?? "").replace(/\[bot\]$/, "");
}

function now(): string {
  return `${new Date().toISOString().slice(0, 16).replace("T", " ")} UTC`;
}
