import { spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { CiProvider, token } from "./ci-provider";

const script = join(__dirname, "../../../dist/cli/main.js");

interface Ended {
  code: number | null;
  stdout: string;
  stderr: string;
}

export type Environment = Record<string, string | undefined>;

/** A CI provider, and a job that reports to it, for the stack dev of the project demo. */
export class Scene {
  readonly #folder = mkdtempSync(join(tmpdir(), "ci-provider-"));

  private constructor(readonly ciProvider: CiProvider) {}

  static async start(kind: "github" | "gitlab"): Promise<Scene> {
    const scene = new Scene(await CiProvider.start(kind));
    writeFileSync(join(scene.#folder, "Pulumi.yaml"), "name: demo\nruntime: nodejs\n");
    mkdirSync(join(scene.#folder, "endpoint-monitoring-reports"));
    scene.event('{ "pull_request": { "number": 12, "head": { "sha": "abcdef0123456789" } } }');
    return scene;
  }

  /** Runs a task. */
  run(task: string, env: Environment = {}): Promise<Ended> {
    const ownVariables = {
      PATH: process.env["PATH"],
      ENDPOINT_MONITORING_STACK: "dev",
      [this.ciProvider.kind === "github" ? "GITHUB_TOKEN" : "GITLAB_TOKEN"]: token,
    };
    const child = spawn(process.execPath, [script, "ci", task], {
      cwd: this.#folder,
      env: { ...ownVariables, ...this.ciProvider.env(join(this.#folder, "event.json")), ...env },
      stdio: ["ignore", "pipe", "pipe"],
    });
    return new Promise((resolve, reject) => {
      let [stdout, stderr] = ["", ""];
      child.stdout.setEncoding("utf8").on("data", (text: string) => (stdout += text));
      child.stderr.setEncoding("utf8").on("data", (text: string) => (stderr += text));
      child.on("error", reject).on("close", (code) => resolve({ code, stdout, stderr }));
    });
  }

  /** The event that started the pipeline. */
  event(text: string): void {
    writeFileSync(join(this.#folder, "event.json"), text);
  }

  /** Files from the previous job. */
  report(name: string, text: string): string {
    const path = join(this.#folder, "endpoint-monitoring-reports", name.replace(".", "-demo@dev."));
    writeFileSync(path, text);
    return path;
  }

  readonly comment = (text: string, env?: Environment) => {
    this.report("review.md", text);
    return this.run("comment", env);
  };
  readonly issue = (text: string) => {
    this.report("drift.md", text);
    this.report("drift.found", "true");
    return this.run("report");
  };
  readonly resolved = (env?: Environment) => {
    this.report("drift.found", "false");
    return this.run("report", env);
  };

  async end(): Promise<void> {
    await this.ciProvider.close();
    rmSync(this.#folder, { recursive: true, force: true });
  }
}

/** Runs a function with a CI provider. */
export async function withCiProvider(kind: CiProvider["kind"], work: (scene: Scene) => Promise<void>): Promise<void> {
  const scene = await Scene.start(kind);
  try {
    await work(scene);
  } finally {
    await scene.end();
  }
}

/** Defines tests that each have a CI provider. They run in parallel, because the script waits before it retries. */
export function eachOn(kind: CiProvider["kind"]) {
  return (name: string, work: (scene: Scene) => Promise<void>): void => it.concurrent(name, () => withCiProvider(kind, work));
}
