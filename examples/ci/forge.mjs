/**
 * Reports to people at GitHub or GitLab what a pipeline found. It needs no package.
 *
 *   node forge.mjs comment KEY FILE        the one comment on this pull (merge) request
 *   node forge.mjs issue KEY FILE TITLE    the one issue: opened, opened again, or brought up to date
 *   node forge.mjs resolved KEY            closes that issue, if it is open
 *   node forge.mjs pull-request KEY FILE TITLE BRANCH BUNDLE
 *                                          pushes the branch in BUNDLE, and opens or updates the one pull (merge) request from it
 *   node forge.mjs withdrawn KEY BRANCH    closes that, if it is open, and deletes its branch
 *
 * A branch whose last commit is somebody else's is never pushed to or deleted.
 *   node forge.mjs approval NAME FILE      finds the approval of the pull (merge) request that this commit merges
 *
 * KEY tells one comment, issue or pull request from another. It stands in a hidden first line, by which the next run finds its own.
 * Which forge it is and where, the environment of the pipeline tells; the token is in GITHUB_TOKEN or GITLAB_TOKEN.
 */
import { appendFileSync, readFileSync, writeFileSync } from "node:fs";
import { connect, forge, git, LABEL, need, patiently, request } from "./forge-api.mjs";

/** GitHub takes 65,536 characters. */
const LONGEST_BODY = 65_000;
/** Who commits accepted drift in run.sh. */
const COMMITTER = "endpoint-monitoring@localhost";
const LEFT = "Somebody else has committed on this branch, so it stays as it is, and what differs now may not be on it.";

const [task, key = "", ...rest] = process.argv.slice(2);
const marker = `<!-- endpoint-monitoring: ${key.replace(/[^\w./ ]+/g, "-").replace(/--+/g, "-")} -->`;
const tasks = { comment, issue, resolved, "pull-request": pullRequest, withdrawn, approval };

try {
  if (!Object.hasOwn(tasks, task)) throw new Error(`there is no task ${task}; there are ${Object.keys(tasks).join(", ")}`);
  connect();
  console.log(`forge: ${await patiently(() => tasks[task](...rest))}`);
} catch (error) {
  console.error(`forge: ${error.message}`);
  process.exitCode = 1;
}

async function comment(file) {
  const body = bodyOf(readFileSync(file, "utf8"), `Commit ${forge.commit()?.slice(0, 7)} · [job](${forge.job()})`);
  const [mine] = await own(forge.comments());
  if (mine) await request(forge.edit, forge.comment(mine), { body });
  else await request("POST", forge.comments(), { body });
  return mine ? "comment brought up to date" : "comment written";
}

async function issue(file, title) {
  return `issue ${await opened(forge.issues, await ownIssue(), bodyOf(readFileSync(file, "utf8"), seen()), { title, labels: forge.labels })}`;
}

async function resolved() {
  return (await closed(forge.issues, await ownIssue())) ? "issue closed" : "no issue is open";
}

async function pullRequest(file, title, branch, bundle) {
  const found = await ownPull(branch);
  const tip = tipOf(branch);
  if (!tip.isTheirs) {
    git("fetch", "--quiet", bundle, branch);
    push(tip, "FETCH_HEAD");
  }
  const body = bodyOf(readFileSync(file, "utf8"), tip.isTheirs ? `${LEFT} ${seen()}` : seen());
  return `pull request ${await opened(forge.pulls, found, body, found ? {} : { title, ...forge.merge(branch) })}`;
}

async function withdrawn(branch) {
  const wasOpen = await closed(forge.pulls, await ownPull(branch));
  const tip = tipOf(branch);
  if (tip.commit && !tip.isTheirs) push(tip, "");
  return wasOpen ? "pull request closed" : "no pull request is open";
}

/** The last commit of a branch at the forge, if there is one, and whether somebody else committed it. */
function tipOf(branch) {
  const ref = `refs/heads/${branch}`;
  const commit = git("ls-remote", forge.remote(), ref)?.split("\t")[0];
  if (commit === undefined) return { ref, isTheirs: false };
  git("fetch", "--quiet", forge.remote(), ref);
  return { ref, commit, isTheirs: git("log", "-1", "--format=%ce", commit) !== COMMITTER };
}

/** Moves a branch, or deletes it if `source` is empty. Refused if somebody has committed since the look. */
function push({ ref, commit = "" }, source) {
  git("push", "--quiet", `--force-with-lease=${ref}:${commit}`, forge.remote(), `${source}:${ref}`);
}

/** Opens an issue or a pull request, or brings up to date the one that there is. */
async function opened(all, found, body, given) {
  if (!found) await request("POST", all, { ...given, [forge.text]: body });
  else await request(forge.edit, `${all}/${forge.id(found)}`, { [forge.text]: body, ...forge.state("open", found) });
  if (!found) return "opened";
  return forge.isOpen(found) ? "brought up to date" : "opened again";
}

async function closed(all, found) {
  if (!found || !forge.isOpen(found)) return false;
  const last = found[forge.text].slice(marker.length).trim();
  const body = bodyOf(`**Gone.** Nothing differs any more. ${seen()}\n\n---\n\nWhat it was:\n\n${last}`);
  await request(forge.edit, `${all}/${forge.id(found)}`, { [forge.text]: body, ...forge.state("closed", found) });
  return true;
}

