/**
 * Compares the two fronts and the floor, which is dynamic resources whose provider does nothing: CPU time of each process of each
 * operation, on the real engine and the emulator, in turns; then the start, the CPU time and the memory of the provider by itself.
 *
 * `npm run benchmark:fronts -- [RESOURCES] [PAIRS] [MOST]`: 300 resources, 3 pairs, and 3,000 resources for the memory of a provider. It
 * prints figures and ratios, and never fails because of them. Linux alone.
 */
import { createRequire } from "node:module";
import { fileURLToPath } from "node:url";
import { ensureEngine } from "../../engine/ensure.mjs";
import { fronts, mean, projectOf, pulumi, roles } from "./measure.mjs";
import { driveProvider } from "./provider.mjs";

const require = createRequire(import.meta.url);
const { start } = require(fileURLToPath(new URL("../../dist/emulator/index.js", import.meta.url)));
const [resources = 300, pairs = 3, most = 3000] = process.argv.slice(2).map(Number);
const engine = await ensureEngine();

const operations = {
  create: ["up", "--yes", "--skip-preview"],
  preview: ["preview"],
  "no-op up": ["up", "--yes", "--skip-preview"],
  refresh: ["refresh", "--yes", "--skip-preview"],
  destroy: ["destroy", "--yes", "--skip-preview"],
};

/** Seconds of CPU time by process, of each operation. */
async function operationsOf(front) {
  const { folder, remove } = projectOf(front, resources);
  const emulator = await start({ rateLimit: "off" });
  await pulumi(folder, engine, ["stack", "init", "dev"]);
  await pulumi(folder, engine, ["config", "set", "endpoint-monitoring:baseUrl", emulator.url]);
  await pulumi(folder, engine, ["config", "set", "--secret", "endpoint-monitoring:token", "emulator-token"]);
  const spent = {};
  for (const [name, args] of Object.entries(operations)) spent[name] = (await pulumi(folder, engine, args)).seconds;
  await emulator.close();
  remove();
  return spent;
}

async function providerOf(front, count) {
  const emulator = await start({ rateLimit: "off" });
  const driven = await driveProvider(front, engine, emulator.url, count);
  await emulator.close();
  return driven;
}

/** Runs all fronts in turns: the one that is first has the colder caches. @returns of each front a list of what was measured */
async function inTurns(count, measured) {
  const all = Object.fromEntries(fronts.map((front) => [front, []]));
  for (let turn = 0; turn < count; turn += 1)
    for (const front of turn % 2 === 0 ? fronts : fronts.toReversed()) all[front].push(await measured(front));
  return all;
}

/** Mean of the ratios of each turn, and the lowest and highest. */
function ratio(above, below) {
  const ratios = above.map((one, i) => one / below[i]);
  return `${mean(ratios).toFixed(2)} (${Math.min(...ratios).toFixed(2)}–${Math.max(...ratios).toFixed(2)})`;
}

/** Prints rows in columns: the first to the left, the others to the right. */
function print(title, rows) {
  const widths = rows[0].map((_, i) => Math.max(...rows.map((row) => row[i].length)));
  console.log(`\n${title}`);
  for (const row of rows)
    console.log(row.map((cell, i) => (i === 0 ? cell.padEnd(widths[i]) : cell.padStart(widths[i] + 2))).join(""));
}

const spent = await inTurns(pairs, operationsOf);
for (const name of Object.keys(operations)) {
  const of = (front, role) => spent[front].map((one) => one[name][role]);
  print(`${name}: seconds of CPU time, ${resources} resources, mean of ${pairs}`, [
    ["", ...roles, "total"],
    ...fronts.map((front) => [front, ...[...roles, "total"].map((role) => mean(of(front, role)).toFixed(2))]),
  ]);
  // With a provider that costs nothing, the rest of the native front is what it is.
  const rest = of("native", "total").map((total, i) => total - of("native", "provider")[i]);
  console.log(
    `native / dynamic ${ratio(of("native", "total"), of("dynamic", "total"))}, ` +
      `native / floor ${ratio(of("native", "total"), of("floor", "total"))}, ` +
      `dynamic / floor ${ratio(of("dynamic", "total"), of("floor", "total"))}; ` +
      `if the native provider cost nothing: ${ratio(rest, of("dynamic", "total"))} and ${ratio(rest, of("floor", "total"))}`,
  );
}

const driven = await inTurns(pairs, (front) => providerOf(front, resources));
const starts = (front, what) => driven[front].map((one) => mean(one.starts.map((started) => started[what])));
print(`The provider by itself, ${resources} resources, mean of ${pairs}: seconds, and megabytes`, [
  ["", "start to first check (CPU)", "elapsed", "check and create", "check and diff", "memory"],
  ...fronts.map((front) => [
    front,
    mean(starts(front, "seconds")).toFixed(2),
    mean(starts(front, "elapsed")).toFixed(2),
    mean(driven[front].map(({ create }) => create.seconds)).toFixed(2),
    mean(driven[front].map(({ compare }) => compare.seconds)).toFixed(2),
    mean(driven[front].map(({ create, compare }) => Math.max(create.megabytes, compare.megabytes))).toFixed(0),
  ]),
]);
console.log(
  `start, CPU: native / dynamic ${ratio(starts("native", "seconds"), starts("dynamic", "seconds"))}, ` +
    `native / floor ${ratio(starts("native", "seconds"), starts("floor", "seconds"))}`,
);

const [few, many] = [await providerOf("native", 100), await providerOf("native", most)];
const [fewDynamic, manyDynamic] = [await providerOf("dynamic", 100), await providerOf("dynamic", most)];
const memory = (name, a, b, what) => [
  `${name}, ${what}`,
  a[what].megabytes.toFixed(0),
  b[what].megabytes.toFixed(0),
  (b[what].megabytes / a[what].megabytes).toFixed(2),
];
print("Most memory of the provider, megabytes", [
  ["", "100 resources", `${most} resources`, "ratio"],
  ...["create", "compare"].flatMap((what) => [
    memory("native", few, many, what),
    memory("dynamic", fewDynamic, manyDynamic, what),
  ]),
]);
