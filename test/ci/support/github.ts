import { CiProvider, token } from "./ci-provider";
import { Repository, secrets } from "./repository";
import { type Answers, StubbedRepository } from "./stubbed";
import { type JobResult, runWorkflow, type StepEnvironment } from "./workflow";

/** A GitHub repository's settings. */
export interface Settings {
  vars: Record<string, string>;
  secrets: Record<string, string>;
}

/** The event of a pull request from a repository. An undefined repository was deleted. */
export function pullFrom(repo: { full_name: string } | null, sha = "abcdef0123456789"): object {
  return { pull_request: { number: 12, head: { sha, repo } } };
}

/** A GitHub repository, and the runner of its workflows. */
export class Github<R extends Repository = Repository> {
  /** Output of all jobs. */
  printed = "";
  /** Every step with a script, and its environment. */
  readonly steps: StepEnvironment[] = [];
  /** Branch that is checked out. */
  ref = "refs/heads/main";
  #runs = 0;

  private constructor(
    readonly repository: R,
    readonly ciProvider: CiProvider,
  ) {}

  static async start(): Promise<Github> {
    return Github.#of(await Repository.start());
  }

  static async #of<R extends Repository>(repository: R): Promise<Github<R>> {
    const ciProvider = await CiProvider.start("github");
    repository.host(ciProvider);
    return new Github(repository, ciProvider);
  }

  /** A repository with stubs of the command, the engine and npm. */
  static async stubbed(answers: Answers = {}): Promise<Github<StubbedRepository>> {
    const repository = await StubbedRepository.start();
    repository.answers = answers;
    return Github.#of(repository);
  }

  get settings(): Settings {
    return { vars: this.repository.vars, secrets: this.repository.secrets };
  }

  async run(file: string, eventName: string, event: object, settings = this.settings): Promise<Record<string, JobResult>> {
    const { pull_request: pull } = event as { pull_request?: { head: { sha: string } } };
    const sha = this.repository.head;
    this.#runs += 1;
    const jobs = await runWorkflow(`endpoint-monitoring-${file}.yml`, {
      repository: this.repository.folder,
      eventName,
      event,
      ...settings,
      token,
      env: { ...this.repository.machine, ...this.ciProvider.env("") },
      onPermissions: (permissions) => (this.ciProvider.permissions = permissions),
      artifacts: this.ciProvider.artifacts,
      run: { id: 4710 + this.#runs, event: eventName, ref: this.ref, sha, head: pull?.head.sha ?? sha },
      onStep: (step) => this.steps.push(step),
    });
    for (const { log, summary } of Object.values(jobs)) this.printed += log + summary;
    return jobs;
  }

  /** A pull request, or a push to it. */
  async pull(sha = "abcdef0123456789", settings: Partial<Settings> = {}): Promise<Record<string, JobResult>> {
    // A pull request checks out the result of its merge.
    const merge = this.ciProvider.merges.find((candidate) => candidate.sha === this.repository.head);
    if (merge) merge.head = sha;
    else this.ciProvider.merges.push({ sha: this.repository.head, head: sha, isMerged: true });
    return this.run("review", "pull_request", pullFrom({ full_name: "owner/name" }, sha), { ...this.settings, ...settings });
  }

  /** A pull request with a review that approves the checked-out commit. */
  async approve(this: Github<StubbedRepository>, approval = "what the pull request would do", head?: string): Promise<void> {
    this.repository.answers = { review: { report: "1 created\n", approval } };
    const { review } = await this.pull(head);
    if (review?.result !== "success") throw new Error(review?.log);
  }

  async merge(settings: Partial<Settings> = {}): Promise<Record<string, JobResult>> {
    return this.run("up", "push", { ref: "refs/heads/main" }, { ...this.settings, ...settings });
  }

  /** Starts a workflow manually. */
  async again(inputs: Record<string, string>): Promise<Record<string, JobResult>> {
    return this.run("up", "workflow_dispatch", { inputs });
  }

  /** Gives the drift report the permissions for pull requests, as the comment above them describes. */
  allowPullRequests(): void {
    const file = ".github/workflows/endpoint-monitoring-drift.yml";
    const [, wanted = ""] = /drift as a pull request: (.*)/.exec(this.repository.read(file)) ?? [];
    this.repository.edit(file, "{ contents: read, issues: write }", wanted);
  }

  async night(settings: Partial<Settings> = {}): Promise<Record<string, JobResult>> {
    return this.run("drift", "schedule", {}, { ...this.settings, ...settings });
  }

  /** Secrets in logs or in comments. */
  get leaked(): string[] {
    const { comments, issues, pulls } = this.ciProvider;
    const seen = [this.printed, ...[...comments, ...issues, ...pulls].map(({ body }) => body)].join("\n");
    return [...Object.values(secrets), token].filter((secret) => seen.includes(secret));
  }

  async end(): Promise<void> {
    await Promise.all([this.repository.end(), this.ciProvider.close()]);
  }
}

/** A test with its own repository. Tests run in parallel, because some wait before they retry. */
export function each(
  name: string,
  work: (github: Github<StubbedRepository>, answers: (prepare: Answers) => void) => Promise<void>,
): void {
  it.concurrent(name, async () => {
    const github = await Github.stubbed();
    try {
      await work(github, (prepared) => (github.repository.answers = prepared));
      expect(github.leaked).toEqual([]);
    } finally {
      await github.end();
    }
  });
}