function seen() {
  return `Seen ${new Date().toISOString().slice(0, 16).replace("T", " ")} UTC by [this job](${forge.job()}).`;
}

function bodyOf(markdown, foot = "") {
  const room = LONGEST_BODY - marker.length - foot.length;
  const text = markdown.trim();
  if (text.length <= room) return `${marker}\n${text}\n\n${foot}`.trimEnd();
  const kept = text.slice(0, room - 100);
  const lines = kept.slice(0, kept.lastIndexOf("\n") + 1) || kept;
  return `${marker}\n${lines}\n\n(The rest did not fit: see the log of the job.)\n\n${foot}`.trimEnd();
}

/** The open issue of this key, else the newest one. */
async function ownIssue() {
  const found = await own(`${forge.issues}?state=all&labels=${LABEL}`);
  return found.find(forge.isOpen) ?? found[0];
}

/** The open pull request of this key. A closed one stays closed: its branch may be another one's by now. */
async function ownPull(branch) {
  return (await own(`${forge.pulls}?state=all&${forge.from(branch)}`)).find(forge.isOpen);
}

/** What this key has marked, on all pages. Only what this token's user wrote: anybody can write a marker. */
async function own(path) {
  const marked = [];
  for (let page = 1; page > 0;) {
    const { items, more } = await request("GET", `${path}${path.includes("?") ? "&" : "?"}per_page=100&page=${page}`);
    marked.push(...items.filter((item) => (item.body ?? item.description ?? "").startsWith(marker) && !item.pull_request));
    page = more ? page + 1 : 0;
  }
  if (marked.length === 0) return [];
  const me = bare(await forge.me());
  if (!me) throw new Error("the forge does not say whose token this is");
  return marked.filter((item) => bare(forge.author(item)) === me);
}

function bare(login = "") {
  return login.replace(/\[bot\]$/, "");
}

/** Finds what the reviewers of the pull (merge) request saw which this commit merges. */
async function approval(file) {
  if (await (forge.kind === "github" ? approvalOfGithub() : approvalOfGitlab(file))) return "approval found";
  const commit = need(forge.kind === "github" ? "GITHUB_SHA" : "CI_COMMIT_SHA").slice(0, 7);
  throw new Error(
    `there is no approval for commit ${commit}: no pull (merge) request with a review brought it, or that was too long ago. ` +
      `Review what would happen now, and approve that: see "Review again" in README.md beside run.sh`,
  );
}

/**
 * By the tree of the commit; where the main branch has moved meanwhile, by the pull request. Run and name of the artifact go into the
 * outputs of the job, for the download.
 */
async function approvalOfGithub() {
  const repository = `/repos/${need("GITHUB_REPOSITORY")}`;
  const untreed = (name) => name.replace(/[0-9a-f]{40,}$/, "");
  const artifacts = async (path) => {
    const { artifacts: all } = await request("GET", repository + path);
    // A fork's pull request can write artifacts of any name.
    return all.filter((one) => !one.expired && one.workflow_run.head_repository_id === one.workflow_run.repository_id);
  };
  const found = await artifacts(`/actions/artifacts?name=${key}&per_page=100`);
  if (found.length === 0) {
    const { items: pulls } = await request("GET", `${repository}/commits/${need("GITHUB_SHA")}/pulls`);
    for (const { head } of pulls.filter(({ merged_at: mergedAt }) => mergedAt)) {
      const query = `event=pull_request&head_sha=${head.sha}`;
      for (const { id } of (await request("GET", `${repository}/actions/runs?${query}`)).workflow_runs) {
        found.push(
          ...(await artifacts(`/actions/runs/${id}/artifacts?per_page=100`)).filter(
            ({ name }) => untreed(name) === untreed(key),
          ),
        );
      }
    }
  }
  const newest = found.toSorted((a, b) => b.id - a.id)[0];
  if (newest) appendFileSync(need("GITHUB_OUTPUT"), `name=${newest.name}\nrun-id=${newest.workflow_run.id}\n`);
  return newest !== undefined;
}

/** By the merge request: of its newest pipeline that has an approval, into a file. */
async function approvalOfGitlab(file) {
  const project = `/projects/${need("CI_PROJECT_ID")}`;
  const { items: requests } = await request("GET", `${project}/repository/commits/${need("CI_COMMIT_SHA")}/merge_requests`);
  for (const { iid } of requests.filter(({ state }) => state === "merged")) {
    const { items: pipelines } = await request("GET", `${project}/merge_requests/${iid}/pipelines`);
    // Those of a fork are of another project.
    for (const { id } of pipelines.filter((one) => String(one.project_id) === need("CI_PROJECT_ID"))) {
      const { items: jobs } = await request("GET", `${project}/pipelines/${id}/jobs?per_page=100`);
      for (const job of jobs.filter(({ name }) => name.startsWith("endpoint-monitoring:review"))) {
        const path = `${project}/jobs/${job.id}/artifacts/endpoint-monitoring-reports/${file.split("/").at(-1)}`;
        const text = await request("GET", path, undefined, (answer) => answer).catch((error) => {
          if (error.status !== 404) throw error;
        });
        if (text === undefined) continue;
        writeFileSync(file, text);
        return true;
      }
    }
  }
  return false;
}
