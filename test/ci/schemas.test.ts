/** The pipelines' form: the schemas of both forges, and what we hold ourselves to. */
import { execFileSync } from "node:child_process";
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { validateAction, validateWorkflow } from "@action-validator/core";
import { parse } from "yaml";
import { type Action, allowedActions, type Job, type Workflow } from "./support/workflow";

const folder = join(__dirname, "../../examples/ci");
const read = (file: string): string => readFileSync(join(folder, file), "utf8");
const files = readdirSync(join(folder, "github"));
// The schema, in the tests below, says that they are.
const workflows = files.map((file) => parse(read(`github/${file}`)) as Workflow);
const action = parse(read("action.yml")) as Action;
/** Jobs by workflow and name: two workflows have a job "review". */
const allJobs = workflows.flatMap((workflow, at) =>
  Object.entries(workflow.jobs).map(([name, job]) => [`${/-(\w+)\.yml/.exec(files[at] ?? "")?.[1]}: ${name}`, job] as const),
);
const steps = [...workflows.flatMap(({ jobs }) => Object.values(jobs).flatMap((job) => job.steps)), ...action.runs.steps];

describe("GitHub", () => {
  it.each(files)("%s fits the schema of workflows", (file) => {
    // The schema is older than this setting, which is of May 2026.
    const text = read(`github/${file}`).replace(/^ +queue: max\n/m, "");
    expect(validateWorkflow(text)).toEqual({ actionType: "workflow", errors: [] });
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

  it("every action is pinned by the commit of a release, whose version stands beside it; a checkout leaves no token behind", () => {
    const texts = [...files.map((file) => `github/${file}`), "action.yml"].map(read).join("\n");
    const used = [...texts.matchAll(/uses: (?!\.\/)(.*)/g)].map(([, one = ""]) => one);
    expect(new Set(used)).toEqual(new Set(Object.entries(allowedActions).map((pin) => pin.join("@"))));
    const checkouts = steps.filter(({ uses }) => uses?.startsWith("actions/checkout@"));
    expect(checkouts.length).toBeGreaterThan(8);
    for (const { with: given } of checkouts) expect(given).toHaveProperty("persist-credentials", false);
  });

  it("a workflow reads and no more, unless a job says otherwise; it ends", () => {
    for (const { permissions, jobs } of workflows) {
      expect(permissions).toEqual({ contents: "read" });
      for (const job of Object.values(jobs)) expect(job["timeout-minutes"]).toBeLessThanOrEqual(60);
    }
    const reads = { contents: "read" };
    expect(Object.fromEntries(allJobs.map(([name, { permissions }]) => [name, permissions]))).toEqual({
      // The program runs in these.
      "review: review": reads,
      "review: rehearsal": reads,
      "up: review": reads,
      "up: up": { ...reads, actions: "read" },
      "drift: drift": reads,
      // And in none of these.
      "review: comment": { ...reads, "pull-requests": "write" },
      "review: fork": {},
      "up: approval": { ...reads, actions: "read", "pull-requests": "read" },
      "up: approve": {},
      "drift: issue": { ...reads, issues: "write" },
      "drift: pull-request": { contents: "write", "pull-requests": "write" },
    });
  });

  it("a job that runs the program gets no token of GitHub, and one that gets it no secret", () => {
    const kindOf = ({ steps: all }: Job): string => {
      const text = JSON.stringify(all.filter(({ uses }) => uses === "./ci"));
      return [text.includes("github.token") && "token", text.includes("secrets.") && "secrets"].filter(Boolean).join("+");
    };
    expect(Object.fromEntries(allJobs.map(([name, job]) => [name, kindOf(job)]))).toEqual({
      "review: review": "secrets",
      "review: rehearsal": "secrets",
      "review: comment": "token",
      "review: fork": "",
      "up: approval": "token",
      "up: review": "secrets",
      "up: approve": "",
      "up: up": "secrets",
      "drift: drift": "secrets",
      "drift: issue": "token",
      "drift: pull-request": "token",
    });
    for (const [, { steps: all }] of allJobs) {
      for (const { with: given, env } of all.filter(({ with: one }) => one?.["mode"] === "install")) {
        expect([given?.["token"], env]).toEqual([undefined, undefined]);
      }
    }
  });

  it("reviews, updates and nights have a queue each, and nothing cancels an update, whether it runs or waits", () => {
    const queues = workflows.flatMap(({ concurrency, jobs }) =>
      [concurrency, ...Object.values(jobs).map((job) => job.concurrency)].filter((one) => one !== undefined),
    );
    expect(Object.fromEntries(queues.map(({ group, ...queue }) => [group, queue]))).toEqual({
      "endpoint-monitoring-review-${{ github.event.pull_request.number }}": { "cancel-in-progress": true },
      "endpoint-monitoring-up-${{ vars.ENDPOINT_MONITORING_STACK }}": { "cancel-in-progress": false, queue: "max" },
      "endpoint-monitoring-drift-${{ vars.ENDPOINT_MONITORING_STACK }}": { "cancel-in-progress": false },
    });
    expect(workflows.flatMap(({ jobs }) => jobs["up"]?.concurrency?.group ?? [])).toHaveLength(1);
  });

  it("where the token that writes is, nothing comes from a cache", () => {
    const setups = workflows.flatMap(({ jobs }) =>
      Object.entries(jobs).flatMap(([name, { steps: all }]) =>
        all.flatMap(({ with: given }) => (given?.["mode"] === "install" ? [[name, given["cache"] ?? "true"]] : [])),
      ),
    );
    const jobsWith = (isCached: string) => setups.filter(([, cache]) => cache === isCached).map(([name]) => name);
    expect([jobsWith("true"), jobsWith("false")]).toEqual([["drift", "review", "rehearsal", "review"], ["up"]]);
    const cached = action.runs.steps.flatMap(({ uses, with: given }) =>
      uses?.startsWith("actions/cache@") ? [given?.["path"]] : [],
    );
    expect(cached).toEqual(["~/.npm/_cacache"]);
  });
});

describe("README", () => {
  it("has the permissions of every job of GitHub", () => {
    const rows = read("README.md")
      .split("\n")
      .filter((line) => /^\| .*`/.test(line));
    for (const [name, { permissions = {} }] of workflows.flatMap(({ jobs }) => Object.entries(jobs))) {
      if (name === "review" || Object.keys(permissions).length === 0) continue;
      const row = rows.find((line) => line.split("|")[1]?.includes(`\`${name}\``) && line.includes("contents: ")) ?? "";
      const listed = [...(row.split("|").at(-2) ?? "").matchAll(/`([\w-]+): (\w+)`/g)].map(([, key = "", may]) => [key, may]);
      expect([name, Object.fromEntries(listed)]).toEqual([name, permissions]);
    }
  });

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

describe("Azure and Bitbucket", () => {
  interface Azure {
    stages: { stage: string; dependsOn?: string; jobs: object[] }[];
  }
  interface Run {
    bash: string;
    env?: Record<string, string>;
  }
  /** Steps that run `run.sh`, wherever they stand. */
  const runs = (value: unknown): Run[] => {
    if (typeof value !== "object" || value === null) return [];
    if ("bash" in value && String(value.bash).includes("run.sh")) return [value as Run];
    return Object.values(value).flatMap(runs);
  };
  const modeOf = (line: string): string => /run\.sh"? (\S+)/.exec(line)?.[1] ?? "";

  it("run the same modes in the same order, and what is approved is applied", () => {
    // Their published schemas are not here: this is what we rely on.
    const { stages } = parse(read("azure-pipelines.yml")) as Azure;
    const azure = stages.map(({ stage, jobs }) => [stage, jobs.map((job) => runs(job).map(({ bash }) => modeOf(bash)))]);
    expect(Object.fromEntries(azure)).toEqual({
      review: [
        ["install", "review"],
        ["install", "rehearse"],
      ],
      up: [["install", "up"]],
      drift: [["install", "drift"]],
    });
    expect(stages[1]).toMatchObject({
      dependsOn: "review",
      lockBehavior: "sequential",
      jobs: [{ environment: "endpoint-monitoring" }],
    });
    for (const { bash, env = {} } of runs(stages)) {
      const secrets = ["ENDPOINT_MONITORING_TOKEN", "PULUMI_ACCESS_TOKEN", "PULUMI_CONFIG_PASSPHRASE"];
      expect([bash, Object.keys(env)]).toEqual([bash, modeOf(bash) === "install" ? [] : secrets]);
    }
    expect(read("azure-pipelines.yml")).not.toMatch(/System\.AccessToken/i);

    interface Step {
      step: { trigger?: string; deployment?: string; script: string[] };
    }
    const { pipelines } = parse(read("bitbucket-pipelines.yml")) as { pipelines: Record<string, Record<string, Step[]>> };
    const modes = (all: Step[] = []) => all.map(({ step: { script } }) => script.map(modeOf).filter(Boolean));
    expect(modes(pipelines["pull-requests"]?.["**"])).toEqual([
      ["install", "review"],
      ["install", "rehearse"],
    ]);
    expect(modes(pipelines["branches"]?.["main"])).toEqual([
      ["install", "review"],
      ["install", "up"],
    ]);
    expect(pipelines["branches"]?.["main"]?.[1]?.step).toMatchObject({ trigger: "manual", deployment: "endpoint-monitoring" });
    expect(modes(pipelines["custom"]?.["drift"])).toEqual([["install", "drift"]]);
  });
});
