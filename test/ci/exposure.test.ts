/** What each step of the pipelines has in its environment, and each process that a step starts: who sees which secret and token. */
import { Forge, token } from "./support/forge";
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

/** As git sends the token. */
const logins = ["x-access-token", "oauth2"].map((user) => Buffer.from(`${user}:${token}`).toString("base64"));

/** Names of what an environment holds of the token of the forge (also as git sends it) and of the secrets. */
function sensitive(env: Record<string, string | undefined>): string[] {
  const { probePassword: _inConfiguration, ...own } = secrets;
  const values = [token, ...logins, ...Object.values(own)];
  return Object.entries(env)
    .filter(([, value]) => values.some((one) => value?.includes(one)))
    .map(([name]) => name)
    .toSorted();
}

const service = ["ENDPOINT_MONITORING_TOKEN", "PULUMI_CONFIG_PASSPHRASE"];
/** What the processes may see, by what they run. */
const allowed: Record<string, string[]> = {
  npm: [],
  check: service,
  validate: service,
  review: service,
  rehearse: service,
  apply: service,
  verify: service,
  drift: service,
  // Of a job that reports, with the token for this one call.
  git: ["GIT_CONFIG_VALUE_0"],
};

/** What the processes have seen, by what they run. */
function seenBy(calls: readonly Call[]): Record<string, string[]> {
  const nameOf = ({ args: [first = ""] }: Call): string => first.split("/").at(-1) ?? "";
  const all = Map.groupBy(calls, nameOf);
  return Object.fromEntries([...all].map(([name, some]) => [name, [...new Set(some.flatMap(({ env }) => sensitive(env)))]]));
}

describe("the environment of each step", () => {
  each("at GitHub", async (github, answer) => {
    const { repository } = github;
    answer(answers);
    github.allowPullRequests();
    await github.pull();
    await github.merge();
    await github.again({ "override-reason": "now" });
    await github.night();
    await github.night({ vars: { ...repository.vars, ENDPOINT_MONITORING_DRIFT: "pull-request" } });

    expect(seenBy(repository.environments())).toEqual(allowed);
    // The shells of the steps themselves: those of what runs the program never see the token, the others no secret, and npm neither.
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

  describe("at GitLab", () => {
    let repository: StubbedRepository;
    let forge: Forge;
    beforeEach(async () => {
      [repository, forge] = await Promise.all([StubbedRepository.start(), Forge.start("gitlab")]);
      repository.host(forge);
      repository.answers = answers;
    });
    afterEach(() => Promise.all([repository.end(), forge.close()]));

    const all = async (scopes?: Record<string, string>): Promise<void> => {
      const merge = { ...push, CI_COMMIT_BRANCH: "main" };
      for (const given of [mergeRequest, merge, { ...schedule, ENDPOINT_MONITORING_DRIFT: "pull-request" }, schedule]) {
        await runPipeline(repository, forge, given, undefined, scopes);
        if (given === mergeRequest) forge.keep(repository.folder);
      }
    };

    it("with variables that all jobs get, each process sees its own alone", async () => {
      await all();
      expect(seenBy(repository.environments())).toEqual(allowed);
    }, 120_000);

    it("with variables of environments, the shells see no more", async () => {
      await all({
        ENDPOINT_MONITORING_TOKEN: "endpoint-monitoring*",
        PULUMI_CONFIG_PASSPHRASE: "endpoint-monitoring*",
        GITLAB_TOKEN: "endpoint-monitoring-forge",
      });
      expect(seenBy(repository.environments())).toEqual(allowed);
    }, 120_000);
  });
});
