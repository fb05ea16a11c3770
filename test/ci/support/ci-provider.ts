import { readdirSync, readFileSync } from "node:fs";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { type Artifact, Artifacts, type Run, zipOf } from "./artifacts";
import { GitServer } from "./git-server";

/** A comment on a pull or merge request, an issue, or a pull or merge request. */
export interface Written {
  id: number;
  author: string;
  body: string;
  title: string;
  open: boolean;
  labels: string[];
  /** For pull requests only. */
  branch?: string;
  base?: string;
}

/** A pull request that a commit merges. */
interface Merged {
  /** Commit on the main branch. */
  sha: string;
  /** Last commit on its own branch. */
  head: string;
  isMerged: boolean;
  /** The merge commit, if it only contains `sha`. */
  merge?: string;
  /** The approvals, with time, commit and user. */
  approvals?: { at: string; commit?: string; by?: number }[];
  /** Target branch. @defaultValue main */
  target?: string;
}

const mergedAt = "2026-01-01T12:00:00Z";

/** The failure of the next matching request. */
interface Fault {
  method: string;
  path: RegExp;
  /** Status of the response. `drop` closes the connection before or after the change. */
  status: number | "drop before" | "drop after";
  headers?: Record<string, string>;
  body?: string;
}

interface Asked {
  method: string;
  path: string;
  query: URLSearchParams;
  body: Record<string, unknown>;
}

/** A response with status and body. A list is complete here, and is divided into pages later. */
type Answer = [status: number, body: unknown] | { list: readonly unknown[] } | { text: string } | { location: string };

export const token = "ci-provider-token-7f3a9c";

/**
 * The part of GitHub's and GitLab's APIs for comments and issues, in memory, with pages, tokens, authors and faults. Tests can inspect
 * its content.
 */
export class CiProvider {
  readonly comments: Written[] = [];
  readonly issues: Written[] = [];
  readonly pulls: Written[] = [];
  readonly merges: Merged[] = [];
  readonly artifacts = new Artifacts();
  /** The repository, after its creation. */
  git: GitServer | undefined;
  /** Every request as `METHOD /path`. */
  readonly requests: string[] = [];
  readonly faults: Fault[] = [];
  readonly me: string;
  /** The token's permissions according to a GitHub job. Undefined allows everything. */
  set permissions(permissions: Record<string, string> | undefined) {
    this.#permissions = permissions;
  }
  #permissions: Record<string, string> | undefined;
  #nextId = 1;

  private constructor(
    readonly kind: "github" | "gitlab",
    private readonly server: ReturnType<typeof createServer>,
  ) {
    this.me = kind === "github" ? "github-actions[bot]" : "project_7_bot";
  }

