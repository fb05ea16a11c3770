/**
 * How several stacks share the request budget of an organisation: real updates on the real engine, against an emulator that allows 240
 * requests a minute. What each had in each window is read from the log that its provider writes.
 *
 * `npm run bench`, or `node test/benchmark/fairness.mjs [STACKS] [LABELS]`. Two stacks of 260 labels take about two and a half minutes.
 */
import { spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { ensureEngine } from "../../engine/ensure.mjs";

const root = fileURLToPath(new URL("../..", import.meta.url));
const require = createRequire(import.meta.url);
const { start } = require(join(root, "dist/emulator/index.js"));

const [stacks = 2, labels = 260] = process.argv.slice(2).map(Number);
const limit = 240;
const minute = 60_000;

const engine = await ensureEngine();
const emulator = await start({ rateLimit: limit, agents: 0 });
const folder = mkdtempSync(join(tmpdir(), "endpoint-monitoring-bench-"));

/** One project with a stack of so many labels. @returns how its update ended, and when */
async function update(name, count, after = 0) {
  const project = join(folder, name);
  mkdirSync(join(project, "node_modules"), { recursive: true });
  mkdirSync(join(project, "backend"));
  symlinkSync(root, join(project, "node_modules/pulumi-endpoint-monitoring"), "dir");
  symlinkSync(join(root, "node_modules/@pulumi"), join(project, "node_modules/@pulumi"), "dir");
  writeFileSync(join(project, "Pulumi.yaml"), `name: ${name}\nruntime:\n  name: nodejs\n  options: { typescript: false }\n`);
  writeFileSync(
    join(project, "index.js"),
    `const { Label } = require("pulumi-endpoint-monitoring");
     for (let i = 0; i < ${count}; i += 1) new Label("${name}-" + i, { name: "${name} " + i, matchType: "and", filters: [] });`,
  );
  const env = {
    ...process.env,
    PATH: [dirname(process.execPath), engine.dir, process.env.PATH].join(delimiter),
    PULUMI_HOME: join(project, "home"),
    PULUMI_BACKEND_URL: `file://${join(project, "backend")}`,
    PULUMI_CONFIG_PASSPHRASE: "bench",
    PULUMI_SKIP_UPDATE_CHECK: "true",
    ENDPOINT_MONITORING_BASE_URL: emulator.url,
    ENDPOINT_MONITORING_TOKEN: "emulator-token",
    ENDPOINT_MONITORING_LOG: "debug",
    ENDPOINT_MONITORING_LOG_FILE: join(project, "log"),
  };
  const pulumi = (...args) =>
    new Promise((resolve) => spawn(engine.pulumi, args, { cwd: project, env, stdio: "ignore" }).on("exit", resolve));
  await pulumi("stack", "init", "dev");
  await new Promise((resolve) => setTimeout(resolve, after));
  const code = await pulumi("up", "--yes", "--skip-preview", "--suppress-progress");
  return { name, code, ...readLog(join(project, "log")) };
}

/** Times of the requests that were served, and how many were refused for lack of budget. */
function readLog(file) {
  const answers = readFileSync(file, "utf8")
    .split("\n")
    .filter((line) => / debug /.test(line));
  const statusOf = (line) => Number(/ (\d{3}) \d+ ms/.exec(line)?.[1]);
  return {
    served: answers.filter((line) => statusOf(line) !== 429).map((line) => Date.parse(line.slice(0, 24))),
    refused: answers.filter((line) => statusOf(line) === 429).length,
  };
}

try {
  const names = Array.from({ length: stacks }, (_, i) => `stack-${i + 1}`);
  const [small, ...large] = await Promise.all([update("small", 28, 20_000), ...names.map((name) => update(name, labels))]);
  const first = Math.min(...large.flatMap(({ served }) => served));
  const last = Math.max(...large.flatMap(({ served }) => served));
  const windows = Math.floor((last - first) / minute) + 1;
  console.log(`${stacks} stacks of ${labels} labels each, ${limit} requests a minute, and one of 28 labels 20 s later`);
  for (let window = 0; window < windows; window += 1) {
    const [from, to] = [first + window * minute, first + (window + 1) * minute];
    const counts = [...large, small].map(({ name, served }) => [name, served.filter((at) => at >= from && at < to).length]);
    const total = counts.reduce((sum, [, count]) => sum + count, 0);
    const shares = counts.map(([name, count]) => `${name} ${count} (${Math.round((100 * count) / total)} %)`);
    console.log(
      `minute ${window + 1}: ${shares.join(", ")}; together ${total}, ${Math.round((100 * total) / limit)} % of the budget`,
    );
  }
  const span = (at) => ((Math.max(...at) - Math.min(...at)) / 1_000).toFixed(1);
  console.log(`the small one: ${small.served.length} requests in ${span(small.served)} s`);
  const all = [small, ...large];
  const refused = all.reduce((sum, one) => sum + one.refused, 0);
  console.log(`429: ${refused}; exit codes ${all.map(({ code }) => code).join(", ")}`);
} finally {
  await emulator.close();
  rmSync(folder, { recursive: true });
}
