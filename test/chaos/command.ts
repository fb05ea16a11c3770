/**
 * `npm run chaos`: runs each row on the real engine and the emulator, prints a table, and writes results.json, which the
 * table in docs/reliability.md repeats. It ends on its own, and ends its processes.
 */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { endAll } from "../support/process";
import type { Finding, Outcome, Row } from "./row";
import { loadRows } from "./rows";
import { lookThroughFolder } from "./support/seen";

const usage = `Usage: npm run chaos -- [OPTIONS]

  --seed N     First seed (default 1)
  --only ROW   One row: its name, or the beginning of its name
  --count N    Cases of each row (default: a complete run of the row)
  --minutes M  Time limit that the rows share (default: no limit)

The output of a failure contains its seed. To repeat the failure: npm run chaos -- --only ROW --seed N --count 1
`;

/** Maximum number of printed findings of a row. */
const maxShown = 20;

interface Done {
  name: string;
  atLeast: number;
  tried: number;
  reported: number;
  wrong: Finding[];
  notes: string[];
  seconds: number;
}

interface Options {
  seed: number;
  only?: string;
  count?: number;
  minutes?: number;
}

function optionsOf(args: string[]): Options {
  const text = { type: "string" } as const;
  const { values } = parseArgs({ args, options: { seed: text, only: text, count: text, minutes: text } });
  const number = (name: "seed" | "count" | "minutes"): number | undefined => {
    const value = values[name];
    if (value === undefined) return undefined;
    if (!/^\d+(\.\d+)?$/.test(value)) throw new Error(`--${name} must be a number.\n\n${usage}`);
    return Number(value);
  };
  return { seed: number("seed") ?? 1, only: values.only, count: number("count"), minutes: number("minutes") };
}

/** @param only name of a row, or its beginning */
function rowsOf(only = ""): Row[] {
  const all = loadRows().filter(({ isOnDemand }) => only !== "" || !isOnDemand);
  const exact = all.filter(({ name }) => name === only);
  const rows = exact.length > 0 ? exact : all.filter(({ name }) => name.startsWith(only));
  if (rows.length === 0) throw new Error(`Unknown row "${only}". Expected: ${all.map(({ name }) => name).join(", ")}.`);
  return rows;
}

/** Runs a row in batches until it has its cases, or its time is over. */
async function runRow(row: Row, { seed, count }: Options, endsAt: number): Promise<Done> {
  const { name, atLeast } = row;
  const started = performance.now();
  const done: Done = { name, atLeast, tried: 0, reported: 0, wrong: [], notes: [], seconds: 0 };
  const wanted = count ?? atLeast;
  // A case that does not happen, such as a kill that comes too late, is repeated a limited number of times.
  for (let startedCases = 0; done.tried < wanted && startedCases < 2 * wanted && performance.now() < endsAt;) {
    const next = Math.min(row.batch ?? Math.ceil(atLeast / 20), wanted - done.tried);
    const before = done.tried;
    const progress = (n: unknown): void => show(`${name}: ${before + Number(n)} of ${wanted}, ${done.wrong.length} wrong`);
    const firstSeed = seed + startedCases;
    const {
      tried,
      reported,
      wrong,
      notes = [],
    } = await row.run({ seed: firstSeed, count: next, progress }).catch((error: unknown): Outcome => ({
      tried: 0,
      reported: 0,
      wrong: [{ seed: firstSeed, what: `the row itself failed: ${String(error)}` }],
    }));
    startedCases += next;
    done.tried += tried;
    done.reported += reported;
    done.wrong.push(...wrong);
    done.notes.push(...notes);
  }
  done.seconds = Math.round((performance.now() - started) / 1_000);
  return done;
}

/** Progress: in one line on a terminal, otherwise occasionally. */
let shownAt = 0;
function show(text: string): void {
  if (process.stderr.isTTY) process.stderr.write(`\r\u001B[K${text}`);
  else if (performance.now() - shownAt > 10_000) {
    shownAt = performance.now();
    process.stderr.write(`${text}\n`);
  }
}

function tableOf(rows: readonly Done[]): string {
  const head = ["row", "at least", "tried", "reported", "wrong", "seconds"];
  const cells = rows.map(({ name, atLeast, tried, reported, wrong, seconds }) =>
    [name, atLeast, tried, reported, wrong.length, seconds].map(String),
  );
  const widths = head.map((_, i) => Math.max(...[head, ...cells].map((row) => row[i]?.length ?? 0)));
  const line = (row: readonly string[]): string =>
    row.map((text, i) => (i === 0 ? text.padEnd(widths[i] ?? 0) : text.padStart(widths[i] ?? 0))).join("  ");
  return [head, ...cells].map(line).join("\n");
}

async function main(): Promise<void> {
  const options = optionsOf(process.argv.slice(2));
  for (const signal of ["SIGINT", "SIGTERM"]) process.once(signal, () => void endAll().then(() => process.exit(130)));
  const started = performance.now();
  const rows = rowsOf(options.only);
  for (const name of Object.keys(process.env).filter((variable) => variable.startsWith("ENDPOINT_MONITORING_")))
    delete process.env[name];
  const logs = mkdtempSync(join(tmpdir(), "endpoint-monitoring-chaos-"));
  // This process logs each request, for the row that searches for secrets.
  Object.assign(process.env, { ENDPOINT_MONITORING_LOG: "debug", ENDPOINT_MONITORING_LOG_FILE: join(logs, "requests.log") });
  const end = started + (options.minutes ?? Infinity) * 60_000;
  const done: Done[] = [];
  try {
    await require("../setup/engine.cjs")();
    for (const [i, row] of rows.entries()) {
      const weights = rows.slice(i).reduce((sum, { weight = 1 }) => sum + weight, 0);
      if (row.last) lookThroughFolder(logs, "the log of requests", options.seed);
      const now = performance.now();
      const result = await runRow(row, options, now + ((end - now) * (row.weight ?? 1)) / weights);
      done.push(result);
      process.stderr.write(
        `${process.stderr.isTTY ? "\r\u001B[K" : ""}${result.name}: ${result.tried} tried, ${result.wrong.length} wrong${
          performance.now() >= end && result.tried < result.atLeast ? " (the time is over)" : ""
        }\n`,
      );
      for (const note of result.notes) process.stderr.write(`  ${note}\n`);
      for (const { seed, what } of result.wrong.slice(0, maxShown)) process.stderr.write(`  seed ${seed}: ${what}\n`);
    }
  } finally {
    await endAll();
    rmSync(logs, { recursive: true });
  }
  console.log(tableOf(done));
  const summary = done.map(({ wrong, notes: _notes, ...row }) => ({ ...row, wrong: wrong.length }));
  const results = {
    seed: options.seed,
    minutes: options.minutes,
    seconds: Math.round((performance.now() - started) / 1_000),
    rows: summary,
  };
  // Partial runs are not stored.
  if (options.only === undefined && options.count === undefined) {
    writeFileSync(join(__dirname, "results.json"), `${JSON.stringify(results, undefined, 2)}\n`);
  }
  process.exitCode = done.some(({ wrong, tried }) => wrong.length > 0 || tried === 0) ? 1 : 0;
}

main().then(
  () => process.exit(),
  (error: unknown) => {
    process.stderr.write(`${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`);
    process.exit(1);
  },
);
