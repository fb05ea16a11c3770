/** Runs GitHub's workflows after each result of the command. The command, the engine and npm are stubs. */
import { each, pullFrom } from "./support/github";

const install = "npm ci --ignore-scripts";
const check = "check --stack dev";
const validate = "validate --stack dev";
const review = "review --base HEAD^1 --fail-on renamed --approval FILE --sarif=FILE --junit=FILE --markdown FILE --stack dev";
const rehearse = "rehearse --markdown FILE --stack dev";
const drift = "drift --sarif=FILE --junit=FILE --markdown FILE --stack dev";
const apply = "apply --approved FILE --markdown FILE --stack dev";
const down = {
  code: 1,
  text: `\
✗ failed   base URL http://127.0.0.1:9 cannot be reached: the connection was refused
           → curl -v http://127.0.0.1:9/v7/account-groups
`,
};

describe("GitHub workflow steps", () => {
  each("a pull request gets one comment, and later pushes update the comment", async (github, answer) => {
    const { repository, ciProvider } = github;
    const rehearsed = { report: "**Rehearsal:** nothing would fail.\n" };
    answer({ review: { report: "### Endpoint monitoring: 8 created\n", text: "Reviewed\n" }, rehearse: rehearsed });
    const first = await github.pull();
    expect(first).toMatchObject({
      review: { result: "success" },
      comment: { result: "success" },
    });
    expect(repository.calls()).toEqual([install, validate, review, check, rehearse, install]);
    expect(first["review"]?.log).toMatch(
      /^\$ endpoint-monitoring validate --stack dev\n\$ endpoint-monitoring review --base 'HEAD\^1' --fail-on renamed --approval/m,
    );
    expect(first["review"]?.log).toContain("Reviewed\n");
    expect(ciProvider.comments).toHaveLength(1);
    const shown = ciProvider.comments[0]?.body ?? "";
    expect(shown).toMatch(
      /^<!-- endpoint-monitoring: review quickstart dev -->\n### Endpoint monitoring: 8 created\n\n\*\*Rehearsal:\*\* nothing would fail\.\n/,
    );
    expect(shown).toMatch(
      /Commit abcdef0 · \d{4}-\S+ \S+ UTC · \[job\]\(https:\/\/github\.example\.com\/owner\/name\/actions\/runs\/4711\)$/,
    );
    expect(first["review"]?.summary).toContain("### Endpoint monitoring: 8 created");

    // A review stops: the workflow writes the comment, and the job fails.
    answer({ review: { code: 2, report: "### Endpoint monitoring: 8 created\n\nWorth stopping for: `resolver`\n" } });
    const vars = { ...repository.vars, ENDPOINT_MONITORING_FAIL_ON: "protected,selects-all" };
    expect((await github.pull("fedcba9876543210", { vars }))["review"]).toMatchObject({ result: "failure" });
    expect(repository.calls()).toEqual([
      install,
      validate,
      "review --base HEAD^1 --fail-on protected,selects-all --approval FILE --sarif=FILE --junit=FILE --markdown FILE --stack dev",
      install,
    ]);
    expect(ciProvider.comments).toHaveLength(1);
    expect(ciProvider.comments[0]?.body).toMatch(/8 created\n.*Worth stopping for.*`resolver`.*Commit fedcba9/s);

    const failed = "The preview failed: unhandled exception: TSError\n";
    answer({
      review: { code: 1, text: `endpoint-monitoring review: ${failed}` },
    });
    expect(await github.pull("0123456789abcdef")).toMatchObject({
      review: { result: "failure", summary: expect.stringContaining("The review failed") },
      comment: { result: "success" },
    });
    expect(ciProvider.comments).toHaveLength(1);
    expect(ciProvider.comments[0]?.body).toMatch(
      /\n\*\*The review failed\.\*\* The log of the job shows the reason\.\n\nCommit 0123456/,
    );
    expect(github.printed).toMatch(/^endpoint-monitoring review: The preview failed: .*unhandled exception: TSError/m);
  });

  each("a merge updates the stack, measures the tests once, and fails if a measurement fails", async (github, answer) => {
    await github.approve();
    answer({ verify: { report: "| `portal` | passed |\n" } });
    github.repository.calls();
    const first = await github.merge();
    expect(first).toMatchObject({
      up: { result: "success", environment: "endpoint-monitoring" },
    });
    expect(first["up"]?.summary).toMatch(/`portal` .*passed/);
    expect(first["up"]?.log).toContain("approved: what the pull request would do\n");
    expect(github.repository.calls()).toEqual([
      install,
      check,
      apply,
      "verify --require-tests --sarif=FILE --junit=FILE --markdown FILE --stack dev",
    ]);

    answer({ verify: { code: 2, report: "| `portal` | answered 503 |\n" } });
    const second = await github.merge();
    expect(second["up"]).toMatchObject({ result: "failure", summary: expect.stringMatching(/503/) });

    answer({ apply: { code: 1, text: "error: update failed\n" } });
    github.repository.calls();
    expect(await github.merge()).toMatchObject({ up: { result: "failure", summary: "" } });
    expect(github.repository.calls()).toEqual([install, check, apply]);

    answer({ apply: { code: 2, report: "Not what was approved: `office` was renamed by ada.\n" } });
    github.repository.calls();
    const { up: refused } = await github.merge();
    expect(refused).toMatchObject({ result: "failure", summary: expect.stringMatching(/renamed by ada/) });
    expect(refused?.log).toContain("The change differs from the approval. Review the current change again");
    expect(github.repository.calls()).toEqual([install, check, apply]);
    expect(github.ciProvider.issues).toEqual([]);
  });

  each("nightly runs keep one issue open while drift exists", async (github, answer) => {
    const { repository, ciProvider } = github;
    const done = { drift: { result: "success" }, report: { result: "success" } };
    expect(await github.night()).toMatchObject(done);
    expect(repository.calls()).toEqual([install, drift, install]);
    expect(ciProvider.issues).toEqual([]);
    answer({ drift: { code: 2, report: "# Drift: 1 changed\n" } });
    expect(await github.night()).toMatchObject(done);
    expect(ciProvider.issues).toMatchObject([{ title: "Drift: quickstart dev", labels: ["endpoint-monitoring"], open: true }]);
    expect(ciProvider.issues[0]?.body).toMatch(/Drift: 1 changed/);
    expect(github.printed).toContain("::warning::There is drift: see the issue");

    answer({ drift: { code: 2, report: "# Drift: 1 changed, 1 unmanaged\n" } });
    await github.night();
    expect(ciProvider.issues).toHaveLength(1);
    expect(ciProvider.issues[0]?.body).toMatch(/1 changed, 1 unmanaged/);

    answer({ drift: { report: "# No drift\n" } });
    expect(await github.night()).toMatchObject(done);
    expect(ciProvider.issues).toMatchObject([{ open: false }]);
    expect([ciProvider.comments, ciProvider.pulls]).toEqual([[], []]);
  });

  each("a fork's pull request runs nothing, and its job fails with instructions", async (github) => {
    const { repository, ciProvider } = github;
    for (const repo of [{ full_name: "mallory/name" }, null]) {
      const jobs = await github.run("review", "pull_request", pullFrom(repo), { vars: {}, secrets: {} });
      expect(jobs).toMatchObject({ review: { result: "failure" }, comment: { result: "skipped", log: "" } });
      expect(jobs["review"]?.log).toMatch(/^::error title=No review::This comes from a fork\. [^\n]+\n$/);
    }
    expect([ciProvider.requests, repository.emulator.requests(), repository.calls()]).toEqual([[], {}, []]);
  });

  each("a failed check makes the review job and the update job fail without changes", async (github, answer) => {
    const { repository, ciProvider } = github;
    answer({
      check: down,
      review: { report: "8 created\n\n> [!WARNING]\n> - The agents that labels and tests select are not known\n" },
    });
    const { review: reviewed } = await github.pull();
    expect(reviewed?.result).toBe("failure");
    expect(reviewed?.log).toMatch(/^✗ failed {3}base URL .* cannot be reached: .*\n.*→ curl/m);
    expect(ciProvider.comments[0]?.body).toMatch(
      /8 created.*> \[!WARNING\]\n> - The agents that labels and tests select are not known/s,
    );
    // An incomplete review is not an approval.
    expect(ciProvider.artifacts.all.map(({ name }) => name).filter((name) => /approval/.test(name))).toEqual([]);
    await github.approve();
    answer({ check: down });
    repository.calls();

    const { up: applied } = await github.merge();
    expect(applied).toMatchObject({ result: "failure", summary: "" });
    expect(applied?.log).toMatch(/cannot be reached/);
    expect(repository.calls()).toEqual([install, check]);
  });

  each("the comment lists mistakes in the program, and the review job fails without a preview", async (github, answer) => {
    const { repository, ciProvider } = github;
    answer({
      validate: { code: 2, text: '\nindex.ts:3  Label "office": color must be …\n\n<b>1 mistake</b> in 1 of 2 resources.\n' },
    });
    const { review: red } = await github.pull();
    expect(red?.result).toBe("failure");
    expect(repository.calls()).toEqual([install, validate, install]);
    expect(ciProvider.comments[0]?.body).toMatch(
      /\n\*\*The program has mistakes\*\*, so it was not previewed\.\n\n {4}\n {4}index\.ts:3 {2}Label "office": color must be …\n {4}\n {4}<b>1 mistake<\/b> in 1 of 2 resources\.\n\nCommit/,
    );
    expect(red?.summary).toContain("color must be");
    expect(red?.log).toContain('index.ts:3  Label "office": color must be …\n');

    // If the program does not run, the preview reports the reason.
    answer({ validate: { code: 1, text: "The program failed\n" }, review: { report: "8 created\n" } });
    expect((await github.pull())["review"]).toMatchObject({ result: "success" });
    expect(ciProvider.comments[0]?.body).toContain("8 created");
  });

  each("a failed nightly run fails without changing the issue", async (github, answer) => {
    const old = { body: "<!-- endpoint-monitoring: drift quickstart dev -->\nOld", labels: ["endpoint-monitoring"] };
    github.ciProvider.issues.push(github.ciProvider.written(old));
    answer({ drift: { code: 1, text: "endpoint-monitoring drift: the connection was refused\n" } });
    const { drift: dark, report } = await github.night();
    expect([dark, report]).toMatchObject([{ result: "failure", summary: "" }, { result: "skipped" }]);
    expect(dark?.log.trim().split("\n").at(-1)).toMatch(/^endpoint-monitoring drift: .*the connection was refused/);
    expect(github.ciProvider.issues).toMatchObject([{ open: true, body: old.body }]);
  });

  each(
    "a job that cannot write its comment fails with one line, and the next run writes the comment",
    async (github, answer) => {
      const { ciProvider } = github;
      answer({ review: { report: "8 created\n" } });
      for (let n = 0; n < 4; n += 1) ciProvider.faults.push({ method: "POST", path: /comments$/, status: 500 });
      const { comment: refused, review: reviewed } = await github.pull();
      expect(refused?.result).toBe("failure");
      expect(refused?.log.trim().split("\n").at(-1)).toMatch(
        /^endpoint-monitoring ci: POST \/repos\/owner\/name\/issues\/12\/comments returned status 500 .*; tried 4 times\.$/,
      );
      expect(reviewed).toMatchObject({ result: "success", summary: expect.stringContaining("8 created") });
      expect(await github.pull()).toMatchObject({ comment: { result: "success" } });
      const looked = await github.run("drift", "workflow_dispatch", {});
      expect(looked).toMatchObject({ drift: { result: "success" }, report: { result: "success" } });
    },
  );

  each("the log shows the failed check if settings are missing", async (github, answer) => {
    const { repository, ciProvider } = github;
    const passphrase = "✗ failed   settings passphrase is missing\n           → export PULUMI_CONFIG_PASSPHRASE\n";
    answer({ check: { code: 1, text: passphrase }, review: { code: 1 } });
    const closed = await github.pull("abcdef0123456789", { secrets: {} });
    expect(closed).toMatchObject({ review: { result: "failure" } });
    expect(closed["review"]?.log).toMatch(/✗ failed {3}settings .*\n.*→ .*PULUMI_CONFIG_PASSPHRASE/);
    repository.calls();
    const { ENDPOINT_MONITORING_STACK: _, ...vars } = repository.vars;
    expect(await github.pull("abcdef0123456789", { vars })).toMatchObject({ review: { result: "failure" } });
    expect(repository.calls()).toEqual([
      install,
      "validate",
      "review --base HEAD^1 --fail-on renamed --approval FILE --sarif=FILE --junit=FILE --markdown FILE",
      "check",
      install,
    ]);
    expect(ciProvider.comments[0]?.body).toContain("**The review failed.**");
  });
});
