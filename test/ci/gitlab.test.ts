/** Runs GitLab's pipeline in its local runner, with the engine, the service and GitLab's API. */
import { CiProvider, token } from "./support/ci-provider";
import { jobsOf, mergeRequest, push, runPipeline, schedule } from "./support/pipeline";
import { type Ended, Repository, secrets } from "./support/repository";

interface Labels {
  labels: { id: string; name: string }[];
}

const labels = "/v7/endpoint/labels";

const jobs = (...names: string[]): string[] => names.map((name) => `endpoint-monitoring:${name}`);

describe("GitLab pipeline", () => {
  let repository: Repository;
  let ciProvider: CiProvider;

  beforeAll(async () => {
    [repository, ciProvider] = await Promise.all([Repository.start(), CiProvider.start("gitlab")]);
    repository.host(ciProvider);
  });
  afterAll(() => Promise.all([repository.end(), ciProvider.close()]));

  it("the pipeline reviews a merge request, applies the merge and reports drift as an issue", async () => {
    let printed = "";
    const run = async (variables: Record<string, string>): Promise<Ended> => {
      const ended = await runPipeline(repository, ciProvider, variables);
      printed += ended.text;
      return ended;
    };
    // GitHub's pipelines rehearse: github.test.ts.
    const reviewed = await run({ ...mergeRequest, ENDPOINT_MONITORING_REHEARSE: "false" });
    expect([jobsOf(reviewed).toSorted(), reviewed.code]).toEqual([jobs("comment", "review"), 0]);
    expect(ciProvider.comments).toHaveLength(1);
    expect(ciProvider.comments[0]?.body).toMatch(
      /8 created\n.*Commit abcdef0 · \S+ \S+ UTC · \[job\]\(https:\/\/gitlab\.example\.com\/jobs\/4711\)$/s,
    );
    // The job's artifacts.
    expect(ciProvider.comments[0]?.body).toContain(
      repository.read("endpoint-monitoring-reports/review-quickstart@dev.md").trim(),
    );
    ciProvider.keep(repository.folder);

    const merged = await run({ ...push, CI_COMMIT_BRANCH: "main", ENDPOINT_MONITORING_VERIFY: "false" });
    expect([jobsOf(merged), merged.code]).toEqual([jobs("approval", "up"), 0]);
    const [label] = (await repository.api<Labels>("GET", labels)).labels;
    expect(label).toBeDefined();

    await repository.api("PATCH", `${labels}/${label?.id}`, { name: "Somebody's" });
    const drifted = await run(schedule);
    // Drift is a warning, not a failure.
    expect([jobsOf(drifted), drifted.code]).toEqual([jobs("drift", "report"), 0]);
    expect(drifted.text).toMatch(/WARN 2/);
    expect(ciProvider.issues).toMatchObject([{ title: "Drift: quickstart dev", labels: ["endpoint-monitoring"], open: true }]);
    // Tests of a closed issue and of an updated note: gitlab-steps.test.ts and ci-provider.test.ts.

    const seen = [printed, ...[...ciProvider.comments, ...ciProvider.issues].map(({ body }) => body)].join("\n");
    for (const secret of [...Object.values(secrets), token]) expect(seen).not.toContain(secret);
  });
});
