/** Checks which secrets and tokens each pipeline step and each of its processes can see. */
import { CiProvider, token } from "./support/ci-provider";
import { each } from "./support/github";
import { mergeRequest, push, runPipeline, schedule } from "./support/pipeline";
import { secrets } from "./support/repository";
import { type Call, StubbedRepository } from "./support/stubbed";

const report = { report: "1 created\n" };
const answers = {
  review: { ...report, approval: "what the pull request would do" },
  rehearse: report,
  drift: { code: 2, ...report, accepted: "one" },
};

/** The token in the form that git sends. */
const logins = ["x-access-token", "oauth2"].map((user) => Buffer.from(`${user}:${token}`).toString("base64"));

/** Names of the secrets in an environment, and of the CI provider's token (also in git's form). */
function sensitive(env: Record<string, string | undefined>): string[] {
  const { probePassword: _inConfiguration, ...own } = secrets;
  const values = [token, ...logins, ...Object.values(own)];
  return Object.entries(env)
    .filter(([, value]) => values.some((secret) => value?.includes(secret)))
    .map(([name]) => name)
    .toSorted();
}

const service = ["ENDPOINT_MONITORING_TOKEN", "PULUMI_CONFIG_PASSPHRASE"];
/** The secrets that processes may see, by command. */
const allowed: Record<string, string[]> = {
  npm: [],
  check: service,
  validate: service,
  review: service,
  rehearse: service,
  apply: service,
  verify: service,
  drift: service,
  // A job that reports uses the token for this call only.
  git: ["GIT_CONFIG_VALUE_0"],
};

/** The secrets that processes saw, by command. */
function seenBy(calls: readonly Call[]): Record<string, string[]> {
  const nameOf = ({ args: [first = ""] }: Call): string => first.split("/").at(-1) ?? "";
  const all = Map.groupBy(calls, nameOf);
  return Object.fromEntries([...all].map(([name, steps]) => [name, [...new Set(steps.flatMap(({ env }) => sensitive(env)))]]));
}

describe("environment variables of pipeline steps", () => {
  each("GitHub shows each process only its secrets", async (github, answer) => {
    const { repository } = github;
    answer(answers);
    github.allowPullRequests();
    await github.pull();
    await github.merge();
    await github.again({ "override-reason": "now" });
    await github.night();
    await github.night({ vars: { ...repository.vars, ENDPOINT_MONITORING_DRIFT: "pull-request" } });

    expect(seenBy(repository.environments())).toEqual(allowed);
    // The shells of the steps. A shell that runs the program never has the token, the others have no secret, and npm has neither.
    const shells = github.steps.map(({ job, script, env: { TASK = "", ...env } }) => {
      const ran = script.includes("npm ci") ? "install" : script.includes("ci approval") ? "approval" : TASK;
      return [`${job}: ${ran}`, sensitive(env)] as const;
    });
    const [none, ours, theirs] = [[], ["SECRETS"], ["GITHUB_TOKEN"]];
    expect(Object.fromEntries(shells)).toEqual({
      "review: install": none,
      "review: review": ours,
      "comment: install": none,
      "comment: comment": theirs,
      "up: install": none,
      "up: approval": theirs,
      "up: up": ours,
      "drift: install": none,
      "drift: drift": ours,
      "report: install": none,
      "report: report": theirs,
    });
  });

  describe("secrets in GitLab", () => {
    let repository: StubbedRepository;
    let ciProvider: CiProvider;
    beforeEach(async () => {
      [repository, ciProvider] = await Promise.all([StubbedRepository.start(), CiProvider.start("gitlab")]);
      repository.host(ciProvider);
      repository.answers = answers;
    });
    afterEach(() => Promise.all([repository.end(), ciProvider.close()]));

    const all = async (scopes?: Record<string, string>): Promise<void> => {
      const merge = { ...push, CI_COMMIT_BRANCH: "main" };
      for (const variables of [mergeRequest, merge, { ...schedule, ENDPOINT_MONITORING_DRIFT: "pull-request" }, schedule]) {
        await runPipeline(repository, ciProvider, variables, undefined, scopes);
        if (variables === mergeRequest) ciProvider.keep(repository.folder);
      }
    };

    it("each process of a GitLab job sees only its own variables", async () => {
      await all();
      expect(seenBy(repository.environments())).toEqual(allowed);
    });

    it("a GitLab environment gives the job's shell no additional variables", async () => {
      await all({
        ENDPOINT_MONITORING_TOKEN: "endpoint-monitoring*",
        PULUMI_CONFIG_PASSPHRASE: "endpoint-monitoring*",
        GITLAB_TOKEN: "endpoint-monitoring-publish",
      });
      expect(seenBy(repository.environments())).toEqual(allowed);
    });
  });
});
