/**
 * Creates the state of a release: builds the release from git, runs a program with each resource type on the real engine with
 * the release's own emulator, and stores the program, the exported state and the emulator's data file in
 * test/fixtures/state/VERSION. The suite real/released-state continues from there with the current code. npm run
 * state-fixture -- VERSION [REVISION] REVISION is `vVERSION` by default. The release runs with the libraries that are
 * installed here.
 */
import { execFileSync, spawn } from "node:child_process";
import fs from "node:fs";
import { createRequire } from "node:module";
import os from "node:os";
import path from "node:path";
import { DatabaseSync } from "node:sqlite";
import { fileURLToPath } from "node:url";

import { ensureEngine } from "../../tools/engine/ensure.mjs";

const root = path.join(path.dirname(fileURLToPath(import.meta.url)), "../..");
const fixtures = path.join(root, "test/fixtures/state");

/** Checks out a revision and builds it. */
function build(release, revision) {
  execFileSync("git", ["worktree", "add", "--quiet", "--detach", release, revision], { cwd: root, stdio: "inherit" });
  fs.symlinkSync(path.join(root, "node_modules"), path.join(release, "node_modules"), "dir");
  const compiler = path.join(root, "node_modules/typescript/bin/tsc");
  execFileSync(process.execPath, [compiler, "-p", "tsconfig.build.json"], { cwd: release, stdio: "inherit" });
}

/** Creates a project whose program declares the resources in program.json, as in tests of the engine. */
function makeProject(project, release) {
  fs.mkdirSync(path.join(project, "node_modules"), { recursive: true });
  fs.mkdirSync(path.join(project, "backend"));
  fs.symlinkSync(release, path.join(project, "node_modules/pulumi-endpoint-monitoring"), "dir");
  fs.symlinkSync(path.join(root, "node_modules/@pulumi"), path.join(project, "node_modules/@pulumi"), "dir");
  fs.copyFileSync(path.join(root, "test/real/support/program.cjs"), path.join(project, "index.js"));
  fs.copyFileSync(path.join(fixtures, "program.json"), path.join(project, "program.json"));
  fs.writeFileSync(path.join(project, "package.json"), '{ "main": "index.js" }\n');
  const runtime = "runtime:\n  name: nodejs\n  options:\n    typescript: false\n";
  fs.writeFileSync(path.join(project, "Pulumi.yaml"), `name: test\n${runtime}`);
}

/** Runs the engine without blocking this process, which is the emulator. */
function runPulumi(args, options) {
  return new Promise((resolve, reject) => {
    const child = spawn("pulumi", [...args, "--non-interactive", "--color", "never"], { ...options, stdio: "inherit" });
    child.on("error", reject);
    child.on("close", (code) => (code === 0 ? resolve() : reject(new Error(`pulumi ${args[0]} ended with ${code}`))));
  });
}

/** Applies the program and exports its state. */
async function apply(project, emulator) {
  const engine = await ensureEngine();
  const env = {
    ...process.env,
    PATH: [path.dirname(process.execPath), engine.dir, process.env.PATH].join(path.delimiter),
    PULUMI_HOME: path.join(project, "home"),
    PULUMI_BACKEND_URL: `file://${path.join(project, "backend")}`,
    PULUMI_CONFIG_PASSPHRASE: "test",
    PULUMI_SKIP_UPDATE_CHECK: "true",
  };
  const pulumi = (...args) => runPulumi(args, { cwd: project, env });
  await pulumi("stack", "init", "dev");
  await pulumi("config", "set", "endpoint-monitoring:baseUrl", emulator.url);
  await pulumi("config", "set", "--secret", "endpoint-monitoring:token", "emulator-token");
  await pulumi("config", "set", "--secret", "password", "first-passw0rd");
  await pulumi("up", "--yes", "--skip-preview");
  await pulumi("stack", "export", "--file", "state.json");
  return portable(fs.readFileSync(path.join(project, "state.json"), "utf8"), emulator.url);
}

/** Returns a state without values of this machine and this run: folders, and the emulator's URL. */
function portable(state, url) {
  const places = new Set(["sourcePosition", "stackTrace"]);
  const whole = JSON.parse(state, (name, value) => (places.has(name) ? undefined : value));
  return `${JSON.stringify(whole, null, 2)}\n`.replaceAll(url, "{emulator}");
}

/** Removes facts about this machine from a data file: those of its agent, the first one, and its measurements. */
function forgetThisMachine(dataFile) {
  const database = new DatabaseSync(dataFile);
  database.exec(`
    UPDATE records SET body = json_set(body, '$.name', 'this-machine', '$.computerName', 'this-machine', '$.osVersion', '',
      '$.kernelVersion', '', '$.totalMemory', '', '$.networkInterfaceProfiles', json('[]'), '$.clients', json('[]'))
    WHERE sequence = (SELECT min(sequence) FROM records WHERE collection = 'agents');
    DELETE FROM records WHERE collection LIKE 'rounds-%';
    PRAGMA journal_mode = DELETE;
    VACUUM`);
  database.close();
}

async function make(work, version, revision) {
  const [release, project, dataFile] = ["release", "project", "emulator.db"].map((name) => path.join(work, name));
  try {
    build(release, revision);
    makeProject(project, release);
    const { start } = createRequire(import.meta.url)(path.join(release, "dist/emulator/index.js"));
    const emulator = await start({ rateLimit: "off", agents: 6, transferDelayMs: 0, dataFile });
    const state = await apply(project, emulator).finally(() => emulator.close());
    const folder = path.join(fixtures, version);
    fs.mkdirSync(folder, { recursive: true });
    forgetThisMachine(dataFile);
    fs.writeFileSync(path.join(folder, "state.json"), state);
    fs.copyFileSync(dataFile, path.join(folder, "emulator.db"));
    fs.copyFileSync(path.join(fixtures, "program.json"), path.join(folder, "program.json"));
  } finally {
    execFileSync("git", ["worktree", "remove", "--force", release], { cwd: root, stdio: "inherit" });
  }
}

const [version, revision = `v${version}`] = process.argv.slice(2);
if (version === undefined) throw new Error("Usage: npm run state-fixture -- VERSION [REVISION]");
const work = fs.mkdtempSync(path.join(os.tmpdir(), "state-fixture-"));
try {
  await make(work, version, revision);
} finally {
  fs.rmSync(work, { recursive: true, force: true });
}
