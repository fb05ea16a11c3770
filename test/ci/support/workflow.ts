import { spawn } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parse } from "yaml";
import { type Contexts, evaluate, interpolate, isTrue } from "./expression";

/** Actions of others that may stand in a workflow. They get the machine ready, which here it is, so they do nothing. */
export const allowedActions = [
  /^actions\/checkout@v\d+$/,
  /^actions\/setup-node@v\d+$/,
  // Not of GitHub itself: by its commit.
  /^pulumi\/actions@[0-9a-f]{40}$/,
];

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
export interface Job {
  if?: string;
  permissions?: Record<string, string>;
  steps: Step[];
  "timeout-minutes"?: number;
}
export interface Workflow {
  on: string | Record<string, { branches?: string[] } | null>;
  permissions: Record<string, string>;
  concurrency: { group: string };
  jobs: Record<string, Job>;
}
export interface Action {
  inputs: Record<string, { description?: string; required?: boolean; default?: string }>;
  outputs: Record<string, { value: string }>;
  runs: { using: string; steps: Step[] };
}

/** What started the workflow, and what the repository's settings hold. */
export interface Trigger {
  /** Folder of the repository that was checked out. */
  repository: string;
  eventName: string;
  event: object;
  vars: Record<string, string>;
  secrets: Record<string, string>;
  token: string;
  /** Environment of the machine: PATH, HOME, and where the forge is. */
  env: Record<string, string>;
  /** Told which permissions the token of a job has, before the job runs. */
  onPermissions?: (permissions: Record<string, string>) => void;
}

export interface JobResult {
  result: "success" | "failure" | "skipped";
  log: string;
  /** What stands on the page of the run. */
  summary: string;
  /** Outputs of its steps that call an action, by name. */
  outputs: Record<string, string>;
}

/** Runs a workflow as GitHub's runner does, its steps as scripts on this machine. @returns what became of each job, by name */
export async function runWorkflow(file: string, trigger: Trigger): Promise<Record<string, JobResult>> {
  // The tests of the schema see to its form.
  const workflow = parse(readFileSync(join(trigger.repository, ".github/workflows", file), "utf8")) as Workflow;
  const on = typeof workflow.on === "string" ? { [workflow.on]: null } : workflow.on;
  if (!(trigger.eventName in on)) throw new Error(`${file} does not run on ${trigger.eventName}`);
  const results: Record<string, JobResult> = {};
  for (const [name, job] of Object.entries(workflow.jobs)) {
    const run = new JobRun(trigger);
    interpolate(workflow.concurrency.group, run.contexts);
    trigger.onPermissions?.(job.permissions ?? workflow.permissions);
    results[name] = isTrue(evaluate(job.if ?? "true", run.contexts))
      ? await run.all(job.steps)
      : { ...run.result, result: "skipped" };
  }
  return results;
}

/** One job: the files by which its steps and the runner talk, and what came of them. */
class JobRun {
  readonly result: JobResult = { result: "success", log: "", summary: "", outputs: {} };
  readonly contexts: Contexts;
  readonly #folder: string;
  readonly #env: Record<string, string>;

