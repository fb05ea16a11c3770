/**
 * `npm run bench` runs benchmarks and writes each result as a section of docs/performance.md. The command does not judge the
 * results.
 */
import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { cpus } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { type Section, sectionText, withSection } from "./page";
import type { Row } from "./row";
import { rows as allRows } from "./rows";

const usage = `Usage: npm run bench -- [ROW...] [OPTIONS]

Rows: ${allRows.map(({ name }) => name).join(", ")} (default: each)

  --pairs N  Pairs of each row (default: as many as the row needs)
  --print    Print the tables, and leave docs/performance.md as it is

A run of all rows takes half an hour on two cores, and needs an idle machine.
`;

class UsageError extends Error {}

function readCommandLine(args: string[]): { rows: readonly Row[]; pairs?: number; print: boolean } {
  let parsed;
  try {
    parsed = parseArgs({ args, allowPositionals: true, options: { pairs: { type: "string" }, print: { type: "boolean" } } });
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error));
  }
  const { pairs, print = false } = parsed.values;
  const unknown = parsed.positionals.find((name) => !allRows.some((row) => row.name === name));
  if (unknown !== undefined) throw new UsageError(`Unknown row "${unknown}".`);
  if (pairs !== undefined && !/^[1-9]\d*$/.test(pairs))
    throw new UsageError(`--pairs requires a whole number from 1, not "${pairs}".`);
  const rows = allRows.filter(({ name }) => parsed.positionals.length === 0 || parsed.positionals.includes(name));
  return { rows, print, ...(pairs !== undefined && { pairs: Number(pairs) }) };
}

/** Returns the date, the machine and the versions of a measurement. */
function conditions(): string {
  const { version } = JSON.parse(readFileSync(join(__dirname, "../../package.json"), "utf8")) as { version: string };
  const sdk = require("@pulumi/pulumi/package.json") as { version: string };
  const engine = execFileSync("pulumi", ["version"], { encoding: "utf8" }).trim().replace(/^v/, "");
  const versions = `pulumi-endpoint-monitoring ${version}, Pulumi ${engine}, @pulumi/pulumi ${sdk.version}, Node ${process.versions.node}`;
  return `${new Date().toISOString().slice(0, 10)}, with ${cpus().length} cores, ${process.platform} ${process.arch}, ${versions}`;
}

async function main(): Promise<void> {
  const { rows, pairs: wanted, print } = readCommandLine(process.argv.slice(2));
  for (const name of Object.keys(process.env)) if (/^(?:ENDPOINT_MONITORING|PULUMI)_/.test(name)) delete process.env[name];
  // The engine and the running Node must come first on the PATH.
  await (require("../../test/setup/engine.cjs") as () => Promise<void>)();
  const file = join(__dirname, "../../docs/performance.md");
  const failed: string[] = [];
  for (const row of rows) {
    const pairs = wanted ?? row.pairs;
    const progress = (text: string): void => void process.stderr.write(`${row.name}: ${text}\n`);
    try {
      const section: Section = { row, pairs, conditions: conditions(), table: await row.run({ pairs, progress }) };
      console.log(sectionText(section));
      if (!print) writeFileSync(file, withSection(readFileSync(file, "utf8"), section));
    } catch (error) {
      // The remaining benchmarks may take half an hour, so one failure does not stop them.
      failed.push(row.name);
      progress(`failed: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`);
    }
  }
  if (failed.length > 0) throw new Error(`These rows failed, so their sections are as before: ${failed.join(", ")}`);
}

main().then(
  () => process.exit(),
  (error: unknown) => {
    const text = error instanceof Error ? error.message : String(error);
    process.stderr.write(error instanceof UsageError ? `${text}\n\n${usage}` : `${text}\n`);
    process.exit(1);
  },
);
