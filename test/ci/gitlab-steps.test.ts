/** What the pipeline of GitLab makes of our command's answers: the command, the engine and npm are stubs. */
import { Forge } from "./support/forge";
import { jobsOf, mergeRequest, push, runPipeline, schedule } from "./support/pipeline";
import type { Ended } from "./support/repository";
import { StubbedRepository } from "./support/stubbed";

describe("GitLab, by what our command answers", () => {
  let repository: StubbedRepository;
  let forge: Forge;

  beforeEach(async () => {
    [repository, forge] = await Promise.all([StubbedRepository.start(), Forge.start("gitlab")]);
  });
  afterEach(() => Promise.all([repository.end(), forge.close()]));

  const run = (given: Record<string, string>, settings?: Record<string, string>): Promise<Ended> =>
    runPipeline(repository, forge, given, settings);

  it("of a branch that is not the default one, nothing runs", async () => {
    expect(jobsOf(await run({ ...push, CI_COMMIT_BRANCH: "topic" }))).toEqual([]);
    expect(repository.calls()).toEqual([]);
  }, 60_000);

  it("a merge: up, then what was changed measures once, unless that is switched off", async () => {
    const calls = ["npm ci", "check --stack dev", "pulumi up --yes --skip-preview --non-interactive --stack dev"];
    for (const VERIFY of ["false", "true"]) {
      const { code } = await run({ ...push, CI_COMMIT_BRANCH: "main", VERIFY });
      expect([code, repository.calls()]).toEqual([
        0,
        [...calls, ...(VERIFY === "true" ? ["verify --stack dev --markdown REPORT"] : [])],
      ]);
    }
  }, 60_000);

  it("a fork: nothing of it runs, and a job says what to do", async () => {
    const ended = await run({ ...mergeRequest, CI_PROJECT_ID: "8" }, {});
    expect([jobsOf(ended), ended.code]).toEqual([["endpoint-monitoring:fork"], 0]);
    expect(ended.text).toContain("This comes from a fork, whose pipelines get no secrets.");
    expect([forge.requests, repository.emulator.requests(), repository.calls()]).toEqual([[], {}, []]);
  }, 60_000);

  it("what a review is to stop for is there, the program has mistakes, or the service is not there: red, and the note is written", async () => {
    repository.answers = { review: { code: 2, report: "### Endpoint monitoring: 8 created\n" } };
    const stopped = await run({ ...mergeRequest, FAIL_ON: "selects-all" });
    expect(stopped.code).toBe(1);
    expect(stopped.text).toMatch(/FAIL 2/);
    expect(repository.calls().at(-1)).toBe("review --fail-on selects-all --stack dev --markdown REPORT");
    expect(forge.comments[0]?.body).toContain("8 created");

    repository.answers = { validate: { code: 2, text: 'index.ts:3  Label "office": color must be …\n' } };
    expect((await run(mergeRequest)).text).toMatch(/FAIL 1/);
    expect(repository.calls()).toEqual(["npm ci", "check --stack dev", "validate --stack dev"]);
    expect(forge.comments[0]?.body).toContain('\n    index.ts:3  Label "office": color must be …\n');

    const refused = { code: 1, text: "the connection was refused\n" };
    const report = "> [!WARNING]\n> - Whom labels and tests reach could not be worked out\n";
    repository.answers = { check: refused, review: { report }, drift: refused };
    const dark = await run(mergeRequest);
    expect(dark.code).toBe(1);
    expect(forge.comments).toHaveLength(1);
    expect(forge.comments[0]?.body).toContain("could not be worked out");
    // Unlike GitLab, its local runner ends with 0 where a job fails that may end with 2.
    expect((await run(schedule)).text).toMatch(/FAIL 1/);
    expect(forge.issues).toEqual([]);
  }, 60_000);
});
