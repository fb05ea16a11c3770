import { execFileSync, spawn } from "node:child_process";
import type { IncomingMessage, ServerResponse } from "node:http";
import { join } from "node:path";

/** A repository at a CI provider, served over HTTP by git's own program. */
export class GitServer {
  readonly folder: string;

  /** @param folder the checkout to copy */
  constructor(
    readonly root: string,
    folder: string,
  ) {
    this.folder = join(root, "owner/name.git");
    execFileSync("git", ["clone", "--quiet", "--bare", folder, this.folder], { stdio: "pipe" });
    this.git("config", "http.receivepack", "true");
    this.git("config", "uploadpack.allowAnySHA1InWant", "true");
  }

  git(...args: string[]): string {
    return execFileSync("git", args, { cwd: this.folder, encoding: "utf8", stdio: "pipe" }).trim();
  }

  /** Last commit on a branch. Undefined if the branch does not exist. */
  head(branch: string): string | undefined {
    return this.git("for-each-ref", "--format=%(objectname)", `refs/heads/${branch}`) || undefined;
  }

  /** Whether a request is from git and changes the repository. */
  static asks(url: string): { writes: boolean } | undefined {
    return url.includes(".git/") ? { writes: url.includes("git-receive-pack") } : undefined;
  }

  /** Answers a request of git. */
  answer(request: IncomingMessage, response: ServerResponse): void {
    const { pathname, search } = new URL(request.url ?? "/", "http://localhost");
    const child = spawn("git", ["http-backend"], {
      env: {
        PATH: process.env["PATH"],
        GIT_PROJECT_ROOT: this.root,
        GIT_HTTP_EXPORT_ALL: "1",
        REQUEST_METHOD: request.method,
        PATH_INFO: pathname,
        QUERY_STRING: search.slice(1),
        CONTENT_TYPE: request.headers["content-type"] ?? "",
        HTTP_CONTENT_ENCODING: request.headers["content-encoding"] ?? "",
        REMOTE_USER: "token",
        ...(request.headers["git-protocol"] === undefined ? {} : { GIT_PROTOCOL: String(request.headers["git-protocol"]) }),
      },
      stdio: ["pipe", "pipe", "ignore"],
    });
    request.pipe(child.stdin);
    const chunks: Buffer[] = [];
    child.stdout.on("data", (chunk: Buffer) => chunks.push(chunk));
    child.on("close", () => {
      const whole = Buffer.concat(chunks);
      const end = whole.indexOf("\r\n\r\n");
      const headers = whole.subarray(0, end).toString().split("\r\n");
      for (const header of headers) {
        const [name = "", value = ""] = header.split(": ");
        if (name === "Status") response.statusCode = Number.parseInt(value, 10);
        else response.setHeader(name, value);
      }
      response.end(whole.subarray(end + 4));
    });
  }
}
