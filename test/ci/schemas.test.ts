/** Checks the pipeline files with the CI providers' schemas and this repository's rules. */
import { execFileSync } from "node:child_process";
import { cpSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { validateAction, validateWorkflow } from "@action-validator/core";
import { parse } from "yaml";
import { programTasks } from "../../cli/commands/ci/options";
import { ciProviders } from "../../cli/commands/init/options";
import { pipelineFiles } from "../../cli/commands/init/pipelines";
import { packageManagerOf } from "../../cli/commands/init/package-manager";
import { review } from "../../cli/commands/review/options";
import { type Action, allowedActions, type Job, type Workflow } from "./support/workflow";
import { temporary } from "../support/temporary";

const folder = join(__dirname, "../../examples/ci");
const read = (file: string): string => readFileSync(join(folder, file), "utf8");
const files = readdirSync(join(folder, "github")).filter((file) => file !== "action.yml");
// The tests below check this shape against the schema.
const workflows = files.map((file) => parse(read(`github/${file}`)) as Workflow);
const action = parse(read("github/action.yml")) as Action;
/** Jobs by workflow and name, because two workflows have a job "review". */
const allJobs = workflows.flatMap((workflow, at) =>
  Object.entries(workflow.jobs).map(([name, job]) => [`${/-(\w+)\.yml/.exec(files[at] ?? "")?.[1]}: ${name}`, job] as const),
);
const steps = [...workflows.flatMap(({ jobs }) => Object.values(jobs).flatMap((job) => job.steps)), ...action.runs.steps];

it("each pipeline consists of YAML files with at most 40 lines", () => {
  for (const ciProvider of ciProviders) {
    const all = Object.entries(pipelineFiles(ciProvider, packageManagerOf(__dirname), join(__dirname, "../..")));
    for (const [place, text] of all) {
      expect([place, text.trimEnd().split("\n").length <= 40]).toEqual([place, true]);
      expect(place).toMatch(/\.yml$/);
    }
    expect(all.map(([, text]) => text).join("\n")).toMatch(/^# .*examples\/ci\/README\.md\b/ms);
  }
});

it("the pipelines use fixed versions and pipe no installer into a shell", () => {
  for (const ciProvider of ["github", "gitlab", "azure", "bitbucket"]) {
    const text = readdirSync(join(folder, ciProvider))
      .map((file) => read(`${ciProvider}/${file}`))
      .join("\n");
    const versions = [...text.matchAll(/(?:pulumi-version: |pulumi-nodejs-22:|VERSION: )([^\s",]+)/g)].map(
      ([, version]) => version,
    );
    expect([ciProvider, new Set(versions)]).toEqual([ciProvider, new Set(["3.274.1"])]);
    expect(text).not.toMatch(/\| *(?:ba|z)?sh\b|:latest|-latest|[\^~]\d/);
    // An installation has no secret and runs no script of a package.
    const install = 'env -i PATH="$PATH" HOME="$HOME" npm ci --ignore-scripts';
    expect(text).toContain(install);
    expect(text.replaceAll(install, "")).not.toMatch(/\bnpm (?:ci|i|install)\b/);
  }
  expect(read("azure/endpoint-monitoring.yml")).toMatch(/sha256sum --check --strict\n/);
});

describe("GitHub workflows", () => {
  it.each(files)("the workflow file %s matches GitHub's schema for workflows", (file) => {
    // The schema is older than this setting from May 2026.
    const text = read(`github/${file}`).replace(/^ +queue: max\n/m, "");
    expect(validateWorkflow(text)).toEqual({ actionType: "workflow", errors: [] });
  });

  it("action.yml matches GitHub's schema for actions and describes every input", () => {
    expect(validateAction(read("github/action.yml"))).toEqual({ actionType: "action", errors: [] });
    for (const [name, { description }] of Object.entries(action.inputs)) expect([name, description]).not.toContain(undefined);
  });

  it("GitHub's schemas reject an invalid workflow and an invalid action", () => {
    const [file = ""] = files;
    expect(validateWorkflow(read(`github/${file}`).replace("runs-on", "runs-at")).errors).not.toEqual([]);
    expect(validateAction(read("github/action.yml").replace("using: composite", "using: magic")).errors).not.toEqual([]);
  });

  it("no job with secrets runs the code of a fork", () => {
    for (const { on } of workflows) expect(JSON.stringify(on)).not.toMatch(/pull_request_target|workflow_run|issue_comment/);
  });

  it("workflow scripts contain no GitHub expressions", () => {
    for (const { run = "" } of steps) expect(run).not.toContain("${{");
  });

  it("the action receives secrets only through the input `secrets`", () => {
    const secret = /\$\{\{[^}]*\bsecrets\./;
    expect(JSON.stringify(steps)).toMatch(secret);
    const shown = (value: unknown): string =>
      JSON.stringify(value, (key, member: unknown) => (key === "secrets" ? undefined : member));
    expect(shown([workflows, action])).not.toMatch(/\$\{\{[^}]*(?<!inputs\.)\bsecrets\b/);
    const takers = action.runs.steps.filter((step) => JSON.stringify(step).includes("inputs.secrets"));
    expect(takers.map(({ id }) => id)).toEqual(["run"]);
    // A job's `env` would apply to all its steps.
    for (const { env = {}, jobs } of workflows) {
      expect(Object.keys(env).filter((name) => !["SETTINGS", "APPROVED", "OVERRIDE_REASON"].includes(name))).toEqual([]);
      for (const job of Object.values(jobs)) expect(job).not.toHaveProperty("env");
    }
  });

  it("the workflows pin every action to a commit and keep no token after a checkout", () => {
    const texts = [...files.map((file) => `github/${file}`), "github/action.yml"].map(read).join("\n");
    const used = [...texts.matchAll(/uses: (?!\.\/)(.*)/g)].map(([, name = ""]) => name);
    expect(new Set(used)).toEqual(new Set(Object.entries(allowedActions).map((pin) => pin.join("@"))));
    const checkouts = steps.filter(({ uses }) => uses?.startsWith("actions/checkout@"));
    expect(checkouts.length).toBe(5);
    for (const { with: inputs } of checkouts) expect(inputs).toHaveProperty("persist-credentials", false);
  });

  it("every job has a time limit and only the permissions that it needs", () => {
    for (const { permissions, jobs } of workflows) {
      expect(permissions).toEqual({ contents: "read" });
      for (const job of Object.values(jobs)) expect(job["timeout-minutes"]).toBeLessThanOrEqual(60);
    }
    const reads = { contents: "read" };
    expect(Object.fromEntries(allJobs.map(([name, { permissions }]) => [name, permissions]))).toEqual({
      // The program runs in these jobs.
      "review: review": undefined,
      "up: up": { ...reads, actions: "read", "pull-requests": "read" },
      "drift: drift": undefined,
      // The program does not run in these jobs.
      "review: comment": { ...reads, "pull-requests": "write" },
      "drift: report": { ...reads, issues: "write" },
    });
  });

  it("a job that runs the program gets no GitHub token", () => {
    const kindOf = ({ steps: all }: Job): string => {
      const text = JSON.stringify(all.filter(({ uses }) => uses?.startsWith("./")));
      return [text.includes("github.token") && "token", text.includes("secrets.") && "secrets"].filter(Boolean).join("+");
    };
    expect(Object.fromEntries(allJobs.map(([name, job]) => [name, kindOf(job)]))).toEqual({
      "review: review": "secrets",
      "review: comment": "token",
      "up: up": "secrets",
      "drift: drift": "secrets",
      "drift: report": "token",
    });
    // The step of an update that finds the approval.
    expect(action.runs.steps.filter((step) => JSON.stringify(step).includes("github.token")).map((step) => step.run)).toEqual([
      expect.stringMatching(/endpoint-monitoring ci approval$/),
    ]);
  });

  it("a new workflow run never cancels a running update", () => {
    const queues = workflows.flatMap(({ concurrency, jobs }) =>
      [concurrency, ...Object.values(jobs).map((job) => job.concurrency)].filter((queue) => queue !== undefined),
    );
    expect(Object.fromEntries(queues.map(({ group, ...queue }) => [group, queue]))).toEqual({
      "endpoint-monitoring-review-${{ github.ref }}": { "cancel-in-progress": true },
      "endpoint-monitoring-up-${{ vars.ENDPOINT_MONITORING_STACK }}": { "cancel-in-progress": false, queue: "max" },
      "endpoint-monitoring-drift-${{ vars.ENDPOINT_MONITORING_STACK }}": { "cancel-in-progress": false },
    });
  });

  it("the workflows use no cache", () => {
    expect(steps.filter(({ uses }) => uses?.includes("cache"))).toEqual([]);
    const setups = steps.filter(({ uses }) => uses?.startsWith("actions/setup-node@"));
    expect(setups.map(({ with: inputs }) => inputs?.["package-manager-cache"])).toEqual([false]);
  });
});

describe("the guide examples/ci/README.md", () => {
  const guide = readFileSync(join(folder, "README.md"), "utf8");

  it("examples/ci/README.md lists the permissions of every GitHub job", () => {
    for (const [name, { permissions = { contents: "read" } }] of allJobs) {
      const row = guide.split("\n").find((line) => line.startsWith(`| \`${name.split(": ")[1]}\``)) ?? "";
      const listed = [...(row.split("|").at(-2) ?? "").matchAll(/`([\w-]+): (\w+)`/g)].map(([, key = "", may]) => [key, may]);
      expect([name, Object.fromEntries(listed)]).toEqual([name, permissions]);
    }
  });

  it("examples/ci/README.md lists every setting that the workflows and the command read", () => {
    const named = new Set([...guide.matchAll(/`([A-Z][A-Z0-9_]+)`/g)].map(([, name = ""]) => name));
    const main = join(__dirname, "../../dist/cli/main.js");
    const [, help = ""] = execFileSync(process.execPath, [main, "help", "environment"], { encoding: "utf8" }).split(
      "Pipelines (",
    );
    const all = files.map((file) => read(`github/${file}`)).join("\n");
    const settings = [
      ...[...all.matchAll(/\b(?:vars|secrets)\.(\w+)/g)].map(([, name = ""]) => name),
      ...[...help.matchAll(/\b(?:ENDPOINT_MONITORING_\w+|OVERRIDE_REASON|APPROVED)\b/g)].map(([name]) => name),
    ];
    expect(new Set(settings).size).toBeGreaterThan(10);
    expect([...settings, "GITLAB_TOKEN", "PULUMI_SHA256", "PROJECT"].filter((name) => !named.has(name))).toEqual([]);
  });
});

describe("GitLab pipelines", () => {
  const jobs = (pipeline: string): string => {
    const checkout = temporary();
    cpSync(join(folder, "gitlab"), join(checkout, ".gitlab"), { recursive: true });
    cpSync(join(folder, "gitlab/.gitlab-ci.yml"), join(checkout, ".gitlab-ci.yml"));
    writeFileSync(join(checkout, ".gitlab/endpoint-monitoring.yml"), pipeline);
    const git = (...args: string[]) => execFileSync("git", args, { cwd: checkout, stdio: "pipe" });
    git("init", "--quiet", "--initial-branch", "main");
    git("add", ".");
    git("-c", "user.name=Ada", "-c", "user.email=ada@example.com", "commit", "--quiet", "--message", "Pipelines");
    git("remote", "add", "origin", "https://gitlab.example.com/group/name.git");
    const main = join(__dirname, "../../node_modules/gitlab-ci-local/dist/index.js");
    return execFileSync(process.execPath, [main, "--list-csv-all"], { cwd: checkout, encoding: "utf8", stdio: "pipe" });
  };

  it("the pipeline matches GitLab's schema for pipelines", () => {
    expect(jobs(read("gitlab/endpoint-monitoring.yml"))).toMatch(/endpoint-monitoring:review.*endpoint-monitoring:drift/s);
  });

  it("GitLab's schema rejects an invalid pipeline", () => {
    expect(() =>
      jobs(read("gitlab/endpoint-monitoring.yml").replace("interruptible: true", "interruptible: sometimes")),
    ).toThrow(/interruptible/);
  });
});

describe("Azure and Bitbucket pipelines", () => {
  interface AzureStep {
    bash?: string;
    env?: Record<string, string>;
  }
  const secrets = ["ENDPOINT_MONITORING_TOKEN", "PULUMI_ACCESS_TOKEN", "PULUMI_CONFIG_PASSPHRASE"];
  const azureSteps = (): AzureStep[] => (parse(read("azure/endpoint-monitoring.yml")) as { steps: AzureStep[] }).steps;

  /** Runs a pipeline's script with a command that prints its arguments and variables. @returns both */
  function printed(script: string, env: Record<string, string>): string[] {
    const checkout = temporary();
    const bin = join(checkout, "node_modules/.bin");
    mkdirSync(bin, { recursive: true });
    const text = `#!/bin/sh\necho "$@"\nenv | grep -E "^(ENDPOINT|PULUMI)" | sort\n`;
    writeFileSync(join(bin, "endpoint-monitoring"), text, { mode: 0o755 });
    const options = { cwd: checkout, encoding: "utf8", env: { PATH: process.env["PATH"], ...env } } as const;
    return execFileSync("bash", ["-e", "-c", script], options).trimEnd().split("\n");
  }

  it("the pipelines run only existing tasks of the ci command", () => {
    const text = ["azure/azure-pipelines.yml", "bitbucket/bitbucket-pipelines.yml"].map(read).join("\n");
    const tasks = [...text.matchAll(/(?:endpoint-monitoring ci |\btask: )(\w+)/g)].map(([, task = ""]) => task);
    expect(tasks).toHaveLength(6);
    expect(tasks.filter((task) => !(programTasks as readonly string[]).includes(task))).toEqual([]);
  });

  it("the pipelines pass only existing options to the review command", () => {
    const text = ["azure/endpoint-monitoring.yml", "bitbucket/bitbucket-pipelines.yml"].map(read).join("\n");
    const names = [...text.matchAll(/-- --([a-z-]+)/g)].map(([, name = ""]) => name);
    expect(names).toHaveLength(2);
    expect(names.filter((name) => !(name in review.options))).toEqual([]);
  });

  it("the Azure pipeline applies only approved changes", () => {
    const { stages } = parse(read("azure/azure-pipelines.yml")) as { stages: { stage: string }[] };
    const tasks = stages.map((stage) => [stage.stage, /"task":"(\w+)"/.exec(JSON.stringify(stage))?.[1]]);
    expect(tasks).toEqual(["review", "up", "drift"].map((task) => [task, task]));
    expect(stages[1]).toMatchObject({
      dependsOn: "review",
      lockBehavior: "sequential",
      jobs: [{ environment: "endpoint-monitoring" }],
    });
    const withSecrets = azureSteps().filter(({ env = {} }) => secrets.some((name) => name in env));
    expect(withSecrets.map(({ env = {} }) => Object.keys(env))).toEqual([["ENDPOINT_MONITORING_REPORTS", ...secrets]]);
    for (const file of ["azure-pipelines.yml", "endpoint-monitoring.yml"])
      expect(read(`azure/${file}`)).not.toMatch(/System\.AccessToken/i);
  });

  it("the Azure pipeline compares a pull request with its target branch", () => {
    const { bash = "" } = azureSteps().find(({ env = {} }) => "PULUMI_ACCESS_TOKEN" in env) ?? {};
    const script = (task: string): string => bash.replaceAll("${{ parameters.task }}", task);
    const unset = Object.fromEntries(secrets.map((name) => [name, `$(${name})`]));
    expect(printed(script("review"), { ...unset, BUILD_REASON: "PullRequest" })).toEqual(["ci review -- --base HEAD^"]);
    const set = { ...unset, PULUMI_ACCESS_TOKEN: "a token", BUILD_REASON: "IndividualCI" };
    expect(printed(script("review"), set)).toEqual(["ci review", "PULUMI_ACCESS_TOKEN=a token"]);
    expect(printed(script("up"), set)).toEqual(["ci up", "PULUMI_ACCESS_TOKEN=a token"]);
  });

  it("the Bitbucket pipeline applies changes only if a user starts the step", () => {
    interface Step {
      step: { trigger?: string; deployment?: string; script: string[] };
    }
    const { pipelines } = parse(read("bitbucket/bitbucket-pipelines.yml")) as {
      pipelines: Record<string, Record<string, Step[]>>;
    };
    const runs = (pipeline: Step[] = [], env: Record<string, string> = {}) =>
      pipeline.map(({ step: { script } }) => {
        expect(script[0]).toMatch(/ npm ci --ignore-scripts$/);
        return printed(script.slice(1).join("\n"), { BITBUCKET_CLONE_DIR: "/clone", ...env });
      });
    const reports = "ENDPOINT_MONITORING_REPORTS=/clone/endpoint-monitoring-reports";
    expect(runs(pipelines["pull-requests"]?.["**"], { BITBUCKET_PR_DESTINATION_COMMIT: "abc" })).toEqual([
      ["ci review -- --base abc", reports],
    ]);
    expect(runs(pipelines["branches"]?.["main"])).toEqual([
      ["ci review", reports],
      ["ci up", reports],
    ]);
    expect(pipelines["branches"]?.["main"]?.[1]?.step).toMatchObject({ trigger: "manual", deployment: "endpoint-monitoring" });
    expect(runs(pipelines["custom"]?.["drift"])).toEqual([["ci drift", reports]]);
  });
});
