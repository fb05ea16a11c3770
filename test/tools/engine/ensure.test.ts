/**
 * Runs `tools/engine/ensure.mjs` as a user does: in its own process, with a PATH that only contains the test's executables,
 * and with its own PULUMI_HOME. Small executables replace installed CLIs and Go.
 */
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { type Run, startProcess } from "../../support/process";
import { temporary } from "../../support/temporary";

const ENGINE = path.resolve("tools/engine");
const VERSION = "3.274.1";

let sandbox: string;
/** The only directory on PATH. */
let bin: string;
let home: string;
let root: string;

beforeEach(() => {
  sandbox = temporary();
  bin = path.join(sandbox, "bin");
  home = path.join(sandbox, "home");
  root = path.join(home, "versions", VERSION);
  fs.mkdirSync(bin);
});

/** Writes an executable script that needs nothing on PATH: of the shell, which starts quickly, or of Node. */
function executable(file: string, body: string, interpreter = "/bin/sh"): string {
  fs.mkdirSync(path.dirname(file), { recursive: true });
  fs.writeFileSync(file, `#!${interpreter}\n${body}`, { mode: 0o755 });
  return file;
}

/** Installs a CLI that prints its version, with a language host by default. */
function installCli(dir: string, version: string, { languageHost = true } = {}): string {
  if (languageHost) executable(path.join(dir, "pulumi-language-nodejs"), "");
  return executable(path.join(dir, "pulumi"), `echo v${version}`);
}

/** Installs a Go with a slow build. Each build adds a character to `builds`, and ends when `ends` exists. */
function installGo({ version = "go1.99.0", compiles = true, makes = VERSION, ends = true } = {}): void {
  if (ends) endBuilds();
  const build = executable(
    path.join(sandbox, "go-build"),
    `const fs = require("node:fs");
    const args = process.argv.slice(2);
    fs.appendFileSync("${sandbox}/builds", "*");
    console.error("one/package");
    const out = args[args.indexOf("-o") + 1];
    fs.writeFileSync(out, "half");
    const work = setInterval(() => {
      fs.appendFileSync("${sandbox}/working", ".");
      if (!fs.existsSync("${sandbox}/ends")) return;
      clearInterval(work);
      if (!${compiles}) { console.error("two/package: does not compile"); process.exit(1); }
      fs.writeFileSync(out, "#!/bin/sh\\necho v${makes}\\n", { mode: 0o755 });
      fs.chmodSync(out, 0o755);
    }, 20);`,
    process.execPath,
  );
  executable(
    path.join(bin, "go"),
    `case "$1 $2" in
    "env GOVERSION") echo ${version} ;;
    env*) echo local ;;
    list*) printf 'one/package\\ntwo/package\\n' ;;
    build*) exec '${build}' "$@" ;;
    esac`,
  );
}

/** Lets all builds end. */
function endBuilds(): void {
  fs.writeFileSync(path.join(sandbox, "ends"), "");
}

/** Returns how often Go built. */
function builds(): number {
  const file = path.join(sandbox, "builds");
  return fs.existsSync(file) ? fs.readFileSync(file, "utf8").length : 0;
}

/** Grows while a Go process builds. */
const workDone = (): number => fs.statSync(path.join(sandbox, "working"), { throwIfNoEntry: false })?.size ?? 0;

interface Options {
  args?: string[];
  env?: NodeJS.ProcessEnv;
  script?: string;
}

/** Starts the script. `--no-download` keeps most tests off the network. */
function start({ args = ["--no-download"], env, script = path.join(ENGINE, "ensure.mjs") }: Options = {}) {
  return startProcess(process.execPath, [script, ...args], { env: { PATH: bin, PULUMI_HOME: home, ...env } });
}

const ensure = (options?: Options): Promise<Run> => start(options).ended;

async function until(condition: () => boolean): Promise<void> {
  for (let tries = 0; !condition(); tries++) {
    if (tries > 400) throw new Error("it never happened");
    await new Promise((resolve) => setTimeout(resolve, 25));
  }
}

