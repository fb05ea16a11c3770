import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { appendFileSync, existsSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { objectOf } from "../../../provider/values";
import { readProjectFile } from "../../../engine/project-file";
import { parseJson } from "../../../common/files";
import type { Io } from "../../../engine/io";
import { UsageError } from "../../../common/errors";

type PipelineEnv = Readonly<NodeJS.ProcessEnv>;

/** Environment variables that contain CI provider tokens. The program must not see these variables. */
const tokenNames =
  /^(?:GITHUB_TOKEN|GH_TOKEN|GITLAB_TOKEN|CI_JOB_(?:TOKEN|JWT)\w*|CI_(?:REGISTRY|DEPENDENCY_PROXY|DEPLOY)_PASSWORD|CI_REPOSITORY_URL|ACTIONS_\w*TOKEN|SYSTEM_ACCESSTOKEN|BITBUCKET_\w*TOKEN)$/;
/** Environment variables of the machine and the CI provider. Reporting tasks may see these variables. */
const ciVariableNames =
  /^(?:PATH|HOME|USER|SHELL|TMPDIR|TEMP|TMP|TERM|LANG|LC_[A-Z]+|CI|[a-zA-Z]+_(?:proxy|PROXY)|NODE_.*|SSL_CERT_.*|GITHUB_.*|GITLAB_TOKEN|CI_.*|GIT_.*)$/;

export class Pipeline {
  readonly env: PipelineEnv;
  readonly stack: string | undefined;
  /** Project and stack name, as shown in reports. */
  readonly title: string;
  /** Project and stack name for use in the names of files, branches and artifacts. Two stacks never have the same slug. */
  readonly slug: string;
  readonly #folder: string;

  constructor(private readonly io: Io) {
    // A setting with an empty value counts as absent.
    const present = Object.entries(io.env).filter(([name, value]) => value !== "" || !isSetting(name));
    this.env = { ...settingsOf(io.env), ...Object.fromEntries(present) };
    this.stack = this.setting("STACK");
    const { name } = readProjectFile(io.cwd);
    this.title = `${name} ${this.stack ?? "all stacks"}`;
    this.slug = slugOf(name, this.stack ?? "all");
    const checkout = this.env["GITHUB_WORKSPACE"] || this.env["CI_PROJECT_DIR"] || io.cwd;
    this.#folder = resolve(io.cwd, this.setting("REPORTS") ?? join(checkout, "endpoint-monitoring-reports"));
    // Outside of a repository, git prints nothing, so the report folder counts as not committed.
    if (this.git(["ls-files", "--", this.#folder], true) !== "") {
      throw new UsageError(
        `${this.#folder} is committed to the repository, so its reports may be forged. Delete ${this.#folder} from the repository`,
        "work",
      );
    }
    mkdirSync(this.#folder, { recursive: true });
  }

  setting(name: string): string | undefined {
    return this.env[`ENDPOINT_MONITORING_${name}`];
  }

  get isGithub(): boolean {
    return this.env["GITHUB_ACTIONS"] !== undefined || this.env["GITHUB_API_URL"] !== undefined;
  }

  get programEnv(): PipelineEnv {
    const template = /^(?:SETTINGS|SECRETS)$/;
    return Object.fromEntries(Object.entries(this.env).filter(([name]) => !tokenNames.test(name) && !template.test(name)));
  }

  get ciVariables(): PipelineEnv {
    return Object.fromEntries(Object.entries(this.env).filter(([name]) => ciVariableNames.test(name)));
  }

  get approval(): string {
    return this.file("approval.json");
  }

  /** Name of the artifacts that contain approvals, without the digest at the end. */
  get approvalName(): string {
    return `endpoint-monitoring-approval-${this.slug}-`;
  }

  get branch(): string {
    return `endpoint-monitoring/drift-${this.slug}`;
  }

  /** Returns the path of a report, such as `review-demo@dev.md` for `review.md`. The same folder can contain reports of several stacks. */
  file(name: string): string {
    return join(this.#folder, name.replace(".", `-${this.slug}.`));
  }

  read(name: string): string {
    return this.has(name) ? readFileSync(this.file(name), "utf8") : "";
  }

  has(name: string): boolean {
    return existsSync(this.file(name)) && statSync(this.file(name)).size > 0;
  }

  write(name: string, text: string): void {
    writeFileSync(this.file(name), text);
  }

  discard(...names: readonly string[]): void {
    for (const name of names) rmSync(this.file(name), { force: true });
  }

  /** On GitHub, shows a report on the page of the workflow run. */
  summarize(name: string): void {
    if (!this.has(name)) return;
    const summary = this.env["GITHUB_STEP_SUMMARY"];
    if (summary) appendFileSync(summary, this.read(name));
  }

  /** On GitHub, passes a value to later steps and jobs. */
  output(name: string, value: string | number): void {
    const file = this.env["GITHUB_OUTPUT"];
    if (file) appendFileSync(file, `${name}=${value}\n`);
  }

  /**
   * Runs git in the checkout. Git hooks in the checkout may be hostile, so git receives only the tokens in `settings`.
   * @returns the output of git
   */
  git(args: readonly string[], mayFail = false, settings: { env?: PipelineEnv; input?: string } = {}): string {
    const { input } = settings;
    const known = Object.entries(this.ciVariables).filter(([name]) => !tokenNames.test(name));
    const env = { ...Object.fromEntries(known), ...settings.env };
    const { status, stdout, stderr, error } = spawnSync("git", args, { cwd: this.io.cwd, encoding: "utf8", env, input });
    if (status === 0) return stdout.trim();
    if (mayFail) return "";
    throw new UsageError(`git ${args[0]} failed: ${error?.message ?? stderr.trim().split("\n").at(-1)}`, "work");
  }
}

/** Parses the variables `SETTINGS` (JSON) and `SECRETS` (lines of the format `NAME=VALUE`) of GitHub workflows. */
function settingsOf({ SETTINGS = "", SECRETS = "" }: PipelineEnv): Record<string, string> {
  const settings = parseJson(SETTINGS);
  const lines = SECRETS.split("\n").map(
    (line) => [line.slice(0, line.indexOf("=")), line.slice(line.indexOf("=") + 1)] as const,
  );
  const entries = [...Object.entries(objectOf(settings)), ...lines];
  return Object.fromEntries(
    entries.flatMap(([name, value]) => (isSetting(name) && value !== "" ? [[name, String(value)]] : [])),
  );
}

function isSetting(name: string): boolean {
  return /^(?:ENDPOINT_MONITORING|PULUMI)_/.test(name);
}

/** Converts names to a file name. The digest in the file name distinguishes names that differ only in special characters. */
function slugOf(...names: readonly string[]): string {
  const plain = names.map((name) => name.replace(/[^A-Za-z0-9.]/g, "-")).join("@");
  if (plain === names.join("@") && !plain.includes("-")) return plain;
  return `${plain}-${sha256(JSON.stringify(names)).slice(0, 16)}`;
}

export function sha256(content: string | Buffer): string {
  return createHash("sha256").update(content).digest("hex");
}

export function digestIn(text: string): string {
  const [digest] = /[0-9a-f]{64}$/.exec(text) ?? [];
  if (digest === undefined)
    throw new UsageError(
      `The variable APPROVED must end with the digest of an approval (64 hexadecimal digits), but its value is "${text}"`,
      "work",
    );
  return digest;
}

export const committer = "endpoint-monitoring@localhost";
