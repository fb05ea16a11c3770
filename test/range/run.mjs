/**
 * The range of versions that README.md promises: a short life of two resources on both fronts, with the packed package, for
 * versions of Pulumi's SDK, of its engine, of Node and of TypeScript. Every two versions of different columns occur in a row.
 * `--all` runs each combination. It writes results.json, which the table of docs/versions.md repeats. Go builds engines other
 * than the one of `npm run engine`, once on each machine.
 */
import { execFileSync, spawn } from "node:child_process";
import fs from "node:fs";
import { createRequire } from "node:module";
import os from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";

import { ENGINE_VERSION, OLDEST_VERSION } from "../../tools/engine/find.mjs";
import { engineOf } from "./engine.mjs";

const root = fileURLToPath(new URL("../..", import.meta.url));
const { start } = createRequire(import.meta.url)("../../dist/emulator/index.js");
const work = fs.mkdtempSync(path.join(os.tmpdir(), "range-"));
const npm = (folder, ...args) =>
  execFileSync("npm", args, { cwd: folder, encoding: "utf8", stdio: ["ignore", "pipe", "pipe"] }).trim();

const { devDependencies } = JSON.parse(fs.readFileSync(path.join(root, "package.json"), "utf8"));

/** The versions of each column: the oldest supported one, a later one, and the newest. */
const columns = {
  sdk: [OLDEST_VERSION, "3.259.0", `^${devDependencies["@pulumi/pulumi"]}`],
  engine: [OLDEST_VERSION, "3.259.0", ENGINE_VERSION],
  node: ["22.19.0", "24", "26"],
  typescript: ["5.0", "5.9", "6"],
};

/** Returns rows of indexes into the columns. Nine are sufficient for each pair of versions. */
function rows(all) {
  const three = [0, 1, 2];
  if (!all)
    return three.flatMap((sdk) =>
      three.map((node) => ({ sdk, engine: (sdk + 2 * node) % 3, node, typescript: (sdk + node) % 3 })),
    );
  return three.flatMap((sdk) =>
    three.flatMap((engine) => three.flatMap((node) => three.map((typescript) => ({ sdk, engine, node, typescript })))),
  );
}

/** Returns the folder of a Node version, from its package in the registry. */
function nodeOf(version) {
  const name = `node-${process.platform === "win32" ? "win" : process.platform}-${process.arch}`;
  const folder = path.join(work, `node-${version}`);
  fs.mkdirSync(folder);
  fs.writeFileSync(path.join(folder, "package.json"), "{}");
  npm(folder, "install", "--no-audit", "--no-fund", `${name}@${version}`);
  return path.join(folder, "node_modules", name, "bin");
}

const program = (module) => `import * as pulumi from "@pulumi/pulumi";
import { AgentToServerTest, getLabelOutput, Label } from "${module}";

const config = new pulumi.Config();
const office = new Label("office", { name: "Office", matchType: "or", filters: [{ key: "platform", values: ["Mac"] }] });
const gateway = new AgentToServerTest("gateway", {
  testName: "Gateway",
  server: "vpn.example.com",
  interval: config.get("interval") === "300" ? 300 : 60,
  maxMachines: config.getNumber("maxMachines") ?? 5,
  agentSelectorType: "agent-labels",
  endpointAgentLabels: [office.id],
});
export const label: pulumi.Output<string | undefined> = getLabelOutput({ name: office.name }).apply(({ name }) => name);
export const interval: pulumi.Output<number> = gateway.interval;
`;

const project = (front) => `name: range
runtime: nodejs
main: index.ts
${front === "native" ? "plugins:\n  providers:\n    - name: endpoint-monitoring\n      path: ./node_modules/pulumi-endpoint-monitoring/plugin\n" : ""}`;

const settings = {
  target: "ES2022",
  module: "node16",
  moduleResolution: "node16",
  strict: true,
  noEmit: true,
  types: ["node"],
};

/** Exits with the fault, if any. */
function run(command, args, { cwd, env }) {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { cwd, env, stdio: ["ignore", "pipe", "pipe"] });
    let text = "";
    for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk) => (text += chunk));
    child.on("error", reject);
    child.on("close", (code) =>
      code === 0 ? resolve(text) : reject(new Error(`${command} ${args.join(" ")} ended with ${code}:\n${text}`)),
    );
  });
}

