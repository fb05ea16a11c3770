import { readFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { dateOf } from "../../../api/pacing";
import { objectOf, stringOf } from "../../../provider/values";
import { parseJson } from "../../../common/files";
import { UsageError } from "../../../common/errors";
import { counted } from "../../../common/text";

export const label = "endpoint-monitoring";
const maxAttempts = 4;
const maxWaitMs = 60_000;

export type JsonObject = Record<string, unknown>;
type CiVariables = Readonly<NodeJS.ProcessEnv>;

export class TemporaryFailure extends Error {
  constructor(
    message: string,
    readonly waitMs?: number,
  ) {
    super(message);
  }
}

/** The CI provider reports that an object does not exist (status 404). */
export class MissingRecordError extends UsageError {}

/**
 * Repeats `work` after a temporary failure. A failed attempt may have had an effect, so `work` must check whether its result already
 * exists.
 */
export async function withRetries<T>(work: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof TemporaryFailure)) throw error;
      const wait = error.waitMs ?? 500 * 2 ** attempt;
      if (attempt === maxAttempts) throw new UsageError(`${error.message}; tried ${maxAttempts} times`, "work");
      if (wait > maxWaitMs) {
        throw new UsageError(`${error.message}. Try again in ${counted(Math.ceil(wait / 60_000), "minute")}`, "work");
      }
      await sleep(wait);
    }
  }
}

/** URLs, names and values of GitHub's API. The function `gitlab` returns the same members for GitLab. */
function github(env: CiVariables) {
  const need = needed(env);
  const project = `/repos/${need("GITHUB_REPOSITORY")}`;
  const event = (): JsonObject => objectOf(parseJson(readFileSync(need("GITHUB_EVENT_PATH"), "utf8")));
  const pull = objectOf(env["GITHUB_EVENT_PATH"] ? event()["pull_request"] : undefined);
  const page = `${need("GITHUB_SERVER_URL")}/${need("GITHUB_REPOSITORY")}`;
  const headers: Record<string, string> = {
    authorization: `Bearer ${need("GITHUB_TOKEN")}`,
    "x-github-api-version": "2022-11-28",
  };
  const issue: JsonObject = { labels: [label] };
  return {
    root: need("GITHUB_API_URL"),
    headers,
    project,
    comments: () => `${project}/issues/${textOf(pull["number"]) ?? nothingToComment()}/comments`,
    comment: (id: unknown) => `${project}/issues/comments/${String(id)}`,
    pulls: `${project}/pulls`,
    from: (branch: string) => `head=${need("GITHUB_REPOSITORY").split("/")[0]}:${encodeURIComponent(branch)}`,
    merge: (branch: string): JsonObject => ({ head: branch, base: need("GITHUB_REF_NAME") }),
    /** Name of the member that contains the number of an issue or pull request. */
    id: "number",
    remote: `${page}.git`,
    login: `x-access-token:${need("GITHUB_TOKEN")}`,
    issue,
    edit: "PATCH",
    /** Name of the member that contains the description of an issue or pull request. */
    text: "body",
    open: "open",
    state: (isOpen: boolean): JsonObject => ({ state: isOpen ? "open" : "closed" }),
    author: ({ user }: JsonObject) => objectOf(user)["login"],
    // GitHub rejects `/user` requests with a job's token. In GraphQL responses and in comments, the same user name may appear with or
    // without the suffix `[bot]`.
    async me(ciProvider: CiProviderApi): Promise<unknown> {
      const { data } = await ciProvider.request("POST", need("GITHUB_GRAPHQL_URL"), { query: "{ viewer { login } }" });
      return objectOf(objectOf(data)["viewer"])["login"];
    },
    hint: "the job needs the `permissions` that examples/ci/README.md lists",
    commit: stringOf(objectOf(pull["head"])["sha"]) ?? env["GITHUB_SHA"],
    job: `${page}/actions/runs/${need("GITHUB_RUN_ID")}`,
  };
}
type Differences = ReturnType<typeof github>;

function gitlab(env: CiVariables): Differences {
  const need = needed(env);
  const project = `/projects/${need("CI_PROJECT_ID")}`;
  const comments = (): string => `${project}/merge_requests/${env["CI_MERGE_REQUEST_IID"] ?? nothingToComment()}/notes`;
  return {
    root: need("CI_API_V4_URL"),
    headers: { "private-token": need("GITLAB_TOKEN") },
    project,
    comments,
    comment: (id) => `${comments()}/${String(id)}`,
    pulls: `${project}/merge_requests`,
    from: (branch) => `source_branch=${encodeURIComponent(branch)}`,
    merge: (branch) => ({ source_branch: branch, target_branch: need("CI_COMMIT_REF_NAME"), remove_source_branch: true }),
    id: "iid",
    remote: `${need("CI_PROJECT_URL")}.git`,
    login: `oauth2:${need("GITLAB_TOKEN")}`,
    issue: { labels: label },
    edit: "PUT",
    text: "description",
    open: "opened",
    state: (isOpen) => ({ state_event: isOpen ? "reopen" : "close" }),
    author: ({ author }) => objectOf(author)["username"],
    me: async (ciProvider) => (await ciProvider.request("GET", "/user"))["username"],
    hint: "GITLAB_TOKEN has to be a project access token with the scope api and the role that examples/ci/README.md lists",
    commit: env["CI_MERGE_REQUEST_SOURCE_BRANCH_SHA"] || env["CI_COMMIT_SHA"],
    job: need("CI_JOB_URL"),
  };
}

