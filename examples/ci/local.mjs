/**
 * Tries the pipelines on this machine, that of GitHub and that of GitLab: the same steps, the emulator as the service, and a stand-in
 * for the forge that shows what would be written there. It needs no account, and neither uses nor changes your own Pulumi login and
 * stacks: it works on a copy of the project.
 *
 *   node local.mjs                             examples/quickstart
 *   node local.mjs PROJECT [KEY=SECRET…]       your project, and the secrets that its configuration has to have
 *
 * FORGE=github or FORGE=gitlab runs one of both. Tests that measure need targets that this machine reaches, so `verify` is left out
 * unless VERIFY=true.
 */
import { spawn } from "node:child_process";
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { createRequire } from "node:module";
import os from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { startForge } from "./local-forge.mjs";

const STACK = "ci-local";
const here = path.dirname(fileURLToPath(import.meta.url));
const [folder = path.join(here, "../quickstart"), ...given] = process.argv.slice(2);
const secrets = process.argv.length > 2 ? given : ["quickstart:probePassword=only-here"];
const project = path.resolve(folder);

/** What the jobs of a pipeline run, by what starts it. A test compares this with the pipelines of both forges. */
export const pipelines = {
  request: { review: ["install", "review"], rehearsal: ["install", "rehearse"], comment: ["comment"] },
  merge: { approval: ["approval"], up: ["install", "up"] },
  again: { review: ["install", "review"], up: ["install", "up"] },
  night: { drift: ["install", "drift"], issue: ["issue"], "pull-request": ["pull-request"] },
};

const say = (text) => console.log(`\n\u2500\u2500 ${text} ${"\u2500".repeat(Math.max(3, 110 - text.length))}`);

/** The caller's environment without what would lead elsewhere. */
function machine(work, forge) {
  const foreign = /^(PULUMI|ENDPOINT_MONITORING|GITHUB|GITLAB|CI|GIT|RUNNER|TF)(_|$)/;
  const noProxy = [process.env.NO_PROXY ?? process.env.no_proxy, "127.0.0.1"].filter(Boolean).join(",");
  return {
    ...Object.fromEntries(Object.entries(process.env).filter(([name]) => !foreign.test(name))),
    PATH: [process.env.PATH, ...above("node_modules/.bin")].join(path.delimiter),
    NO_PROXY: noProxy,
    no_proxy: noProxy,
    PULUMI_HOME: path.join(work, "home"),
    PULUMI_SKIP_UPDATE_CHECK: "true",
    GIT_CONFIG_GLOBAL: path.join(work, "gitconfig"),
    STACK,
    REPORTS: path.join(work, "reports"),
    // They are there.
    INSTALL: "echo The packages are installed.",
    VERIFY: process.env.VERIFY ?? "false",
    DRIFT: process.env.DRIFT ?? "pull-request",
    ...forge.env,
  };
}

/** A folder of the project and of every folder above it. */
function above(name) {
  const parents = [project];
  while (path.dirname(parents.at(-1)) !== parents.at(-1)) parents.push(path.dirname(parents.at(-1)));
  return parents.map((parent) => path.join(parent, name));
}

/** The emulator and the folder of the package that the project has. */
function load() {
  const installed = createRequire(path.join(project, "_"));
  try {
    const { start } = installed("pulumi-endpoint-monitoring/emulator");
    return { start, own: path.dirname(installed.resolve("pulumi-endpoint-monitoring/package.json")) };
  } catch (error) {
    const what = `pulumi-endpoint-monitoring cannot be loaded from ${project}`;
    throw new Error(`${what}: install it there, or build this checkout of it (npm ci && npm run build)`, { cause: error });
  }
}

/** A copy of the project, with the packages that the project finds. */
function copyProject(work, own) {
  const copy = path.join(work, "repository");
  cpSync(project, copy, { recursive: true, filter: (file) => !["node_modules", ".git"].includes(path.basename(file)) });
  const packages = path.join(work, "node_modules");
  mkdirSync(packages);
  symlinkSync(own, path.join(packages, "pulumi-endpoint-monitoring"), "dir");
  for (const from of above("node_modules").filter((one) => existsSync(one))) {
    for (const name of readdirSync(from).filter((one) => !existsSync(path.join(packages, one)))) {
      symlinkSync(path.join(from, name), path.join(packages, name));
    }
  }
  return copy;
}

/** Somebody changes a record by hand: the first one there is, of the kinds that have a name. */
async function meddle(service) {
  const headers = { authorization: "Bearer emulator-token", "content-type": "application/json" };
  const collections = {
    "/v7/endpoint/labels": ["labels", "name", "id"],
    "/v7/endpoint/tests/scheduled-tests/http-server": ["tests", "testName", "testId"],
    "/v7/endpoint/tests/scheduled-tests/agent-to-server": ["tests", "testName", "testId"],
    "/v7/endpoint/tests/dynamic-tests/agent-to-server": ["tests", "testName", "testId"],
  };
  for (const [target, [list, name, id]] of Object.entries(collections)) {
    const [first] = (await (await fetch(service.url + target, { headers })).json())[list];
    if (!first) continue;
    const body = JSON.stringify({ [name]: `${first[name]}, by hand` });
    await fetch(`${service.url}${target}/${first[id]}`, { method: "PATCH", headers, body });
    return;
  }
  throw new Error("The program made no label and no test to change by hand");
}

