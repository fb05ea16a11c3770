/**
 * Tells people at GitHub or GitLab what a pipeline found. It needs no package.
 *
 *   node forge.mjs comment KEY FILE        the one comment on this pull (merge) request
 *   node forge.mjs issue KEY FILE TITLE    the one issue: opened, opened again, or brought up to date
 *   node forge.mjs resolved KEY            closes that issue, if it is open
 *
 * KEY tells one comment or issue from another. It stands in a hidden first line, by which the next run finds its own. Which forge
 * it is and where, the environment of the pipeline tells; the token is in GITHUB_TOKEN or GITLAB_TOKEN.
 */
import { readFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";

const ATTEMPTS = 4;
const LONGEST_WAIT = 60_000;
/** GitHub takes 65,536 characters. */
const LONGEST_BODY = 65_000;
const LABEL = "endpoint-monitoring";

const env = process.env;

/** What GitHub and GitLab do differently. */
const forges = {
  github: () => ({
    root: need("GITHUB_API_URL"),
    headers: { authorization: `Bearer ${need("GITHUB_TOKEN")}`, "x-github-api-version": "2022-11-28" },
    comments: () => `/repos/${need("GITHUB_REPOSITORY")}/issues/${event().pull_request?.number ?? notHere()}/comments`,
    comment: ({ id }) => `/repos/${need("GITHUB_REPOSITORY")}/issues/comments/${id}`,
    issues: `/repos/${need("GITHUB_REPOSITORY")}/issues`,
    issue: ({ number }) => `/repos/${need("GITHUB_REPOSITORY")}/issues/${number}`,
    labels: [LABEL],
    edit: "PATCH",
    text: "body",
    state: (state) => ({ state }),
    isOpen: ({ state }) => state === "open",
    author: ({ user }) => user?.login,
    // The token of a job may not ask /user who it is. Without the suffix as comments and this answer do not always agree on it.
    async me() {
      const answer = await request("POST", need("GITHUB_GRAPHQL_URL"), { query: "{ viewer { login } }" });
      return answer.data?.viewer?.login;
    },
    hint: "does the job have `permissions: pull-requests: write` (for an issue: `issues: write`)?",
    commit: () => event().pull_request?.head.sha ?? env.GITHUB_SHA,
    job: () => `${need("GITHUB_SERVER_URL")}/${need("GITHUB_REPOSITORY")}/actions/runs/${need("GITHUB_RUN_ID")}`,
  }),
  gitlab: () => ({
    root: need("CI_API_V4_URL"),
    headers: { "private-token": need("GITLAB_TOKEN") },
    comments: () => `/projects/${need("CI_PROJECT_ID")}/merge_requests/${env.CI_MERGE_REQUEST_IID ?? notHere()}/notes`,
    comment: ({ id }) => `${forge.comments()}/${id}`,
    issues: `/projects/${need("CI_PROJECT_ID")}/issues`,
    issue: ({ iid }) => `/projects/${need("CI_PROJECT_ID")}/issues/${iid}`,
    labels: LABEL,
    edit: "PUT",
    text: "description",
    state: (state, found) =>
      forge.isOpen(found) === (state === "open") ? {} : { state_event: { open: "reopen", closed: "close" }[state] },
    isOpen: ({ state }) => state === "opened",
    author: ({ author }) => author?.username,
    me: async () => (await request("GET", "/user")).username,
    hint: "is GITLAB_TOKEN a project access token with the scope api and at least the role Reporter?",
    commit: () => env.CI_MERGE_REQUEST_SOURCE_BRANCH_SHA || env.CI_COMMIT_SHA,
    job: () => need("CI_JOB_URL"),
  }),
};

/** What may pass: worth another attempt, after the time that the forge asks for, if it does. */
class Passing extends Error {
  constructor(message, wait) {
    super(message);
    this.wait = wait;
  }
}

const [task, key = "", file, title] = process.argv.slice(2);
const marker = `<!-- endpoint-monitoring: ${key.replace(/[^\w./ ]+/g, "-").replace(/--+/g, "-")} -->`;
const tasks = { comment, issue, resolved };
let forge;

try {
  if (!Object.hasOwn(tasks, task)) throw new Error(`there is no task ${task}; there are ${Object.keys(tasks).join(", ")}`);
  forge = forges[env.CI_API_V4_URL ? "gitlab" : "github"]();
  console.log(`forge: ${await patiently(tasks[task])}`);
} catch (error) {
  console.error(`forge: ${error.message}`);
  process.exitCode = 1;
}

/** Does a task anew when something passing came between: it looks first, so that nothing is there twice. */
async function patiently(work) {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof Passing)) throw error;
      const wait = error.wait ?? 500 * 2 ** attempt;
      if (attempt === ATTEMPTS) throw new Error(`${error.message}; tried ${ATTEMPTS} times`, { cause: error });
      if (wait > LONGEST_WAIT) {
        throw new Error(`${error.message}; it asks to wait ${Math.ceil(wait / 60_000)} minutes`, { cause: error });
      }
      await sleep(wait);
    }
  }
}

