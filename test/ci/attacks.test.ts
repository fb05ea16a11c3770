/** Simulates attacks and accidents in each CI provider's unchanged pipelines, with stubs of the commands. */
import { sha256 } from "../../cli/commands/ci/pipeline";
import { eachOf } from "./support/each-of";
import { CiProvider } from "./support/ci-provider";
import { Github, pullFrom } from "./support/github";
import { mergeRequest, push, runPipeline } from "./support/pipeline";
import { type Ended, secrets } from "./support/repository";
import { StubbedRepository } from "./support/stubbed";

/** A reviewed and approved change. */
interface Reviewed {
  /** The merge, or another start of an update. @returns the approval that the update received, or the reason why it has none */
  up(): Promise<string>;
  /** Stores a false approval where an update might search. */
  forge(text: string): Promise<void>;
  /** Runs the review again after its approval. */
  again(text: string): Promise<void>;
  /** Deletes the review's artifacts. */
  expire(): void;
}

interface Host {
  readonly repository: StubbedRepository;
  review(text: string): Promise<Reviewed>;
  /** Runs the pipelines of a fork's pull request. @returns the jobs that ran, and the result */
  fork(): Promise<string>;
  /** Runs the pipelines of a branch other than main, including those that a user can start. */
  elsewhere(): Promise<void>;
  end(): Promise<unknown>;
}

const approvalFile = "approval-quickstart@dev.json";
const refusals =
  /There is no approval in|a review that finished after the approval(?: has a different result)?|no merged pull [^.]* has expired/;
const none = "no update";
const answersOf = (approval: string) => ({ review: { report: "1 created\n", approval } });

/** The visible effects of an update. */
function applied(ended: Pick<Ended, "text"> | undefined): string {
  if (!ended) return none;
  const [, text] = /(?:^|> )approved: (.*)$/m.exec(ended.text) ?? [];
  const [why] = refusals.exec(ended.text) ?? [];
  return text ?? why ?? ended.text;
}

const at = (hour: number): string => new Date(Date.UTC(2026, 0, 1, hour)).toISOString();

class GithubHost implements Host {
  private constructor(private readonly github: Github<StubbedRepository>) {}

  static start = async (): Promise<Host> => new GithubHost(await Github.stubbed());

  get repository(): StubbedRepository {
    return this.github.repository;
  }

  async review(text: string): Promise<Reviewed> {
    const { github, repository } = this;
    await repository.change("README.md", text);
    const [sha, head] = [repository.head, sha256(text)];
    await github.approve(text, head);
    const { artifacts, merges } = github.ciProvider;
    const merged = merges.at(-1);
    if (merged) merged.approvals = [{ at: at(6) }];
    return {
      up: async () => {
        await repository.must("git", "checkout", "--quiet", sha);
        const { up } = await github.merge();
        return applied({ text: up?.log ?? "" });
      },
      forge: async (other) => {
        const run = { id: 1, event: "push", ref: "refs/heads/evil", sha: head, head, path: ".github/workflows/evil.yml" };
        const files = { [approvalFile]: Buffer.from(other).toString("base64") };
        artifacts.add(run, `endpoint-monitoring-approval-quickstart@dev-${sha256(other)}`, files);
      },
      again: async (other) => {
        await github.approve(other, head);
        for (const one of artifacts.all.slice(-1)) one.at = at(7);
      },
      expire: () => artifacts.all.forEach((one) => (one.expired = true)),
    };
  }

  async fork(): Promise<string> {
    const jobs = await this.github.run("review", "pull_request", pullFrom({ full_name: "mallory/name" }), {
      vars: {},
      secrets: {},
    });
    return jobs["review"]?.result ?? none;
  }

  async elsewhere(): Promise<void> {
    this.github.ref = "refs/heads/topic";
    await this.github.again({ "override-reason": "now" });
    await this.github.again({});
  }

  end = (): Promise<unknown> => this.github.end();
}

class GitlabHost implements Host {
  private constructor(
    readonly repository: StubbedRepository,
    private readonly ciProvider: CiProvider,
  ) {
    repository.host(ciProvider);
  }

