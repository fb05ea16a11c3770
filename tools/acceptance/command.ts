/** `npm run acceptance` compares the service in the ENDPOINT_MONITORING_* variables with the emulator, and writes a report. */
import { mkdirSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { accessFrom } from "./access";
import { requireAccountGroup } from "./account-group";
import { mask } from "./mask";
import { optionsOf, usage } from "./options";
import { neutral, recordingOf } from "./record";
import { markdownOf, reportOf } from "./report";
import { rows } from "./rows";
import type { Row } from "./row";
import { Session } from "./session";
import { deleteLeftovers, type Finding, runSuite } from "./suite";

/** @param only id of a check, or the beginning of an id */
function rowsOf(only: string | undefined): readonly Row[] {
  if (only === undefined) return rows;
  const exact = rows.filter(({ id }) => id === only);
  const selected = exact.length > 0 ? exact : rows.filter(({ id }) => id.startsWith(only));
  if (selected.length === 0) throw new Error(`Unknown check "${only}". Checks: ${rows.map(({ id }) => id).join(", ")}.`);
  return selected;
}

/** Shows progress in one line of a terminal. Output to a file or a pipe shows no progress. */
function show(text: string): void {
  if (process.stderr.isTTY) process.stderr.write(`\r\u001B[K${text}`);
}

/** @returns the exit code: 2 if a response differs, otherwise 0 */
export async function main(args: string[], env: NodeJS.ProcessEnv): Promise<number> {
  const options = optionsOf(args);
  if (options.help) {
    process.stdout.write(usage);
    return 0;
  }
  const chosen = rowsOf(options.only);
  const session = new Session(accessFrom(env, options), (text) => process.stderr.write(`${text}\n`));
  const { access } = session;
  const startedAt = new Date().toISOString();
  await requireAccountGroup(session, options.iKnow);
  const leftovers = access.readOnly ? 0 : await deleteLeftovers(session);
  if (leftovers > 0) process.stderr.write(`deleted ${leftovers} records of an earlier run\n`);

  const findings: Finding[] = await runSuite(session, { rows: chosen, operations: options.only === undefined, progress: show });
  if (options.engine) {
    // The checks above need no engine, so the engine starts only here.
    if (process.env["TEST_PREPARED_STACK"] === undefined) await require("../../test/setup/engine.cjs")();
    const { runLifecycles } = require("./lifecycle") as typeof import("./lifecycle");
    findings.push(...(await runLifecycles(session, show)));
  }

  const { baseUrl, accountGroupId, secrets } = access;
  const about = { service: baseUrl, accountGroupId, startedAt, requests: session.sent };
  const report = mask(reportOf(about, findings), secrets) as ReturnType<typeof reportOf>;
  const folder = resolve(options.out ?? __dirname);
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "report.json"), `${JSON.stringify(report, undefined, 2)}\n`);
  writeFileSync(join(folder, "report.md"), markdownOf(report));
  if (options.record !== undefined) {
    const meta = { kind: "recorded by npm run acceptance", recordedAt: startedAt, neutralised: neutral };
    const interactions = recordingOf(session.exchanges, baseUrl, accountGroupId, secrets);
    writeFileSync(resolve(options.record), `${JSON.stringify({ meta, interactions }, undefined, 2)}\n`);
  }
  const { agreed, differs, unknown } = report.counts;
  show("");
  console.log(
    `${agreed} agreed, ${differs} differ, ${unknown} unknown, ${session.sent} requests: ${join(folder, "report.md")}`,
  );
  for (const { id, outcome, file } of findings) if (outcome === "differs") console.log(`differs: ${id} (${file})`);
  if (session.own.size > 0) console.log(`not deleted: ${[...session.own].join(", ")}`);
  return differs > 0 ? 2 : 0;
}
