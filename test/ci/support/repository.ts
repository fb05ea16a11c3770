import { execFileSync, spawn } from "node:child_process";
import { chmodSync, cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { forges } from "../../../cli/commands/init/options";
import { packageManagerOf } from "../../../cli/commands/init/package-manager";
import { pipelineFiles } from "../../../cli/commands/init/pipelines";
import { type Emulator, start } from "../../../emulator";
import { rememberingPath } from "../../engine/support/remembered";
import type { Forge } from "./forge";
import { GitServer } from "./git-server";

const ours = join(__dirname, "../../..");

/** What nothing that a pipeline prints or writes may hold. */
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
 * A user's repository: the program of an example, the pipelines of all forges as `init --ci` writes them, and a stack that somebody has made. The service is an emulator, the backend a folder.
 */
export class Repository {
  /** Folder of what the engine has answered, where it is the real one. */
  #remembered: string | undefined;

  protected constructor(
    /** Folder that holds everything. */
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
    // A fresh checkout has no stack selected.
    rmSync(join(root, "home/.pulumi/workspaces"), { recursive: true, force: true });
    return repository;
  }

  /** An empty folder, and the service. */
  protected static async foundation(): Promise<[string, Emulator]> {
    return [mkdtempSync(join(tmpdir(), "repository-")), await start({ rateLimit: "off" })];
  }

  /** Puts everything into the folder but our package, the stack and the history. */
  protected layOut(): void {
    const { root, folder } = this;
    // Packages are above the repository, so that `npm ci` runs for real and yet has nothing to fetch.
    for (const name of ["home", "backend", "bin", "node_modules/@pulumi"]) mkdirSync(join(root, name), { recursive: true });
    cpSync(join(ours, "examples/quickstart"), folder, { recursive: true, filter: (name) => !/Pulumi\..+\.yaml$/.test(name) });
    for (const forge of forges) {
      for (const [file, text] of Object.entries(pipelineFiles(forge, packageManagerOf(folder)))) {
        mkdirSync(dirname(join(folder, file)), { recursive: true });
        writeFileSync(join(folder, file), text);
      }
    }
    writeFileSync(join(folder, ".gitignore"), ".gitlab-ci-local*\nendpoint-monitoring-reports/\nnode_modules/\n");
    // A package that is there, whose command is ours: `npm ci` puts it where a pipeline calls it.
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

  /** Makes a checkout with a remote of the folder, as GitLab's runner looks for one. */
  protected async commit(): Promise<void> {
    await this.must("git", "init", "--quiet", "--initial-branch", "main");
    await this.must("git", "add", ".");
    await this.must("git", ...author, "commit", "--quiet", "--message", "Program and pipelines");
    // A pull request is checked out as its merge, which comes after the branch that it goes to.
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

  /** The machine of a pipeline: tools and a home, and nothing of who runs these tests. */
  get machine(): Record<string, string> {
    const places = { backend: join(this.root, "backend"), home: join(this.root, "home/.pulumi") };
    const path = this.#remembered === undefined ? process.env["PATH"] : rememberingPath(this.#remembered, places);
    return {
      PATH: [join(this.root, "bin"), path].join(delimiter),
      // The emulator's reads show every write.
      ENDPOINT_MONITORING_READ_LAG: "0",
      HOME: join(this.root, "home"),
      // The engine takes the home of the user, whatever HOME says.
      PULUMI_HOME: join(this.root, "home/.pulumi"),
      TMPDIR: this.root,
      npm_config_offline: "true",
      // What saves time and changes nothing, as in the other tests on the engine.
      NODE_OPTIONS: `--require=${join(ours, "test/engine/support/lazy-closures.cjs")}`,
      NODE_COMPILE_CACHE: join(ours, "node_modules/.cache/compile"),
      GOGC: "400",
      PULUMI_NODEJS_TRANSPILE_ONLY: "true",
      PULUMI_SKIP_UPDATE_CHECK: "true",
    };
  }

  /** Runs a command in the checkout as a person would who has all settings. */
  run(command: string, ...args: string[]): Promise<Ended> {
    return this.tell(command, args, { ...this.vars, ...this.secrets });
  }

  /** Runs a command in the checkout, with nothing but the machine and what is given around it. */
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

  /** Commit that is checked out. */
  get head(): string {
    return execFileSync("git", ["rev-parse", "HEAD"], { cwd: this.folder, encoding: "utf8" }).trim();
  }

  /** Installs another command in place of ours in the checkout. */
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

  /** Changes the program as a push does. */
  edit(file: string, from: string, to: string): void {
    const before = this.read(file);
    if (!before.includes(from)) throw new Error(`${file} has no ${from}`);
    this.write(file, before.replace(from, to));
  }

  /** Commits a change of a file on the branch that is checked out. */
  async change(file: string, line: string): Promise<void> {
    writeFileSync(join(this.folder, file), `${line}\n`, { flag: "a" });
    await this.must("git", "add", file);
    await this.must("git", ...author, "commit", "--quiet", "--message", line);
  }

  /** Puts the repository at a forge, where git finds it. */
  host(forge: Forge): void {
    forge.git = new GitServer(join(this.root, "forge"), this.folder);
    writeFileSync(join(this.root, "home/.gitconfig"), forge.gitConfig);
  }

  /** Somebody commits on a branch of a forge. @returns the commit */
  async pushed({ git }: Forge, branch: string, file: string, line: string): Promise<string> {
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

  /** Calls the service behind Pulumi's back. */
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
