import { mkdirSync, mkdtempSync, rmSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Emulator, type EmulatorOptions, start } from "../../emulator";
import { declared, shapeOfTest } from "./floor";
import { type Spent, timed } from "./measure";
import { type ByRole, follow, type Followed } from "./processes";

export const root = join(__dirname, "../..");

/** The front that manages the resources of a project: one of ours, or dynamic resources that do nothing, with as many properties. */
export type Front = "dynamic" | "native" | "floor";

/** All of them, what the others stand beside first. */
export const fronts: readonly Front[] = ["floor", "dynamic", "native"];

/** The same, or resources that do nothing with as little as they can. */
export type Subject = Front | "least";

const programs: Record<Subject, (resources: number) => string | Promise<string>> = {
  dynamic: (resources) => testsOf("pulumi-endpoint-monitoring", resources),
  native: (resources) => testsOf("pulumi-endpoint-monitoring/native", resources),
  floor: async (resources) => nothingsOf(`floorOf(${JSON.stringify(await shapeOfTest())})`, resources),
  least: (resources) => nothingsOf("leastOf()", resources),
};

/** Operations of the engine, none of which asks anything. */
export const engineOperations = {
  preview: ["preview"],
  up: ["up", "--yes", "--skip-preview"],
  refresh: ["refresh", "--yes", "--skip-preview"],
  destroy: ["destroy", "--yes", "--skip-preview"],
} as const;

/**
 * The engine writes its state at the end alone. It writes all of it after each resource otherwise, so that an up takes four times as
 * long for twice as many: one and a half minutes for 1,000 on every front, nearly all of it the engine's.
 */
export const writesStateOnce = { PULUMI_SKIP_CHECKPOINTS: "true" };

/** From so many resources on, rows have it written once: nearly all of an up would be writing. */
export const writesOnceFrom = 1_000;

function testsOf(module: string, resources: number): string {
  return `const { AgentToServerTest } = require("${module}");\n${each(resources, "AgentToServerTest")}`;
}

function nothingsOf(made: string, resources: number): string {
  return `const { Nothing } = require(${JSON.stringify(join(root, "tools/bench/nothing.cjs"))}).${made};\n${each(resources, "Nothing")}`;
}

function each(resources: number, className: string): string {
  const args = `{ ...${JSON.stringify(declared)}, testName: "Test " + i }`;
  return `for (let i = 0; i < ${resources}; i += 1) new ${className}("test-" + i, ${args});`;
}

/** A Pulumi project with a stack of its own, in a folder of its own; nothing of the user's Pulumi is used. */
export class Project {
  private constructor(
    readonly folder: string,
    readonly env: NodeJS.ProcessEnv,
  ) {}

  /** @param program text of the program, or a front and how many tests it declares */
  static async open(front: Subject, program: number | string, settings: NodeJS.ProcessEnv = {}): Promise<Project> {
    const folder = mkdtempSync(join(tmpdir(), `endpoint-monitoring-bench-${front}-`));
    mkdirSync(join(folder, "node_modules"));
    mkdirSync(join(folder, "backend"));
    symlinkSync(root, join(folder, "node_modules/pulumi-endpoint-monitoring"), "dir");
    symlinkSync(join(root, "node_modules/@pulumi"), join(folder, "node_modules/@pulumi"), "dir");
    const plugin =
      "plugins:\n  providers:\n    - name: endpoint-monitoring\n      path: ./node_modules/pulumi-endpoint-monitoring/plugin\n";
    const runtime = "runtime:\n  name: nodejs\n  options:\n    typescript: false\n";
    writeFileSync(join(folder, "Pulumi.yaml"), `name: bench\n${runtime}${front === "native" ? plugin : ""}`);
    writeFileSync(join(folder, "package.json"), '{ "main": "index.js" }\n');
    const env = {
      ...process.env,
      PULUMI_HOME: join(folder, "home"),
      PULUMI_BACKEND_URL: `file://${join(folder, "backend")}`,
      PULUMI_CONFIG_PASSPHRASE: "bench",
      PULUMI_SKIP_UPDATE_CHECK: "true",
      ENDPOINT_MONITORING_TOKEN: "emulator-token",
      ENDPOINT_MONITORING_PREVIEW_REACH: "off",
      ...settings,
    };
    const project = new Project(folder, env);
    project.declare(typeof program === "number" ? await programs[front](program) : program);
    await project.pulumi("stack", "init", "dev");
    return project;
  }

  declare(program: string): void {
    writeFileSync(join(this.folder, "index.js"), program);
  }

  /** Creates what the program declares, and measures nothing: the state is written once. */
  async create(): Promise<void> {
    const env = { ...this.env, ...writesStateOnce };
    await timed("pulumi", [...engineOperations.up, "--suppress-progress", "--non-interactive"], { cwd: this.folder, env });
  }

  /** Runs the engine. @throws Error with what it wrote, where it fails */
  pulumi(...args: string[]): Promise<Spent & { text: string }> {
    return timed("pulumi", [...args, "--non-interactive"], { cwd: this.folder, env: this.env });
  }

  /** Runs the engine. @returns seconds of CPU time of each of its processes */
  async byProcess(...args: string[]): Promise<ByRole> {
    return (await this.followed(["pulumi", ...args, "--non-interactive"])).seconds;
  }

  /** Runs a command and follows its processes. @param codes with which it may end */
  async followed(
    [command = "", ...args]: readonly string[],
    codes: readonly number[] = [0],
  ): Promise<Followed & { time: number }> {
    let end: (() => Followed) | undefined;
    const started = (pid: number): void => void (end = follow(pid));
    const { time } = await timed(command, args, { cwd: this.folder, env: this.env, codes, started });
    if (!end) throw new Error(`${command} was not started`);
    return { ...end(), time };
  }

  /** Runs our command. @param codes with which it may end */
  command(codes: readonly number[], ...args: string[]): Promise<Spent & { text: string }> {
    return timed(process.execPath, [join(root, "dist/cli/main.js"), ...args], { cwd: this.folder, env: this.env, codes });
  }

  /** Kilobytes of the stack's state, as the engine keeps it. */
  stateSize(): number {
    return statSync(join(this.folder, "backend/.pulumi/stacks/bench/dev.json")).size / 1_000;
  }

  remove(): void {
    rmSync(this.folder, { recursive: true, force: true, maxRetries: 5 });
  }
}

/** An emulator, and a project of the given front that goes to it, as long as they are used. @param settings for the project's environment */
export async function withProject<T>(
  { front, program, settings }: { front: Subject; program: number | string; settings?: NodeJS.ProcessEnv },
  options: EmulatorOptions,
  use: (project: Project, emulator: Emulator) => Promise<T>,
): Promise<T> {
  const emulator = await start(options);
  try {
    const project = await Project.open(front, program, { ENDPOINT_MONITORING_BASE_URL: emulator.url, ...settings });
    try {
      return await use(project, emulator);
    } finally {
      project.remove();
    }
  } finally {
    await emulator.close();
  }
}
