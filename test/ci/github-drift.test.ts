/** Reports drift as a pull request in GitHub: git over HTTP, GitHub's API, and a stub of the command that accepts the drift. */
import { each, type Github } from "./support/github";
import type { StubbedRepository } from "./support/stubbed";

const install = "npm ci --ignore-scripts";
const branch = "endpoint-monitoring/drift-quickstart@dev";
const drift = "drift --sarif=FILE --junit=FILE --accept --keep-state --json --markdown FILE --stack dev";

/** A nightly run in a repository with drift as a pull request. */
function night(github: Github<StubbedRepository>) {
  return github.night({ vars: { ...github.repository.vars, ENDPOINT_MONITORING_DRIFT: "pull-request" } });
}

/** The content of a file on a branch. */
function pushed({ ciProvider }: Github<StubbedRepository>, file: string): string | undefined {
  try {
    return ciProvider.git?.git("show", `${branch}:${file}`);
  } catch {
    return undefined;
  }
}

describe("drift pull requests in GitHub", () => {
  each(
    "nightly runs open, update and close a pull request for drift, and open a new pull request for later drift",
    async (github, answer) => {
      github.allowPullRequests();
      const { repository, ciProvider } = github;
      const done = { drift: { result: "success" }, report: { result: "success" } };
      answer({ drift: { report: "# No drift\n" } });
      expect(await night(github)).toMatchObject(done);
      expect([ciProvider.pulls, repository.calls()]).toEqual([[], [install, drift, install]]);

      answer({ drift: { code: 2, report: "# Drift: 1 changed\n", accepted: "one" } });
      const first = await night(github);
      expect(first).toMatchObject({ ...done, drift: { result: "success" } });
      expect(first["report"]?.log).toBe("No issue is open. Pull request opened\n");
      expect(first["drift"]?.log).toContain("# Drift: 1 changed\n");
      expect(ciProvider.pulls).toMatchObject([{ title: "Drift: quickstart dev", branch, base: "main", open: true }]);
      expect(ciProvider.pulls[0]?.body).toMatch(
        /^<!-- endpoint-monitoring: drift quickstart dev -->\n# Drift: 1 changed\n\nSeen 20.* UTC by \[this job\]/,
      );
      expect(pushed(github, "accepted.ts")).toBe("one");
      expect(pushed(github, "index.ts")).toBe(repository.read("index.ts").trim());
      expect(ciProvider.issues).toEqual([]);

      // The same drift is the same commit, and no temporary file remains.
      const commit = ciProvider.git?.head(branch);
      expect((await night(github))["report"]?.log).toBe("No issue is open. Pull request updated\n");
      expect([ciProvider.git?.head(branch), repository.read("accepted.ts")]).toEqual([commit, "none"]);

      answer({ drift: { code: 2, report: "# Drift: 2 changed\n", accepted: "one and two" } });
      expect((await night(github))["report"]?.log).toBe("No issue is open. Pull request updated\n");
      expect(ciProvider.pulls).toHaveLength(1);
      expect(ciProvider.pulls[0]?.body).toMatch(/Drift: 2 changed/);
      expect(pushed(github, "accepted.ts")).toBe("one and two");
      const commits = ciProvider.git?.git("rev-list", "--count", `main..${branch}`);
      expect(commits).toBe("1");

      answer({ drift: { report: "# No drift\n" } });
      expect((await night(github))["report"]?.log).toBe("No issue is open. Pull request closed\n");
      expect(ciProvider.pulls).toMatchObject([{ open: false, body: expect.stringMatching(/Resolved.*Drift: 2 changed/s) }]);
      expect(ciProvider.git?.head(branch)).toBeUndefined();

      answer({ drift: { code: 2, report: "# Drift: 1 changed\n", accepted: "three" } });
      expect((await night(github))["report"]?.log).toBe("No issue is open. Pull request opened\n");
      expect(ciProvider.pulls).toMatchObject([{ open: false }, { open: true, branch }]);
    },
  );

  each("nightly runs never overwrite another user's commit on the drift branch", async (github, answer) => {
    github.allowPullRequests();
    const { repository, ciProvider } = github;
    answer({ drift: { code: 2, report: "# Drift: 1 changed\n", accepted: "one" } });
    await night(github);
    const theirs = await repository.pushed(ciProvider, branch, "index.ts", "// By hand");
    answer({ drift: { code: 2, report: "# Drift: 2 changed\n", accepted: "one and two" } });
    expect((await night(github))["report"]?.log).toBe("No issue is open. Pull request updated\n");
    expect(ciProvider.git?.head(branch)).toBe(theirs);
    expect(ciProvider.pulls[0]?.body).toMatch(/Drift: 2 changed.*Another user has committed to this branch/s);

    // No drift is left, so the pull request is closed and the branch stays.
    answer({ drift: { report: "# No drift\n" } });
    expect((await night(github))["report"]?.log).toBe("No issue is open. Pull request closed\n");
    expect(ciProvider.git?.head(branch)).toBe(theirs);
  });

  each("nightly runs open an issue if drift --accept cannot accept any drift", async (github, answer) => {
    github.allowPullRequests();
    const { ciProvider } = github;
    answer({ drift: { code: 2, report: "# Drift: 1 missing\n" } });
    await night(github);
    expect([ciProvider.issues, ciProvider.pulls]).toMatchObject([[{ open: true, title: "Drift: quickstart dev" }], []]);
    answer({ drift: { code: 2, report: "# Drift: 1 missing, 1 changed\n", accepted: "one" } });
    await night(github);
    expect([ciProvider.issues, ciProvider.pulls]).toMatchObject([[{ open: false }], [{ open: true }]]);
    answer({ drift: { code: 1, text: "the connection was refused\n" } });
    const jobs = await night(github);
    expect(jobs).toMatchObject({
      drift: { result: "failure" },
      report: { result: "skipped" },
    });
    expect(jobs["drift"]?.log).toContain("the connection was refused");
  });

  each("the report job fails by default, because its token may not write contents", async (github, answer) => {
    const { ciProvider } = github;
    answer({ drift: { code: 2, report: "# Drift: 1 changed\n", accepted: "one" } });
    const jobs = await night(github);
    expect(jobs["report"]?.log).toMatch(/^endpoint-monitoring ci: .*403 Resource not accessible by integration/);
    expect(ciProvider.git?.head(branch)).toBeUndefined();
  });
});
