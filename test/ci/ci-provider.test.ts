/** Runs the jobs that write comments and issues, with both CI providers' APIs over HTTP. */
import { token } from "./support/ci-provider";
import { eachOn, withCiProvider } from "./support/ci-provider-script";

const marker = "<!-- endpoint-monitoring: review demo dev -->";
const driftMarker = "<!-- endpoint-monitoring: drift demo dev -->";

describe.each(["github", "gitlab"] as const)("jobs that report on %s", (kind) => {
  const each = eachOn(kind);
  const comments = kind === "github" ? /issues\/12\/comments$/ : /notes$/;

  each("the job writes one comment and later edits it, even among 250 other comments", async ({ ciProvider, comment }) => {
    expect(await comment("# First\n")).toEqual({ code: 0, stdout: "Comment written\n", stderr: "" });
    expect(ciProvider.comments).toHaveLength(1);
    const ownComment = ciProvider.comments[0]?.body ?? "";
    expect(ownComment).toMatch(/^.*\n# First\n\nCommit abcdef0 · \d{4}-\d\d-\d\d \d\d:\d\d UTC · \[job\]\(https:/);
    expect(ownComment.startsWith(`${marker}\n`)).toBe(true);

    // It is on the third page after 250 others.
    ciProvider.comments.unshift(
      ...Array.from({ length: 250 }, (_, at) => ciProvider.written({ author: "ada", body: `No. ${at}` })),
    );
    expect(await comment("# Second\n")).toEqual({ code: 0, stdout: "Comment updated\n", stderr: "" });
    expect(ciProvider.comments).toHaveLength(251);
    expect(ciProvider.comments.at(-1)?.body).toContain("# Second");
    expect(ciProvider.comments.filter(({ body }) => /First|Second/.test(body))).toHaveLength(1);
  });

  each("the job does not edit comments of other users or other stacks", async ({ ciProvider, comment }) => {
    ciProvider.comments.push(
      ciProvider.written({ author: "mallory", body: `${marker}\nAll is well.` }),
      ciProvider.written({ body: `Quoting:\n${marker}` }),
      ciProvider.written({ body: "<!-- endpoint-monitoring: review demo prod -->\nOf another stack" }),
    );
    const before = structuredClone(ciProvider.comments);
    await comment("# Review\n");
    expect(ciProvider.comments.slice(0, 3)).toEqual(before);
    expect(ciProvider.comments).toHaveLength(4);
    await comment("# Again\n");
    expect(ciProvider.comments).toHaveLength(4);
  });

  each(
    "the job opens one issue, and later updates, closes and reopens the same issue",
    async ({ ciProvider, issue, resolved }) => {
      expect((await resolved()).stdout).toBe("No issue is open\n");
      expect((await issue("One label differs.")).stdout).toBe("Issue opened\n");
      expect(ciProvider.issues).toMatchObject([{ title: "Drift: demo dev", labels: ["endpoint-monitoring"], open: true }]);
      expect((await issue("Two labels differ.")).stdout).toBe("Issue updated\n");
      expect(ciProvider.issues[0]?.body).toMatch(
        new RegExp(`^${driftMarker}\nTwo labels differ\\.\n\nSeen \\d{4}-.* UTC by \\[this job\\]`),
      );
      expect((await resolved()).stdout).toBe("Issue closed\n");
      expect(ciProvider.issues[0]).toMatchObject({ open: false });
      expect(ciProvider.issues[0]?.body).toMatch(/Resolved.*Two labels differ\./s);
      expect((await resolved()).stdout).toBe("No issue is open\n");
      expect((await issue("Three labels differ.")).stdout).toBe("Issue reopened\n");
      expect(ciProvider.issues).toHaveLength(1);
      expect(ciProvider.issues[0]).toMatchObject({ open: true });
      expect(ciProvider.issues[0]?.body).not.toContain("Resolved");
    },
  );

  each("the job ignores issues of other users and updates its own open issue", async ({ ciProvider, issue }) => {
    ciProvider.issues.push(
      ciProvider.written({ body: `${driftMarker}\nOld`, labels: ["endpoint-monitoring"], open: false }),
      ciProvider.written({ body: `${driftMarker}\nOpen`, labels: ["endpoint-monitoring"] }),
      ciProvider.written({ body: `${driftMarker}\nNewest`, labels: ["endpoint-monitoring"], open: false }),
      ciProvider.written({ author: "mallory", body: `${driftMarker}\nNot ours`, labels: ["endpoint-monitoring"] }),
    );
    await issue("Now");
    expect(ciProvider.issues.map(({ body }) => body.split("\n")[1])).toEqual(["Old", "Now", "Newest", "Not ours"]);
  });

  each(
    "the job writes reports of up to 60,000 characters and cuts longer reports after a complete line",
    async ({ ciProvider, comment }) => {
      const lines = (length: number): string => `${"x".repeat(99)}\n`.repeat(length / 100);
      await comment(lines(60_000));
      expect(ciProvider.comments[0]?.body).toContain(lines(60_000).trim());
      await comment(lines(90_000));
      const body = ciProvider.comments[0]?.body ?? "";
      expect(body).toHaveLength(Math.min(body.length, 65_000));
      expect(body).toMatch(/x{99}\n\n\n\(The rest is too long to show: see the log of the job\.\)\n\nCommit abcdef0/);
      await comment("y".repeat(90_000));
      expect(ciProvider.comments[0]?.body).toMatch(/y{60000}y*\n\n\(The rest/);
    },
  );

  each("the job retries after a server error, a rate limit or a missing response", async ({ ciProvider, comment }) => {
    ciProvider.faults.push(
      { method: "GET", path: comments, status: 502, body: "<html>" },
      { method: "GET", path: comments, status: 429, headers: { "retry-after": "1" } },
      { method: "POST", path: comments, status: "drop before" },
    );
    expect(await comment("# Review")).toEqual({ code: 0, stdout: "Comment written\n", stderr: "" });
    expect(ciProvider.comments).toHaveLength(1);
  });

  each("the job does not write twice if the first response was lost", async ({ ciProvider, comment, issue }) => {
    ciProvider.faults.push({ method: "POST", path: comments, status: "drop after" });
    expect((await comment("# Review")).code).toBe(0);
    ciProvider.faults.push({ method: "POST", path: /issues$/, status: "drop after" });
    expect((await issue("Drift")).code).toBe(0);
    expect([ciProvider.comments.length, ciProvider.issues.length]).toEqual([1, 1]);
  });

  each("the job reports a failed request, the response and a remedy in one line", async (scene) => {
    const failing = async (expected: RegExp, status: number, headers = {}, body = '{ "message": "No\\nway" }'): Promise<void> =>
      withCiProvider(kind, async (refusing) => {
        const fault = { method: "GET", path: comments, status, headers, body };
        refusing.ciProvider.faults.push(fault, fault, fault, fault);
        const { code, stdout, stderr } = await refusing.comment("# Review");
        expect([code, stdout]).toEqual([1, ""]);
        expect(stderr).toMatch(/^endpoint-monitoring ci: [^\n]+\n$/);
        expect(stderr).not.toContain(token);
        expect(stderr).toMatch(expected);
        expect(refusing.ciProvider.comments).toEqual([]);
      });
    const hint =
      kind === "github"
        ? /403 No way: the job needs the `permissions` that examples/
        : /403 No way: GITLAB_TOKEN has to be a project access/;
    const prefix = kind === "github" ? "x-ratelimit" : "ratelimit";
    const used = { [`${prefix}-remaining`]: "0", [`${prefix}-reset`]: String(Math.floor(Date.now() / 1000) + 600) };
    await Promise.all([
      failing(hint, 403),
      failing(/returned status 422 No way\.\n$/, 422),
      failing(/returned status 503 No way; tried 4 times\.\n$/, 503),
      failing(/429 No way\. Try again in 60 minutes\.\n$/, 429, { "retry-after": "3600" }),
      failing(/a response that is not JSON\.\n$/, 200, {}, "<html>log in</html>"),
      failing(/Try again in 10 minutes\.\n$/, kind === "github" ? 403 : 429, used),
    ]);

    const wrong = await scene.comment("x", {
      GITHUB_TOKEN: "wrong-token",
      GITLAB_TOKEN: "wrong-token",
    });
    expect(wrong.stderr).toMatch(/401 Bad credentials/);
    expect(wrong.stderr).not.toContain("wrong-token");
    expect(scene.ciProvider.comments).toEqual([]);
  });

  each("the job reports missing settings and unknown tasks", async (scene) => {
    const text = async (run: Promise<{ stderr: string }>): Promise<string> => (await run).stderr;
    expect(await text(scene.comment("x", { GITHUB_TOKEN: "", GITLAB_TOKEN: "" }))).toMatch(
      /^endpoint-monitoring ci: The environment variable GIT(HUB|LAB)_TOKEN is not set/,
    );
    expect(await text(scene.run("shout"))).toMatch(
      /Unknown argument "shout"\. Expected: review, up, drift, comment, approval, report/,
    );
    expect(await text(scene.run("report"))).toMatch(/The job `drift` failed, so there is no report/);
    scene.event("{}");
    expect(await text(scene.comment("x", { CI_MERGE_REQUEST_IID: undefined }))).toMatch(/nothing to comment on\.\n$/);
    expect(await text(scene.resolved({ GITHUB_API_URL: "", CI_API_V4_URL: "" }))).toMatch(/GITHUB_\w+ is not set/);
  });
});
