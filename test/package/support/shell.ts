/** A folder in which commands run like a user's, with a separate Pulumi home. */
import { existsSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { plainEnv, repository, type Run, runProcess, type Started, startProcess } from "../../support/process";
import { copyInstalled, digestOf, kept, keptOnce } from "./kept";
import { packageManagers } from "./package-managers";

/** Longest time of a command. An installation uses the registry. */
const limitMs = 120_000;

/** Longest time of a background command, which is the time of a test. */
const backgroundLimitMs = 600_000;

/**
 * Engine processes load only the modules that they use, like in the tests on the engine, and the compiler checks the types.
 * The first steps run without these settings.
 */
export const brief: NodeJS.ProcessEnv = {
  NODE_OPTIONS: `--require=${join(repository, "test/real/support/lazy-closures.cjs")}`,
  PULUMI_NODEJS_TRANSPILE_ONLY: "true",
  // An update without confirmation needs no preview. `pulumi preview` is a separate step.
  PULUMI_OPTION_SKIP_PREVIEW: "true",
  // Yarn unpacks each file once on this machine, which takes six seconds of CPU time.
  YARN_NM_MODE: "hardlinks-global",
};

/** Changes when npm installs another tarball. */
const installationOf = (tarball: string): string => digestOf([tarball, readFileSync(tarball), process.version]);

export class Shell {
  readonly folder: string;
  readonly #root = realpathSync(mkdtempSync(join(tmpdir(), "endpoint-monitoring-shell-")));
  readonly #background: Started[] = [];
  /** All commands and their output. */
  printed = "";

  /**
   * @param settings additional environment variables
   * @param commandLimitMs longest time of a command: one that compiles takes longer than an installation
   */
  constructor(
    private readonly settings: NodeJS.ProcessEnv = {},
    private readonly commandLimitMs = limitMs,
  ) {
    this.folder = join(this.#root, "monitoring");
    for (const name of ["monitoring", "home", "backend"]) mkdirSync(join(this.#root, name));
  }

  /** Runs a command line that must succeed. */
  async run(line: string, stdin?: string): Promise<Run> {
    const run = await runProcess("bash", ["-c", line], { cwd: this.folder, env: this.#env, stdin, bound: this.commandLimitMs });
    this.printed += `$ ${line}\n${run.text}\n`;
    if (run.code !== 0) throw new Error(`${line} ended with ${run.code}:\n${this.printed}`);
    return run;
  }

  /** Starts a command line that runs until the end, and waits for a line of its output. */
  async start(line: string, fits: (printed: string) => boolean): Promise<void> {
    // A separate session, so that all its processes end with it.
    const started = startProcess("setsid", ["bash", "-c", line], {
      cwd: this.folder,
      env: this.#env,
      bound: backgroundLimitMs,
    });
    this.#background.push(started);
    await started.line(fits);
  }

  /** Keeps the result of `npm install` of a tarball in a folder without a project, for `installOnce`. */
  keepInstallation(tarball: string): void {
    keptOnce("installed", installationOf(tarball), (folder) => copyInstalled(this.folder, folder));
  }

  /**
   * Runs `npm install` of a tarball in a folder without a project, or copies an earlier suite's result. The installation takes eight
   * seconds of CPU time. first-steps.test.ts always runs it.
   */
  async installOnce(line: string, tarball: string): Promise<void> {
    if (existsSync(join(this.folder, "package.json")))
      throw new Error("What npm installs depends on the project in the folder.");
    const from = kept("installed", installationOf(tarball));
    if (from !== undefined) return copyInstalled(from, this.folder);
    await this.run(line);
    this.keepInstallation(tarball);
  }

  async end(): Promise<void> {
    for (const { pid, ended } of this.#background.splice(0)) {
      process.kill(-pid, "SIGTERM");
      await ended;
    }
    rmSync(this.#root, { recursive: true, force: true });
  }

  get #env(): NodeJS.ProcessEnv {
    // Variables that npm sets for its scripts would mislead the commands.
    const ofScripts =
      /^npm_(package|lifecycle|command|execpath|node_execpath|config_(user_agent|.*prefix|noproxy|node_gyp|npm_version))/;
    const ofPipelines = /^(CI|GITHUB_ACTIONS|GITLAB_CI)$/;
    const inherited = Object.entries(plainEnv()).filter(([name]) => !ofScripts.test(name) && !ofPipelines.test(name));
    return {
      ...Object.fromEntries(inherited),
      PATH: [packageManagers(), process.env["PATH"]].join(delimiter),
      PULUMI_HOME: join(this.#root, "home"),
      PULUMI_BACKEND_URL: `file://${join(this.#root, "backend")}`,
      PULUMI_CONFIG_PASSPHRASE: "only-for-this-stack",
      PULUMI_SKIP_CONFIRMATIONS: "true",
      // npm does not request cached packages.
      npm_config_prefer_offline: "true",
      npm_config_audit: "false",
      npm_config_fund: "false",
      YARN_ENABLE_TELEMETRY: "false",
      NODE_COMPILE_CACHE: join(repository, "node_modules/.cache/compile"),
      NO_COLOR: "1",
      GOGC: "400",
      ...this.settings,
    };
  }
}
