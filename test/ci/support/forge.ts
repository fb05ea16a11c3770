import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

/** A comment on a pull (merge) request, or an issue. */
export interface Written {
  id: number;
  author: string;
  body: string;
  title: string;
  open: boolean;
  labels: string[];
}

/** How the next request that matches fails. */
interface Fault {
  method: string;
  path: RegExp;
  /** Status to answer with; `drop` ends the connection instead, before or after the work was done. */
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

/** What a forge answers: status and body, and of a list the whole list, which is then cut into pages. */
type Answer = [status: number, body: unknown] | { list: readonly unknown[] };

export const token = "forge-token-7f3a9c";

/**
 * The part of GitHub's and GitLab's interface that pipelines write comments and issues with, in memory: pages, tokens, authors, and
 * faults on demand. What it holds is for the test to look at.
 */
export class Forge {
  readonly comments: Written[] = [];
  readonly issues: Written[] = [];
  /** Every request as `METHOD /path`. */
  readonly requests: string[] = [];
  readonly faults: Fault[] = [];
  readonly me: string;
  /** What the token may do, as a job of GitHub says; everything where nobody says. */
  permissions: Record<string, string> | undefined;
  #nextId = 1;

  private constructor(
    readonly kind: "github" | "gitlab",
    private readonly server: ReturnType<typeof createServer>,
  ) {
    this.me = kind === "github" ? "github-actions[bot]" : "project_7_bot";
  }

  static async start(kind: "github" | "gitlab"): Promise<Forge> {
    const server = createServer((request, response) => void forge.#answer(request, response));
    const forge = new Forge(kind, server);
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    return forge;
  }

  get url(): string {
    // A listening TCP server has an address.
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  /** A comment or an issue as somebody wrote it. */
  written(given: Partial<Written>): Written {
    return { id: this.#nextId++, author: this.me, body: "", title: "", open: true, labels: [], ...given };
  }

  async close(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { pathname: path, searchParams: query } = new URL(request.url ?? "/", this.url);
    const method = request.method ?? "";
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
    const refused = method === "GET" ? undefined : this.#refused(path);
    const given = this.kind === "github" ? request.headers.authorization : `Bearer ${String(request.headers["private-token"])}`;
    const answer: Answer =
      given === `Bearer ${token}`
        ? (refused ??
          this.#route({ method, path, query, body: text === "" ? {} : (JSON.parse(text) as Record<string, unknown>) }))
        : [401, { message: "Bad credentials" }];
    if (fault?.status === "drop after") return void response.destroy();
    if (Array.isArray(answer)) return void response.writeHead(answer[0]).end(JSON.stringify(answer[1]));
    // The answer is one of the two shapes.
    this.#page((answer as { list: unknown[] }).list, query, path, response);
  }

  #refused(path: string): Answer | undefined {
    if (this.permissions === undefined || path === "/graphql") return undefined;
    const needed = path.includes("/comments") ? "pull-requests" : "issues";
    if (this.permissions[needed] === "write") return undefined;
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

  #collection({ method, body }: Asked, all: Written[], listed: readonly Written[] = all): Answer {
    if (method === "GET") return { list: listed.map((one) => this.#shown(one)) };
    if (method !== "POST") return [404, { message: "Not Found" }];
    const one = this.written({});
    all.push(one);
    const problem = this.#take(one, body);
    if (problem) all.pop();
    return problem ?? [201, this.#shown(one)];
  }

  #edit({ method, body }: Asked, all: Written[], match: RegExpExecArray): Answer {
    const one = all.find(({ id }) => String(id) === match.groups?.["id"]);
    if (!one || method !== (this.kind === "github" ? "PATCH" : "PUT")) return [404, { message: "Not Found" }];
    return this.#take(one, body) ?? [200, this.#shown(one)];
  }

  /** Takes over what a request says. @returns the answer where it does not fit */
  #take(
    one: Written,
    { body, description, title, labels, state, state_event, ...rest }: Record<string, unknown>,
  ): Answer | undefined {
    const text = body ?? description;
    const unknown = Object.keys(rest);
    if (typeof text !== "string" || text.length > 65_536 || unknown.length > 0) {
      return [422, { message: `Validation Failed: body of ${String(text).length}, ${unknown.join()}` }];
    }
    one.body = text;
    if (typeof title === "string") one.title = title;
    if (labels !== undefined) one.labels = typeof labels === "string" ? labels.split(",") : (labels as string[]);
    if (state !== undefined) one.open = state === "open";
    if (state_event !== undefined) one.open = state_event === "reopen";
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

  /** What the environment of a pipeline says about this forge; `event` is a file that GitHub's runner would write. */
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
        }
      : {
          CI_API_V4_URL: this.url,
          CI_PROJECT_ID: "7",
          CI_MERGE_REQUEST_IID: "12",
          CI_JOB_URL: "https://gitlab.example.com/jobs/4711",
          CI_COMMIT_SHA: "abcdef0123456789",
        };
  }
}
