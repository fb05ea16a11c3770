/**
 * `npm run demo`: shows the package at work on the real Pulumi engine, against the emulator, and checks everything it
 * shows. It works in a folder of its own, which it removes at the end.
 */
import path from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";

import { checker, DemoFailure } from "./demo/failure.mjs";
import { pulumiIn } from "./demo/pulumi.mjs";
import { costTable, engineTime, reportTo } from "./demo/report.mjs";
import { startService } from "./demo/service.mjs";
import { steps } from "./demo/steps.mjs";
import { makeWorkspace } from "./demo/workspace.mjs";
import { ensureEngine } from "./ensure.mjs";
import { EngineError } from "./errors.mjs";
import { isOlder } from "./find.mjs";

const CHECKOUT = fileURLToPath(new URL("../..", import.meta.url)).replace(/[\\/]$/, "");
const OLDEST_NODE = "22.19.0";

const HELP = `Shows the package at work: preview, up, a reviewed change, drift that is fixed and drift that is accepted, an import and
destroy of examples/quickstart on the real Pulumi engine, against the emulator. Everything shown is checked; exit code 1 if anything differs from what it should be.

Usage: npm run demo [-- OPTIONS]

Options:
  --keep      Leave emulator and stack up instead of destroying, and print how to look at them
  --requests  Print the requests of each step in a table
  --help      This text

You need no account. The demo neither uses nor changes your own Pulumi login, stacks and settings. It downloads a missing engine, or
builds it with Go (8 minutes on two cores, once), into Pulumi's cache (~/.pulumi/versions). Nothing else remains.
`;

const report = reportTo(process.stdout);

/** @returns {{ keep: boolean, requests: boolean, help: boolean } | undefined} Nothing, and a line, for a wrong command line. */
function readOptions() {
  try {
    const flag = { type: "boolean", default: false };
    const known = { keep: flag, requests: flag, help: { ...flag, short: "h" } };
    return parseArgs({ options: known }).values;
  } catch (error) {
    // Node explains at length; its first sentence names the culprit.
    console.error(`demo: ${error.message.split(/\.\s|\n/)[0]}. Try "npm run demo -- --help".`);
    process.exitCode = 2;
    return undefined;
  }
}

async function runSteps(context, chosen) {
  const costs = [];
  for (const [at, { name, title, expect, run }] of chosen.entries()) {
    report.step(`${at + 1}/${chosen.length} ${title}`, expect);
    if (at === 0) report.command(`cd ${context.workspace.program}`);
    const requests = {};
    costs.push({ name, requests });
    const pulumi = async (...command) => {
      const outcome = await context.pulumi(...command);
      for (const [operation, count] of Object.entries(outcome.requests))
        requests[operation] = (requests[operation] ?? 0) + count;
      return outcome;
    };
    try {
      await run({ ...context, pulumi });
    } catch (error) {
      if (error instanceof DemoFailure) error.message = `Step ${at + 1} (${name}): ${error.message}`;
      throw error;
    }
  }
  return costs;
}

/** The command that a reader of the demo types next: the emulator, and the program that the demo ran, as they edit it. */
const next = `
Next, in this folder:

  npx endpoint-monitoring dev

It runs the same program, examples/quickstart/index.ts, and reviews each change that you save.`;

function sayHowToGoOn({ folder, program }, { url, pid }) {
  report.say(`
Left up, for you to look at: the emulator at ${url} (process ${pid}) and the stack "dev".
In a new shell:
  . ${path.join(folder, "env")}
  cd ${program}
  pulumi stack
  pulumi preview
  pulumi refresh
  curl -H "Authorization: Bearer $TOKEN" "$URL/v7/endpoint/labels"
  curl "$URL/_emulator/requests"
Edit index.ts and run pulumi up. To end the emulator and remove everything:
  sh ${path.join(folder, "stop")}`);
}

/** Runs the demo; whatever happens, what it started and made goes, unless it is to be kept. */
async function demo({ keep, requests, engine, engineSeconds, signal }) {
  const start = Date.now();
  const undo = [];
  try {
    const workspace = makeWorkspace({ checkout: CHECKOUT, engine, color: report.color });
    undo.push(workspace.remove);
    const service = await startService({ checkout: CHECKOUT, folder: workspace.folder, signal });
    undo.push(service.stop);
    report.say(`Pulumi engine ${engine.version}, and the Endpoint Monitoring Service (emulator) at ${service.url}.`);
    report.say("TOKEN, URL and PROBE_PASSWORD are variables of the shell, so that no secret is printed.");

    const secrets = { TOKEN: service.token, PROBE_PASSWORD: "correct-horse-battery" };
    const variables = { URL: service.url, ...secrets };
    const pulumi = pulumiIn({ workspace, variables, report, requests: service.requests, signal });
    const context = { pulumi, check: checker(report), service, workspace, secrets, report };
    const chosen = keep ? steps.filter(({ name }) => name !== "destroy") : steps;
    const costs = await runSteps(context, chosen);

    const seconds = Math.round((Date.now() - start) / 1000);
    report.say(`\nDone: ${chosen.length} steps, ${report.checks()} checks, ${seconds} s.${engineTime(engine, engineSeconds)}`);
    if (requests)
      ["Requests of each step:\n", ...costTable(costs).map((line) => `  ${line}`)].forEach((line) => report.say(line));
    if (keep) {
      workspace.keep(variables, service.pid);
      sayHowToGoOn(workspace, service);
      undo.length = 0;
    } else {
      report.say(next);
    }
  } finally {
    for (const step of undo.toReversed()) await step();
  }
}

/** Calls `work` with a signal that aborts when somebody ends the demo; afterwards the demo ends the way it was told to. */
async function interruptible(work) {
  const stopping = new AbortController();
  const stop = (reason) => {
    if (!stopping.signal.aborted) console.error("\nInterrupted: ending what was started");
    stopping.abort(reason);
  };
  const signals = ["SIGINT", "SIGTERM", "SIGHUP"];
  signals.forEach((signal) => process.on(signal, stop));
  // Whoever reads our output may have seen enough (`| head`).
  process.stdout.on("error", stop);
  try {
    await work(stopping.signal);
  } catch (error) {
    if (!stopping.signal.aborted) throw error;
  } finally {
    signals.forEach((signal) => process.removeListener(signal, stop));
    const { aborted, reason } = stopping.signal;
    if (aborted && signals.includes(reason)) process.kill(process.pid, reason);
    else if (aborted) process.exitCode = 1;
  }
}

async function main() {
  const options = readOptions();
  if (!options) return;
  if (options.help) {
    process.stdout.write(HELP);
    return;
  }
  try {
    if (isOlder(process.versions.node, OLDEST_NODE)) {
      throw new DemoFailure(`Node ${process.versions.node} is too old: use \`npm run demo\`, which brings its own.`);
    }
    const start = Date.now();
    // Handles interruptions itself.
    const engine = await ensureEngine();
    const engineSeconds = Math.round((Date.now() - start) / 1000);
    await interruptible((signal) => demo({ ...options, engine, engineSeconds, signal }));
  } catch (error) {
    if (!(error instanceof DemoFailure) && !(error instanceof EngineError)) throw error;
    console.error(`\nThe demo failed. ${error.message}`);
    process.exitCode = 1;
  }
}

await main();
