import { execFileSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parse } from "yaml";
import { sha256 } from "../../../cli/commands/ci/pipeline";
import type { Ended, Repository } from "./repository";

interface Step {
  checkout?: string;
  bash?: string;
  task?: string;
  inputs?: Record<string, string>;
  publish?: string;
  artifact?: string;
  condition?: string;
  env?: Record<string, string>;
  workingDirectory?: string;
  failOnStderr?: boolean;
  persistCredentials?: boolean;
  fetchDepth?: number;
}
interface Stage {
  stage: string;
  dependsOn?: string | string[];
  condition: string;
}

/** What runs have kept, by run and name. */
export type AzureArtifacts = Map<string, string>;

/** A run of Azure's pipeline: its conditions and artifacts as the service has them, its steps as shell. */
export class AzureRun {
  readonly #results: Record<string, boolean> = {};
  readonly variables: Record<string, string>;
  #attempts = 0;

  /** @param variables those that the service sets, such as `Build.Reason` */
  constructor(
    private readonly repository: Repository,
    private readonly artifacts: AzureArtifacts,
    variables: Record<string, string>,
    private readonly secrets: Record<string, string> = repository.secrets,
  ) {
    const { root } = repository;
    // What a job downloads: an archive with the stub of the engine.
    mkdirSync(join(root, "pulumi"), { recursive: true });
    cpSync(join(root, "bin/pulumi"), join(root, "pulumi/pulumi"));
    const archive = join(root, "engine.tar.gz");
    if (!existsSync(archive)) execFileSync("tar", ["-czf", archive, "-C", root, "pulumi"]);
    repository.tool("curl", `cp "${archive}" "$2"`);
    this.variables = { PULUMI_SHA256: sha256(readFileSync(archive)), ...variables };
  }

  /** Runs a stage, or runs it again. @returns nothing where its condition keeps it from running */
  async stage(name: string): Promise<Ended | undefined> {
    const { stages } = parse(this.repository.read("azure-pipelines.yml")) as { stages: Stage[] };
    const stage = stages.find((one) => one.stage === name);
    if (!stage) throw new Error(`The pipeline has no stage ${name}`);
    const isReady = [stage.dependsOn ?? []].flat().every((one) => this.#results[one]);
    if (!this.#isMet(stage.condition, isReady)) return undefined;
    const ended = await this.#job(/"template":"([^"]+)","parameters":\{"task":"(\w+)"\}/.exec(JSON.stringify(stage)) ?? []);
    this.#results[name] = ended.code === 0;
    return ended;
  }

  async #job([, template = "", task = ""]: readonly string[]): Promise<Ended> {
    const { root } = this.repository;
    this.#attempts += 1;
    const places = {
      "Agent.TempDirectory": join(root, "agent"),
      "Build.ArtifactStagingDirectory": join(root, "staging"),
      "System.JobAttempt": String(this.#attempts),
    };
    // Each job has a machine of its own.
    for (const folder of [join(root, "agent"), join(root, "staging")]) {
      rmSync(folder, { recursive: true, force: true });
      mkdirSync(folder);
    }
    const known = { ...places, ...this.variables };
    const kept = (name: string): string => `${this.variables["Build.BuildId"]}/${name}`;
    const text = this.repository.read(template).replaceAll("${{ parameters.task }}", task);
    const { steps } = parse(text) as { steps: (Step | Record<string, Step[]>)[] };
    const all = steps.flatMap((step) => {
      const [[key, inner] = [""]] = Object.entries(step);
      const [, only] = /^\$\{\{ if eq\(parameters\.task, '(\w+)'\) \}\}$/.exec(key) ?? [];
      return only === undefined ? [step as Step] : only === task ? (inner ?? []) : [];
    });
    const isMet = (condition: string, isReady: boolean): boolean => this.#isMet(condition, isReady);
    return new AzureJob(this.repository, this.artifacts, kept, known, this.secrets, isMet).run(all);
  }

  /** A condition, whose functions are those of JavaScript but for their names. */
  #isMet(condition: string, isReady: boolean): boolean {
    const functions = {
      variables: this.variables,
      succeeded: () => isReady,
      failed: () => !isReady,
      always: () => true,
      and: (...all: boolean[]) => all.every(Boolean),
      eq: (a: unknown, b: unknown) => a === b,
      ne: (a: unknown, b: unknown) => a !== b,
    };
    // oxlint-disable-next-line typescript/no-implied-eval -- it is the text of our own page
    return new Function(...Object.keys(functions), `return ${condition}`)(...Object.values(functions)) as boolean;
  }
}

class AzureJob {
  readonly #ended: Ended = { code: 0, text: "" };
  #path: string[] = [];

