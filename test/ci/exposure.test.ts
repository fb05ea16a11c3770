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

/** Names of what an environment holds of the token of the forge (also as git sends it) and of the secrets. */
function sensitive(env: Record<string, string | undefined>): string[] {
  const { probePassword: _inConfiguration, ...own } = secrets;
  const values = [token, ...Object.values(own)];
  return Object.entries(env)
    .filter(([, value]) => values.some((one) => value?.includes(one)))
    .map(([name]) => name)
    .toSorted();
}

const service = ["ENDPOINT_MONITORING_TOKEN", "PULUMI_CONFIG_PASSPHRASE"];
/** What the processes may see, by what they run. */
const allowed = (forgeToken: string): Record<string, string[]> => ({
  npm: [],
  check: service,
  validate: service,
  review: service,
  rehearse: service,
  apply: service,
  verify: service,
  drift: service,
  "forge.mjs": [forgeToken],
});

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
    await github.pull();
    await github.merge();
    await github.again();
    await github.again("now");
    await github.night();
    await github.night({ vars: { ...repository.vars, ENDPOINT_MONITORING_DRIFT: "pull-request" } });

    expect(seenBy(repository.environments())).toEqual(allowed("GITHUB_TOKEN"));
    // The shells of the steps themselves, by job and mode: those of what runs the program never see the token, and the others no secret.
    const shells = github.steps.map(({ job, env: { MODE = "", ...env } }) => [`${job}: ${MODE}`, sensitive(env)] as const);
    const seen = Object.fromEntries(shells.filter(([name]) => !name.endsWith(": ")));
    const [none, ours, github_] = [[], service, ["GITHUB_TOKEN"]];
    expect(seen).toEqual({
      "review: install": none,
      "review: review": ours,
      "rehearsal: install": none,
      "rehearsal: rehearse": ours,
      "comment: comment": github_,
      "approval: approval": github_,
      "up: install": none,
      "up: up": ours,
      "drift: install": none,
      "drift: drift": ours,
      "issue: issue": github_,
      "pull-request: pull-request": github_,
    });
    // What gets ready for a mode, such as the names of artifacts, never needs the token.
    for (const [name, found] of shells.filter(([one]) => one.endsWith(": ")))
      expect([name, found]).not.toContain("GITHUB_TOKEN");
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
      for (const given of [mergeRequest, merge, { ...schedule, DRIFT: "pull-request" }, schedule]) {
        await runPipeline(repository, forge, given, undefined, scopes);
        if (given === mergeRequest) forge.keep(repository.folder);
      }
    };

    it("with variables that all jobs get, each process sees its own alone", async () => {
      await all();
      expect(seenBy(repository.environments())).toEqual(allowed("GITLAB_TOKEN"));
    }, 120_000);

    it("with variables of environments, the shells see no more", async () => {
      await all({
        ENDPOINT_MONITORING_TOKEN: "endpoint-monitoring*",
        PULUMI_CONFIG_PASSPHRASE: "endpoint-monitoring*",
        GITLAB_TOKEN: "endpoint-monitoring-forge",
      });
      expect(seenBy(repository.environments())).toEqual(allowed("GITLAB_TOKEN"));
    }, 120_000);
  });
});
