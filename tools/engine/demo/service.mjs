/**
 * The service that the demo works against: the emulator as a process of its own, so that it can outlive the demo, and
 * the few requests by which the demo looks at it without Pulumi.
 */
import { spawn } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";

import { DemoFailure } from "./failure.mjs";

const START_WITHIN = 15_000;
const END_WITHIN = 3_000;

/** Where the service keeps what the quickstart declares. */
const collections = {
  labels: "/v7/endpoint/labels",
  agentToServer: "/v7/endpoint/tests/scheduled-tests/agent-to-server",
  httpServer: "/v7/endpoint/tests/scheduled-tests/http-server",
  dynamic: "/v7/endpoint/tests/dynamic-tests/agent-to-server",
};

/**
 * Starts the emulator on a free port of loopback.
 * @param {{ checkout: string, folder: string, signal: AbortSignal }} options
 */
export async function startService({ checkout, folder, signal }) {
  const command = path.join(checkout, "dist", "cli", "main.js");
  if (!fs.existsSync(command)) throw new DemoFailure("The package is not built yet: run `npm run build`.");

  // A file, not a pipe: nobody reads a pipe any more once the demo has ended and the emulator is kept.
  const log = path.join(folder, "emulator.log");
  const output = fs.openSync(log, "w");
  const child = spawn(process.execPath, [command, "emulator", "--json", "--data", path.join(folder, "emulator.db")], {
    // In a group of its own: Ctrl+C is for the demo, which still needs the emulator while it winds up.
    detached: true,
    stdio: ["ignore", output, output],
  });
  fs.closeSync(output);
  child.unref();
  const ended = new Promise((resolve) => child.once("exit", resolve).once("error", resolve));
  const isRunning = () => child.pid !== undefined && child.exitCode === null && child.signalCode === null;

  const stop = async () => {
    if (!isRunning()) return;
    // From here on it is waited for.
    child.ref();
    child.kill("SIGTERM");
    await Promise.race([ended, sleep(END_WITHIN, undefined, { ref: false })]);
    if (isRunning()) child.kill("SIGKILL");
    await ended;
  };

  const deadline = Date.now() + START_WITHIN;
  try {
    while (!signal.aborted) {
      const said = fs.readFileSync(log, "utf8");
      const facts = /^\{.*\}$/m.exec(said);
      if (facts) return { pid: child.pid, stop, ...serviceAt(JSON.parse(facts[0]).data, signal) };
      if (!isRunning() || Date.now() > deadline) throw new DemoFailure(`The emulator did not start:\n${said}`);
      await sleep(25);
    }
    throw new DemoFailure("Interrupted");
  } catch (error) {
    await stop();
    throw error;
  }
}

/** What the demo asks of the service itself. */
function serviceAt({ url, token }, signal) {
  const call = async (method, target, body) => {
    let answer;
    try {
      answer = await fetch(url + target, {
        method,
        signal,
        headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
        ...(body && { body: JSON.stringify(body) }),
      });
    } catch (error) {
      throw new DemoFailure(`${method} ${target} got no answer: ${error.cause?.message ?? error.message}`, { cause: error });
    }
    if (!answer.ok) throw new DemoFailure(`${method} ${target} was answered with ${answer.status}: ${await answer.text()}`);
    return answer.json();
  };

  return {
    url,
    token,
    /** Everything the service holds of the kinds that the quickstart declares, as it says it. */
    async records() {
      const entries = await Promise.all(
        Object.entries(collections).map(async ([kind, target]) => {
          const { labels, tests } = await call("GET", target);
          return [kind, labels ?? tests];
        }),
      );
      return Object.fromEntries(entries);
    },
    /** Path of one record. */
    pathOf: (kind, id) => `${collections[kind]}/${id}`,
    /** Path of all records of a kind. */
    pathOfAll: (kind) => collections[kind],
    post: (target, body) => call("POST", target, body),
    patch: (target, body) => call("PATCH", target, body),
    /** Requests so far by operation; asking is none. */
    requests: async () => (await call("GET", "/_emulator/requests")).operations,
  };
}
