/** A stand-in for GitHub or GitLab in memory, for local.mjs: comments, issues, pull requests, and the approval of a review. */
import { createHash } from "node:crypto";
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import path from "node:path";

/** What each forge tells its jobs. */
const names = {
  github: (url, work) => ({
    name: "GitHub",
    token: { GITHUB_TOKEN: "only-here" },
    env: {
      GITHUB_API_URL: url,
      GITHUB_GRAPHQL_URL: `${url}/graphql`,
      GITHUB_SERVER_URL: "https://forge.example",
      GITHUB_REPOSITORY: "you/here",
      GITHUB_RUN_ID: "1",
      GITHUB_SHA: "0123456789",
      GITHUB_REF_NAME: "main",
      GITHUB_OUTPUT: path.join(work, "output"),
      GITHUB_EVENT_PATH: path.join(work, "event.json"),
    },
  }),
  gitlab: (url) => ({
    name: "GitLab",
    token: { GITLAB_TOKEN: "only-here" },
    env: {
      CI_API_V4_URL: url,
      CI_PROJECT_ID: "1",
      CI_PROJECT_URL: "https://forge.example/you/here",
      CI_MERGE_REQUEST_IID: "1",
      CI_COMMIT_SHA: "0123456789",
      CI_COMMIT_REF_NAME: "main",
      CI_JOB_URL: "https://forge.example/you/here/-/jobs/1",
    },
  }),
};

/** @param say shows a heading: everything that is written here is shown as it comes */
export async function startForge(kind, work, say) {
  if (!Object.hasOwn(names, kind)) throw new Error(`FORGE is github or gitlab, and not ${kind}`);
  const all = { comment: [], issue: [], "pull request": [] };
  let approval;
  const server = createServer(async (request, response) => {
    const answer = (body) => response.end(typeof body === "string" ? body : JSON.stringify(body));
    const body = JSON.parse((await Array.fromAsync(request)).join("") || "{}");
    const { pathname } = new URL(request.url, "http://localhost");
    const found = approvalAnswer(approval, pathname);
    if (found !== undefined) return answer(found);
    if (pathname === "/graphql") return answer({ data: { viewer: { login: "you" } } });
    if (pathname === "/user") return answer({ username: "you" });
    const what = /comments|notes/.test(pathname) ? "comment" : /pulls|merge_requests/.test(pathname) ? "pull request" : "issue";
    if (request.method === "GET") return answer(all[what]);
    const id = request.method === "POST" ? undefined : Number(/\d+$/.exec(pathname)[0]);
    const isNew = id === undefined;
    const next = all[what].length + 1;
    const mine = { id: next, iid: next, number: next, user: { login: "you" }, author: { username: "you" } };
    const one = isNew ? { ...mine, state: kind === "github" ? "open" : "opened" } : all[what][id - 1];
    if (isNew) all[what].push(one);
    const before = one.state;
    Object.assign(one, body, { state: { close: "closed", reopen: "opened" }[body.state_event] ?? body.state ?? before });
    say(`${what} ${one.id}: ${isNew ? "new" : before === one.state ? "edited" : one.state}`);
    console.log(`${one.title ? `# ${one.title}\n\n` : ""}${one.body ?? one.description}`);
    return answer(one);
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { name, token, env } = names[kind](`http://127.0.0.1:${server.address().port}`, work);
  if (env.GITHUB_EVENT_PATH) {
    writeFileSync(env.GITHUB_EVENT_PATH, JSON.stringify({ pull_request: { number: 1, head: { sha: "0123456789" } } }));
  }
  const repository = path.join(work, "forge/you/here.git");
  mkdirSync(path.dirname(repository), { recursive: true });
  return {
    name,
    token,
    env,
    repository,
    gitConfig: `[url "${path.join(work, "forge")}/"]\ninsteadOf = https://forge.example/\n`,
    /** Keeps the approval of a review as an artifact. */
    keep(reports) {
      const file = readdirSync(reports).find((one) => one.startsWith("approval-"));
      if (!file) throw new Error("The review wrote no approval");
      const content = readFileSync(path.join(reports, file), "utf8");
      const digest = createHash("sha256").update(content).digest("hex");
      approval = { file, content, name: `endpoint-monitoring-${file.replace(/\.json$/, "")}-${digest}` };
    },
    /** What actions/download-artifact does at GitHub; GitLab's job has it already. */
    download(reports) {
      if (kind === "github") writeFileSync(path.join(reports, approval.file), approval.content);
    },
    close: () => server.close(),
  };
}

/** What the forge has of the artifact with the approval; nothing where something else is asked. */
function approvalAnswer(approval, pathname) {
  const [at, sha, target] = ["2026-01-01T00:00:00Z", "0123456789", "main"];
  const run = { id: 1, event: "pull_request", path: ".github/workflows/endpoint-monitoring-review.yml", head_sha: sha };
  if (/\/commits\/\w+\/pulls$/.test(pathname)) {
    return [{ number: 1, merged_at: at, merge_commit_sha: sha, head: { sha }, base: { ref: target } }];
  }
  if (pathname.endsWith("/pulls/1/reviews")) return [];
  if (pathname.endsWith("/actions/runs")) {
    return { workflow_runs: [{ ...run, repository: { id: 1 }, head_repository: { id: 1 } }] };
  }
  if (pathname.endsWith("/actions/runs/1/artifacts")) {
    return { artifacts: approval ? [{ name: approval.name, expired: false, created_at: at }] : [] };
  }
  if (/\/commits\/\w+\/merge_requests$/.test(pathname)) {
    return [{ iid: 1, state: "merged", sha, merged_at: at, target_branch: target }];
  }
  if (pathname.endsWith("/approvals")) return { approved_by: [] };
  if (pathname.endsWith("/pipelines")) return [{ id: 1, project_id: 1, source: "merge_request_event", sha }];
  if (pathname.endsWith("/pipelines/1/jobs")) return [{ id: 1, name: "endpoint-monitoring:review", finished_at: at }];
  return pathname.includes("/jobs/1/artifacts/") ? approval?.content : undefined;
}
