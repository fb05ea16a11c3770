/** How an approval travels from a pull request to its merge, and what happens where none does; our command is a stub. */
import { each } from "./support/github";

const check = "check --stack dev";
const apply = "apply --approved FILE --stack dev --markdown FILE";
const verify = "verify --require-tests --stack dev --markdown FILE";
const review = ["npm ci", check, "validate --stack dev", "review --approval FILE --stack dev --markdown FILE"];

describe("an approval at GitHub", () => {
  each("is that of the pull request whose merge gives this very tree: the newest one, and never a fork's", async (github) => {
    const { repository, forge } = github;
    await github.approve("the first push");
    await github.approve("the second push");
    const name = forge.artifacts.all.map((one) => one.name).find((one) => one.includes("approval")) ?? "";
    expect(name).toMatch(/^endpoint-monitoring-approval-quickstart-dev-[0-9a-f]{40}$/);
    const run = { id: 9000, event: "pull_request", ref: "refs/pull/13/merge", sha: "1", head: "1", isFork: true };
    const evil = { "approval-quickstart-dev.json": Buffer.from("evil").toString("base64") };
    forge.artifacts.add(run, name, evil);
    forge.artifacts.add({ ...run, isFork: false }, name, evil).expired = true;
    const { up } = await github.merge();
    expect(up?.log).toContain("approved: the second push\n");

    // Another commit without a pull request: another tree.
    await repository.change("index.ts", "// Not reviewed");
    repository.calls();
    const jobs = await github.merge();
    expect(jobs).toMatchObject({ approval: { result: "failure" }, up: { result: "skipped" } });
    expect(jobs["approval"]?.log).toBe(
      `forge: there is no approval for commit ${repository.head.slice(0, 7)}: no pull (merge) request with a review brought it, or ` +
        'that was too long ago. Review what would happen now, and approve that: see "Review again" in README.md beside run.sh\n',
    );
    expect(repository.calls()).toEqual([]);
  });

  each(
    "is that of the pull request, where the main branch has moved: our command compares what both would do",
    async (github) => {
      const { repository, forge } = github;
      await github.approve("of the pull request", "feedface");
      await github.approve("of another one", "0badcafe");
      await repository.change("README.md", "Somebody else's commit");
      forge.merges.push({ sha: repository.head, head: "0badcafe", isMerged: false });
      expect(await github.merge()).toMatchObject({ approval: { result: "failure" }, up: { result: "skipped" } });
      forge.merges.push({ sha: repository.head, head: "feedface", isMerged: true });
      const { up } = await github.merge();
      expect(up).toMatchObject({ result: "success" });
      expect(up?.log).toContain("approved: of the pull request\n");
    },
  );

  each("needs a job that may read artifacts and pull requests", async (github) => {
    const { repository, forge } = github;
    await github.approve();
    const file = ".github/workflows/endpoint-monitoring-up.yml";
    const whole = repository.read(file);
    repository.write(file, whole.replace("      actions: read\n", ""));
    expect((await github.merge())["approval"]?.log).toMatch(/403 Resource not accessible.*`permissions` that README\.md lists/);
    repository.write(file, whole);
    await repository.change("README.md", "Somebody else's commit");
    repository.write(file, whole.replace("      pull-requests: read\n", ""));
    expect((await github.merge())["approval"]?.log).toMatch(/403 Resource not accessible/);
    expect(forge.issues).toEqual([]);
  });

  each(
    "is given again by a click: a review of what the main branch would do now, which somebody reads",
    async (github, answer) => {
      const { repository } = github;
      answer({ review: { report: "1 deleted\n", approval: "what it would do now" } });
      const jobs = await github.again();
      expect(jobs).toMatchObject({
        approval: { result: "skipped" },
        review: { result: "success", summary: "1 deleted\n" },
        approve: { result: "success", environment: "endpoint-monitoring-approval" },
        up: { result: "success" },
      });
      expect(jobs["up"]?.log).toContain("approved: what it would do now\n");
      expect(repository.calls()).toEqual([...review, "npm ci", check, apply, verify]);

      answer({ review: { code: 1 } });
      expect(await github.again()).toMatchObject({
        review: { result: "failure" },
        approve: { result: "skipped" },
        up: { result: "skipped" },
      });
    },
  );

  each("is not needed in an emergency, whose reason and whose name are in the log and on the page", async (github, answer) => {
    const { repository } = github;
    answer({ review: { report: "1 to create\n", approval: "now" }, apply: { report: "1 created\n" } });
    const jobs = await github.again("the office is on fire; $(id) `id`");
    expect(jobs).toMatchObject({
      approval: { result: "skipped" },
      review: { result: "skipped" },
      approve: { result: "skipped" },
      up: { result: "success", environment: "endpoint-monitoring" },
    });
    const line = "**Override:** ada applies without an approval. Reason: the office is on fire; $(id) `id`\n";
    expect(jobs["up"]?.log).toContain(line);
    expect(jobs["up"]?.summary).toBe(`${line}\n1 to create\n1 created\n`);
    const overriding = "apply --approved FILE --override ada: the office is on fire; $(id) `id` --stack dev --markdown FILE";
    const looking = "review --approval FILE --stack dev --markdown FILE";
    expect(repository.calls()).toEqual(["npm ci", check, looking, overriding, verify]);
  });

  each("is of the main branch alone: no other one is applied by a click", async (github) => {
    github.ref = "refs/heads/topic";
    for (const reason of ["", "now"]) {
      const jobs = await github.again(reason);
      for (const job of Object.values(jobs)) expect(job.result).toBe("skipped");
    }
    expect(github.repository.calls()).toEqual([]);
  });
});
