/** The interfaces of GitHub and GitLab, as far as forge.mjs needs them: requests with patience, and git with the forge's token. */
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";

const ATTEMPTS = 4;
const LONGEST_WAIT = 60_000;
export const LABEL = "endpoint-monitoring";

export const env = process.env;

/** What GitHub and GitLab do differently. */
const forges = {
  github: () => ({
    kind: "github",
    root: need("GITHUB_API_URL"),
    headers: { authorization: `Bearer ${need("GITHUB_TOKEN")}`, "x-github-api-version": "2022-11-28" },
    comments: () => `/repos/${need("GITHUB_REPOSITORY")}/issues/${event().pull_request?.number ?? notHere()}/comments`,
    comment: ({ id }) => `/repos/${need("GITHUB_REPOSITORY")}/issues/comments/${id}`,
    issues: `/repos/${need("GITHUB_REPOSITORY")}/issues`,
    pulls: `/repos/${need("GITHUB_REPOSITORY")}/pulls`,
    id: ({ number }) => number,
    from: (branch) => `head=${need("GITHUB_REPOSITORY").split("/")[0]}:${encodeURIComponent(branch)}`,
    merge: (branch) => ({ head: branch, base: need("GITHUB_REF_NAME") }),
    remote: () => `${need("GITHUB_SERVER_URL")}/${need("GITHUB_REPOSITORY")}.git`,
    login: () => `x-access-token:${need("GITHUB_TOKEN")}`,
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
    hint: "does the job have the `permissions` that README.md lists?",
    commit: () => event().pull_request?.head.sha ?? env.GITHUB_SHA,
    job: () => `${need("GITHUB_SERVER_URL")}/${need("GITHUB_REPOSITORY")}/actions/runs/${need("GITHUB_RUN_ID")}`,
  }),
  gitlab: () => ({
    kind: "gitlab",
    root: need("CI_API_V4_URL"),
    headers: { "private-token": need("GITLAB_TOKEN") },
    comments: () => `/projects/${need("CI_PROJECT_ID")}/merge_requests/${env.CI_MERGE_REQUEST_IID ?? notHere()}/notes`,
    comment: ({ id }) => `${forge.comments()}/${id}`,
    issues: `/projects/${need("CI_PROJECT_ID")}/issues`,
    pulls: `/projects/${need("CI_PROJECT_ID")}/merge_requests`,
    id: ({ iid }) => iid,
    from: (branch) => `source_branch=${encodeURIComponent(branch)}`,
    merge: (branch) => ({ source_branch: branch, target_branch: need("CI_COMMIT_REF_NAME"), remove_source_branch: true }),
    remote: () => `${need("CI_PROJECT_URL")}.git`,
    login: () => `oauth2:${need("GITLAB_TOKEN")}`,
    labels: LABEL,
    edit: "PUT",
    text: "description",
    state: (state, found) =>
      forge.isOpen(found) === (state === "open") ? {} : { state_event: { open: "reopen", closed: "close" }[state] },
    isOpen: ({ state }) => state === "opened",
    author: ({ author }) => author?.username,
    me: async () => (await request("GET", "/user")).username,
    hint: "is GITLAB_TOKEN a project access token with the scope api and the role that README.md lists?",
    commit: () => env.CI_MERGE_REQUEST_SOURCE_BRANCH_SHA || env.CI_COMMIT_SHA,
    job: () => need("CI_JOB_URL"),
  }),
};

/** The forge that this pipeline runs at. */
export let forge;

/** @throws where this is no pipeline */
export function connect() {
  forge = forges[env.CI_API_V4_URL ? "gitlab" : "github"]();
}

/** What may pass: worth another attempt, after the time that the forge asks for, if it does. */
class Passing extends Error {
  constructor(message, wait) {
    super(message);
    this.wait = wait;
  }
}

/** Does a task anew when something passing came between: it looks first, so that nothing is there twice. */
export async function patiently(work) {
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

/** Runs git, which gets the token in its environment, where no other process sees it. @returns what it prints, if anything */
export function git(...args) {
  const settings = [
    ["http.extraHeader", `authorization: basic ${Buffer.from(forge.login()).toString("base64")}`],
    ["http.followRedirects", "false"],
  ].flatMap(([name, value], at) => [
    [`GIT_CONFIG_KEY_${at}`, name],
    [`GIT_CONFIG_VALUE_${at}`, value],
  ]);
  const own = { ...Object.fromEntries(settings), GIT_CONFIG_COUNT: "2", GIT_TERMINAL_PROMPT: "0" };
  const { status, stdout, stderr, error } = spawnSync("git", args, { encoding: "utf8", env: { ...env, ...own } });
  if (status !== 0) throw new Passing(`git ${args[0]} failed: ${error?.message ?? stderr.trim().split("\n").at(-1)}`);
  return stdout.trim() || undefined;
}

/**
 * @param read what to make of the text of an answer, which is JSON unless it is given
 * @returns the answer; of a list, its items and whether there are more
 */
export async function request(method, target, body, read = parsed) {
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
  const answer = response.ok ? read(text) : parsed(text);
  if (response.ok && answer === undefined) throw new Error(`${what} was answered with something that is not JSON`);
  if (response.ok) {
    return Array.isArray(answer) ? { items: answer, more: /rel="?next"?/.test(response.headers.get("link") ?? "") } : answer;
  }
  const problem = `${what} was answered with ${response.status} ${reason(answer)}`.trim();
  const limited = response.status === 429 || (response.status === 403 && waitOf(response) !== undefined);
  if (limited || response.status >= 500) throw new Passing(problem, waitOf(response));
  const error = new Error([401, 403, 404].includes(response.status) ? `${problem}: ${forge.hint}` : problem);
  throw Object.assign(error, { status: response.status });
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

export function need(name) {
  if (env[name]) return env[name];
  throw new Error(`${name} is not set: this runs in a pipeline of GitHub or GitLab`);
}

/** @returns {never} */
function notHere() {
  throw new Error("this pipeline is not one of a pull (merge) request, so there is nothing to comment on");
}
