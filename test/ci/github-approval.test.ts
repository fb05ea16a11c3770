/** Follows an approval from a pull request to its merge, and merges without an approval. The command is a stub. */
import { createHash } from "node:crypto";
import type { Artifact, Run } from "./support/artifacts";
import type { CiProvider } from "./support/ci-provider";
import { each } from "./support/github";

const install = "npm ci --ignore-scripts";
const check = "check --stack dev";
const sha256 = (text: string): string => createHash("sha256").update(text).digest("hex");
const apply = `apply --approved FILE --approved sha256:${sha256("what it would do now")} --markdown FILE --stack dev`;
const verify = "verify --require-tests --sarif=FILE --junit=FILE --markdown FILE --stack dev";
const review = [
  install,
  "validate --stack dev",
  "review --fail-on renamed --approval FILE --sarif=FILE --junit=FILE --markdown FILE --stack dev",
  check,
  "rehearse --markdown FILE --stack dev",
];

const approvals = ({ artifacts }: CiProvider): Artifact[] => artifacts.all.filter(({ name }) => name.includes("-approval-"));
function fail(): never {
  throw new Error("There is none");
}

describe("approvals in GitHub", () => {
  each("a merge applies the approval of its own pull request", async (github) => {
    const { repository, ciProvider } = github;
    await github.approve("the first push");
    await github.approve("the second push");
    const digest = sha256("the second push");
    expect(approvals(ciProvider).at(-1)?.name).toBe(`endpoint-monitoring-approval-quickstart@dev-${digest}`);
    const { up } = await github.merge();
    expect(up?.log).toContain("approved: the second push\n");
    expect(repository.calls()).toContain("apply --approved FILE --markdown FILE --stack dev");

    // Two consecutive merges. The second moved the main branch. Each has its own approval.
    const first = repository.head;
    await repository.change("README.md", "Somebody else's commit");
    await github.approve("of another one", "0badcafe");
    expect((await github.merge()).up?.log).toContain("approved: of another one\n");
    expect(ciProvider.merges.map(({ sha }) => sha)).toEqual([first, repository.head]);
  });

  each("a merge ignores approvals from other pull requests, branches, workflows, events or forks", async (github) => {
    const { repository, ciProvider } = github;
    await github.approve("what was reviewed");
    const merged = ciProvider.merges[0] ?? fail();
    const [genuine] = approvals(ciProvider);
    const run = genuine?.run ?? fail();
    const evil = { ...run, id: 9000 };
    const forged = `endpoint-monitoring-approval-quickstart@dev-${sha256("evil")}`;
    const files = { "approval-quickstart@dev.json": Buffer.from("evil").toString("base64") };
    const forgeries: Partial<Run>[] = [
      { isFork: true },
      { isFork: undefined },
      { head: "0badcafe" },
      { event: "push" },
      { event: "workflow_dispatch" },
      { path: ".github/workflows/evil.yml" },
    ];
    for (const [at, forgery] of forgeries.entries())
      ciProvider.artifacts.add({ ...evil, id: 9000 + at, ...forgery }, forged, files);
    for (const name of [`${forged}0`, forged.replace("@dev", "@prod"), forged.replace(/-\w+$/, "-evil")]) {
      ciProvider.artifacts.add(run, name, files);
    }
    ciProvider.artifacts.add(run, forged, files).expired = true;
    expect((await github.merge()).up?.log).toContain("approved: what was reviewed\n");

    const none = async (): Promise<string> => {
      repository.calls();
      const jobs = await github.merge();
      expect(jobs).toMatchObject({ up: { result: "failure" } });
      expect(repository.calls()).toEqual([install]);
      return jobs["up"]?.log ?? "";
    };
    for (const other of [
      { isMerged: false },
      { target: "release" },
      { head: "feedface" },
      { sha: "0badcafe" },
      { merge: "0badcafe" },
    ]) {
      ciProvider.merges[0] = { ...merged, ...other };
      expect(await none()).toBe(
        `endpoint-monitoring ci: There is no approval for commit ${repository.head.slice(0, 7)}: no merged pull or merge request with a ` +
          "reviewed approval contains the commit, or the approval has expired. Review and approve the current change, as described " +
          'under "Review again" in examples/ci/README.md.\n',
      );
    }
    ciProvider.merges[0] = merged;
    Object.assign(genuine ?? {}, { expired: true });
    expect(await none()).toContain("or the approval has expired");
  });

  each("a merge applies the approved review instead of a later, different review", async (github) => {
    const { ciProvider } = github;
    await github.approve("what was read");
    const merged = ciProvider.merges[0] ?? fail();
    const at = (minute: number): string => new Date(Date.UTC(2026, 0, 1, 6, minute)).toISOString();
    const [read] = approvals(ciProvider);
    Object.assign(read ?? {}, { at: at(0) });
    merged.approvals = [{ at: at(10) }];
    expect((await github.merge()).up?.log).toContain("approved: what was read\n");

    // An identical second review changes nothing.
    await github.approve("what was read");
    Object.assign(approvals(ciProvider).at(-1) ?? {}, { at: at(20) });
    expect((await github.merge()).up?.log).toContain("approved: what was read\n");

    await github.approve("something else");
    Object.assign(approvals(ciProvider).at(-1) ?? {}, { at: at(30) });
    const refused = await github.merge();
    expect(refused).toMatchObject({ up: { result: "failure" } });
    expect(refused["up"]?.log).toContain("a review that finished after the approval has a different result");
    // Another user's approval of the second review is not an approval by the reader of the first.
    merged.approvals.push({ at: at(40), by: 2 });
    expect((await github.merge())["up"]?.log).toContain("a review that finished after the approval");
    merged.approvals.push({ at: at(50) });
    expect((await github.merge()).up?.log).toContain("approved: something else\n");

    // An approval of another commit does not count, nor does one that came before the end of the review.
    merged.approvals = [{ at: at(10), commit: "0badcafe" }];
    expect((await github.merge()).up?.log).toContain("approved: something else\n");
    merged.approvals = [{ at: "2025-12-31T00:00:00Z" }];
    expect((await github.merge())["up"]?.log).toContain("its review finished after the approval");
  });

  each("a merge fails if its job may not read artifacts and pull requests", async (github) => {
    const { repository, ciProvider } = github;
    await github.approve();
    const file = ".github/workflows/endpoint-monitoring-up.yml";
    const whole = repository.read(file);
    repository.write(file, whole.replace("actions: read, ", ""));
    expect((await github.merge())["up"]?.log).toMatch(
      /403 Resource not accessible.*`permissions` that examples\/ci\/README\.md lists/,
    );
    repository.write(file, whole);
    await repository.change("README.md", "Somebody else's commit");
    repository.write(file, whole.replace(", pull-requests: read", ""));
    expect((await github.merge())["up"]?.log).toMatch(/403 Resource not accessible/);
    expect(ciProvider.issues).toEqual([]);
  });

  each("a manual run applies a review of main if a user confirms the approval's digest", async (github, answer) => {
    const { repository, ciProvider } = github;
    answer({
      review: { report: "1 deleted\n", approval: "what it would do now" },
      rehearse: { report: "Nothing would fail\n" },
    });
    const again = await github.run("review", "workflow_dispatch", {});
    expect(again).toMatchObject({
      review: { result: "success", summary: "1 deleted\nNothing would fail\n" },
      comment: { result: "skipped" },
    });
    expect(repository.calls()).toEqual(review);
    const digest = sha256("what it would do now");
    const applied = await github.again({ approved: `sha256:${digest}` });
    expect(applied["up"]?.log).toContain("approved: what it would do now\n");
    expect(repository.calls()).toEqual([install, check, apply, verify]);

    for (const [approved, why] of [
      [sha256("something else"), "no review of this repository has the confirmed digest"],
      ["now", 'The variable APPROVED must end with the digest of an approval (64 hexadecimal digits), but its value is "now"'],
    ] as const) {
      const { up } = await github.again({ approved });
      expect([up?.result, up?.log]).toEqual(["failure", expect.stringContaining(why)]);
    }
    // An artifact of that name with other content, and an artifact without files.
    const [genuine] = approvals(ciProvider);
    for (const files of [{ "approval-quickstart@dev.json": Buffer.from("evil").toString("base64") }, {}]) {
      Object.assign(genuine ?? {}, { files });
      const { up } = await github.again({ approved: digest });
      expect(up?.log).toMatch(/The artifact \S+ contains no approval with the digest in the artifact's name/);
    }
    repository.calls();
  });

  each("a manual run applies without an approval if a user gives a reason, and shows the reason", async (github, answer) => {
    const { repository } = github;
    answer({ review: { report: "1 to create\n", approval: "now" }, apply: { report: "1 created\n" } });
    const reason = "the office is on fire; $(id) `id`";
    const jobs = await github.again({ "override-reason": reason });
    expect(jobs).toMatchObject({ up: { result: "success", environment: "endpoint-monitoring" } });
    const line = `**Override:** ada applies the change without an approval. Reason: ${reason}\n`;
    expect(jobs["up"]?.log).toContain(line);
    expect(jobs["up"]?.summary).toBe(`${line}\n1 to create\n1 created\n`);
    const overriding = `apply --approved FILE --override ada: ${reason} --markdown FILE --stack dev`;
    const looking = "review --approval FILE --markdown FILE --stack dev";
    expect(repository.calls()).toEqual([install, check, looking, overriding, verify]);
  });

  each("a manual run on a branch other than main applies nothing", async (github) => {
    github.ref = "refs/heads/topic";
    for (const reason of ["", "now"]) {
      const jobs = await github.again({ "override-reason": reason });
      for (const job of Object.values(jobs)) expect(job.result).toBe("skipped");
    }
    expect(github.repository.calls()).toEqual([]);
  });
});
