import { cpSync, existsSync, mkdtempSync } from "node:fs";
import { join } from "node:path";
import { parse } from "yaml";
import type { Ended, Repository } from "./repository";

interface Step {
  step: { name: string; trigger?: "manual"; deployment?: string; script: string[]; artifacts?: string[] };
}
interface Pipelines {
  pipelines: Record<string, Record<string, Step[]>>;
}

/** A run of Bitbucket's pipeline: its steps as shell, and what they keep for those that follow. */
export class BitbucketRun {
  /** What its steps have kept. */
  artifacts: string | undefined;
  readonly #left: Step[];
  #isRed = false;

  /** @param place where the pipeline stands in the file: `branches`, `main` */
  constructor(
    private readonly repository: Repository,
    [kind, name]: readonly [string, string],
    private readonly secrets: Record<string, string> = repository.secrets,
  ) {
    const { pipelines } = parse(repository.read("bitbucket-pipelines.yml")) as Pipelines;
    this.#left = [...(pipelines[kind]?.[name] ?? [])];
  }

  /** Runs the next step, which somebody has started if nothing else starts it. @returns nothing where there is none */
  async next(): Promise<Ended | undefined> {
    const { step } = this.#left[0] ?? {};
    if (!step || this.#isRed) return undefined;
    const { repository } = this;
    const reports = join(repository.folder, "endpoint-monitoring-reports");
    // Each step has a machine, and a checkout, of its own.
    await repository.must("git", "clean", "--quiet", "--force", "-x", "-d", "--", "endpoint-monitoring-reports");
    if (this.artifacts !== undefined && existsSync(this.artifacts)) cpSync(this.artifacts, reports, { recursive: true });
    const env = { ...repository.vars, ...this.secrets, CI: "true", BITBUCKET_CLONE_DIR: repository.folder };
    const ended = await repository.tell("bash", ["-e", "-c", step.script.join("\n")], env);
    this.#isRed = ended.code !== 0;
    this.#left.shift();
    if (step.artifacts?.includes("endpoint-monitoring-reports/**") && existsSync(reports)) {
      this.artifacts = mkdtempSync(join(repository.root, "artifact-"));
      cpSync(reports, this.artifacts, { recursive: true });
    }
    return ended;
  }
}
