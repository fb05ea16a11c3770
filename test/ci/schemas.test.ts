/** The pipelines' form: the schemas of both forges, and what we hold ourselves to. */
import { execFileSync } from "node:child_process";
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { validateAction, validateWorkflow } from "@action-validator/core";
import { parse } from "yaml";
import { type Action, allowedActions, type Workflow } from "./support/workflow";

const folder = join(__dirname, "../../examples/ci");
const read = (file: string): string => readFileSync(join(folder, file), "utf8");
const files = readdirSync(join(folder, "github"));
// The schema, in the tests below, says that they are.
const workflows = files.map((file) => parse(read(`github/${file}`)) as Workflow);
const action = parse(read("action.yml")) as Action;
const steps = [...workflows.flatMap(({ jobs }) => Object.values(jobs).flatMap((job) => job.steps)), ...action.runs.steps];

describe("GitHub", () => {
  it.each(files)("%s fits the schema of workflows", (file) => {
    expect(validateWorkflow(read(`github/${file}`))).toEqual({ actionType: "workflow", errors: [] });
  });

  it("action.yml fits the schema of actions, and says what every input is", () => {
    expect(validateAction(read("action.yml"))).toEqual({ actionType: "action", errors: [] });
    for (const [name, { description }] of Object.entries(action.inputs)) expect([name, description]).not.toContain(undefined);
  });

  it("a mistake is found", () => {
    const [file = ""] = files;
    expect(validateWorkflow(read(`github/${file}`).replace("runs-on", "runs-at")).errors).not.toEqual([]);
    expect(validateAction(read("action.yml").replace("using: composite", "using: magic")).errors).not.toEqual([]);
  });

  it("code of a fork never meets secrets", () => {
    for (const { on } of workflows) expect(JSON.stringify(on)).not.toMatch(/pull_request_target|workflow_run|issue_comment/);
  });

  it("no text of others gets into a script", () => {
    for (const { run = "" } of steps) expect(run).not.toContain("${{");
  });

  it("secrets reach a step by its environment alone", () => {
    const secret = /\$\{\{[^}]*\bsecrets\b/;
    expect(JSON.stringify(steps)).toMatch(secret);
    const shown = (value: unknown): string =>
      JSON.stringify(value, (key, member: unknown) => (key === "env" ? undefined : member));
    expect(shown([workflows, action])).not.toMatch(secret);
    // A job's own `env` would reach all its steps.
    const jobs = workflows.flatMap((workflow) => [workflow, ...Object.values(workflow.jobs)]);
    for (const job of jobs) expect(job).not.toHaveProperty("env");
  });

  it("every action is one of those allowed, pinned; a checkout leaves no token behind", () => {
    const others = steps.flatMap(({ uses }) => (uses === undefined || uses === "./ci" ? [] : [uses]));
    expect(others.filter((uses) => !allowedActions.some((allowed) => allowed.test(uses)))).toEqual([]);
    const checkouts = steps.filter(({ uses }) => uses?.startsWith("actions/checkout@"));
    expect(checkouts.map(({ with: given }) => given)).toEqual(workflows.map(() => ({ "persist-credentials": false })));
  });

  it("a workflow reads and no more, unless a job says what it writes; it ends, and has its turn", () => {
    for (const { permissions, jobs, concurrency } of workflows) {
      expect(permissions).toEqual({ contents: "read" });
      expect(concurrency.group).toMatch(/^endpoint-monitoring-/);
      for (const job of Object.values(jobs)) expect(job["timeout-minutes"]).toBeLessThanOrEqual(60);
    }
    const written = workflows.flatMap(({ jobs }) =>
      Object.entries(jobs).map(([name, job]) => [
        name,
        Object.entries(job.permissions ?? {}).filter(([, may]) => may !== "read"),
      ]),
    );
    expect(Object.fromEntries(written)).toEqual({
      review: [["pull-requests", "write"]],
      fork: [],
      up: [],
      drift: [["issues", "write"]],
    });
  });
});

describe("README", () => {
  it("names every setting of a repository that the workflows read, and the pipeline's variables", () => {
    const named = new Set([...read("README.md").matchAll(/`([A-Z][A-Z_]+)`/g)].map(([, name = ""]) => name));
    const all = files.map((file) => read(`github/${file}`)).join("\n");
    const settings = [...all.matchAll(/\b(?:vars|secrets)\.(\w+)/g)].map(([, name = ""]) => name);
    expect(new Set(settings).size).toBeGreaterThan(5);
    expect([...settings, "STACK", "FAIL_ON", "GITLAB_TOKEN"].filter((name) => !named.has(name))).toEqual([]);
  });
});

describe("GitLab", () => {
  const jobs = (pipeline: string): string => {
    const checkout = mkdtempSync(join(tmpdir(), "gitlab-"));
    try {
      writeFileSync(join(checkout, ".gitlab-ci.yml"), pipeline);
      cpSync(join(folder, "run.sh"), join(checkout, "run.sh"));
      const git = (...args: string[]) => execFileSync("git", args, { cwd: checkout, stdio: "pipe" });
      git("init", "--quiet", "--initial-branch", "main");
      git("remote", "add", "origin", "https://gitlab.example.com/group/name.git");
      const main = join(__dirname, "../../node_modules/gitlab-ci-local/dist/index.js");
      return execFileSync(process.execPath, [main, "--list-csv-all"], { cwd: checkout, encoding: "utf8", stdio: "pipe" });
    } finally {
      rmSync(checkout, { recursive: true, force: true });
    }
  };

  it(".gitlab-ci.yml fits the schema of pipelines", () => {
    expect(jobs(read(".gitlab-ci.yml"))).toMatch(/endpoint-monitoring:review.*endpoint-monitoring:drift/s);
  });

  it("a mistake is found", () => {
    expect(() => jobs(read(".gitlab-ci.yml").replace("interruptible: true", "interruptible: sometimes"))).toThrow(
      /interruptible/,
    );
  });
});