/** Returns the id of a process that has ended. */
async function endedProcess(): Promise<number> {
  const started = startProcess(process.execPath, ["-e", ""]);
  await started.ended;
  return started.pid;
}

const cachedEngine = (): string => path.join(root, "bin", "pulumi");
const installed = (): string[] =>
  fs.existsSync(path.join(root, "bin")) ? fs.readdirSync(path.join(root, "bin")).toSorted() : [];
const leftovers = (): string[] => fs.readdirSync(root).filter((name) => name !== "bin");

/** Copies the scripts next to a stand-in launcher, which fills the given folder. */
function withLauncher(installer: string): string {
  fs.cpSync(ENGINE, path.join(sandbox, "engine"), { recursive: true });
  const launcher = path.join(sandbox, "node_modules", "pulumi");
  fs.mkdirSync(path.join(launcher, "lib"), { recursive: true });
  fs.writeFileSync(path.join(launcher, "package.json"), "{}");
  fs.writeFileSync(
    path.join(launcher, "lib", "download.js"),
    `const fs = require("node:fs");
    const add = (root, name, text) => {
      fs.mkdirSync(root + "/bin", { recursive: true });
      fs.writeFileSync(root + "/bin/" + name, "#!/bin/sh\\n" + text, { mode: 0o755 });
    };
    exports.installCLI = async (version, root) => { ${installer} };`,
  );
  return path.join(sandbox, "engine", "ensure.mjs");
}

describe("the search for an existing engine", () => {
  test("the engine script uses a recent Pulumi CLI on PATH", async () => {
    installCli(bin, "3.254.0");
    installCli(path.join(root, "bin"), VERSION);
    const before = fs.readFileSync(path.join(root, "bin", "pulumi-language-nodejs"), "utf8");
    const { code, stdout, stderr } = await ensure();
    expect({ code, stdout, stderr }).toEqual({
      code: 0,
      stdout: `Pulumi engine 3.254.0, installed on this machine: ${bin}/pulumi\n`,
      stderr: "",
    });
    expect(fs.readdirSync(bin).toSorted()).toEqual(["pulumi", "pulumi-language-nodejs"]);
    expect(fs.readFileSync(path.join(root, "bin", "pulumi-language-nodejs"), "utf8")).toBe(before);
  });

  test.each([
    ["too old", () => installCli(bin, "3.253.9"), "is 3.253.9, older than 3.254.0"],
    ["without a language host", () => installCli(bin, "3.300.1", { languageHost: false }), "pulumi-language-nodejs"],
    ["broken", () => executable(path.join(bin, "pulumi"), "exit 1"), "does not print its version"],
  ])("the engine script skips a Pulumi CLI on PATH that is %s", async (_, install, reason) => {
    install();
    installCli(path.join(root, "bin"), VERSION);
    const { code, stdout, stderr } = await ensure();
    expect(stdout).toBe(`Pulumi engine ${VERSION}, from the cache: ${cachedEngine()}\n`);
    expect(stderr).toContain(reason);
    expect(code).toBe(0);
    // The official language host stays in the cache.
    expect(installed()).toEqual(["pulumi", "pulumi-language-nodejs"]);
  });

  test("the engine script skips an old Pulumi CLI and uses a newer CLI in a later PATH entry", async () => {
    installCli(bin, "3.100.0");
    const later = path.join(sandbox, "later");
    installCli(later, "4.0.0-beta.1+x");
    const { stdout } = await ensure({ env: { PATH: `${bin}${path.delimiter}${later}` } });
    expect(stdout).toBe(`Pulumi engine 4.0.0-beta.1+x, installed on this machine: ${later}/pulumi\n`);
  });

  test("the engine script never starts the npm launcher, even through a link or script", async () => {
    const launcher = executable(
      path.join(sandbox, "node_modules", "pulumi", "run.js"),
      `require("node:fs").writeFileSync("${sandbox}/started", "");`,
      process.execPath,
    );
    fs.symlinkSync(launcher, path.join(bin, "pulumi"));
    const pnpm = path.join(sandbox, "pnpm");
    executable(path.join(pnpm, "pulumi"), `require("${sandbox}/node_modules/pulumi/run.js");`, process.execPath);
    installCli(path.join(root, "bin"), VERSION);
    const { stdout, stderr } = await ensure({ env: { PATH: `${bin}${path.delimiter}${pnpm}` } });
    expect(stdout).toContain("from the cache");
    expect(stderr).toBe("");
    expect(fs.existsSync(path.join(sandbox, "started"))).toBe(false);
  });

  test("the engine script replaces outdated scripts next to a cached engine that this repository built", async () => {
    installCli(path.join(root, "bin"), VERSION, { languageHost: false });
    const scripts = ["pulumi-analyzer-policy", "pulumi-language-nodejs", "pulumi-resource-pulumi-nodejs"];
    const content = () => scripts.map((name) => fs.readFileSync(path.join(root, "bin", name), "utf8"));
    const ours = scripts.map((name) => fs.readFileSync(path.join(ENGINE, name), "utf8"));

    await ensure();
    expect(content()).toEqual(ours);
    fs.appendFileSync(path.join(root, "bin", "pulumi-language-nodejs"), "// of an older release");
    fs.rmSync(path.join(root, "bin", "pulumi-resource-pulumi-nodejs"));
    // The cache is also first on PATH, and still counts as the cache.
    const { stdout } = await ensure({ env: { PATH: path.join(root, "bin") } });
    expect(stdout).toContain("from the cache");
    expect(content()).toEqual(ours);
    for (const name of scripts) fs.accessSync(path.join(root, "bin", name), fs.constants.X_OK);
    expect(installed()).toEqual(["pulumi", ...scripts]);
  });
});