  constructor(private readonly trigger: Trigger) {
    const { eventName, event, vars, secrets, token, env } = trigger;
    this.#folder = mkdtempSync(join(env["TMPDIR"] ?? tmpdir(), "job-"));
    writeFileSync(join(this.#folder, "event.json"), JSON.stringify(event));
    this.#env = {
      ...env,
      CI: "true",
      GITHUB_ACTIONS: "true",
      GITHUB_EVENT_NAME: eventName,
      GITHUB_EVENT_PATH: join(this.#folder, "event.json"),
      GITHUB_STEP_SUMMARY: join(this.#folder, "summary.md"),
      GITHUB_WORKSPACE: trigger.repository,
      RUNNER_TEMP: this.#folder,
    };
    this.contexts = {
      github: { values: { event, event_name: eventName, repository: env["GITHUB_REPOSITORY"], token }, open: false },
      vars: { values: vars, open: true },
      secrets: { values: secrets, open: true },
    };
  }

  async all(steps: readonly Step[]): Promise<JobResult> {
    await this.#steps(steps, this.contexts, this.#env);
    const summary = join(this.#folder, "summary.md");
    this.result.summary = existsSync(summary) ? readFileSync(summary, "utf8") : "";
    return this.result;
  }

  /** @returns outputs of the steps by id */
  async #steps(steps: readonly Step[], given: Contexts, env: Record<string, string>): Promise<Record<string, object>> {
    const done: Record<string, { outputs: Record<string, string> }> = {};
    const contexts = { ...given, steps: { values: done, open: false } };
    for (const step of steps) {
      if (this.result.result === "failure" || !isTrue(evaluate(step.if ?? "true", contexts))) continue;
      const own = { ...env, ...texts(step.env, contexts) };
      const outputs =
        step.uses === undefined ? await this.#script(step, contexts, own) : await this.#action(step, contexts, own);
      if (step.id !== undefined) done[step.id] = { outputs };
    }
    return done;
  }

  async #action(
    { uses = "", with: given }: Step,
    contexts: Contexts,
    env: Record<string, string>,
  ): Promise<Record<string, string>> {
    if (!uses.startsWith("./")) {
      if (!allowedActions.some((allowed) => allowed.test(uses))) throw new Error(`${uses} may not stand in a workflow`);
      texts(given, contexts);
      return {};
    }
    const folder = join(this.trigger.repository, uses);
    const action = parse(readFileSync(join(folder, "action.yml"), "utf8")) as Action;
    const inputs = { ...texts(defaultsOf(action), contexts), ...texts(given, contexts) };
    for (const name of Object.keys(inputs)) if (!(name in action.inputs)) throw new Error(`${uses} has no input ${name}`);
    for (const [name, { required }] of Object.entries(action.inputs)) {
      if (required && !inputs[name]) throw new Error(`${uses} needs the input ${name}`);
    }
    const inside = { ...contexts, inputs: { values: inputs, open: false } };
    const steps = await this.#steps(action.runs.steps, inside, { ...env, GITHUB_ACTION_PATH: folder });
    const values = Object.entries(action.outputs).map(([name, { value }]) => [name, value]);
    if (this.result.result === "failure") return {};
    const outputs = texts(Object.fromEntries(values), { ...inside, steps: { values: steps, open: false } });
    Object.assign(this.result.outputs, outputs);
    return outputs;
  }

  async #script(step: Step, contexts: Contexts, env: Record<string, string>): Promise<Record<string, string>> {
    const [script, output] = [join(this.#folder, "step.sh"), join(this.#folder, "output")];
    writeFileSync(script, interpolate(step.run ?? "", contexts));
    writeFileSync(output, "");
    const options = step.shell === undefined ? ["-e"] : ["--noprofile", "--norc", "-eo", "pipefail"];
    const cwd = join(this.trigger.repository, interpolate(step["working-directory"] ?? ".", contexts));
    const code = await this.#shell([...options, script], cwd, { ...env, GITHUB_OUTPUT: output });
    if (code !== 0) this.result.result = "failure";
    const lines = readFileSync(output, "utf8").trim().split("\n");
    return Object.fromEntries(lines.map((line) => [line.slice(0, line.indexOf("=")), line.slice(line.indexOf("=") + 1)]));
  }

  #shell(args: string[], cwd: string, env: Record<string, string>): Promise<number | null> {
    return new Promise((resolve, reject) => {
      const child = spawn("bash", args, { cwd, env, stdio: ["ignore", "pipe", "pipe"] });
      for (const stream of [child.stdout, child.stderr]) {
        stream.setEncoding("utf8").on("data", (text: string) => (this.result.log += text));
      }
      child.on("error", reject).on("close", resolve);
    });
  }
}

function defaultsOf(action: Action): Record<string, string> {
  return Object.fromEntries(Object.entries(action.inputs).map(([name, input]) => [name, input.default ?? ""]));
}

function texts(values: Record<string, unknown> | undefined, contexts: Contexts): Record<string, string> {
  return Object.fromEntries(Object.entries(values ?? {}).map(([name, value]) => [name, interpolate(String(value), contexts)]));
}
