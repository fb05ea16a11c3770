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
/** Workflow of GitHub whose runs write approvals. Another one of the repository could write artifacts of any name. */
const REVIEW = ".github/workflows/endpoint-monitoring-review.yml";
const UNREVIEWED = "no merged pull (merge) request brought it whose review has an approval, or that was too long ago";
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
  const body = bodyOf(readFileSync(file, "utf8"), `Commit ${forge.commit()?.slice(0, 7)} · ${now()} · [job](${forge.job()})`);
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
  return `Seen ${now()} by [this job](${forge.job()}).`;
}

function now() {
  return `${new Date().toISOString().slice(0, 16).replace("T", " ")} UTC`;
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

/** What this key has marked. Only what this token's user wrote: anybody can write a marker. */
async function own(path) {
  const marked = (await every(path)).filter(
    (item) => (item.body ?? item.description ?? "").startsWith(marker) && !item.pull_request,
  );
  if (marked.length === 0) return [];
  const me = bare(await forge.me());
  if (!me) throw new Error("the forge does not say whose token this is");
  return marked.filter((item) => bare(forge.author(item)) === me);
}

/** The items of a list on all its pages. */
async function every(path) {
  const found = [];
  for (let page = 1; page > 0;) {
    const { items, more } = await request("GET", `${path}${path.includes("?") ? "&" : "?"}per_page=100&page=${page}`);
    found.push(...items);
    page = more ? page + 1 : 0;
  }
  return found;
}

function bare(login = "") {
  return login.replace(/\[bot\]$/, "");
}

/** Finds what people said yes to: the approval of the pull (merge) request that this commit merges. */
async function approval(file) {
  const commit = need(forge.kind === "github" ? "GITHUB_SHA" : "CI_COMMIT_SHA");
  const why = await (forge.kind === "github" ? approvalOfGithub(commit) : approvalOfGitlab(commit, file));
  if (why === undefined) return "approval found";
  throw new Error(
    `there is no approval for commit ${commit.slice(0, 7)}: ${why}. ` +
      `Review what would happen now, and approve that: see "Review again" in README.md beside run.sh`,
  );
}

/** Run and name of the artifact, which ends with the digest, go into the outputs of the job. @returns why there is none */
async function approvalOfGithub(commit) {
  const repository = `/repos/${need("GITHUB_REPOSITORY")}`;
  const pull = (await every(`${repository}/commits/${commit}/pulls`)).find(
    (one) => one.merged_at && one.merge_commit_sha === commit && one.base.ref === need("GITHUB_REF_NAME"),
  );
  if (!pull) return UNREVIEWED;
  const approving = (await every(`${repository}/pulls/${pull.number}/reviews`)).filter(
    (one) => one.state === "APPROVED" && one.commit_id === pull.head.sha,
  );
  const query = `event=pull_request&head_sha=${pull.head.sha}&per_page=100`;
  const { workflow_runs: runs } = await request("GET", `${repository}/actions/runs?${query}`);
  // A fork's pull request can write artifacts of any name.
  const isOwn = (one) => one.repository?.id !== undefined && one.repository.id === one.head_repository?.id;
  const isReview = (one) => one.event === "pull_request" && one.head_sha === pull.head.sha && one.path === REVIEW && isOwn(one);
  const found = [];
  for (const { id } of runs.filter(isReview)) {
    const { artifacts } = await request("GET", `${repository}/actions/runs/${id}/artifacts?per_page=100`);
    for (const { name, expired, created_at: at } of artifacts) {
      if (!expired && name.startsWith(`${key}-`) && /^[0-9a-f]{64}$/.test(name.slice(key.length + 1))) {
        found.push({ at, says: name, run: id });
      }
    }
  }
  const { one, why } = approved(
    found,
    approving.map((review) => review.submitted_at),
    pull.merged_at,
  );
  if (one) appendFileSync(need("GITHUB_OUTPUT"), `name=${one.says}\nrun-id=${one.run}\n`);
  return why;
}

/** Writes the approval into a file. @returns why there is none */
async function approvalOfGitlab(commit, file) {
  const project = `/projects/${need("CI_PROJECT_ID")}`;
  const merged = (await every(`${project}/repository/commits/${commit}/merge_requests`)).find(
    (one) =>
      one.state === "merged" &&
      [one.merge_commit_sha, one.squash_commit_sha, one.sha].includes(commit) &&
      one.target_branch === need("CI_COMMIT_REF_NAME"),
  );
  if (!merged) return UNREVIEWED;
  const { approved_by: approvers = [] } = await request("GET", `${project}/merge_requests/${merged.iid}/approvals`);
  // Those of a fork are of another project.
  const isReview = (one) =>
    String(one.project_id) === need("CI_PROJECT_ID") && one.source === "merge_request_event" && one.sha === merged.sha;
  const found = [];
  for (const { id } of (await every(`${project}/merge_requests/${merged.iid}/pipelines`)).filter(isReview)) {
    for (const job of await every(`${project}/pipelines/${id}/jobs?include_retried=true`)) {
      if (!/^endpoint-monitoring:review(: |$)/.test(job.name) || !job.finished_at) continue;
      const path = `${project}/jobs/${job.id}/artifacts/endpoint-monitoring-reports/${encodeURIComponent(file.split("/").at(-1))}`;
      const says = await request("GET", path, undefined, (answer) => answer).catch((error) => {
        if (error.status !== 404) throw error;
      });
      if (says !== undefined) found.push({ at: job.finished_at, says });
    }
  }
  const times = approvers.flatMap((one) => one.approved_at ?? []);
  const { one, why } = approved(found, times, merged.merged_at);
  if (one) writeFileSync(file, one.says);
  return why;
}

/** The newest approval that was there when people said yes: whoever approved last, else whoever merged. */
function approved(found, approving, merged) {
  const time = (text) => Date.parse(text);
  const yes = Math.max(...(approving.length > 0 ? approving : [merged]).map(time));
  const newestFirst = found.toSorted((a, b) => time(b.at) - time(a.at));
  const one = newestFirst.find(({ at }) => time(at) <= yes);
  if (found.length === 0) return { why: UNREVIEWED };
  if (!one) return { why: "its review ended only after it was approved" };
  if (newestFirst.some(({ at, says }) => time(at) > yes && says !== one.says)) {
    return { why: "it was reviewed again after it was approved, and that review says something else" };
  }
  return { one };
}
