/**
 * `tools/engine/ensure.mjs` as a user starts it: a process of its own, with nothing on PATH but what a test puts there, and a
 * PULUMI_HOME of its own. Small executables stand for installed CLIs of some version and for Go.
 */
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { type Run, startProcess } from "../support/process";

const ENGINE = path.resolve("tools/engine");
const VERSION = "3.274.1";

let sandbox: string;
/** The only directory on PATH. */
let bin: string;
let home: string;
let root: string;

beforeEach(() => {
  sandbox = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), "engine-")));
  bin = path.join(sandbox, "bin");
  home = path.join(sandbox, "home");
  root = path.join(home, "versions", VERSION);
  fs.mkdirSync(bin);
});
afterEach(() => fs.rmSync(sandbox, { recursive: true, force: true }));

/** Writes an executable Node script; it needs nothing on PATH. */
function executable(file: string, body: string): string {
  fs.mkdirSync(path.dirname(file), { recursive: true });
  fs.writeFileSync(file, `#!${process.execPath}\n${body}`, { mode: 0o755 });
  return file;
}

/** A CLI that says its version, with a language host beside it unless told otherwise. */
function installCli(dir: string, version: string, { languageHost = true } = {}): string {
  if (languageHost) executable(path.join(dir, "pulumi-language-nodejs"), "");
  return executable(path.join(dir, "pulumi"), `console.log("v${version}");`);
}

/** A Go of some version whose build takes a while; each build adds a character to `builds`. */
function installGo({ version = "go1.99.0", compiles = true, makes = VERSION, takes = 20 } = {}): void {
  executable(
    path.join(bin, "go"),
    `const fs = require("node:fs");
    const [command, ...args] = process.argv.slice(2);
    if (command === "env") console.log(args[0] === "GOVERSION" ? "${version}" : "local");
    if (command === "list") console.log("one/package\\ntwo/package");
    if (command === "build") {
      fs.appendFileSync("${sandbox}/builds", "*");
      console.error("one/package");
      const out = args[args.indexOf("-o") + 1];
      fs.writeFileSync(out, "half");
      setInterval(() => fs.appendFileSync("${sandbox}/working", "."), 20).unref();
      setTimeout(() => {
        if (!${compiles}) { console.error("two/package: does not compile"); process.exit(1); }
        fs.writeFileSync(out, "#!${process.execPath}\\nconsole.log('v${makes}')", { mode: 0o755 });
        fs.chmodSync(out, 0o755);
      }, ${takes});
    }`,
  );
}

/** How often Go was started to build. */
function builds(): number {
  const file = path.join(sandbox, "builds");
  return fs.existsSync(file) ? fs.readFileSync(file, "utf8").length : 0;
}

/** Grows while a Go process is building. */
const workDone = (): number => fs.statSync(path.join(sandbox, "working"), { throwIfNoEntry: false })?.size ?? 0;

interface Options {
  args?: string[];
  env?: NodeJS.ProcessEnv;
  script?: string;
}

/** Starts the script; `--no-download` keeps all tests but those of the download off the network. */
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

/** The id of a process that has ended. */
async function endedProcess(): Promise<number> {
  const started = startProcess(process.execPath, ["-e", ""]);
  await started.ended;
  return started.pid;
}

const cachedEngine = (): string => path.join(root, "bin", "pulumi");
const installed = (): string[] =>
  fs.existsSync(path.join(root, "bin")) ? fs.readdirSync(path.join(root, "bin")).toSorted() : [];
const leftovers = (): string[] => fs.readdirSync(root).filter((name) => name !== "bin");