/** Runs a program; what it prints is shown unless it is wanted. @returns what it prints */
async function run(program, args, { cwd, env, expected = 0, isQuiet = false }) {
  const child = spawn(program, args, { cwd, env, stdio: ["ignore", isQuiet ? "pipe" : "inherit", "inherit"] });
  let text = "";
  child.stdout?.setEncoding("utf8").on("data", (more) => (text += more));
  const code = await new Promise((resolve, reject) => {
    child.on("error", () => reject(new Error(`${program} does not start: it has to be installed and on PATH`)));
    child.on("close", resolve);
  });
  if (code !== expected) throw new Error(`${path.basename(program)} ${args.slice(-2).join(" ")} ended with ${code}`);
  return text;
}

/** Everything that happens to a repository at a forge, from its first pull request to a night after drift. */
async function story(kind, work, { start, own }) {
  const service = await start();
  const forge = await startForge(kind, work, say);
  const env = machine(work, forge);
  const backend = {
    PULUMI_BACKEND_URL: `file://${path.join(work, "backend")}`,
    PULUMI_CONFIG_PASSPHRASE: "only-for-this-stack",
  };
  const account = { ENDPOINT_MONITORING_BASE_URL: service.url, ENDPOINT_MONITORING_TOKEN: "emulator-token" };
  const whole = { cwd: copyProject(work, own), env: { ...env, ...backend, ...account } };
  const pulumi = (first, ...args) => run("pulumi", [first, "--stack", STACK, ...args], { ...whole, isQuiet: true });
  const git = async (...args) => (await run("git", args, { ...whole, isQuiet: true })).trim();

  /** One step: with what its mode needs of secrets and tokens, and nothing else. */
  const step = async (job, mode, expected = 0) => {
    const isForge = ["comment", "approval", "issue", "pull-request"].includes(mode);
    const sees = mode === "install" ? {} : isForge ? forge.token : { ...backend, ...account };
    say(`${job}: run.sh ${mode}, which sees ${Object.keys(sees).join(", ") || "no secret and no token"}`);
    await run("bash", [path.join(here, "run.sh"), mode], { cwd: whole.cwd, env: { ...env, ...sees }, expected });
  };
  /** A pipeline, of which a mode may end with another code than 0. */
  const pipeline = async (name, ended = {}) => {
    // What one pipeline leaves, another one does not see.
    rmSync(env.REPORTS, { recursive: true, force: true });
    for (const [job, modes] of Object.entries(pipelines[name])) {
      for (const mode of modes) {
        if (name === "merge" && mode === "up") forge.download(env.REPORTS);
        await step(job, mode, ended[mode]);
      }
    }
    if (name === "request") forge.keep(env.REPORTS);
  };

  try {
    for (const name of ["home", "backend"]) mkdirSync(path.join(work, name));
    writeFileSync(env.GIT_CONFIG_GLOBAL, `[user]\nname = You\nemail = you@example.com\n${forge.gitConfig}`);
    await run("pulumi", ["stack", "init", "--no-select", STACK], whole);
    for (const secret of secrets) {
      const [key, ...value] = secret.split("=");
      await pulumi("config", "set", "--secret", key, "--", value.join("="));
    }
    await git("init", "--quiet", "--initial-branch", "main");
    await git("add", "--all");
    await git("commit", "--quiet", "--message", "Program");
    await git("clone", "--quiet", "--bare", ".", forge.repository);

    say(`${forge.name}. A pull request`);
    await pipeline("request");
    say("It is merged");
    await pipeline("merge");
    say("The next pull request changes nothing; before it is merged, somebody deletes a resource");
    await pipeline("request");
    await pulumi("destroy", "--yes", "--skip-preview", "--target", lastOf(JSON.parse(await pulumi("stack", "export"))));
    await pipeline("merge", { up: 2 });
    say("Somebody reviews again, and approves that");
    await pipeline("again");
    say("Somebody changes a record by hand. That night");
    await meddle(service);
    await pipeline("night", { drift: 2 });
    say("Somebody changes it again. The next night");
    await meddle(service);
    await pipeline("night", { drift: 2 });
    say("Somebody puts it right: endpoint-monitoring drift --mend. The night after");
    await run(process.execPath, [path.join(own, "dist/cli/main.js"), "drift", "--stack", STACK, "--mend"], whole);
    await pipeline("night");
  } finally {
    forge.close();
    await service.close();
  }
}

/** The last resource of a stack on which no other depends. */
function lastOf({ deployment: { resources } }) {
  const needed = new Set(resources.flatMap(({ dependencies = [], parent }) => [...dependencies, parent]));
  const found = resources.findLast(({ urn, custom, type }) => custom && !type.startsWith("pulumi:") && !needed.has(urn));
  if (!found) throw new Error("The program made no resource to delete");
  return found.urn;
}

async function main() {
  if (Number.parseInt(process.versions.node, 10) < 22)
    throw new Error(`this takes Node 22.19 or newer, and runs on ${process.version}`);
  const loaded = load();
  for (const kind of process.env.FORGE ? [process.env.FORGE] : ["github", "gitlab"]) {
    const work = realpathSync(mkdtempSync(path.join(os.tmpdir(), "endpoint-monitoring-ci-")));
    try {
      await story(kind, work, loaded);
    } finally {
      rmSync(work, { recursive: true, force: true });
    }
  }
}

// Ctrl+C goes to the command that runs, too; when it has ended, everything is tidied up.
process.on("SIGINT", () => {});
try {
  await main();
} catch (error) {
  console.error(`local: ${error.message.split("\n")[0]}`);
  process.exitCode = 1;
}