describe("build of the engine with Go", () => {
  test("the build puts only the engine and the scripts into the cache", async () => {
    installGo();
    const { code, stdout } = await ensure();
    expect(stdout).toBe(`Pulumi engine ${VERSION}, built with Go: ${cachedEngine()}\n`);
    expect(code).toBe(0);
    expect(installed()).toEqual([
      "pulumi",
      "pulumi-analyzer-policy",
      "pulumi-language-nodejs",
      "pulumi-resource-pulumi-nodejs",
    ]);
    expect(leftovers()).toEqual([]);
    expect((await ensure()).stdout).toContain("from the cache");
    expect(builds()).toBe(1);
  });

  test("the engine script rebuilds a cached engine that does not start", async () => {
    installGo();
    executable(cachedEngine(), "exit 1");
    expect((await ensure()).stdout).toContain("built with Go");
  });

  test("one process builds the engine while a second process waits", async () => {
    installGo({ ends: false });
    const first = start();
    await until(() => builds() === 1);
    const second = start();
    const waiting = `Process ${first.pid} is downloading or building the Pulumi engine. Waiting for it\n`;
    await until(() => second.said().stderr === waiting);
    endBuilds();
    expect((await first.ended).stdout).toContain("built with Go");
    expect(await second.ended).toMatchObject({ stdout: expect.stringContaining("from the cache"), stderr: waiting });
    expect(builds()).toBe(1);
  });

  test("a failed build leaves neither an engine nor a lock", async () => {
    installGo({ compiles: false });
    const { code, stdout, stderr } = await ensure();
    expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
    expect(stderr).toContain("two/package: does not compile");
    expect(stderr).not.toContain("    at ");
    expect(installed()).toEqual([]);
    expect(leftovers()).toEqual([]);
  });

  test("the engine script does not install an engine that does not run on this machine", async () => {
    installGo({ makes: "3.0.0" });
    const { code, stderr } = await ensure();
    expect(code).toBe(1);
    expect(stderr).toContain("GOOS GOARCH");
    expect(installed()).toEqual([]);
  });

  test("the engine script stops Go on a signal and leaves no files", async () => {
    installGo({ ends: false });
    const started = start();
    await until(() => workDone() > 0);
    started.kill("SIGTERM");
    expect((await started.ended).signal).toBe("SIGTERM");
    const done = workDone();
    await new Promise((resolve) => setTimeout(resolve, 200));
    expect(workDone()).toBe(done);
    expect(installed()).toEqual([]);
    expect(leftovers()).toEqual([]);
  });

  test.each([
    ["of a process that ended", async () => `${await endedProcess()}@${os.hostname()}@1`, 0],
    ["that is old, although a process with its id exists", async () => `${process.pid}@${os.hostname()}@1`, 120],
  ])("the engine script takes over a lock %s", async (_, token, secondsAgo) => {
    installGo();
    fs.mkdirSync(path.join(root, ".work-left"), { recursive: true });
    fs.symlinkSync(await token(), path.join(root, ".lock"));
    const then = Date.now() / 1000 - secondsAgo;
    fs.lutimesSync(path.join(root, ".lock"), then, then);
    const { stdout, stderr } = await ensure();
    expect(stdout).toContain("built with Go");
    expect(stderr).toContain("Took over the lock");
    expect(leftovers()).toEqual([]);
  });

  test("the engine script explains the required installation if Go is missing", async () => {
    const { code, stdout, stderr } = await ensure();
    expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
    expect(stderr).toMatch(
      /^No Pulumi engine\. Go.*is not installed.*Install Go 1\.\d+\S* or newer, or the Pulumi CLI, 3\.254\.0 or newer/,
    );
    expect(stderr.trim().split("\n")).toHaveLength(1);
    expect(leftovers()).toEqual([]);
  });

  test("the engine script reports an outdated Go with the required version", async () => {
    installGo({ version: "go1.20.4" });
    const { code, stderr } = await ensure();
    expect(code).toBe(1);
    expect(stderr).toMatch(/^No Pulumi engine\. Go 1\.20\.4 is too old.*Install Go 1\.\d+/);
    expect(builds()).toBe(0);
  });

  test("the engine script reports a home folder that is not writable", async () => {
    fs.writeFileSync(home, "a file, not a folder");
    const { code, stderr } = await ensure();
    expect(code).toBe(1);
    expect(stderr).toMatch(/could not be put into .*home\/versions.*Set PULUMI_HOME/);
    expect(stderr).not.toContain("    at ");
  });
});