/** The scripts beside a launcher of our own making: its installer fills the folder that it is given. */
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
      fs.writeFileSync(root + "/bin/" + name, "#!${process.execPath}\\n" + text, { mode: 0o755 });
    };
    exports.installCLI = async (version, root) => { ${installer} };`,
  );
  return path.join(sandbox, "engine", "ensure.mjs");
}

describe("what is there already", () => {
  test("a CLI on PATH that is new enough comes first, and nothing of ours is put beside it", async () => {
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
    ["broken", () => executable(path.join(bin, "pulumi"), "process.exit(1);"), "does not say its version"],
  ])("a CLI on PATH that is %s is passed over, with the reason", async (_, install, reason) => {
    install();
    installCli(path.join(root, "bin"), VERSION);
    const { code, stdout, stderr } = await ensure();
    expect(stdout).toBe(`Pulumi engine ${VERSION}, from the cache: ${cachedEngine()}\n`);
    expect(stderr).toContain(reason);
    expect(code).toBe(0);
  });

  test("a later CLI on PATH is taken when the first is too old", async () => {
    installCli(bin, "3.100.0");
    const later = path.join(sandbox, "later");
    installCli(later, "4.0.0-beta.1+x");
    const { stdout } = await ensure({ env: { PATH: `${bin}${path.delimiter}${later}` } });
    expect(stdout).toBe(`Pulumi engine 4.0.0-beta.1+x, installed on this machine: ${later}/pulumi\n`);
  });

  test("the npm launcher is never started, be it a link or a script that names it", async () => {
    const launcher = executable(
      path.join(sandbox, "node_modules", "pulumi", "run.js"),
      `require("node:fs").writeFileSync("${sandbox}/started", "");`,
    );
    fs.symlinkSync(launcher, path.join(bin, "pulumi"));
    const pnpm = path.join(sandbox, "pnpm");
    executable(path.join(pnpm, "pulumi"), `require("${sandbox}/node_modules/pulumi/run.js");`);
    installCli(path.join(root, "bin"), VERSION);
    const { stdout, stderr } = await ensure({ env: { PATH: `${bin}${path.delimiter}${pnpm}` } });
    expect(stdout).toContain("from the cache");
    expect(stderr).toBe("");
    expect(fs.existsSync(path.join(sandbox, "started"))).toBe(false);
  });

  test("an official language host in the cache stays as it is", async () => {
    installCli(path.join(root, "bin"), VERSION);
    await ensure();
    expect(installed()).toEqual(["pulumi", "pulumi-language-nodejs"]);
  });

  test("beside a cached engine that we built, the scripts are renewed where they differ", async () => {
    installCli(path.join(root, "bin"), VERSION, { languageHost: false });
    const scripts = ["pulumi-analyzer-policy", "pulumi-language-nodejs", "pulumi-resource-pulumi-nodejs"];
    const content = () => scripts.map((name) => fs.readFileSync(path.join(root, "bin", name), "utf8"));
    const ours = scripts.map((name) => fs.readFileSync(path.join(ENGINE, name), "utf8"));

    await ensure();
    expect(content()).toEqual(ours);
    fs.appendFileSync(path.join(root, "bin", "pulumi-language-nodejs"), "// of an older release");
    fs.rmSync(path.join(root, "bin", "pulumi-resource-pulumi-nodejs"));
    // With the cache first on PATH as well: then it is still the cache.
    const { stdout } = await ensure({ env: { PATH: path.join(root, "bin") } });
    expect(stdout).toContain("from the cache");
    expect(content()).toEqual(ours);
    for (const name of scripts) fs.accessSync(path.join(root, "bin", name), fs.constants.X_OK);
    expect(installed()).toEqual(["pulumi", ...scripts]);
  });
});

describe("building with Go", () => {
  test("puts the engine and the scripts into the cache, and leaves nothing else", async () => {
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

  test("a cached engine that does not start is built anew", async () => {
    installGo();
    executable(cachedEngine(), "process.exit(1);");
    expect((await ensure()).stdout).toContain("built with Go");
  });

  test("two at once build once: the second says that it waits, and uses the result", async () => {
    installGo({ takes: 1500 });
    const first = start();
    await until(() => builds() === 1);
    const second = await ensure();
    expect((await first.ended).stdout).toContain("built with Go");
    expect(second.stdout).toContain("from the cache");
    expect(second.stderr).toBe(`Process ${first.pid} is getting the Pulumi engine: waiting for it\n`);
    expect(builds()).toBe(1);
  });

  test("a failing build leaves no engine and no lock, and says what Go said", async () => {
    installGo({ compiles: false });
    const { code, stdout, stderr } = await ensure();
    expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
    expect(stderr).toContain("two/package: does not compile");
    expect(stderr).not.toContain("    at ");
    expect(installed()).toEqual([]);
    expect(leftovers()).toEqual([]);
  });

  test("an engine that does not run here is not installed", async () => {
    installGo({ makes: "3.0.0" });
    const { code, stderr } = await ensure();
    expect(code).toBe(1);
    expect(stderr).toContain("GOOS GOARCH");
    expect(installed()).toEqual([]);
  });

  test("a signal ends Go as well, and leaves no engine, no folder and no lock", async () => {
    installGo({ takes: 60_000 });
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
    ["whose process is gone", async () => `${await endedProcess()}@${os.hostname()}@1`, 0],
    [
      "that was not touched for long, though there is a process of that id",
      async () => `${process.pid}@${os.hostname()}@1`,
      120,
    ],
  ])("a lock %s is taken over, with what its holder left", async (_, token, secondsAgo) => {
    installGo();
    fs.mkdirSync(path.join(root, ".work-left"), { recursive: true });
    fs.symlinkSync(await token(), path.join(root, ".lock"));
    const then = Date.now() / 1000 - secondsAgo;
    fs.lutimesSync(path.join(root, ".lock"), then, then);
    const { stdout, stderr } = await ensure();
    expect(stdout).toContain("built with Go");
    expect(stderr).toContain("taken over");
    expect(leftovers()).toEqual([]);
  });

  test("without Go it says what to install", async () => {
    const { code, stdout, stderr } = await ensure();
    expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
    expect(stderr).toMatch(
      /^No Pulumi engine\. Go.*is not installed.*Install Go 1\.\d+\S* or newer, or the Pulumi CLI, 3\.254\.0 or newer/,
    );
    expect(stderr.trim().split("\n")).toHaveLength(1);
    expect(leftovers()).toEqual([]);
  });

  test("a Go that is too old is named, with what is needed", async () => {
    installGo({ version: "go1.20.4" });
    const { code, stderr } = await ensure();
    expect(code).toBe(1);
    expect(stderr).toMatch(/^No Pulumi engine\. Go 1\.20\.4 is too old.*Install Go 1\.\d+/);
    expect(builds()).toBe(0);
  });

  test("a home that cannot be written to is named", async () => {
    fs.writeFileSync(home, "a file, not a folder");
    const { code, stderr } = await ensure();
    expect(code).toBe(1);
    expect(stderr).toMatch(/could not be put into .*home\/versions.*Set PULUMI_HOME/);
    expect(stderr).not.toContain("    at ");
  });
});

describe("the official download", () => {
  test("is moved into the cache when it is whole, and gets nothing of ours", async () => {
    const script = withLauncher(`
      add(root, "pulumi", "console.log('v" + version + "')");
      add(root, "pulumi-language-nodejs", "official");
    `);
    fs.mkdirSync(path.join(root, "bin"), { recursive: true });
    const { code, stdout } = await ensure({ args: [], script });
    expect(stdout).toBe(`Pulumi engine ${VERSION}, downloaded: ${cachedEngine()}\n`);
    expect(code).toBe(0);
    expect(installed()).toEqual(["pulumi", "pulumi-language-nodejs"]);
    expect(leftovers()).toEqual([]);
  });

  test("that fails half-way leaves nothing and gives way to the build, with one line", async () => {
    installGo();
    const script = withLauncher(`add(root, "pulumi", ""); throw new Error("the line was cut");`);
    const { stdout, stderr } = await ensure({ args: [], script });
    expect(stdout).toContain("built with Go");
    expect(stderr).toMatch(
      /^The official engine cannot be downloaded \(the line was cut\): building it with Go, about \d+ minutes on \d+ cores?, this once\n$/,
    );
    expect(leftovers()).toEqual([]);
  });

  test("by the real launcher gives way, too, where there is no network", async () => {
    installGo();
    // A proxy that is not there: on any machine as good as no network.
    const { stdout, stderr } = await ensure({ args: [], env: { HTTPS_PROXY: "http://127.0.0.1:9" } });
    expect(stdout).toContain("built with Go");
    expect(stderr).toMatch(/^The official engine cannot be downloaded \([^\n]+\): building it with Go[^\n]*\n$/);
  });
});

test("go.mod and the script name the same engine", () => {
  const goMod = fs.readFileSync(path.join(ENGINE, "go.mod"), "utf8");
  const find = fs.readFileSync(path.join(ENGINE, "find.mjs"), "utf8");
  expect(find).toContain(`ENGINE_VERSION = "${VERSION}"`);
  expect(goMod).toContain(`github.com/pulumi/pulumi/pkg/v3 v${VERSION}\n`);
});
