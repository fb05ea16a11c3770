import { spawn } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parse } from "yaml";
import type { Artifacts, Run } from "./artifacts";
import { type Contexts, evaluate, interpolate, isTrue, type Value } from "./expression";

/** Allowed external actions, each at the commit of a release. */
export const allowedActions: Record<string, string> = {
  "actions/checkout": "de0fac2e4500dabe0009e67214ff5f5447ce83dd # v6.0.2",
  "actions/setup-node": "53b83947a5a98c8d113130e565377fae1a50d02f # v6.3.0",
  "actions/upload-artifact": "b7c566a772e6b6bfb58ed0dc250532a479d7789f # v6.0.0",
  "actions/download-artifact": "37930b1c2abaa49bbe596cd826c3c89aef350131 # v7.0.0",
  "pulumi/actions": "8582a9e8cc630786854029b4e09281acd6794b58 # v6.6.1",
};

export interface Step {
  id?: string;
  uses?: string;
  with?: Record<string, unknown>;
  run?: string;
  shell?: string;
  env?: Record<string, unknown>;
  if?: string;
  "working-directory"?: string;
}
export interface Concurrency {
  group: string;
  "cancel-in-progress": boolean;
  queue?: string;
}
export interface Job {
  needs?: string | string[];
  if?: string;
  permissions?: Record<string, string>;
  environment?: string;
  concurrency?: Concurrency;
  outputs?: Record<string, string>;
  steps: Step[];
  "timeout-minutes"?: number;
}
export interface Workflow {
  on: string | Record<string, { branches?: string[] } | null>;
  permissions: Record<string, string>;
  concurrency?: Concurrency;
  env?: Record<string, string>;
  jobs: Record<string, Job>;
}
export interface Action {
  inputs: Record<string, { description?: string; required?: boolean; default?: string }>;
  outputs: Record<string, { value: string }>;
  runs: { using: string; steps: Step[] };
}

/** The event that started the workflow, and the repository's settings. */
export interface Trigger {
  /** Folder of the checkout. */
  repository: string;
  eventName: string;
  event: object;
  vars: Record<string, string>;
  secrets: Record<string, string>;
  token: string;
  /** The machine's environment: PATH, HOME, and the CI provider's URL. */
  env: Record<string, string>;
  /** Receives the permissions of a job's token before the job runs. */
  onPermissions?: (permissions: Record<string, string>) => void;
  /** Artifacts of the runs. */
  artifacts: Artifacts;
  run: Run;
  /** Receives each step with a script, and its whole environment. */
  onStep?: (step: StepEnvironment) => void;
}

export interface StepEnvironment {
  job: string;
  /** The command or action of the step. */
  script: string;
  env: Record<string, string>;
}

export interface JobResult {
  result: "success" | "failure" | "skipped";
  /** The environment that has its secrets and reviewers. */
  environment?: string;
  log: string;
  /** The summary page of the run. */
  summary: string;
  /** Outputs of the steps with an action, by name. */
  outputs: Record<string, string>;
}

/** Runs a workflow like GitHub's runner, with its steps as scripts on this machine. @returns the result of each job by name */
export async function runWorkflow(file: string, trigger: Trigger): Promise<Record<string, JobResult>> {
  // The schema tests check its form.
  const workflow = parse(readFileSync(join(trigger.repository, ".github/workflows", file), "utf8")) as Workflow;
  const on = typeof workflow.on === "string" ? { [workflow.on]: null } : workflow.on;
  if (!(trigger.eventName in on)) throw new Error(`${file} does not run on ${trigger.eventName}`);
  const results: Record<string, JobResult> = {};
  const outputs: Record<string, Record<string, string>> = {};
  // A job follows the jobs that it needs.
  for (const [name, job] of Object.entries(workflow.jobs)) {
    const needed = [job.needs ?? []].flat();
    const needs = Object.fromEntries(
      needed.map((neededJob) => [
        neededJob,
        { result: results[neededJob]?.result ?? fail(neededJob), outputs: outputs[neededJob] ?? {} },
      ]),
    );
    const run = new JobRun(name, trigger, needs, workflow.env);
    for (const concurrency of [workflow.concurrency, job.concurrency]) run.interpolate(concurrency?.group ?? "");
    trigger.onPermissions?.(job.permissions ?? workflow.permissions);
    const isReady = Object.values(needs).every(({ result }) => result === "success");
    const condition = job.if ?? "success()";
    const runs = run.isTrue(isStatus(condition) ? condition : `success() && (${condition})`, isReady);
    const environment = job.environment === undefined ? {} : { environment: job.environment };
    results[name] = { ...(runs ? await run.all(job.steps) : { ...run.result, result: "skipped" }), ...environment };
    outputs[name] = run.outputsOf(job.outputs);
  }
  return results;
}