  static start = async (): Promise<Host> =>
    new GitlabHost(...(await Promise.all([StubbedRepository.start(), CiProvider.start("gitlab")])));

  async review(text: string): Promise<Reviewed> {
    const { repository, ciProvider } = this;
    const [sha, head] = [sha256(`merge of ${text}`), sha256(text)];
    const review = async (approval: string, hour: number): Promise<void> => {
      repository.answers = answersOf(approval);
      await runPipeline(repository, ciProvider, mergeRequest);
      ciProvider.keep(repository.folder, head);
      ciProvider.merges.pop();
      for (const one of ciProvider.artifacts.all.slice(-1)) one.at = at(hour);
    };
    await review(text, 5);
    ciProvider.merges.push({ sha, head, isMerged: true, approvals: [{ at: at(6) }] });
    return {
      up: async () =>
        applied(await runPipeline(repository, ciProvider, { ...push, CI_COMMIT_BRANCH: "main", CI_COMMIT_SHA: sha })),
      forge: async (other) => {
        const files = { [approvalFile]: Buffer.from(other).toString("base64") };
        const id = ciProvider.artifacts.all.length + 1;
        ciProvider.artifacts.add({ id, event: "push", ref: "evil", sha: head, head }, "endpoint-monitoring:review", files);
      },
      again: (other) => review(other, 7),
      expire: () => ciProvider.artifacts.all.forEach((one) => (one.expired = true)),
    };
  }

  async fork(): Promise<string> {
    const ended = await runPipeline(this.repository, this.ciProvider, { ...mergeRequest, CI_PROJECT_ID: "8" }, {});
    return ended.code === 0 ? "success" : "failure";
  }

  async elsewhere(): Promise<void> {
    for (const given of [push, { CI_PIPELINE_SOURCE: "web" }, { CI_PIPELINE_SOURCE: "web", OVERRIDE_REASON: "now" }]) {
      await runPipeline(this.repository, this.ciProvider, { ...given, CI_COMMIT_BRANCH: "topic" });
    }
  }

  end = (): Promise<unknown> => Promise.all([this.repository.end(), this.ciProvider.close()]);
}

const rows: { name: string; start: () => Promise<Host> }[] = [
  { name: "GitHub", start: GithubHost.start },
  { name: "GitLab", start: GitlabHost.start },
];
const rerunRefusal = "a review that finished after the approval has a different result";
const tooLate = "no merged pull (merge) request with a reviewed approval contains the commit, or the approval has expired";

describe.each(rows)("pipelines of $name", ({ start }) => {
  const each = eachOf(start);

  each("a fork's pull request runs nothing", async (host) => {
    expect(await host.fork()).toBe("failure");
    const { repository } = host;
    expect([repository.calls(), repository.emulator.requests()]).toEqual([[], {}]);
    const seen = new Set(repository.environments().flatMap(({ env }) => Object.values(env)));
    expect(Object.values(secrets).filter((secret) => seen.has(secret))).toEqual([]);
  });

  each("a merge does not apply a forged artifact", async (host) => {
    const reviewed = await host.review("genuine");
    await reviewed.forge("forged");
    expect(await reviewed.up()).toBe("genuine");
  });

  each("a merge does not apply a different review that follows the approval", async (host) => {
    const reviewed = await host.review("what was read");
    await reviewed.again("something else");
    expect(await reviewed.up()).toBe(rerunRefusal);
  });

  each("a merge does not apply an expired approval", async (host) => {
    const reviewed = await host.review("what was read");
    reviewed.expire();
    host.repository.calls();
    expect(await reviewed.up()).toBe(tooLate);
    expect(host.repository.calls().filter((call) => call.startsWith("apply"))).toEqual([]);
  });

  each("a run on a branch other than main applies nothing", async (host) => {
    await host.elsewhere();
    expect(host.repository.calls().filter((call) => call.startsWith("apply"))).toEqual([]);
  });

  each("each of two consecutive merges applies its own review", async (host) => {
    const [first, second] = [await host.review("first"), await host.review("second")];
    expect([await first.up(), await second.up()]).toEqual(["first", "second"]);
  });
});
