/**
 * Runs all suites and writes their durations into durations.json, which orders them and divides them into shards. Passes
 * arguments to Jest.
 */
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("../..", import.meta.url));
const folder = mkdtempSync(join(tmpdir(), "durations-"));
const output = join(folder, "results.json");
const jest = join(root, "node_modules/jest/bin/jest.js");
const { status } = spawnSync(process.execPath, [jest, "--json", "--outputFile", output, ...process.argv.slice(2)], {
  cwd: root,
  stdio: ["ignore", "ignore", "inherit"],
});
const { testResults } = JSON.parse(readFileSync(output, "utf8"));
rmSync(folder, { recursive: true });

/** Faster suites run in order of their names. */
const leastSeconds = 3;
const measured = testResults.map(({ name, startTime, endTime }) => [
  relative(root, name),
  Math.round((endTime - startTime) / 1_000),
]);
const slow = measured.filter(([, seconds]) => seconds >= leastSeconds).toSorted(([a], [b]) => (a < b ? -1 : 1));
writeFileSync(join(root, "test/setup/durations.json"), `${JSON.stringify(Object.fromEntries(slow), undefined, 2)}\n`);
process.exitCode = status ?? 1;