async function comment() {
  const body = bodyOf(readFileSync(file, "utf8"), `Commit ${forge.commit()?.slice(0, 7)} · [job](${forge.job()})`);
  const [mine] = await own(forge.comments());
  if (mine) await request(forge.edit, forge.comment(mine), { body });
  else await request("POST", forge.comments(), { body });
  return mine ? "comment brought up to date" : "comment written";
}

async function issue() {
  const body = bodyOf(readFileSync(file, "utf8"), seen());
  const found = await ownIssue();
  if (found) await request(forge.edit, forge.issue(found), { [forge.text]: body, ...forge.state("open", found) });
  else await request("POST", forge.issues, { title, [forge.text]: body, labels: forge.labels });
  if (!found) return "issue opened";
  return forge.isOpen(found) ? "issue brought up to date" : "issue opened again";
}

async function resolved() {
  const found = await ownIssue();
  if (!found || !forge.isOpen(found)) return "no issue is open";
  const last = found[forge.text].slice(marker.length).trim();
  const body = bodyOf(`**Gone.** Nothing differs any more. ${seen()}\n\n---\n\nWhat it was:\n\n${last}`);
  await request(forge.edit, forge.issue(found), { [forge.text]: body, ...forge.state("closed", found) });
  return "issue closed";
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

/** @returns the answer; of a list, its items and whether there are more */
async function request(method, target, body) {
  const what = `${method} ${target.replace(/\?.*/, "")}`;
  let response, text;
  try {
    response = await fetch(target.startsWith("/") ? forge.root + target : target, {
      method,
      headers: { ...forge.headers, accept: "application/json", "content-type": "application/json", "user-agent": LABEL },
      ...(body && { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(30_000),
    });
    text = await response.text();
  } catch (error) {
    throw new Passing(`${what} got no answer (${error.cause?.code ?? error.name})`);
  }
  const answer = parsed(text);
  if (response.ok && answer === undefined) throw new Error(`${what} was answered with something that is not JSON`);
  if (response.ok) {
    return Array.isArray(answer) ? { items: answer, more: /rel="?next"?/.test(response.headers.get("link") ?? "") } : answer;
  }
  const problem = `${what} was answered with ${response.status} ${reason(answer)}`.trim();
  const limited = response.status === 429 || (response.status === 403 && waitOf(response) !== undefined);
  if (limited || response.status >= 500) throw new Passing(problem, waitOf(response));
  throw new Error([401, 403, 404].includes(response.status) ? `${problem}: ${forge.hint}` : problem);
}

/** How long the forge asks to wait, in ms. */
function waitOf({ headers }) {
  if (headers.has("retry-after")) return Number(headers.get("retry-after")) * 1000 || undefined;
  const left = headers.get("x-ratelimit-remaining") ?? headers.get("ratelimit-remaining");
  const reset = headers.get("x-ratelimit-reset") ?? headers.get("ratelimit-reset");
  return left === "0" && reset ? Math.max(0, Number(reset) * 1000 - Date.now()) : undefined;
}

function parsed(text) {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function reason(answer) {
  const said = answer?.message ?? answer?.error ?? "";
  return (typeof said === "string" ? said : JSON.stringify(said)).replace(/\s+/g, " ").slice(0, 200);
}

function event() {
  return JSON.parse(readFileSync(need("GITHUB_EVENT_PATH"), "utf8"));
}

function need(name) {
  if (env[name]) return env[name];
  throw new Error(`${name} is not set: this runs in a pipeline of GitHub or GitLab`);
}

/** @returns {never} */
function notHere() {
  throw new Error("this pipeline is not one of a pull (merge) request, so there is nothing to comment on");
}
