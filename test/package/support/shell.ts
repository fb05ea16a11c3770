/** A folder in which commands are typed as a person types them, with a Pulumi of its own. */
import { existsSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { plainEnv, repository, type Run, runProcess, type Started, startProcess } from "../../support/process";
import { copyInstalled, digestOf, kept, keptOnce } from "./kept";
import { packageManagers } from "./package-managers";

/** Longest that a command may take: an installation asks the registry. */
const limitMs = 120_000;

/** Longest that a command in the background may run: as long as a test. */
const backgroundLimitMs = 600_000;

/**
 * Has the processes of the engine load what they use alone, as in the tests on the engine, and leaves it to the compiler to check types.
 * The first steps are taken without.
 */
export const brief: NodeJS.ProcessEnv = {
  NODE_OPTIONS: `--require=${join(repository, "test/engine/support/lazy-closures.cjs")}`,
  PULUMI_NODEJS_TRANSPILE_ONLY: "true",
  // An update that nobody confirms needs no preview before it; `pulumi preview` is a step of its own.
  PULUMI_OPTION_SKIP_PREVIEW: "true",
  // Yarn unpacks each file once on this machine, which takes six seconds of CPU time.
  YARN_NM_MODE: "hardlinks-global",
};

/** Changes with what npm installs of a tarball. */
const installationOf = (tarball: string): string => digestOf([tarball, readFileSync(tarball), process.version]);

export class Shell {
  readonly folder: string;
  readonly #root = realpathSync(mkdtempSync(join(tmpdir(), "endpoint-monitoring-shell-")));
  readonly #background: Started[] = [];
  /** All commands and what they printed. */
  printed = "";

  /**
   * @param settings what the environment has beside a user's
   * @param commandLimitMs longest that a command may take: one that compiles takes longer than an installation
   */
  constructor(
    private readonly settings: NodeJS.ProcessEnv = {},
    private readonly commandLimitMs = limitMs,
  ) {
    this.folder = join(this.#root, "monitoring");
    for (const name of ["monitoring", "home", "backend"]) mkdirSync(join(this.#root, name));
  }

  /** Runs a command line that has to succeed. */
  async run(line: string, stdin?: string): Promise<Run> {
    const run = await runProcess("bash", ["-c", line], { cwd: this.folder, env: this.#env, stdin, bound: this.commandLimitMs });
    this.printed += `$ ${line}\n${run.text}\n`;
    if (run.code !== 0) throw new Error(`${line} ended with ${run.code}:\n${this.printed}`);
    return run;
  }

  /** Starts a command line that runs until the end, and waits for a line of it. */
  async start(line: string, fits: (printed: string) => boolean): Promise<void> {
    // A session of its own, so that everything it starts ends with it.
    const started = startProcess("setsid", ["bash", "-c", line], {
      cwd: this.folder,
      env: this.#env,
      bound: backgroundLimitMs,
    });
    this.#background.push(started);
    await started.line(fits);
  }

  /** Keeps what `npm install` of a tarball left in a folder without a project, for `installOnce`. */
  keepInstallation(tarball: string): void {
    keptOnce("installed", installationOf(tarball), (folder) => copyInstalled(this.folder, folder));
  }

  /**
   * Runs `npm install` of a tarball in a folder without a project, or copies what it left when a suite did so before: it takes eight
   * seconds of CPU time. first-steps.test.ts types it without a copy.
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
    // What npm sets for its scripts, as it does where it runs the tests, would lead the commands elsewhere.
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
      // What is in a cache is not asked for again.
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