  static async start(kind: "github" | "gitlab"): Promise<CiProvider> {
    const server = createServer((request, response) => void ciProvider.#answer(request, response));
    const ciProvider = new CiProvider(kind, server);
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    return ciProvider;
  }

  get url(): string {
    // A listening TCP server has an address.
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  /** Creates a comment or an issue of another user. */
  written(members: Partial<Written>): Written {
    return { id: this.#nextId++, author: this.me, body: "", title: "", open: true, labels: [], ...members };
  }

  /**
   * Stores the artifacts of a merge request's review from a checkout, and uses the merge request as the merged one for the commit of
   * later pipelines.
   */
  keep(folder: string, head = "abcdef0123456789"): void {
    const reports = join(folder, "endpoint-monitoring-reports");
    const files = readdirSync(reports).map((name) => [name, readFileSync(join(reports, name), "base64")]);
    const id = this.artifacts.all.length + 1;
    const run = { id, event: "merge_request_event", ref: "refs/merge-requests/12/head", sha: head, head };
    this.artifacts.add(run, "endpoint-monitoring:review", Object.fromEntries(files) as Record<string, string>);
    this.merges.push({ sha: this.env("")["CI_COMMIT_SHA"] ?? "", head, isMerged: true });
  }

  /** Settings that make git use this server for the provider's host name. */
  get gitConfig(): string {
    return `[url "${this.url}/"]\n\tinsteadOf = https://${this.kind}.example.com/\n`;
  }

  async close(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { pathname: path, searchParams: query } = new URL(request.url ?? "/", this.url);
    const method = request.method ?? "";
    const asked = GitServer.asks(request.url ?? "");
    if (asked) return this.#answerGit(request, response, asked.writes);
    // The host of archives must not receive a token.
    const [, archive] = /^\/archives\/(\d+)$/.exec(path) ?? [];
    if (archive !== undefined) {
      if (request.headers.authorization !== undefined) return void response.writeHead(400).end();
      return void response.end(zipOf(this.artifacts.all.find(({ id }) => String(id) === archive)?.files ?? {}));
    }
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const text = Buffer.concat(chunks).toString();
    this.requests.push(`${method} ${path}`);

    const at = this.faults.findIndex((fault) => fault.method === method && fault.path.test(path));
    const [fault] = at < 0 ? [] : this.faults.splice(at, 1);
    if (fault?.status === "drop before") return void response.destroy();
    if (typeof fault?.status === "number") {
      return void response.writeHead(fault.status, fault.headers).end(fault.body ?? '{ "message": "a fault on demand" }');
    }
    const refused = this.#refused(path, method === "GET" ? "read" : "write");
    const authorization =
      this.kind === "github" ? request.headers.authorization : `Bearer ${String(request.headers["private-token"])}`;
    const answer: Answer =
      authorization === `Bearer ${token}`
        ? (refused ??
          this.#route({ method, path, query, body: text === "" ? {} : (JSON.parse(text) as Record<string, unknown>) }))
        : [401, { message: "Bad credentials" }];
    if (fault?.status === "drop after") return void response.destroy();
    if (Array.isArray(answer)) return void response.writeHead(answer[0]).end(JSON.stringify(answer[1]));
    if ("location" in answer) return void response.writeHead(302, answer).end();
    if ("text" in answer) return void response.end(answer.text);
    this.#page(answer.list, query, path, response);
  }

  /** A checkout has its own token, so it reads without this token. */
  #answerGit(request: IncomingMessage, response: ServerResponse, writes: boolean): void {
    this.requests.push(`${request.method} ${new URL(request.url ?? "", this.url).pathname}`);
    const user = this.kind === "github" ? "x-access-token" : "oauth2";
    const authorization = request.headers.authorization?.toLowerCase();
    const isKnown = authorization === `Basic ${Buffer.from(`${user}:${token}`).toString("base64")}`.toLowerCase();
    const may = this.#permissions === undefined || this.#permissions["contents"] === "write" || !writes;
    if ((!isKnown && writes) || !may || !this.git) return void response.writeHead(isKnown ? 403 : 401).end();
    this.git.answer(request, response);
  }

  /** The permissions of a job that a request needs, as in GitHub. */
  #refused(path: string, access: "read" | "write"): Answer | undefined {
    if (this.#permissions === undefined || path === "/graphql") return undefined;
    const needed =
      path.includes("/comments") || /\/pulls\b/.test(path)
        ? "pull-requests"
        : path.includes("/actions/")
          ? "actions"
          : "issues";
    const granted = this.#permissions[needed];
    if (granted === "write" || granted === access) return undefined;
    return [403, { message: "Resource not accessible by integration" }];
  }

  #page(list: readonly unknown[], query: URLSearchParams, path: string, response: ServerResponse): void {
    const [size, page] = [Number(query.get("per_page") ?? 20), Number(query.get("page") ?? 1)];
    const more = list.length > page * size;
    const next = `<${this.url}${path}?page=${page + 1}>; rel="next", <${this.url}${path}?page=1>; rel="first"`;
    response.writeHead(200, more ? { link: next } : {});
    response.end(JSON.stringify(list.slice((page - 1) * size, page * size)));
  }

  #route(asked: Asked): Answer {
    const { path, query } = asked;
    const isGithub = this.kind === "github";
    if (isGithub && path === "/graphql") return [200, { data: { viewer: { login: this.me } } }];
    if (!isGithub && path === "/user") return [200, { username: this.me }];
    const project = isGithub ? "/repos/owner/name" : "/projects/7";
    const approval = isGithub ? this.#approvalOfGithub(path, query.get("name")) : this.#approvalOfGitlab(path);
    if (approval) return approval;
    const pulls = `${project}/${isGithub ? "pulls" : "merge_requests"}`;
    const pullById = new RegExp(`^${pulls}/(?<id>\\d+)$`).exec(path);
    if (pullById) return this.#edit(asked, this.pulls, pullById);
    if (path === pulls) {
      const from = isGithub ? query.get("head")?.replace(/^owner:/, "") : query.get("source_branch");
      const all = this.pulls.filter(({ branch, open }) => branch === from && (query.get("state") === "all" || open));
      return this.#pullProblem(asked) ?? this.#collection(asked, this.pulls, all);
    }
    const onRequest = isGithub ? `${project}/issues/12/comments` : `${project}/merge_requests/12/notes`;
    const commentById = new RegExp(`^${isGithub ? `${project}/issues/comments` : onRequest}/(?<id>\\d+)$`).exec(path);
    const issueById = new RegExp(`^${project}/issues/(?<id>\\d+)$`).exec(path);
    if (path === onRequest) return this.#collection(asked, this.comments);
    if (commentById) return this.#edit(asked, this.comments, commentById);
    if (issueById) return this.#edit(asked, this.issues, issueById);
    if (path !== `${project}/issues`) return [404, { message: "Not Found" }];
    const label = query.get("labels");
    const state = query.get("state") ?? (isGithub ? "open" : "all");
    const listed = this.issues
      .filter((issue) => (label === null || issue.labels.includes(label)) && (state === "all" || issue.open))
      .toReversed();
    return this.#collection(asked, this.issues, listed);
  }

  /** A pull request requires an existing branch with changes. */
  #pullProblem({ method, body }: Asked): Answer | undefined {
    if (method !== "POST") return undefined;
    const branch = String(body["head"] ?? body["source_branch"]);
    const isThere = this.git?.head(branch) !== undefined && this.git.head(branch) !== this.git.head("main");
    const isTwice = this.pulls.some((pull) => pull.open && pull.branch === branch);
    return isThere && !isTwice ? undefined : [422, { message: `Validation Failed: ${branch}` }];
  }