describe("official download of the engine", () => {
  test("the engine script puts an official engine into the cache without this repository's own scripts", async () => {
    const script = withLauncher(`
      add(root, "pulumi", "echo v" + version);
      add(root, "pulumi-language-nodejs", "official");
    `);
    fs.mkdirSync(path.join(root, "bin"), { recursive: true });
    const { code, stdout } = await ensure({ args: [], script });
    expect(stdout).toBe(`Pulumi engine ${VERSION}, downloaded: ${cachedEngine()}\n`);
    expect(code).toBe(0);
    expect(installed()).toEqual(["pulumi", "pulumi-language-nodejs"]);
    expect(leftovers()).toEqual([]);
  });

  test("the engine script builds the engine with Go if the download fails", async () => {
    installGo();
    const script = withLauncher(`add(root, "pulumi", ""); throw new Error("the line was cut");`);
    const { stdout, stderr } = await ensure({ args: [], script });
    expect(stdout).toContain("built with Go");
    expect(stderr).toMatch(
      /^The official engine cannot be downloaded \(the line was cut\): building it with Go, about \d+ minutes on \d+ cores?, this once\n$/,
    );
    expect(leftovers()).toEqual([]);
  });

  test("the engine script builds the engine with Go if the npm launcher has no network", async () => {
    installGo();
    // An unreachable proxy has the same effect as no network on any machine.
    const { stdout, stderr } = await ensure({ args: [], env: { HTTPS_PROXY: "http://127.0.0.1:9" } });
    expect(stdout).toContain("built with Go");
    expect(stderr).toMatch(/^The official engine cannot be downloaded \([^\n]+\): building it with Go[^\n]*\n$/);
  });
});

test("go.mod and the script name the same engine version", () => {
  const goMod = fs.readFileSync(path.join(ENGINE, "go.mod"), "utf8");
  const find = fs.readFileSync(path.join(ENGINE, "find.mjs"), "utf8");
  expect(find).toContain(`ENGINE_VERSION = "${VERSION}"`);
  expect(goMod).toContain(`github.com/pulumi/pulumi/pkg/v3 v${VERSION}\n`);
});
