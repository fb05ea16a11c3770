/** Runs Pulumi as a user does, shows what it says, and tells what it did by the engine's own account. */
import { spawn } from "node:child_process";
import fs from "node:fs";
import { createInterface } from "node:readline";

import { DemoFailure } from "./failure.mjs";
import { trimmer } from "./trim.mjs";

/** After this an interrupted engine is ended the hard way; it waits for the requests it has under way. */
const END_WITHIN = 10_000;

/**
 * @typedef {object} Outcome
 * @property {Record<string, number>} changes Resources by operation (`create`, `same`), the stack itself among them.
 * @property {object[]} planned What the engine set out to do, resource by resource.
 * @property {object[]} done The same when it was done, or looked up.
 * @property {string[]} messages What the provider told.
 * @property {string[]} printed Every line it printed.
 * @property {Record<string, number>} requests What it cost, by operation of the service.
 */

/**
 * @param {{ workspace: ReturnType<typeof import("./workspace.mjs").makeWorkspace>, variables: Record<string, string>,
 *   report: import("./report.mjs").Report, requests: () => Promise<Record<string, number>>, signal: AbortSignal }} options
 *   `variables` are the shell's, so that no command has a secret in it.
 */
export function pulumiIn({ workspace, variables, report, requests, signal }) {
  /**
   * Runs one command line.
   * @param {string} line As a user types it.
   * @param {number} [expectedCode] Exit code that it should end with.
   * @returns {Promise<Outcome>}
   */
  return async (line, expectedCode = 0) => {
    signal.throwIfAborted();
    fs.rmSync(workspace.events, { force: true });
    const [before, start] = [await requests(), Date.now()];
    report.command(line);

    const all = [];
    const show = trimmer(line, report.output);
    const code = await shell(line, { workspace, variables, signal }, (text) => {
      all.push(text);
      show(text);
    });
    signal.throwIfAborted();
    if (code !== expectedCode) {
      const output = all.map((text) => `    ${text}`).join("\n");
      throw new DemoFailure(
        `\`${line}\` should end with exit code ${expectedCode}, but ended with ${code}. All it said:\n${output}`,
      );
    }

    const cost = difference(await requests(), before);
    const total = Object.values(cost).reduce((sum, count) => sum + count, 0);
    const events = readEvents(workspace.events);
    const seconds = ((Date.now() - start) / 1000).toFixed(1);
    const ended = code === 0 ? "" : `exit code ${code}, `;
    if (ended !== "" || events.length > 0 || total > 0) {
      report.say(`   (${ended}${seconds} s, ${total} ${total === 1 ? "request" : "requests"})`);
    }
    return { requests: cost, printed: all, ...account(events) };
  };
}

/** @returns {Promise<number | string>} The exit code, or the signal that ended it. */
function shell(line, { workspace, variables, signal }, onLine) {
  return new Promise((resolve, reject) => {
    // A shell, so that what is printed is what runs; replaced by Pulumi, so that a signal reaches that. Its group is its
    // own, or Ctrl+C would reach it twice, which for the engine means: drop everything.
    const child = spawn("sh", ["-c", `exec ${line} 2>&1`], {
      cwd: workspace.program,
      env: { ...workspace.env, ...variables },
      detached: true,
      stdio: ["ignore", "pipe", "inherit"],
    });
    createInterface({ input: child.stdout }).on("line", onLine);
    let clock;
    const interrupt = () => {
      child.kill("SIGINT");
      clock = setTimeout(() => child.kill("SIGKILL"), END_WITHIN);
    };
    signal.addEventListener("abort", interrupt, { once: true });
    const settled = (settle) => (value, ended) => {
      clearTimeout(clock);
      signal.removeEventListener("abort", interrupt);
      settle(value ?? ended);
    };
    child.once("error", settled(reject)).once("close", settled(resolve));
  });
}

function readEvents(file) {
  if (!fs.existsSync(file)) return [];
  const lines = fs.readFileSync(file, "utf8").trim().split("\n");
  return lines.map((line) => JSON.parse(line));
}

function account(events) {
  return {
    changes: events.findLast((event) => event.summaryEvent)?.summaryEvent.resourceChanges ?? {},
    planned: events.flatMap(({ resourcePreEvent }) => resourcePreEvent?.metadata ?? []),
    done: events.flatMap(({ resOutputsEvent }) => resOutputsEvent?.metadata ?? []),
    messages: events.flatMap(({ diagnosticEvent }) =>
      diagnosticEvent && diagnosticEvent.severity !== "debug" ? [plain(diagnosticEvent.message)] : [],
    ),
  };
}

/** A message without the engine's marks for color, which it has even in the events where color is on. */
function plain(message) {
  return message.replaceAll(/<\{%.*?%\}>/g, "").trim();
}

function difference(after, before) {
  const counts = Object.entries(after).map(([operation, count]) => [operation, count - (before[operation] ?? 0)]);
  return Object.fromEntries(counts.filter(([, count]) => count !== 0));
}