export class CiProviderApi {
  readonly kind: "github" | "gitlab";
  readonly is: Differences;

  /** @throws UsageError if this process does not run in a pipeline */
  constructor(readonly env: CiVariables) {
    this.kind = env["CI_API_V4_URL"] ? "gitlab" : "github";
    this.is = this.kind === "gitlab" ? gitlab(env) : github(env);
  }

  need(name: string): string {
    return needed(this.env)(name);
  }

  async request(method: string, target: string, body?: JsonObject): Promise<JsonObject> {
    return objectOf((await this.#json(method, target, body)).answer);
  }

  async list(path: string): Promise<JsonObject[]> {
    const answers: JsonObject[] = [];
    for (let page = 1; page > 0;) {
      const { answer, more } = await this.#json("GET", `${path}${path.includes("?") ? "&" : "?"}per_page=100&page=${page}`);
      if (Array.isArray(answer)) for (const item of answer) answers.push(objectOf(item));
      page = more ? page + 1 : 0;
    }
    return answers;
  }

  async file(path: string): Promise<string | undefined> {
    try {
      return (await this.#send("GET", path)).text;
    } catch (error) {
      if (error instanceof MissingRecordError) return undefined;
      throw error;
    }
  }

  async #json(method: string, target: string, body?: JsonObject): Promise<{ answer: unknown; more: boolean }> {
    const { text, headers } = await this.#send(method, target, body);
    const answer = parseJson(text);
    if (answer === undefined) throw new UsageError(`${nameOf(method, target)} returned a response that is not JSON`, "work");
    return { answer, more: /rel="?next"?/.test(headers.get("link") ?? "") };
  }

  /** Downloads a file, and follows the CI provider's redirect to another host. Only the CI provider receives the token. */
  async download(path: string): Promise<Buffer> {
    const called = nameOf("GET", path);
    const { status, headers } = await this.#fetch(called, this.is.root + path, {
      headers: this.is.headers,
      redirect: "manual",
    });
    const location = headers.get("location");
    if (location === null) throw new UsageError(`${called} returned status ${status}: ${this.is.hint}`, "work");
    const response = await this.#fetch(called, location, { redirect: "error" });
    if (!response.ok) throw new TemporaryFailure(`${called} was redirected to a response with status ${response.status}`);
    return Buffer.from(await response.arrayBuffer());
  }

  async #fetch(called: string, target: string, request: RequestInit): Promise<Response> {
    try {
      return await fetch(target, { ...request, signal: AbortSignal.timeout(30_000) });
    } catch (error) {
      const { cause, name } = error as Error & { cause?: { code?: string } };
      throw new TemporaryFailure(`${called} got no response (${cause?.code ?? name})`);
    }
  }

  async #send(method: string, target: string, body?: JsonObject): Promise<{ text: string; headers: Headers }> {
    const called = nameOf(method, target);
    const response = await this.#fetch(called, target.startsWith("/") ? this.is.root + target : target, {
      method,
      redirect: "error",
      headers: { ...this.is.headers, accept: "application/json", "content-type": "application/json", "user-agent": label },
      ...(body && { body: JSON.stringify(body) }),
    });
    const text = await response.text().catch((error: Error) => {
      throw new TemporaryFailure(`${called} got an incomplete response (${error.name})`);
    });
    const { ok, status, headers } = response;
    if (ok) return { text, headers };
    const { message, error: reason } = objectOf(parseJson(text));
    const explanation = message ?? reason ?? "";
    const short = (typeof explanation === "string" ? explanation : JSON.stringify(explanation))
      .replace(/\s+/g, " ")
      .slice(0, 200);
    const problem = `${called} returned status ${status} ${short}`.trim();
    const waitMs = waitOf(headers);
    if (status === 429 || status >= 500 || (status === 403 && waitMs !== undefined))
      throw new TemporaryFailure(problem, waitMs);
    const whole = [401, 403, 404].includes(status) ? `${problem}: ${this.is.hint}` : problem;
    throw new (status === 404 ? MissingRecordError : UsageError)(whole, "work");
  }
}

/** Returns the delay before the next attempt, in milliseconds, according to a response's headers. */
function waitOf(headers: Headers): number | undefined {
  if (headers.has("retry-after")) return Number(headers.get("retry-after")) * 1000 || undefined;
  const remaining = headers.get("x-ratelimit-remaining") ?? headers.get("ratelimit-remaining");
  const reset = headers.get("x-ratelimit-reset") ?? headers.get("ratelimit-reset");
  const now = dateOf({ date: headers.get("date") ?? undefined }) ?? Date.now();
  return remaining === "0" && reset ? Math.max(0, Number(reset) * 1000 - now) : undefined;
}

function nameOf(method: string, target: string): string {
  return `${method} ${target.replace(/\?.*/, "")}`;
}

export function textOf(value: unknown): string | undefined {
  return typeof value === "string" || typeof value === "number" ? String(value) : undefined;
}

function needed(env: CiVariables): (name: string) => string {
  return (name) => {
    const value = env[name];
    if (value) return value;
    throw new UsageError(
      `The environment variable ${name} is not set. Run \`endpoint-monitoring ci\` in a GitHub or GitLab pipeline that sets ${name}`,
      "work",
    );
  };
}

function nothingToComment(): never {
  throw new UsageError("This pipeline does not belong to a pull or merge request, so there is nothing to comment on", "work");
}
