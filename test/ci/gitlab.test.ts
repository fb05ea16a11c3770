/** The pipeline of GitLab as its local runner runs it, with the engine, the service, and the forge's interface. */
import { Forge, token } from "./support/forge";
import { runPipeline } from "./support/pipeline";
import { type Ended, Repository, secrets } from "./support/repository";

interface Labels {
  labels: { id: string; name: string }[];
}

const labels = "/v7/endpoint/labels";
const mergeRequest = { CI_PIPELINE_SOURCE: "merge_request_event", CI_MERGE_REQUEST_PROJECT_ID: "7" };
const push = { CI_PIPELINE_SOURCE: "push" };
const schedule = { CI_PIPELINE_SOURCE: "schedule" };

describe("GitLab", () => {
  let repository: Repository;
  let forge: Forge;
  let printed: string;

  beforeEach(async () => {
    printed = "";
    [repository, forge] = await Promise.all([Repository.start(), Forge.start("gitlab")]);
  });
  afterEach(() => Promise.all([repository.end(), forge.close()]));

  const run = async (given: Record<string, string>, settings?: Record<string, string>): Promise<Ended> => {
    const ended = await runPipeline(repository, forge, given, settings);
    printed += ended.text;
    return ended;
  };
  const jobsOf = ({ text }: Ended): string[] => [...text.matchAll(/^(\S+) +starting shell/gm)].map(([, name = ""]) => name);

  it("merge requests, merges, nights: one note and one issue", async () => {
    const reviewed = await run(mergeRequest);
    expect([jobsOf(reviewed), reviewed.code]).toEqual([["endpoint-monitoring:review"], 0]);
    expect(forge.comments).toHaveLength(1);
    expect(forge.comments[0]?.body).toMatch(
      /8 created\n.*Commit abcdef0 · \[job\]\(https:\/\/gitlab\.example\.com\/jobs\/4711\)$/s,
    );
    // What the job keeps as an artifact.
    expect(forge.comments[0]?.body).toContain(repository.read("endpoint-monitoring.md").trim());

    const merged = await run({ ...push, CI_COMMIT_BRANCH: "main", VERIFY: "false" });
    expect([jobsOf(merged), merged.code]).toEqual([["endpoint-monitoring:up"], 0]);
    const [label] = (await repository.api<Labels>("GET", labels)).labels;
    expect(label).toBeDefined();
    // Of another branch, nothing runs.
    expect(jobsOf(await run({ ...push, CI_COMMIT_BRANCH: "topic" }))).toEqual([]);

    await run(mergeRequest);
    expect(forge.comments).toHaveLength(1);
    expect(forge.comments[0]?.body).toContain("nothing changes");

    await repository.api("PATCH", `${labels}/${label?.id}`, { name: "Somebody's" });
    const drifted = await run(schedule);
    // Drift is a warning, not a failure.
    expect([jobsOf(drifted), drifted.code]).toEqual([["endpoint-monitoring:drift"], 0]);
    expect(drifted.text).toMatch(/WARN 2/);
    expect(forge.issues).toMatchObject([{ title: "Drift: quickstart dev", labels: ["endpoint-monitoring"], open: true }]);
    await repository.api("PATCH", `${labels}/${label?.id}`, { name: label?.name });
    const gone = await run(schedule);
    expect(gone.text).not.toMatch(/WARN 2/);
    expect(forge.issues).toMatchObject([{ open: false }]);

    const seen = [printed, ...[...forge.comments, ...forge.issues].map(({ body }) => body)].join("\n");
    for (const secret of [...Object.values(secrets), token]) expect(seen).not.toContain(secret);
  }, 400_000);

  it("a fork: nothing of it runs, and a job says what to do", async () => {
    const ended = await run({ ...mergeRequest, CI_PROJECT_ID: "8" }, {});
    expect([jobsOf(ended), ended.code]).toEqual([["endpoint-monitoring:fork"], 0]);
    expect(ended.text).toContain("This comes from a fork, whose pipelines get no secrets.");
    expect([forge.requests, repository.emulator.requests()]).toEqual([[], {}]);
  }, 60_000);

  it("what a review is to stop for is there, or the service is not: red, and the note is written", async () => {
    const stopped = await run({ ...mergeRequest, FAIL_ON: "selects-all" });
    expect(stopped.code).toBe(1);
    expect(stopped.text).toMatch(/FAIL 2/);
    expect(forge.comments[0]?.body).toContain("8 created");
    await repository.emulator.close();
    const dark = await run(mergeRequest);
    expect(dark.code).toBe(1);
    expect(forge.comments).toHaveLength(1);
    expect(forge.comments[0]?.body).toContain("could not be worked out");
    // Unlike GitLab, its local runner ends with 0 where a job fails that may end with 2.
    expect((await run(schedule)).text).toMatch(/FAIL 1/);
    expect(forge.issues).toEqual([]);
  }, 240_000);
});