  constructor(
    private readonly repository: Repository,
    private readonly artifacts: AzureArtifacts,
    private readonly kept: (name: string) => string,
    private readonly known: Record<string, string>,
    private readonly secrets: Record<string, string>,
    private readonly isMet: (condition: string, isReady: boolean) => boolean,
  ) {}

  async run(steps: readonly Step[]): Promise<Ended> {
    for (const step of steps) {
      if (!this.isMet(step.condition ?? "succeeded()", this.#ended.code === 0)) continue;
      // oxlint-disable-next-line no-await-in-loop -- one after the other
      if (step.bash !== undefined) await this.#bash(step, step.bash);
      else if (step.publish !== undefined) this.#publish(this.#whole(step.publish), this.#whole(step.artifact ?? ""));
      else if (step.task === "DownloadPipelineArtifact@2") this.#download(step.inputs ?? {});
      else if (step.checkout === undefined && !["UseNode@1", "PublishTestResults@2"].includes(step.task ?? ""))
        throw new Error(`A step that is not known here: ${JSON.stringify(step)}`);
    }
    return this.#ended;
  }

  /** As the agent starts it, which does not stop at the first command that fails. */
  async #bash({ env = {}, workingDirectory = "." }: Step, script: string): Promise<void> {
    const file = join(this.repository.root, "step.sh");
    writeFileSync(file, script);
    const { PATH } = this.repository.machine;
    const own = Object.fromEntries(Object.entries(env).map(([name, value]) => [name, this.#whole(value)]));
    const starts = `cd "${this.#whole(workingDirectory)}" && . "${file}"`;
    const { code, text } = await this.repository.tell("bash", ["--noprofile", "--norc", "-c", starts], {
      ...this.repository.vars,
      CI: "true",
      TF_BUILD: "True",
      BUILD_REASON: this.known["Build.Reason"] ?? "",
      BUILD_ARTIFACTSTAGINGDIRECTORY: this.known["Build.ArtifactStagingDirectory"] ?? "",
      ...own,
      PATH: [...this.#path, PATH].join(":"),
    });
    this.#ended.text += text;
    this.#path.unshift(...[...text.matchAll(/^##vso\[task\.prependpath\](.*)$/gm)].map(([, one = ""]) => one));
    if (code !== 0) this.#fail("");
  }

  /** A name stands once in a run, whatever runs again. */
  #publish(from: string, name: string): void {
    if (this.artifacts.has(this.kept(name))) return this.#fail(`##[error]Artifact ${name} already exists for this build.\n`);
    if (!existsSync(from)) return this.#fail(`##[error]Path does not exist: ${from}\n`);
    const folder = mkdtempSync(join(this.repository.root, "artifact-"));
    cpSync(from, folder, { recursive: true });
    this.artifacts.set(this.kept(name), folder);
  }

  /** Without the name of another run, of this one. */
  #download({ artifactName = "", targetPath = "", ...other }: Record<string, string>): void {
    if (Object.keys(other).length > 0) throw new Error(`Inputs that are not known here: ${Object.keys(other).join(", ")}`);
    const folder = this.artifacts.get(this.kept(artifactName));
    if (folder === undefined) return this.#fail(`##[error]Artifact ${artifactName} was not found.\n`);
    cpSync(folder, this.#whole(targetPath), { recursive: true });
  }

  /** A reference to a variable that there is not stays as it is. */
  #whole(text: string): string {
    const all = { ...this.known, ...this.secrets };
    return text.replace(/\$\(([\w.]+)\)/g, (reference, name: string) => all[name] ?? reference);
  }

  #fail(text: string): void {
    this.#ended.text += text;
    this.#ended.code = 1;
  }
}
