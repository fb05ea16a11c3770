import { mkdirSync, mkdtempSync, rmSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Emulator, type EmulatorOptions, start } from "../../emulator";
import { type Spent, timed } from "./measure";
import { followMemory } from "./processes";

export const root = join(__dirname, "../..");

/**
 * The provider that a benchmark measures: a baseline, dynamic resources or the native plugin. All providers run the same
 * program.
 */
export type Subject = "least" | "handwritten" | "dynamic" | "native";

const classesOf = (baseline: string): string =>
  `require(${JSON.stringify(join(root, "tools/bench/baselines.cjs"))}).classesOf("${baseline}")`;
const classes: Record<Subject, string> = {
  least: classesOf("least"),
  handwritten: classesOf("handwritten"),
  dynamic: `require("pulumi-endpoint-monitoring")`,
  native: `require("pulumi-endpoint-monitoring/native")`,
};

/** Returns a program in which every tenth resource is a label. Each test selects the label before it. */
export function programOf(subject: Subject, resources: number): string {
  return `const { AgentToServerTest, Label } = ${classes[subject]};
let label;
for (let at = 0; at < ${resources}; at += 1) {
  if (at % 10 === 0) {
    const filters = [{ key: "hostname", values: ["office-" + at] }];
    label = new Label("label-" + at, { name: "Label " + at, matchType: "or", filters });
  } else {
    const selection = { agentSelectorType: "agent-labels", endpointAgentLabels: [label.id] };
    new AgentToServerTest("test-" + at, { testName: "Test " + at, server: "vpn.example.com", ...selection });
  }
}
`;
}

/** Arguments of the engine's operations, which then ask no questions. */
export const engineOperations = {
  preview: ["preview"],
  up: ["up", "--yes", "--skip-preview"],
  refresh: ["refresh", "--yes", "--skip-preview"],
  destroy: ["destroy", "--yes", "--skip-preview"],
} as const;

/**
 * Makes the engine write its state only at the end of an operation. By default, the engine writes its whole state after each
 * resource, which would dominate the measured time.
 */
const writesStateOnce = { PULUMI_SKIP_CHECKPOINTS: "true" };

/** A Pulumi project with its own stack and folder, independent of the user's Pulumi settings. */
export class Project {
  private constructor(
    readonly folder: string,
    readonly env: NodeJS.ProcessEnv,
  ) {}

  /** Opens a project with an empty TypeScript program, the only kind that `import` can extend. */
  static openEmpty(settings: NodeJS.ProcessEnv): Promise<Project> {
    return Project.open("dynamic", "", settings, "index.ts");
  }

  static async open(
    subject: Subject,
    program: string,
    settings: NodeJS.ProcessEnv = {},
    entry: "index.js" | "index.ts" = "index.js",
  ): Promise<Project> {
    const folder = mkdtempSync(join(tmpdir(), `endpoint-monitoring-bench-${subject}-`));
    mkdirSync(join(folder, "node_modules"));
    mkdirSync(join(folder, "backend"));
    symlinkSync(root, join(folder, "node_modules/pulumi-endpoint-monitoring"), "dir");
    symlinkSync(join(root, "node_modules/@pulumi"), join(folder, "node_modules/@pulumi"), "dir");
    const plugin =
      "plugins:\n  providers:\n    - name: endpoint-monitoring\n      path: ./node_modules/pulumi-endpoint-monitoring/plugin\n";
    const runtime = `runtime:\n  name: nodejs\n  options:\n    typescript: ${entry.endsWith(".ts")}\n`;
    writeFileSync(join(folder, "Pulumi.yaml"), `name: bench\n${runtime}${subject === "native" ? plugin : ""}`);
    writeFileSync(join(folder, "package.json"), JSON.stringify({ main: entry }));
    writeFileSync(join(folder, entry), program);
    const env = {
      ...process.env,
      ...writesStateOnce,
      PULUMI_HOME: join(folder, "home"),
      PULUMI_BACKEND_URL: `file://${join(folder, "backend")}`,
      PULUMI_CONFIG_PASSPHRASE: "bench",
      PULUMI_SKIP_UPDATE_CHECK: "true",
      ENDPOINT_MONITORING_TOKEN: "emulator-token",
      ENDPOINT_MONITORING_PREVIEW_REACH: "off",
      // Reads of the emulator show writes at once.
      ENDPOINT_MONITORING_READ_LAG: "0",
      ...settings,
    };
    const project = new Project(folder, env);
    await project.run(["pulumi", "stack", "init", "dev", "--non-interactive"]);
    return project;
  }

  /** Runs a command in the project. @throws Error with the command's output if the exit code is unexpected */
  run([command = "", ...args]: readonly string[], codes: readonly number[] = [0]): Promise<Spent & { text: string }> {
    return timed(command, args, { cwd: this.folder, env: this.env, codes });
  }

  /** Runs a command and measures the memory of all its processes, in megabytes. */
  async runFollowed([command = "", ...args]: readonly string[], codes: readonly number[]): Promise<Spent & { memory: number }> {
    let end = (): number => 0;
    const started = (pid: number): void => void (end = followMemory(pid));
    const spent = await timed(command, args, { cwd: this.folder, env: this.env, codes, started });
    return { ...spent, memory: end() };
  }

  /** Returns the size of the stack's state in kilobytes. */
  stateSize(): number {
    return statSync(join(this.folder, "backend/.pulumi/stacks/bench/dev.json")).size / 1_000;
  }

  remove(): void {
    rmSync(this.folder, { recursive: true, force: true, maxRetries: 5 });
  }
}

export function engine(operation: keyof typeof engineOperations): readonly string[] {
  return ["pulumi", ...engineOperations[operation], "--suppress-progress", "--non-interactive"];
}

export function packageCommand(...args: string[]): readonly string[] {
  return [process.execPath, join(root, "dist/cli/main.js"), ...args];
}

/** Starts an emulator, and opens a project that uses the emulator until `use` ends. */
export async function withProject<T>(
  subject: Subject,
  program: string,
  options: EmulatorOptions,
  use: (project: Project, emulator: Emulator) => Promise<T>,
): Promise<T> {
  const emulator = await start({ rateLimit: "off", ...options });
  try {
    const project = await Project.open(subject, program, { ENDPOINT_MONITORING_BASE_URL: emulator.url });
    try {
      return await use(project, emulator);
    } finally {
      project.remove();
    }
  } finally {
    await emulator.close();
  }
}