/** Whether a condition uses the results of earlier steps. Without them it requires that all succeeded. */
function isStatus(condition: string): boolean {
  return /\b(?:always|cancelled|success|failure)\(/.test(condition);
}

function fail(job: string): never {
  throw new Error(`The job ${job} stands below one that needs it`);
}

/** One job: the files for communication between its steps and the runner, and the results. */
class JobRun {
  readonly result: JobResult = { result: "success", log: "", summary: "", outputs: {} };
  readonly contexts: Contexts;
  readonly #folder: string;
  readonly #env: Record<string, string>;
  #steps: Record<string, { outputs: Record<string, string> }> = {};

  constructor(
    readonly name: string,
    private readonly trigger: Trigger,
    needs: Record<string, object>,
    declaredEnv: Record<string, string> = {},
  ) {
    const { eventName, event, vars, secrets, token, env, run } = trigger;
    this.#folder = mkdtempSync(join(env["TMPDIR"] ?? tmpdir(), "job-"));
    writeFileSync(join(this.#folder, "event.json"), JSON.stringify(event));
    // Each job has its own machine and checkout.
    rmSync(join(trigger.repository, "endpoint-monitoring-reports"), { recursive: true, force: true });
    this.#env = {
      ...env,
      CI: "true",
      GITHUB_ACTIONS: "true",
      GITHUB_ACTOR: "ada",
      GITHUB_EVENT_NAME: eventName,
      GITHUB_EVENT_PATH: join(this.#folder, "event.json"),
      GITHUB_REF_NAME: "main",
      GITHUB_RUN_ID: String(run.id),
      GITHUB_SHA: run.sha,
      GITHUB_STEP_SUMMARY: join(this.#folder, "summary.md"),
      GITHUB_WORKSPACE: trigger.repository,
      RUNNER_TEMP: this.#folder,
    };
    const github = { event, event_name: eventName, repository: env["GITHUB_REPOSITORY"], token, ref: run.ref };
    const { inputs = {} } = event as { inputs?: Record<string, string> };
    this.contexts = {
      github: { values: github, open: false },
      inputs: { values: inputs, open: true },
      needs: { values: needs, open: false },
      runner: { values: { temp: this.#folder, os: "Linux" }, open: false },
      vars: { values: vars, open: true },
      secrets: { values: secrets, open: true },
    };
    const evaluated = texts(declaredEnv, this.contexts);
    Object.assign(this.#env, evaluated);
    this.contexts = { ...this.contexts, env: { values: evaluated, open: true } };
  }

  interpolate(text: string): string {
    return interpolate(text, this.contexts, { toJSON });
  }

  isTrue(condition: string, isReady: boolean, contexts = this.contexts): boolean {
    const functions = { always: () => true, cancelled: () => false, success: () => isReady, toJSON };
    return isTrue(evaluate(condition, contexts, functions));
  }

  outputsOf(outputs: Record<string, string> | undefined): Record<string, string> {
    if (this.result.result === "skipped") return {};
    return texts(outputs, { ...this.contexts, steps: { values: this.#steps, open: true } });
  }

  async all(steps: readonly Step[]): Promise<JobResult> {
    this.#steps = await this.#all(steps, this.contexts, this.#env);
    const summary = join(this.#folder, "summary.md");
    this.result.summary = existsSync(summary) ? readFileSync(summary, "utf8") : "";
    return this.result;
  }

  /** @returns the steps' outputs by id */
  async #all(
    steps: readonly Step[],
    outerContexts: Contexts,
    env: Record<string, string>,
  ): Promise<Record<string, { outputs: Record<string, string> }>> {
    const done: Record<string, { outputs: Record<string, string> }> = {};
    const contexts = { ...outerContexts, steps: { values: done, open: true } };
    for (const step of steps) {
      const condition = isStatus(step.if ?? "") ? (step.if ?? "") : `success() && (${step.if ?? "true"})`;
      if (!this.isTrue(condition, this.result.result === "success", contexts)) continue;
      const stepEnv = { ...env, ...texts(step.env, contexts) };
      const outputs =
        step.uses === undefined ? await this.#script(step, contexts, stepEnv) : await this.#action(step, contexts, stepEnv);
      if (step.id !== undefined) done[step.id] = { outputs };
    }
    return done;
  }

  async #action(
    { uses = "", with: parameters }: Step,
    contexts: Contexts,
    env: Record<string, string>,
  ): Promise<Record<string, string>> {
    if (!uses.startsWith("./")) {
      const [action = ""] = uses.split("@");
      if (!allowedActions[action]?.startsWith(uses.slice(action.length + 1)))
        throw new Error(`${uses} may not stand in a workflow`);
      this.#otherAction(action, texts(parameters, contexts));
      return {};
    }
    const folder = join(this.trigger.repository, uses);
    const action = parse(readFileSync(join(folder, "action.yml"), "utf8")) as Action;
    const inputs = { ...texts(defaultsOf(action), contexts), ...texts(parameters, contexts) };
    for (const name of Object.keys(inputs)) if (!(name in action.inputs)) throw new Error(`${uses} has no input ${name}`);
    for (const [name, { required }] of Object.entries(action.inputs)) {
      if (required && !inputs[name]) throw new Error(`${uses} needs the input ${name}`);
    }
    const inside = { ...contexts, inputs: { values: inputs, open: false } };
    const steps = await this.#all(action.runs.steps, inside, { ...env, GITHUB_ACTION_PATH: folder });
    const values = Object.entries(action.outputs).map(([name, { value }]) => [name, value]);
    const outputs = texts(Object.fromEntries(values), { ...inside, steps: { values: steps, open: true } });
    Object.assign(this.result.outputs, outputs);
    return outputs;
  }

  /** Actions that upload and download artifacts. The other actions prepare the machine, which is ready here. */
  #otherAction(action: string, inputs: Record<string, string>): void {
    const { artifacts, run } = this.trigger;
    try {
      if (action === "actions/upload-artifact") artifacts.upload(run, inputs, this.trigger.repository);
      if (action === "actions/download-artifact") artifacts.download(run, inputs, this.trigger.repository);
    } catch (error) {
      this.result.log += `${String(error)}\n`;
      this.result.result = "failure";
    }
  }

  async #script(step: Step, contexts: Contexts, env: Record<string, string>): Promise<Record<string, string>> {
    const [script, output] = [join(this.#folder, "step.sh"), join(this.#folder, "output")];
    writeFileSync(script, interpolate(step.run ?? "", contexts));
    writeFileSync(output, "");
    const options = step.shell === undefined ? ["-e"] : ["--noprofile", "--norc", "-eo", "pipefail"];
    const cwd = join(this.trigger.repository, interpolate(step["working-directory"] ?? ".", contexts));
    this.trigger.onStep?.({ job: this.name, script: step.run ?? "", env });
    const code = await this.#shell([...options, script], cwd, { ...env, GITHUB_OUTPUT: output });
    if (code !== 0) this.result.result = "failure";
    const lines = readFileSync(output, "utf8").trim().split("\n");
    return Object.fromEntries(lines.map((line) => [line.slice(0, line.indexOf("=")), line.slice(line.indexOf("=") + 1)]));
  }

  #shell(args: string[], cwd: string, env: Record<string, string>): Promise<number | null> {
    return new Promise((resolve, reject) => {
      // Both streams share a pipe, so the log has the lines in the order of their output.
      const command = ["-c", 'exec bash "$@" 2>&1', "sh", ...args];
      const child = spawn("sh", command, { cwd, env, stdio: ["ignore", "pipe", "ignore"] });
      child.stdout.setEncoding("utf8").on("data", (text: string) => (this.result.log += text));
      child.on("error", reject).on("close", resolve);
    });
  }
}

function toJSON(value: Value): string {
  return JSON.stringify(value, undefined, 2);
}

function defaultsOf(action: Action): Record<string, string> {
  return Object.fromEntries(Object.entries(action.inputs).map(([name, input]) => [name, input.default ?? ""]));
}

function texts(values: Record<string, unknown> | undefined, contexts: Contexts): Record<string, string> {
  return Object.fromEntries(
    Object.entries(values ?? {}).map(([name, value]) => [name, interpolate(String(value), contexts, { toJSON })]),
  );
}
