/**
 * Tries the pipelines on this machine: the same steps, the emulator as the service, and a stand-in for the forge that shows what
 * would be written there. It needs no account, and neither uses nor changes your own Pulumi login and stacks.
 *
 *   node local.mjs                             examples/quickstart
 *   node local.mjs PROJECT [KEY=SECRET…]       your project, and the secrets that its configuration has to have
 *
 * Tests that measure need targets that this machine reaches, so `verify` is left out unless VERIFY=true.
 */
import { spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { createRequire } from "node:module";
import os from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";

const STACK = "ci-local";
const here = path.dirname(fileURLToPath(import.meta.url));
const [folder = path.join(here, "../quickstart"), ...given] = process.argv.slice(2);
const secrets = process.argv.length > 2 ? given : ["quickstart:probePassword=only-here"];
const project = path.resolve(folder);

const say = (text) => console.log(`\n\u2500\u2500 ${text} ${"\u2500".repeat(Math.max(3, 110 - text.length))}`);

/** Comments and issues of a repository, as GitHub's interface has them, in memory. Each one is shown as it is written. */
async function startForge() {
  const [comments, issues] = [[], []];
  const server = createServer(async (request, response) => {
    const answer = (status, body) => response.writeHead(status).end(JSON.stringify(body));
    const body = JSON.parse((await Array.fromAsync(request)).join("") || "{}");
    const { pathname } = new URL(request.url, "http://localhost");
    if (pathname === "/graphql") return answer(200, { data: { viewer: { login: "you" } } });
    const [what, all] = pathname.includes("/comments") ? ["comment on the pull request", comments] : ["issue", issues];
    if (request.method === "GET") return answer(200, all);
    const id = /\/(?<id>\d+)$/.exec(pathname)?.groups.id;
    const one =
      id === undefined ? { id: all.length + 1, number: all.length + 1, state: "open", user: { login: "you" } } : all[id - 1];
    if (id === undefined) all.push(one);
    const before = one.state;
    Object.assign(one, body);
    say(`${what} ${one.number}: ${id === undefined ? "new" : before === one.state ? "edited" : one.state}`);
    console.log(`${one.title ? `# ${one.title}\n\n` : ""}${one.body}`);
    return answer(200, one);
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  return { url: `http://127.0.0.1:${server.address().port}`, close: () => server.close() };
}

/** The caller's environment without what would lead elsewhere, and what the settings of a repository would hold. */
function environment(work, service, forge) {
  const foreign = /^(PULUMI|ENDPOINT_MONITORING|GITHUB|GITLAB|CI)(_|$)/;
  const parents = [project];
  while (path.dirname(parents.at(-1)) !== parents.at(-1)) parents.push(path.dirname(parents.at(-1)));
  const noProxy = [process.env.NO_PROXY ?? process.env.no_proxy, "127.0.0.1"].filter(Boolean).join(",");
  return {
    ...Object.fromEntries(Object.entries(process.env).filter(([name]) => !foreign.test(name))),
    PATH: [process.env.PATH, ...parents.map((parent) => path.join(parent, "node_modules/.bin"))].join(path.delimiter),
    NO_PROXY: noProxy,
    no_proxy: noProxy,
    STACK,
    REPORT: path.join(work, "report.md"),
    VERIFY: process.env.VERIFY ?? "false",
    ENDPOINT_MONITORING_BASE_URL: service.url,
    ENDPOINT_MONITORING_TOKEN: "emulator-token",
    PULUMI_HOME: path.join(work, "home"),
    PULUMI_BACKEND_URL: `file://${path.join(work, "backend")}`,
    PULUMI_CONFIG_PASSPHRASE: "only-for-this-stack",
    PULUMI_SKIP_UPDATE_CHECK: "true",
    GITHUB_API_URL: forge.url,
    GITHUB_GRAPHQL_URL: `${forge.url}/graphql`,
    GITHUB_SERVER_URL: forge.url,
    GITHUB_REPOSITORY: "you/here",
    GITHUB_RUN_ID: "1",
    GITHUB_TOKEN: "only-here",
    GITHUB_EVENT_PATH: path.join(work, "event.json"),
  };
}

/** The emulator and the command of the package that the project has. */
function load() {
  const installed = createRequire(path.join(project, "_"));
  try {
    const { start } = installed("pulumi-endpoint-monitoring/emulator");
    const manifest = installed.resolve("pulumi-endpoint-monitoring/package.json");
    return { start, command: path.join(path.dirname(manifest), "dist/cli/main.js") };
  } catch (error) {
    const what = `pulumi-endpoint-monitoring cannot be loaded from ${project}`;
    throw new Error(`${what}: install it there, or build this checkout of it (npm ci && npm run build)`, { cause: error });
  }
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

async function main() {
  if (Number.parseInt(process.versions.node, 10) < 22)
    throw new Error(`this takes Node 22.19 or newer, and runs on ${process.version}`);
  const { start, command } = load();
  const service = await start();
  const forge = await startForge();
  const work = realpathSync(mkdtempSync(path.join(os.tmpdir(), "endpoint-monitoring-ci-")));
  const env = environment(work, service, forge);
  const run = async (program, args, expected = 0) => {
    const child = spawn(program, args, { cwd: project, env, stdio: ["ignore", "inherit", "inherit"] });
    const code = await new Promise((resolve, reject) => {
      child.on("error", () => reject(new Error(`${program} does not start: it has to be installed and on PATH`)));
      child.on("close", resolve);
    });
    if (code !== expected) throw new Error(`${path.basename(program)} ${args.slice(-2).join(" ")} ended with ${code}`);
  };
  const step = (mode, expected) => run("bash", [path.join(here, "run.sh"), mode], expected);
  try {
    for (const name of ["home", "backend"]) mkdirSync(path.join(work, name));
    writeFileSync(env.GITHUB_EVENT_PATH, JSON.stringify({ pull_request: { number: 1, head: { sha: "0123456789" } } }));
    await run("pulumi", ["stack", "init", "--no-select", STACK]);
    for (const secret of secrets) {
      const [key, ...value] = secret.split("=");
      await run("pulumi", ["config", "set", "--stack", STACK, "--secret", key, "--", value.join("=")]);
    }
    say("A pull request: review");
    await step("review");
    say("It is merged: up");
    await step("up");
    say("The next pull request changes nothing: review");
    await step("review");
    say("Somebody changes a record by hand. That night: drift");
    await meddle(service);
    await step("drift", 2);
    say("Somebody puts it right: endpoint-monitoring drift --mend. The night after: drift");
    await run(process.execPath, [command, "drift", "--stack", STACK, "--mend"]);
    await step("drift");
  } finally {
    forge.close();
    await service.close();
    for (const left of [work, path.join(project, `Pulumi.${STACK}.yaml`)]) rmSync(left, { recursive: true, force: true });
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
