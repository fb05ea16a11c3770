/** The script that writes comments and issues, against the interfaces of both forges as real HTTP. */
import { spawn } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Forge, token } from "./support/forge";

const script = join(__dirname, "../../examples/ci/forge.mjs");
const marker = "<!-- endpoint-monitoring: review demo dev -->";
const driftMarker = "<!-- endpoint-monitoring: drift demo dev -->";

interface Ended {
  code: number | null;
  stdout: string;
  stderr: string;
}

describe.each(["github", "gitlab"] as const)("on %s", (kind) => {
  let folder: string;
  let forge: Forge;

  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), "forge-"));
    writeFileSync(join(folder, "event.json"), '{ "pull_request": { "number": 12, "head": { "sha": "abcdef0123456789" } } }');
    forge = await Forge.start(kind);
  });
  afterEach(async () => {
    await forge.close();
    rmSync(folder, { recursive: true, force: true });
  });

  const run = (args: string[], env: Record<string, string | undefined> = {}): Promise<Ended> => {
    const own = { PATH: process.env["PATH"], [kind === "github" ? "GITHUB_TOKEN" : "GITLAB_TOKEN"]: token };
    const child = spawn(process.execPath, [script, ...args], {
      env: { ...own, ...forge.env(join(folder, "event.json")), ...env },
      stdio: ["ignore", "pipe", "pipe"],
    });
    return new Promise((resolve, reject) => {
      let [stdout, stderr] = ["", ""];
      child.stdout.setEncoding("utf8").on("data", (text: string) => (stdout += text));
      child.stderr.setEncoding("utf8").on("data", (text: string) => (stderr += text));
      child.on("error", reject).on("close", (code) => resolve({ code, stdout, stderr }));
    });
  };
  const file = (text: string): string => {
    const path = join(folder, "report.md");
    writeFileSync(path, text);
    return path;
  };
  const comment = (text: string) => run(["comment", "review demo dev", file(text)]);
  const issue = (text: string) => run(["issue", "drift demo dev", file(text), "Drift: demo dev"]);
  const resolved = () => run(["resolved", "drift demo dev"]);
  const comments = kind === "github" ? /issues\/12\/comments$/ : /notes$/;

  it("writes a comment, and edits that very one from then on, wherever it stands by then", async () => {
    expect(await comment("# First\n")).toEqual({ code: 0, stdout: "forge: comment written\n", stderr: "" });
    expect(forge.comments).toHaveLength(1);
    const own = forge.comments[0]?.body ?? "";
    expect(own.startsWith(`${marker}\n# First\n\nCommit abcdef0 · [job](https://`)).toBe(true);

    // 250 others before it: it is on the third page.
    forge.comments.unshift(...Array.from({ length: 250 }, (_, at) => forge.written({ author: "ada", body: `No. ${at}` })));
    expect(await comment("# Second\n")).toEqual({ code: 0, stdout: "forge: comment brought up to date\n", stderr: "" });
    expect(forge.comments).toHaveLength(251);
    expect(forge.comments.at(-1)?.body).toContain("# Second");
    expect(forge.comments.filter(({ body }) => /First|Second/.test(body))).toHaveLength(1);
  });

  it("keeps its hands off comments of others that have its marker, and of its own that have another", async () => {
    forge.comments.push(
      forge.written({ author: "mallory", body: `${marker}\nAll is well.` }),
      forge.written({ body: `Quoting:\n${marker}` }),
      forge.written({ body: "<!-- endpoint-monitoring: review demo prod -->\nOf another stack" }),
    );
    const before = structuredClone(forge.comments);
    await comment("# Review\n");
    expect(forge.comments.slice(0, 3)).toEqual(before);
    expect(forge.comments).toHaveLength(4);
    await comment("# Again\n");
    expect(forge.comments).toHaveLength(4);
  });

  it("opens one issue, brings it up to date, closes it, and opens it again", async () => {
    expect((await resolved()).stdout).toBe("forge: no issue is open\n");
    expect((await issue("One label differs.")).stdout).toBe("forge: issue opened\n");
    expect(forge.issues).toMatchObject([{ title: "Drift: demo dev", labels: ["endpoint-monitoring"], open: true }]);
    expect((await issue("Two labels differ.")).stdout).toBe("forge: issue brought up to date\n");
    expect(forge.issues[0]?.body).toMatch(
      new RegExp(`^${driftMarker}\nTwo labels differ\\.\n\nSeen \\d{4}-.* UTC by \\[this job\\]`),
    );
    expect((await resolved()).stdout).toBe("forge: issue closed\n");
    expect(forge.issues[0]).toMatchObject({ open: false });
    expect(forge.issues[0]?.body).toMatch(/Gone.*Two labels differ\./s);
    expect((await resolved()).stdout).toBe("forge: no issue is open\n");
    expect((await issue("Three labels differ.")).stdout).toBe("forge: issue opened again\n");
    expect(forge.issues).toHaveLength(1);
    expect(forge.issues[0]).toMatchObject({ open: true });
    expect(forge.issues[0]?.body).not.toContain("Gone");
  });

  it("takes no issue of others, and of several of its own the open one", async () => {
    forge.issues.push(
      forge.written({ body: `${driftMarker}\nOld`, labels: ["endpoint-monitoring"], open: false }),
      forge.written({ body: `${driftMarker}\nOpen`, labels: ["endpoint-monitoring"] }),
      forge.written({ body: `${driftMarker}\nNewest`, labels: ["endpoint-monitoring"], open: false }),
      forge.written({ author: "mallory", body: `${driftMarker}\nNot ours`, labels: ["endpoint-monitoring"] }),
    );
    await issue("Now");
    expect(forge.issues.map(({ body }) => body.split("\n")[1])).toEqual(["Old", "Now", "Newest", "Not ours"]);
  });

  it("takes a report of 60,000 characters whole, and cuts what the forge would refuse at the end of a line", async () => {
    const lines = (length: number): string => `${"x".repeat(99)}\n`.repeat(length / 100);
    await comment(lines(60_000));
    expect(forge.comments[0]?.body).toContain(lines(60_000).trim());
    await comment(lines(90_000));
    const body = forge.comments[0]?.body ?? "";
    expect(body).toHaveLength(Math.min(body.length, 65_000));
    expect(body).toMatch(/x{99}\n\n\n\(The rest did not fit: see the log of the job\.\)\n\nCommit abcdef0/);
    await comment("y".repeat(90_000));
    expect(forge.comments[0]?.body).toMatch(/y{60000}y*\n\n\(The rest/);
  });

  it("tries again after what passes: an error of the server, a limit, no answer", async () => {
    forge.faults.push(
      { method: "GET", path: comments, status: 502, body: "<html>" },
      { method: "GET", path: comments, status: 429, headers: { "retry-after": "1" } },
      { method: "POST", path: comments, status: "drop before" },
    );
    expect(await comment("# Review")).toEqual({ code: 0, stdout: "forge: comment written\n", stderr: "" });
    expect(forge.comments).toHaveLength(1);
  });

  it("does not write twice what was written although no answer came", async () => {
    forge.faults.push({ method: "POST", path: comments, status: "drop after" });
    expect((await comment("# Review")).code).toBe(0);
    forge.faults.push({ method: "POST", path: /issues$/, status: "drop after" });
    expect((await issue("Drift")).code).toBe(0);
    expect([forge.comments.length, forge.issues.length]).toEqual([1, 1]);
  });

  it("gives up in one line: what it asked, what the answer was, what to do, and no token", async () => {
    const failing = async (status: number, headers = {}, body = '{ "message": "No\\nway" }'): Promise<string> => {
      for (let n = 0; n < 4; n += 1) forge.faults.push({ method: "GET", path: comments, status, headers, body });
      const { code, stdout, stderr } = await comment("# Review");
      expect([code, stdout]).toEqual([1, ""]);
      expect(stderr).toMatch(/^forge: [^\n]+\n$/);
      expect(stderr).not.toContain(token);
      forge.faults.splice(0);
      return stderr;
    };
    expect(await failing(403)).toMatch(
      kind === "github"
        ? /403 No way: does the job have `permissions: pull-requests: write`/
        : /403 No way: is GITLAB_TOKEN a project access/,
    );
    expect(await failing(422)).toMatch(/answered with 422 No way\n$/);
    expect(await failing(503)).toMatch(/answered with 503 No way; tried 4 times\n$/);
    expect(await failing(429, { "retry-after": "3600" })).toMatch(/429 No way; it asks to wait 60 minutes\n$/);
    expect(await failing(200, {}, "<html>log in</html>")).toMatch(/something that is not JSON\n$/);
    const reset = { [kind === "github" ? "x-ratelimit-remaining" : "ratelimit-remaining"]: "0" };
    const at = String(Math.floor(Date.now() / 1000) + 600);
    reset[kind === "github" ? "x-ratelimit-reset" : "ratelimit-reset"] = at;
    expect(await failing(kind === "github" ? 403 : 429, reset)).toMatch(/it asks to wait 10 minutes\n$/);
    expect(forge.comments).toEqual([]);

    const wrong = await run(["comment", "k", file("x")], { GITHUB_TOKEN: "wrong-token", GITLAB_TOKEN: "wrong-token" });
    expect(wrong.stderr).toMatch(/401 Bad credentials/);
    expect(wrong.stderr).not.toContain("wrong-token");
  });

  it("says what is missing around it", async () => {
    const text = async (args: string[], env: Record<string, string | undefined>): Promise<string> =>
      (await run(args, env)).stderr;
    expect(await text(["comment", "k", file("x")], { GITHUB_TOKEN: "", GITLAB_TOKEN: "" })).toMatch(
      /^forge: GIT(HUB|LAB)_TOKEN is not set/,
    );
    expect(await text(["shout"], {})).toBe("forge: there is no task shout; there are comment, issue, resolved\n");
    writeFileSync(join(folder, "event.json"), "{}");
    expect(await text(["comment", "k", file("x")], { CI_MERGE_REQUEST_IID: undefined })).toMatch(/nothing to comment on\n$/);
    expect(await text(["resolved", "k"], { GITHUB_API_URL: "", CI_API_V4_URL: "" })).toMatch(/GITHUB_API_URL is not set/);
  });
});