  #approvalOfGithub(path: string, name: string | null): Answer | undefined {
    const shown = (all: readonly Artifact[]): Answer => [200, { total_count: all.length, artifacts: all.map(shownArtifact) }];
    const { all } = this.artifacts;
    const [, id] = /\/actions\/runs\/(\d+)\/artifacts$/.exec(path) ?? [];
    if (id !== undefined) return shown(all.filter(({ run }) => String(run.id) === id));
    if (path.endsWith("/actions/artifacts")) return shown(all.filter((artifact) => artifact.name === name));
    const [, archive] = /\/actions\/artifacts\/(\d+)\/zip$/.exec(path) ?? [];
    if (archive !== undefined) return { location: `${this.url}/archives/${archive}` };
    if (path.endsWith("/actions/runs")) {
      const runs = new Map(all.map(({ run }) => [run.id, run])).values();
      // Returns more items than requested, so that no code relies on the filter.
      return [200, { workflow_runs: [...runs].map(shownRun) }];
    }
    const [, number] = /\/pulls\/(\d+)\/reviews$/.exec(path) ?? [];
    if (number !== undefined) {
      const { approvals = [], head } = this.merges[Number(number)] ?? { head: "" };
      const shownReview = ({ at, commit = head, by = 1 }: (typeof approvals)[number]) => {
        return { state: "APPROVED", commit_id: commit, submitted_at: at, user: { id: by } };
      };
      return { list: approvals.map(shownReview) };
    }
    const [, sha] = /\/commits\/(\w+)\/pulls$/.exec(path) ?? [];
    if (sha === undefined) return undefined;
    return {
      list: this.merges.flatMap(({ head, isMerged, target = "main", ...one }, at) => {
        const merged = { merged_at: isMerged ? mergedAt : null, merge_commit_sha: one.merge ?? one.sha };
        return one.sha === sha ? { number: at, head: { sha: head }, base: { ref: target }, ...merged } : [];
      }),
    };
  }

  #approvalOfGitlab(path: string): Answer | undefined {
    const { all } = this.artifacts;
    const [, sha] = /\/commits\/(\w+)\/merge_requests$/.exec(path) ?? [];
    if (sha !== undefined) {
      return {
        list: this.merges.flatMap(({ head, isMerged, target = "main", ...one }, at) => {
          const merged = { merge_commit_sha: one.merge ?? one.sha, squash_commit_sha: null, sha: head, merged_at: mergedAt };
          return one.sha === sha ? { iid: at, state: isMerged ? "merged" : "opened", target_branch: target, ...merged } : [];
        }),
      };
    }
    const [, approved] = /\/merge_requests\/(\d+)\/approvals$/.exec(path) ?? [];
    if (approved !== undefined) {
      const { approvals = [] } = this.merges[Number(approved)] ?? {};
      return [200, { approved_by: approvals.map(({ at, by = 1 }) => ({ user: { id: by }, approved_at: at })) }];
    }
    if (/\/merge_requests\/(\d+)\/pipelines$/.test(path)) {
      const runs = new Map(all.map(({ run }) => [run.id, run])).values();
      const shown = ({ id, isFork, event, head }: Run) => ({ id, project_id: isFork ? 8 : 7, source: event, sha: head });
      return { list: [...runs].toReversed().map(shown) };
    }
    const [, pipeline] = /\/pipelines\/(\d+)\/jobs$/.exec(path) ?? [];
    if (pipeline !== undefined) {
      const ofPipeline = all.filter(({ run }) => String(run.id) === pipeline);
      return { list: ofPipeline.map(({ id, name, at }) => ({ id, name, finished_at: at })) };
    }
    const [, job, file = ""] = /\/jobs\/(\d+)\/artifacts\/endpoint-monitoring-reports\/(.+)$/.exec(path) ?? [];
    if (job === undefined) return undefined;
    const content = all.find(({ id, expired }) => String(id) === job && !expired)?.files[decodeURIComponent(file)];
    return content === undefined ? [404, { message: "404 Not Found" }] : { text: Buffer.from(content, "base64").toString() };
  }

  #collection({ method, body }: Asked, all: Written[], listed: readonly Written[] = all): Answer {
    if (method === "GET") return { list: listed.map((item) => this.#shown(item)) };
    if (method !== "POST") return [404, { message: "Not Found" }];
    const created = this.written({});
    all.push(created);
    const problem = this.#take(created, body);
    if (problem) all.pop();
    return problem ?? [201, this.#shown(created)];
  }

  #edit({ method, body }: Asked, all: Written[], match: RegExpExecArray): Answer {
    const item = all.find(({ id }) => String(id) === match.groups?.["id"]);
    if (!item || method !== (this.kind === "github" ? "PATCH" : "PUT")) return [404, { message: "Not Found" }];
    return this.#take(item, body) ?? [200, this.#shown(item)];
  }

  /** Applies the fields of a request. @returns the error response if they are invalid */
  #take(item: Written, members: Record<string, unknown>): Answer | undefined {
    const { body, description, title, labels, state, state_event, head, source_branch, base, target_branch, ...rest } = members;
    delete rest["remove_source_branch"];
    const [branch, into] = [head ?? source_branch, base ?? target_branch];
    const text = body ?? description;
    const unknown = Object.keys(rest);
    if (typeof text !== "string" || text.length > 65_536 || unknown.length > 0) {
      return [422, { message: `Validation Failed: body of ${String(text).length}, ${unknown.join()}` }];
    }
    item.body = text;
    if (typeof title === "string") item.title = title;
    if (typeof branch === "string") item.branch = branch;
    if (typeof into === "string") item.base = into;
    if (labels !== undefined) item.labels = typeof labels === "string" ? labels.split(",") : (labels as string[]);
    if (state !== undefined) item.open = state === "open";
    if (state_event !== undefined) item.open = state_event === "reopen";
    return undefined;
  }

  #shown({ id, author, body, title, open, labels }: Written): object {
    return this.kind === "github"
      ? { id, number: id, user: { login: author }, body, title, state: open ? "open" : "closed", labels }
      : {
          id,
          iid: id,
          author: { username: author },
          body,
          description: body,
          title,
          state: open ? "opened" : "closed",
          labels,
        };
  }

  /** The pipeline's environment variables for this CI provider. `event` is the file that GitHub's runner writes. */
  env(event: string): Record<string, string> {
    return this.kind === "github"
      ? {
          GITHUB_API_URL: this.url,
          GITHUB_GRAPHQL_URL: `${this.url}/graphql`,
          GITHUB_SERVER_URL: "https://github.example.com",
          GITHUB_REPOSITORY: "owner/name",
          GITHUB_RUN_ID: "4711",
          GITHUB_SHA: "1111111111",
          GITHUB_EVENT_PATH: event,
          GITHUB_REF_NAME: "main",
        }
      : {
          CI_API_V4_URL: this.url,
          CI_PROJECT_ID: "7",
          CI_PROJECT_URL: "https://gitlab.example.com/owner/name",
          CI_COMMIT_REF_NAME: "main",
          CI_MERGE_REQUEST_IID: "12",
          CI_JOB_URL: "https://gitlab.example.com/jobs/4711",
          CI_COMMIT_SHA: "abcdef0123456789",
        };
  }
}

function shownArtifact({ id, name, expired, at }: Artifact): object {
  return { id, name, expired, created_at: at };
}

function shownRun({ id, event, head, path = ".github/workflows/endpoint-monitoring-review.yml", ...run }: Run): object {
  const ids =
    "isFork" in run && run.isFork === undefined ? {} : { repository: { id: 1 }, head_repository: { id: run.isFork ? 2 : 1 } };
  return { id, event, head_sha: head, path, ...ids };
}
