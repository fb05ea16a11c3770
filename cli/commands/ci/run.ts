import { readFileSync } from "node:fs";
import { type ExitCode, type Invocation } from "../../command";
import { type CiTask, publishTasks } from "./options";
import { committer, digestIn, Pipeline, sha256 } from "./pipeline";
import { parseJson } from "../../../common/files";
import { objectOf } from "../../../provider/values";
import { ioWith, type TextStream } from "../../../engine/io";
import { shellWord } from "../../../common/text";
import { UsageError } from "../../../common/errors";

/** Runs the commands of a task in this process. */
export async function run(_values: object, invocation: Invocation): Promise<ExitCode> {
  const { out, io } = invocation;
  // The cast is safe, because the parser accepts only task names.
  const task = invocation.word as CiTask;
  const pipeline = new Pipeline(io);
  // Each command that a task runs reports its own progress.
  out.endProgress();
  if ((publishTasks as readonly string[]).includes(task)) {
    const { runPublishTask } = require("./publish") as typeof import("./publish");
    out.result({}, await runPublishTask(task as (typeof publishTasks)[number], pipeline));
    return 0;
  }
  const job = new Job(pipeline, invocation);
  try {
    return await job[task as "review" | "up" | "drift"]();
  } finally {
    const digest = task === "review" && pipeline.has("approval.json") ? sha256(readFileSync(pipeline.approval)) : undefined;
    pipeline.output("artifact", digest ? `${pipeline.approvalName}${digest}` : `endpoint-monitoring-${task}-${pipeline.slug}`);
  }
}

class Job {
  constructor(
    private readonly pipeline: Pipeline,
    private readonly invocation: Invocation,
  ) {}

