/** Runs GitLab's pipeline after each result of the command. The command, the engine and npm are stubs. */
import { CiProvider } from "./support/ci-provider";
import { jobsOf, mergeRequest, push, runPipeline, schedule, web } from "./support/pipeline";
import type { Ended } from "./support/repository";
import { StubbedRepository } from "./support/stubbed";

describe("GitLab pipeline steps", () => {
  let repository: StubbedRepository;
  let ciProvider: CiProvider;

  beforeEach(async () => {
    [repository, ciProvider] = await Promise.all([StubbedRepository.start(), CiProvider.start("gitlab")]);
    repository.host(ciProvider);
  });
  afterEach(() => Promise.all([repository.end(), ciProvider.close()]));

  const run = (variables: Record<string, string>, settings?: Record<string, string>, manual?: string[]): Promise<Ended> =>
    runPipeline(repository, ciProvider, variables, settings, undefined, manual);
  const merge = { ...push, CI_COMMIT_BRANCH: "main" };
  const install = "npm ci --ignore-scripts";
  const check = "check --stack dev";
  const apply = "apply --approved FILE --markdown FILE --stack dev";
  const review = "review --fail-on renamed --approval FILE --sarif=FILE --junit=FILE --markdown FILE --stack dev";

  it("the pipeline runs no job on branches other than the default branch", async () => {
    expect(jobsOf(await run({ ...push, CI_COMMIT_BRANCH: "topic" }))).toEqual([]);
    expect(repository.calls()).toEqual([]);
  });

  it("a merge always applies the approved change, but runs `verify` only if ENDPOINT_MONITORING_VERIFY is true", async () => {
    repository.answers = {
      review: { report: "1 created\n", approval: "what it would do" },
      rehearse: { report: "Rehearsed\n" },
    };
    const reviewed = await run(mergeRequest);
    const jobs = ["comment", "review"].map((name) => `endpoint-monitoring:${name}`);
    expect([jobsOf(reviewed).toSorted(), reviewed.code]).toEqual([jobs, 0]);
    expect(ciProvider.comments[0]?.body).toMatch(/\n1 created\n\nRehearsed\n\nCommit abcdef0/);
    // A merge request that is not merged, and a fork's pipeline.
    ciProvider.keep(repository.folder, "0badcafe");
    Object.assign(ciProvider.merges[0] ?? {}, { isMerged: false });
    const none = await run(merge);
    expect([jobsOf(none), none.code]).toEqual([["endpoint-monitoring:approval"], 1]);
    expect(none.text).toMatch(
      /endpoint-monitoring ci: There is no approval for commit abcdef0: .* under "Review again" in examples\/ci\/README\.md/,
    );
    Object.assign(ciProvider.merges[0] ?? {}, { isMerged: true });
    Object.assign(ciProvider.artifacts.all[0]?.run ?? {}, { isFork: true });
    expect((await run(merge)).code).toBe(1);

    Object.assign(ciProvider.artifacts.all[0]?.run ?? {}, { isFork: false });
    for (const verify of ["false", "true"]) {
      repository.calls();
      const { code, text } = await run({ ...merge, ENDPOINT_MONITORING_VERIFY: verify });
      expect([code, repository.calls()]).toEqual([
        0,
        [
          install,
          install,
          check,
          apply,
          ...(verify === "true" ? ["verify --require-tests --sarif=FILE --junit=FILE --markdown FILE --stack dev"] : []),
        ],
      ]);
      expect(text).toContain("approved: what it would do");
    }

    repository.answers = { apply: { code: 2, report: "Not what was approved\n" } };
    const refused = await run({ ...merge, ENDPOINT_MONITORING_REACH_TOLERANCE: "5" });
    expect([refused.code, refused.text]).toEqual([
      1,
      expect.stringMatching(/The change differs from the approval\. Review.*FAIL 2/s),
    ]);
    expect(repository.calls().at(-1)).toBe("apply --approved FILE --reach-tolerance 5 --markdown FILE --stack dev");
  });

  it("the second job of a manual pipeline applies the change that the first job reviewed", async () => {
    repository.answers = { review: { code: 2, report: "1 deleted\n", approval: "what it would do now" } };
    const looked = await run(web);
    expect([jobsOf(looked), repository.calls()]).toEqual([
      ["endpoint-monitoring:review-again"],
      [install, "validate --stack dev", review],
    ]);
    const applied = await run(web, undefined, ["endpoint-monitoring:up-again"]);
    expect(jobsOf(applied)).toEqual(["endpoint-monitoring:review-again", "endpoint-monitoring:up-again"]);
    expect(applied.text).toContain("approved: what it would do now");

    repository.answers = { review: { report: "1 deleted\n", approval: "now" } };
    repository.calls();
    const overridden = await run({
      ...web,
      OVERRIDE_REASON: "the office is on fire",
      GITLAB_USER_LOGIN: "ada",
      ENDPOINT_MONITORING_VERIFY: "false",
    });
    expect([jobsOf(overridden), overridden.code]).toEqual([["endpoint-monitoring:up"], 0]);
    expect(overridden.text).toContain(
      "**Override:** ada applies the change without an approval. Reason: the office is on fire",
    );
    const overriding = "apply --approved FILE --override ada: the office is on fire --markdown FILE --stack dev";
    expect(repository.calls()).toEqual([install, check, "review --approval FILE --markdown FILE --stack dev", overriding]);
    const topic = { ...web, CI_COMMIT_BRANCH: "topic" };
    for (const variables of [topic, { ...topic, OVERRIDE_REASON: "now" }]) expect(jobsOf(await run(variables))).toEqual([]);
  });

  it("nightly pipelines open, update and close one merge request", async () => {
    const night = () => run({ ...schedule, ENDPOINT_MONITORING_DRIFT: "pull-request" });
    const branch = "endpoint-monitoring/drift-quickstart@dev";
    repository.answers = { drift: { code: 2, report: "# Drift: 1 changed\n", accepted: "one" } };
    const first = await night();
    expect(jobsOf(first)).toEqual(["endpoint-monitoring:drift", "endpoint-monitoring:report"]);
    expect(first.text).toMatch(/No issue is open\. Pull request opened/);
    expect(ciProvider.pulls).toMatchObject([{ title: "Drift: quickstart dev", branch, base: "main", open: true }]);
    expect(ciProvider.git?.git("show", `${branch}:accepted.ts`)).toBe("one");

    repository.answers = { drift: { code: 2, report: "# Drift: 2 changed\n", accepted: "one and two" } };
    expect((await night()).text).toContain("Pull request updated");
    expect(ciProvider.git?.git("show", `${branch}:accepted.ts`)).toBe("one and two");

    const theirs = await repository.pushed(ciProvider, branch, "index.ts", "// By hand");
    expect((await night()).text).toContain("Pull request updated");
    repository.answers = { drift: { report: "# No drift\n" } };
    expect((await night()).text).toContain("Pull request closed");
    expect([ciProvider.pulls[0]?.open, ciProvider.git?.head(branch)]).toEqual([false, theirs]);
  });

  it("the pipeline of a fork runs only one job, which fails with instructions", async () => {
    const ended = await run({ ...mergeRequest, CI_PROJECT_ID: "8" }, {});
    expect([jobsOf(ended), ended.code]).toEqual([["endpoint-monitoring:fork"], 1]);
    expect(ended.text).toContain("This comes from a fork, whose pipelines get no secrets.");
    expect([ciProvider.requests, repository.emulator.requests(), repository.calls()]).toEqual([[], {}, []]);
  });

  it("the review job fails and writes a comment if the review has findings", async () => {
    repository.answers = { review: { code: 2, report: "### Endpoint monitoring: 8 created\n" } };
    const stopped = await run({ ...mergeRequest, ENDPOINT_MONITORING_FAIL_ON: "selects-all" });
    expect(stopped.code).toBe(1);
    expect(stopped.text).toMatch(/FAIL 2/);
    expect(repository.calls()).toContain(
      "review --fail-on selects-all --approval FILE --sarif=FILE --junit=FILE --markdown FILE --stack dev",
    );
    expect(ciProvider.comments[0]?.body).toContain("8 created");

    repository.answers = { drift: { code: 1, text: "the connection was refused\n" } };
    // Unlike GitLab, its local runner exits with code 0 if a job fails that may exit with code 2.
    expect((await run(schedule)).text).toMatch(/FAIL 1/);
    expect(ciProvider.issues).toEqual([]);
  });
});
