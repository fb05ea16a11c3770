import { execFileSync, spawn } from "node:child_process";
import { chmodSync, cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { ciProviders } from "../../../cli/commands/init/options";
import { packageManagerOf } from "../../../cli/commands/init/package-manager";
import { pipelineFiles } from "../../../cli/commands/init/pipelines";
import { type Emulator, start } from "../../../emulator";
import { rememberingPath } from "../../real/support/remembered";
import type { CiProvider } from "./ci-provider";
import { GitServer } from "./git-server";

const ours = join(__dirname, "../../..");

/** Values that no output or file of a pipeline may contain. */
export const secrets = {
  ENDPOINT_MONITORING_TOKEN: "emulator-token",
  PULUMI_CONFIG_PASSPHRASE: "passphrase-4b1d90",
  probePassword: "probe-password-5e2c71",
};

const author = ["-c", "user.name=Ada", "-c", "user.email=ada@example.com"];

export interface Ended {
  code: number | null;
  text: string;
}

/**
 * A user's repository: the program of an example, the pipelines of all CI providers as `init --ci` writes them, and a stack that somebody has made. The service is an emulator, the backend a folder.
 */
export class Repository {
  /** Folder of the engine's responses, for the real engine. */
  #remembered: string | undefined;

  protected constructor(
    /** Folder with all files. */
    readonly root: string,
    readonly emulator: Emulator,
  ) {}

  static async start(): Promise<Repository> {
    const repository = new Repository(...(await Repository.foundation()));
    const { root } = repository;
    repository.layOut();
    repository.#remembered = `${root}-remembered`;
    symlinkSync(ours, join(root, "node_modules/pulumi-endpoint-monitoring"), "dir");
    symlinkSync(join(ours, "node_modules/@pulumi/pulumi"), join(root, "node_modules/@pulumi/pulumi"), "dir");
    await repository.must("pulumi", "stack", "init", "dev");
    const password = ["quickstart:probePassword", secrets.probePassword];
    await repository.must("pulumi", "config", "set", "--secret", ...password, "--stack", "dev");
    await repository.commit();
    // A fresh checkout has no selected stack.
    rmSync(join(root, "home/.pulumi/workspaces"), { recursive: true, force: true });
    return repository;
  }

  /** Creates an empty folder, and the service. */
  protected static async foundation(): Promise<[string, Emulator]> {
    return [mkdtempSync(join(tmpdir(), "repository-")), await start({ rateLimit: "off" })];
  }

  /** Creates all files except this package, the stack and the history. */
  protected layOut(): void {
    const { root, folder } = this;
    // Packages are above the repository, so `npm ci` runs without downloads.
    for (const name of ["home", "backend", "bin", "node_modules/@pulumi"]) mkdirSync(join(root, name), { recursive: true });
    cpSync(join(ours, "examples/quickstart"), folder, { recursive: true, filter: (name) => !/Pulumi\..+\.yaml$/.test(name) });
    for (const ciProvider of ciProviders) {
      for (const [file, text] of Object.entries(pipelineFiles(ciProvider, packageManagerOf(folder), folder))) {
        mkdirSync(dirname(join(folder, file)), { recursive: true });
        writeFileSync(join(folder, file), text);
      }
    }
    writeFileSync(join(folder, ".gitignore"), ".gitlab-ci-local*\nendpoint-monitoring-reports/\nnode_modules/\n");
    // An installed package with this repository's command. `npm ci` links it where a pipeline calls it.
    const command = { name: "command", version: "1.0.0", bin: { "endpoint-monitoring": "main.js" } };
    mkdirSync(join(root, "command"));
    writeFileSync(join(root, "command/package.json"), JSON.stringify(command));
    const main = join(ours, "dist/cli/main.js");
    writeFileSync(join(root, "command/main.js"), `#!/usr/bin/env node\nrequire(${JSON.stringify(main)});\n`);
    const manifest = { name: "quickstart", version: "1.0.0", dependencies: { command: "file:../command" } };
    const packages = { "": manifest, "../command": command, "node_modules/command": { resolved: "../command", link: true } };
    writeFileSync(join(folder, "package.json"), JSON.stringify({ ...manifest, private: true }));
    writeFileSync(
      join(folder, "package-lock.json"),
      JSON.stringify({ name: "quickstart", version: "1.0.0", lockfileVersion: 3, requires: true, packages }),
    );
  }

  /** Makes a checkout with the folder as its remote, because GitLab's runner requires a remote. */
  protected async commit(): Promise<void> {
    await this.must("git", "init", "--quiet", "--initial-branch", "main");
    await this.must("git", "add", ".");
    await this.must("git", ...author, "commit", "--quiet", "--message", "Program and pipelines");
    // A pull request is checked out as its merge, which follows the target branch's commit.
    await this.must("git", ...author, "commit", "--quiet", "--allow-empty", "--message", "Merge");
    await this.must("git", "remote", "add", "origin", "https://gitlab.example.com/owner/name.git");
    await this.must("git", "update-ref", "refs/remotes/origin/main", "HEAD");
    await this.must("git", "remote", "set-head", "origin", "main");
  }

  /** The checkout. */
  get folder(): string {
    return join(this.root, "repository");
  }

  /** Variables of the repository's settings. */
  get vars(): Record<string, string> {
    return {
      ENDPOINT_MONITORING_STACK: "dev",
      ENDPOINT_MONITORING_BASE_URL: this.emulator.url,
      PULUMI_BACKEND_URL: `file://${join(this.root, "backend")}`,
    };
  }

  /** Secrets of the repository's settings. */
  get secrets(): Record<string, string> {
    const { ENDPOINT_MONITORING_TOKEN, PULUMI_CONFIG_PASSPHRASE } = secrets;
    return { ENDPOINT_MONITORING_TOKEN, PULUMI_CONFIG_PASSPHRASE };
  }

  /** A pipeline's machine: tools and a home folder, without variables of the user who runs the tests. */
  get machine(): Record<string, string> {
    const places = { backend: join(this.root, "backend"), home: join(this.root, "home/.pulumi") };
    const path = this.#remembered === undefined ? process.env["PATH"] : rememberingPath(this.#remembered, places);
    return {
      PATH: [join(this.root, "bin"), path].join(delimiter),
      // The emulator's reads show every write at once.
      ENDPOINT_MONITORING_READ_LAG: "0",
      HOME: join(this.root, "home"),
      // The engine uses the user's home whatever HOME contains.
      PULUMI_HOME: join(this.root, "home/.pulumi"),
      TMPDIR: this.root,
      npm_config_offline: "true",
      // Settings that only save time, as in the other tests on the engine.
      NODE_OPTIONS: `--require=${join(ours, "test/real/support/lazy-closures.cjs")}`,
      NODE_COMPILE_CACHE: join(ours, "node_modules/.cache/compile"),
      GOGC: "400",
      PULUMI_NODEJS_TRANSPILE_ONLY: "true",
      PULUMI_SKIP_UPDATE_CHECK: "true",
    };
  }

  /** Runs a command in the checkout like a user with all settings. */
  run(command: string, ...args: string[]): Promise<Ended> {
    return this.tell(command, args, { ...this.vars, ...this.secrets });
  }

  /** Runs a command in the checkout with only the machine's variables and these. */
  tell(command: string, args: readonly string[], env: Record<string, string> = {}): Promise<Ended> {
    return new Promise((resolve, reject) => {
      const options = { cwd: this.folder, env: { ...this.machine, ...env } };
      const child = spawn(command, args, { ...options, stdio: ["ignore", "pipe", "pipe"] });
      let text = "";
      for (const stream of [child.stdout, child.stderr])
        stream.setEncoding("utf8").on("data", (more: string) => (text += more));
      child.on("error", reject).on("close", (code) => resolve({ code, text }));
    });
  }

  async must(command: string, ...args: string[]): Promise<string> {
    const { code, text } = await this.run(command, ...args);
    if (code !== 0) throw new Error(`${command} ${args.join(" ")} ended with ${code}:\n${text}`);
    return text;
  }

  /** The checked-out commit. */
  get head(): string {
    return execFileSync("git", ["rev-parse", "HEAD"], { cwd: this.folder, encoding: "utf8" }).trim();
  }

  /** Installs a replacement for the command in the checkout. */
  protected command(script: string): void {
    mkdirSync(join(this.folder, "node_modules/.bin"), { recursive: true });
    const file = join(this.folder, "node_modules/.bin/endpoint-monitoring");
    writeFileSync(file, `#!/bin/sh\n${script}\n`);
    chmodSync(file, 0o755);
  }

  read(file: string): string {
    return readFileSync(join(this.folder, file), "utf8");
  }

  write(file: string, text: string): void {
    writeFileSync(join(this.folder, file), text);
  }

  /** Changes the program like a push. */
  edit(file: string, from: string, to: string): void {
    const before = this.read(file);
    if (!before.includes(from)) throw new Error(`${file} has no ${from}`);
    this.write(file, before.replace(from, to));
  }

  /** Commits a changed file on the checked-out branch. */
  async change(file: string, line: string): Promise<void> {
    writeFileSync(join(this.folder, file), `${line}\n`, { flag: "a" });
    await this.must("git", "add", file);
    await this.must("git", ...author, "commit", "--quiet", "--message", line);
  }

  /** Publishes the repository at a CI provider. */
  host(ciProvider: CiProvider): void {
    ciProvider.git = new GitServer(join(this.root, "git-server"), this.folder);
    writeFileSync(join(this.root, "home/.gitconfig"), ciProvider.gitConfig);
  }

  /** Commits to a branch at a CI provider as another user. @returns the commit */
  async pushed({ git }: CiProvider, branch: string, file: string, line: string): Promise<string> {
    const clone = join(this.root, "clone");
    await this.must("git", "clone", "--quiet", "--branch", branch, git?.folder ?? "", clone);
    writeFileSync(join(clone, file), `${line}\n`, { flag: "a" });
    await this.must("git", "-C", clone, ...author, "commit", "--quiet", "--all", "--message", line);
    await this.must("git", "-C", clone, "push", "--quiet");
    return (await this.must("git", "-C", clone, "rev-parse", "HEAD")).trim();
  }

  /** A tool of the machine. */
  tool(name: string, script: string): void {
    writeFileSync(join(this.root, "bin", name), `#!/bin/sh\n${script}\n`);
    chmodSync(join(this.root, "bin", name), 0o755);
  }

  /** Calls the service outside of Pulumi. */
  async api<T>(method: string, path: string, body?: object): Promise<T> {
    const headers = { authorization: `Bearer ${secrets.ENDPOINT_MONITORING_TOKEN}`, "content-type": "application/json" };
    const answer = await fetch(this.emulator.url + path, { method, headers, body: body && JSON.stringify(body) });
    if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${await answer.text()}`);
    const text = await answer.text();
    return (text === "" ? undefined : JSON.parse(text)) as T;
  }

  async end(): Promise<void> {
    await this.emulator.close();
    for (const folder of [this.root, `${this.root}-remembered`]) rmSync(folder, { recursive: true, force: true });
  }
}