  /** Runs the task `review`. If the service cannot be read, the job fails and writes no approval. */
  async review(): Promise<ExitCode> {
    const { pipeline } = this;
    pipeline.discard("review.md", "rehearse.md", "approval.json");
    const code = (await this.#hasMistakes()) ? 1 : await this.#reviewed();
    // Without a new report, readers could mistake an older review for the review of this commit.
    if (!pipeline.has("review.md"))
      pipeline.write("review.md", "**The review failed.** The log of the job shows the reason.\n");
    pipeline.summarize("review.md");
    if (code !== 0 && code !== 2) pipeline.discard("approval.json");
    // A rehearsal sends requests to the service, so it runs only after the review has checked the host.
    if (code !== 0 || pipeline.setting("REHEARSE") === "false") return code;
    const rehearsed = await this.#report("rehearse", ["rehearse"]);
    if (!pipeline.has("rehearse.md"))
      pipeline.write("rehearse.md", "**The rehearsal failed.** The log of the job shows the reason.\n");
    pipeline.summarize("rehearse.md");
    return rehearsed;
  }

  async #reviewed(): Promise<ExitCode> {
    const { pipeline } = this;
    const base = this.#target();
    // A rename without an alias is usually a mistake, because the test loses its result history.
    const failOn = pipeline.setting("FAIL_ON") || "renamed";
    const code = await this.#report("review", [
      "review",
      ...(base ? ["--base", base] : []),
      "--fail-on",
      failOn,
      ...this.invocation.rest,
      "--approval",
      pipeline.approval,
      ...this.#machineReports("review"),
    ]);
    // The command `check` sends the token, so it must not run after a finding about a new host.
    if (code === 2 || (await this.#run(["check"])) === 0) return code;
    return 1;
  }

  /** Reports all mistakes in the program, because a preview would stop at the first mistake. */
  async #hasMistakes(): Promise<boolean> {
    const printed = new Printed(this.invocation.io.stdout);
    if ((await this.#run(["validate"], printed)) !== 2) return false;
    // Four leading spaces make Markdown show the lines unchanged.
    const mistakes = printed.text.trimEnd().replace(/^/gm, "    ");
    this.pipeline.write("review.md", `**The program has mistakes**, so it was not previewed.\n\n${mistakes}\n`);
    return true;
  }

  /**
   * Returns a commit of the target branch. GitHub checks out a merge commit, and the first parent of this commit is on the target branch.
   */
  #target(): string | undefined {
    const { env } = this.pipeline;
    return env["GITHUB_EVENT_NAME"] === "pull_request" ? "HEAD^1" : env["CI_MERGE_REQUEST_DIFF_BASE_SHA"];
  }

  async up(): Promise<ExitCode> {
    const {
      pipeline,
      invocation: { out },
    } = this;
    const { env, approval } = pipeline;
    pipeline.discard("up.md", "verify.md");
    const reason = env["OVERRIDE_REASON"];
    const who = env["GITHUB_ACTOR"] ?? env["GITLAB_USER_LOGIN"] ?? env["USER"];
    if (reason) {
      const text = `**Override:** ${who} applies the change without an approval. Reason: ${reason}`;
      out.result({}, text);
      pipeline.write("up.md", `${text}\n\n`);
      pipeline.summarize("up.md");
    } else if (!pipeline.has("approval.json")) {
      throw new UsageError(
        `${approval} is missing. First run \`endpoint-monitoring ci approval\`, which downloads the approval`,
        "work",
      );
    }
    if ((await this.#run(["check"])) !== 0) return 1;
    // A job with an override does not have an approved review, so the log shows a new review.
    if (reason) {
      const code = await this.#report("up", ["review", "--approval", approval]);
      pipeline.summarize("up.md");
      if (code !== 0) return code;
    }
    const named = env["APPROVED"];
    const tolerance = pipeline.setting("REACH_TOLERANCE");
    const code = await this.#report("up", [
      "apply",
      "--approved",
      approval,
      // The value of the variable APPROVED ends with the digest of the approval.
      ...(reason ? ["--override", `${who}: ${reason}`] : named ? ["--approved", `sha256:${digestIn(named)}`] : []),
      ...(tolerance ? ["--reach-tolerance", tolerance] : []),
    ]);
    pipeline.summarize("up.md");
    if (code === 2) {
      out.note(
        'The change differs from the approval. Review the current change again, as described under "Review again" in examples/ci/README.md.',
      );
    }
    if (code !== 0 || pipeline.setting("VERIFY") === "false") return code;
    const verified = await this.#report("verify", [
      "verify",
      "--require-tests",
      ...this.invocation.rest,
      ...this.#machineReports("verify"),
    ]);
    pipeline.summarize("verify.md");
    return verified;
  }

  async drift(): Promise<ExitCode> {
    const {
      pipeline,
      invocation: { out },
    } = this;
    pipeline.discard("drift.md", "drift.found", "drift.bundle");
    const line = [
      "drift",
      ...(pipeline.stack ? [] : ["--all-stacks"]),
      ...this.invocation.rest,
      ...this.#machineReports("drift"),
    ];
    let code: ExitCode;
    if (pipeline.setting("DRIFT") === "pull-request") {
      const printed = new Printed();
      code = await this.#report("drift", [...line, "--accept", "--keep-state", "--json"], printed);
      out.result({}, pipeline.read("drift.md") || printed.text);
      this.#propose(acceptedFiles(printed.text));
    } else {
      code = await this.#report("drift", line);
    }
    pipeline.summarize("drift.md");
    if (code === 0 || code === 2) pipeline.write("drift.found", String(code === 2));
    if (code !== 2 || !pipeline.isGithub) return code;
    this.invocation.io.stdout.write("::warning::There is drift: see the issue or the pull request.\n");
    return 0;
  }

  /**
   * Commits the files with accepted drift to a branch in a Git bundle. The files in the checkout do not change. The commit has the
   * timestamp of its parent, so that equal drift leads to an equal commit.
   */
  #propose(files: readonly string[]): void {
    if (files.length === 0) return;
    const { pipeline } = this;
    const input = files.join("\n");
    const index = { GIT_INDEX_FILE: pipeline.file("drift.index") };
    const paths = "--pathspec-from-file=-";
    pipeline.git(["read-tree", "HEAD"], false, { env: index });
    pipeline.git(["add", paths], false, { env: index, input });
    const tree = pipeline.git(["write-tree"], false, { env: index });
    pipeline.git(["checkout", "--quiet", "HEAD", paths], false, { input });
    const when = pipeline.git(["log", "-1", "--format=%cI"]);
    const env = Object.fromEntries(
      ["AUTHOR", "COMMITTER"].flatMap((role) => [
        [`GIT_${role}_NAME`, "endpoint-monitoring"],
        [`GIT_${role}_EMAIL`, committer],
        [`GIT_${role}_DATE`, when],
      ]),
    );
    const message = ["-m", `Accept drift: ${pipeline.title}`, "-m", "The program declares the values in the service."];
    const commit = pipeline.git(["commit-tree", tree, "-p", "HEAD", ...message], false, { env });
    pipeline.git(["update-ref", `refs/heads/${pipeline.branch}`, commit]);
    pipeline.git(["bundle", "create", "--quiet", pipeline.file("drift.bundle"), `HEAD..${pipeline.branch}`]);
  }

  #report(name: string, line: readonly string[], stdout?: TextStream): Promise<ExitCode> {
    return this.#run([...line, "--markdown", this.pipeline.file(`${name}.md`)], stdout);
  }

  #machineReports(name: string): string[] {
    return [`--sarif=${this.pipeline.file(`${name}.sarif`)}`, `--junit=${this.pipeline.file(`${name}.xml`)}`];
  }

  #run(line: readonly string[], stdout = this.invocation.io.stdout): Promise<ExitCode> {
    const whole = [...line, ...(this.pipeline.stack ? ["--stack", this.pipeline.stack] : [])];
    this.invocation.out.note(`$ endpoint-monitoring ${whole.map(shellWord).join(" ")}`);
    const io = ioWith(this.invocation.io, { stdout, env: this.pipeline.programEnv });
    return this.invocation.invoke(whole, io);
  }
}

function acceptedFiles(text: string): string[] {
  const accepted = objectOf(objectOf(objectOf(parseJson(text))["data"])["accepted"]);
  // The `drift` command writes this JSON, so `files` has the expected type.
  return (accepted["files"] ?? []) as string[];
}

/** Collects the output of a command, and optionally passes the output to another stream. */
class Printed implements TextStream {
  text = "";

  constructor(private readonly shown?: TextStream) {}

  write(text: string): void {
    this.text += text;
    this.shown?.write(text);
  }
}
