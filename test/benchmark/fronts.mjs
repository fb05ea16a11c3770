/**
 * Compares the CPU time of the two fronts: create, preview without a change, update without a change, refresh, in pairs, on the real engine
 * and the emulator. `npm run benchmark:fronts -- [RESOURCES] [PAIRS]`. It prints figures and never fails because of them.
 */
import { spawn } from "node:child_process";
import fs from "node:fs";
import { createRequire } from "node:module";
import os from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { ensureEngine } from "../../engine/ensure.mjs";

const root = path.join(path.dirname(fileURLToPath(import.meta.url)), "../..");
const [resources = 300, pairs = 2] = process.argv.slice(2).map(Number);
const { start } = createRequire(import.meta.url)(path.join(root, "dist/emulator/index.js"));
const engine = await ensureEngine();

/** A project whose program declares many tests. */
function projectOf(front) {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), `fronts-${front}-`));
  fs.mkdirSync(path.join(folder, "node_modules"));
  fs.mkdirSync(path.join(folder, "backend"));
  fs.symlinkSync(root, path.join(folder, "node_modules/pulumi-endpoint-monitoring"), "dir");
  fs.symlinkSync(path.join(root, "node_modules/@pulumi"), path.join(folder, "node_modules/@pulumi"), "dir");
  const module = `pulumi-endpoint-monitoring${front === "native" ? "/native" : ""}`;
  fs.writeFileSync(
    path.join(folder, "index.js"),
    `const { AgentToServerTest } = require("${module}");
    for (let i = 0; i < ${resources}; i += 1) new AgentToServerTest("test-" + i, { testName: "Test " + i, server: "vpn.example.com" });`,
  );
  fs.writeFileSync(path.join(folder, "package.json"), '{ "main": "index.js" }\n');
  const plugin = "packages:\n  endpoint-monitoring: ./node_modules/pulumi-endpoint-monitoring/plugin\n";
  const runtime = "runtime:\n  name: nodejs\n  options:\n    typescript: false\n";
  fs.writeFileSync(path.join(folder, "Pulumi.yaml"), `name: test\n${runtime}${front === "native" ? plugin : ""}`);
  return folder;
}

/** Runs the engine, and returns the seconds of CPU time of it and all that it started. */
function run(folder, args) {
  const env = {
    ...process.env,
    PATH: [path.dirname(process.execPath), engine.dir, process.env.PATH].join(path.delimiter),
    PULUMI_HOME: path.join(folder, "home"),
    PULUMI_BACKEND_URL: `file://${path.join(folder, "backend")}`,
    PULUMI_CONFIG_PASSPHRASE: "test",
    PULUMI_SKIP_UPDATE_CHECK: "true",
    ENDPOINT_MONITORING_PREVIEW_REACH: "off",
  };
  const timed = 'pulumi "$@" > /dev/null; status=$?; times >&3; exit $status';
  return new Promise((resolve, reject) => {
    const child = spawn("bash", ["-c", timed, "bash", ...args, "--non-interactive"], {
      cwd: folder,
      env,
      stdio: ["ignore", "inherit", "inherit", "pipe"],
    });
    let text = "";
    child.stdio[3].on("data", (chunk) => (text += chunk));
    child.on("close", (code) => {
      if (code !== 0) return reject(new Error(`pulumi ${args[0]} ended with ${code}`));
      // The second line is that of the children: user and system.
      const spent = text
        .trim()
        .split("\n")[1]
        .matchAll(/(\d+)m([\d.]+)s/g);
      return resolve([...spent].reduce((sum, [, minutes, seconds]) => sum + 60 * Number(minutes) + Number(seconds), 0));
    });
  });
}

const operations = {
  create: ["up", "--yes", "--skip-preview"],
  preview: ["preview"],
  "no-op up": ["up", "--yes", "--skip-preview"],
  refresh: ["refresh", "--yes", "--skip-preview"],
};
const spent = { dynamic: {}, native: {} };
for (let pair = 0; pair < pairs; pair += 1) {
  // The one that is first has the colder caches.
  for (const front of pair % 2 === 0 ? ["dynamic", "native"] : ["native", "dynamic"]) {
    const folder = projectOf(front);
    const emulator = await start({ rateLimit: "off" });
    await run(folder, ["stack", "init", "dev"]);
    await run(folder, ["config", "set", "endpoint-monitoring:baseUrl", emulator.url]);
    await run(folder, ["config", "set", "--secret", "endpoint-monitoring:token", "emulator-token"]);
    for (const [name, args] of Object.entries(operations)) (spent[front][name] ??= []).push(await run(folder, args));
    await emulator.close();
    fs.rmSync(folder, { recursive: true, force: true });
  }
}
const mean = (numbers) => numbers.reduce((sum, one) => sum + one, 0) / numbers.length;
console.log(`${resources} resources, ${pairs} pairs: seconds of CPU time, and native / dynamic`);
for (const name of Object.keys(operations)) {
  const [dynamic, native] = [mean(spent.dynamic[name]), mean(spent.native[name])];
  console.log(
    `${name.padEnd(10)} ${dynamic.toFixed(1).padStart(6)} ${native.toFixed(1).padStart(6)}  ${(native / dynamic).toFixed(2)}`,
  );
}