/** Runs one life on one front. @throws differences from the service's records */
async function life(front, folder, env) {
  fs.writeFileSync(path.join(folder, "index.ts"), program(`pulumi-endpoint-monitoring${front === "native" ? "/native" : ""}`));
  fs.writeFileSync(path.join(folder, "Pulumi.yaml"), project(front));
  const emulator = await start({ rateLimit: "off" });
  const pulumi = (...args) => run("pulumi", args, { cwd: folder, env });
  const get = async (list) =>
    (await fetch(`${emulator.url}/v7/endpoint/${list}`, { headers: { authorization: "Bearer emulator-token" } })).json();
  /** Checks that the service's records match the state, with the program's interval. */
  const agree = async (interval) => {
    const { deployment } = JSON.parse(await pulumi("stack", "export"));
    const managed = (deployment.resources ?? []).filter(({ type }) =>
      /endpoint-monitoring:(index:)?(Label|AgentToServerTest)$/.test(type),
    );
    // The package replaces a private function of the SDK (sdk/program-positions.ts).
    for (const { urn, sourcePosition } of managed)
      if (!/\/index\.ts#\d/.test(sourcePosition)) throw new Error(`${urn} is declared at ${sourcePosition}`);
    const { labels } = await get("labels");
    const { tests } = await get("tests/scheduled-tests/agent-to-server");
    const text = (ids) => ids.toSorted((a, b) => a.localeCompare(b)).join(" ");
    const [state, stored] = [
      text(managed.map(({ id }) => id)),
      text([...labels.map(({ id }) => id), ...tests.map(({ testId }) => testId)]),
    ];
    if (state !== stored) throw new Error(`state ${state}, service ${stored}`);
    if (interval === undefined) return undefined;
    if (tests[0]?.interval !== interval) throw new Error(`interval ${tests[0]?.interval}, not ${interval}`);
    // The SDK's function creates outputs when a program uses them (sdk/lazy-outputs.ts).
    const outputs = JSON.parse(await pulumi("stack", "output", "--json"));
    if (outputs.label !== "Office" || outputs.interval !== interval) throw new Error(`outputs ${JSON.stringify(outputs)}`);
    return tests[0]?.testId;
  };
  try {
    await run("npx", ["tsc", "-p", "."], { cwd: folder, env });
    await pulumi("stack", "init", front);
    await pulumi("config", "set", "endpoint-monitoring:baseUrl", emulator.url);
    await pulumi("config", "set", "endpoint-monitoring:readLag", "0");
    await pulumi("config", "set", "--secret", "endpoint-monitoring:token", "emulator-token");
    const up = () => pulumi("up", "--yes", "--skip-preview");
    await pulumi("preview");
    await up();
    const created = await agree(60);
    await pulumi("preview", "--expect-no-changes");
    await pulumi("config", "set", "interval", "300");
    await up();
    if ((await agree(300)) !== created) throw new Error("the change made another test");
    await pulumi("refresh", "--yes", "--skip-preview", "--expect-no-changes");
    await pulumi("config", "set", "maxMachines", "6");
    await up();
    if ((await agree(300)) === created) throw new Error("the replacement made no other test");
    await pulumi("destroy", "--yes", "--skip-preview");
    await agree();
    await pulumi("stack", "rm", "--yes");
  } finally {
    await emulator.close();
  }
}

const log = (line) => console.log(line);
const args = new Set(process.argv.slice(2));
execFileSync("npm", ["pack", "--ignore-scripts", "--pack-destination", work], { cwd: root, stdio: "ignore" });
const tarball = path.join(
  work,
  fs.readdirSync(work).find((name) => name.endsWith(".tgz")),
);
const nodes = columns.node.map((version) => nodeOf(version));
const engines = [];
for (const version of columns.engine) engines.push(await engineOf(version, log));

const results = [];
for (const row of rows(args.has("--all"))) {
  const folder = fs.mkdtempSync(path.join(work, "row-"));
  const home = path.join(folder, "home");
  fs.mkdirSync(path.join(folder, "backend"));
  const [sdk, typescript] = [columns.sdk[row.sdk], columns.typescript[row.typescript]];
  fs.writeFileSync(path.join(folder, "package.json"), '{ "private": true }');
  fs.writeFileSync(
    path.join(folder, "tsconfig.json"),
    JSON.stringify({ compilerOptions: { ...settings, skipLibCheck: true }, include: ["index.ts"] }),
  );
  const env = {
    ...process.env,
    PATH: [nodes[row.node], engines[row.engine], process.env.PATH].join(path.delimiter),
    PULUMI_HOME: home,
    PULUMI_BACKEND_URL: `file://${path.join(folder, "backend")}`,
    PULUMI_CONFIG_PASSPHRASE: "range",
    PULUMI_SKIP_UPDATE_CHECK: "true",
    NO_COLOR: "1",
  };
  for (const name of Object.keys(env)) if (name.startsWith("ENDPOINT_MONITORING_")) delete env[name];
  const problems = [];
  try {
    npm(
      folder,
      "install",
      "--no-audit",
      "--no-fund",
      "--prefer-offline",
      tarball,
      `@pulumi/pulumi@${sdk}`,
      `typescript@${typescript}`,
      "@types/node@22",
    );
    for (const front of ["dynamic", "native"])
      await life(front, folder, env).catch((error) => problems.push(`${front}: ${error.message}`));
  } catch (error) {
    problems.push(String(error.stderr ?? error.message));
  }
  const installed = (name) =>
    JSON.parse(fs.readFileSync(path.join(folder, "node_modules", name, "package.json"), "utf8")).version;
  const node = execFileSync(path.join(nodes[row.node], "node"), ["--version"], { encoding: "utf8" }).trim().slice(1);
  const versions = {
    sdk: installed("@pulumi/pulumi"),
    engine: columns.engine[row.engine],
    node,
    typescript: installed("typescript"),
  };
  results.push({ ...versions, fronts: 2, wrong: problems.length });
  log(
    `${Object.entries(versions)
      .map(([name, version]) => `${name} ${version}`)
      .join(", ")}: ${problems.length === 0 ? "both fronts right" : problems.join("\n")}`,
  );
}
fs.rmSync(work, { recursive: true, force: true });
const wrong = results.filter((row) => row.wrong > 0).length;
if (wrong === 0) fs.writeFileSync(path.join(root, "test/range/results.json"), `${JSON.stringify(results, undefined, 2)}\n`);
log(`${results.length} rows, ${wrong} with something wrong`);
process.exitCode = wrong === 0 ? 0 : 1;
