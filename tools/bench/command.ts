/**
 * `npm run bench`: measures every row in pairs, prints one table of ratios, and writes results.json, from which `npm run generate` draws
 * docs/performance.md and its plots. A missed goal is a line of the table, and no failure: a benchmark is no test.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { cpus } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { withGrowth, withRows } from "./growth";
import { type Measured, measured, type Ran, type Results, type Row } from "./row";
import { loadRows } from "./rows";
import { tableOf } from "./table";

const usage = `Usage: npm run bench -- [OPTIONS]

  --only NAME  Some rows: a name, or how it begins; repeatable
  --keep       With --only: write them into results.json in place of their last figures, with the day
  --pairs N    So many pairs of each row (default: as many as the row says)
  --json       Print the results as JSON
  --list       Print the names of the rows

A whole run takes three quarters of an hour on two cores, and needs an idle machine. With --only nothing is written without --keep.
`;

interface Options {
  readonly only: readonly string[];
  readonly pairs?: number;
  readonly keep: boolean;
  readonly json: boolean;
  readonly list: boolean;
}

class UsageError extends Error {}

function optionsOf(args: string[]): Options {
  let values;
  try {
    ({ values } = parseArgs({
      args,
      options: {
        only: { type: "string", multiple: true },
        pairs: { type: "string" },
        keep: { type: "boolean" },
        json: { type: "boolean" },
        list: { type: "boolean" },
      },
    }));
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error));
  }
  const { only = [], pairs, keep = false, json = false, list = false } = values;
  if (pairs !== undefined && !/^[1-9]\d*$/.test(pairs))
    throw new UsageError(`--pairs takes a whole number from 1, not "${pairs}"`);
  return { only, keep, json, list, ...(pairs !== undefined && { pairs: Number(pairs) }) };
}

function rowsOf(only: readonly string[]): Row[] {
  const all = loadRows();
  if (only.length === 0) return all;
  const chosen = new Set(
    only.flatMap((name) => {
      const exact = all.filter((row) => row.name === name);
      const found = exact.length > 0 ? exact : all.filter((row) => row.name.startsWith(name));
      if (found.length === 0) throw new UsageError(`There is no row "${name}", but ${all.map((row) => row.name).join(", ")}`);
      return found;
    }),
  );
  return all.filter((row) => chosen.has(row));
}

function versions(): Record<string, string> {
  const own = JSON.parse(readFileSync(join(__dirname, "../../package.json"), "utf8")) as { version: string };
  const sdk = require("@pulumi/pulumi/package.json") as { version: string };
  return { "pulumi-endpoint-monitoring": own.version, "@pulumi/pulumi": sdk.version, node: process.versions.node };
}

interface Measurement {
  readonly lines: readonly Measured[];
  readonly ran: Ran;
}

async function main(): Promise<void> {
  const options = optionsOf(process.argv.slice(2));
  const rows = rowsOf(options.only);
  if (options.list) {
    for (const { name, what } of rows) console.log(`${name.padEnd(14)} ${what}`);
    return;
  }
  for (const name of Object.keys(process.env).filter((one) => /^(?:ENDPOINT_MONITORING|PULUMI)_/.test(one)))
    delete process.env[name];
  // Puts the engine on the PATH, and this very Node before it.
  await (require("../../test/setup/engine.cjs") as () => Promise<void>)();
  const started = performance.now();
  const failed: string[] = [];
  const measure = async (row: Row): Promise<[Row, Measurement][]> => {
    const pairs = options.pairs ?? row.pairs ?? 5;
    const from = performance.now();
    const progress = (text: string): void => void process.stderr.write(`${row.name}: ${text}\n`);
    try {
      const lines = (await row.run({ pairs, progress })).map((line) => measured(row.name, line));
      if (!options.json && rows.length > 1) process.stderr.write(`${tableOf(lines)}\n`);
      const seconds = Math.round((performance.now() - from) / 1_000);
      return [[row, { lines, ran: { name: row.name, what: row.what, pairs, seconds } }]];
    } catch (error) {
      // The others may take an hour: what they measure is not thrown away for one.
      failed.push(row.name);
      progress(`failed: ${textOf(error)}`);
      return [];
    }
  };
  const found = new Map((await Promise.all(rows.filter(({ waits }) => waits).map(measure))).flat());
  for (const row of rows.filter(({ waits }) => !waits)) for (const one of await measure(row)) found.set(...one);
  const inOrder = rows.flatMap((row) => found.get(row) ?? []);
  const results = withGrowth({
    machine: `${cpus().length} cores, ${process.platform} ${process.arch}`,
    versions: versions(),
    date: new Date().toISOString().slice(0, 10),
    seconds: Math.round((performance.now() - started) / 1_000),
    rows: inOrder.map(({ ran }) => ran),
    lines: inOrder.flatMap(({ lines }) => lines),
  });
  console.log(options.json ? JSON.stringify(results) : tableOf(results.lines));
  if (options.only.length === 0 && failed.length === 0) write(results);
  // Each of them stands for itself, so what was measured is kept beside what failed.
  else if (options.keep) write(withRows(JSON.parse(readFileSync(resultsFile, "utf8")) as Results, results));
  if (failed.length > 0) throw new Error(`These rows failed, and nothing was written of them: ${failed.join(", ")}`);
}

const resultsFile = join(__dirname, "results.json");

function write(results: Results): void {
  writeFileSync(resultsFile, `${JSON.stringify(results, undefined, 2)}\n`);
}

function textOf(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}

main().then(
  () => process.exit(),
  (error: unknown) => {
    process.stderr.write(`${error instanceof UsageError ? `${error.message}\n\n${usage}` : textOf(error)}\n`);
    process.exit(1);
  },
);
