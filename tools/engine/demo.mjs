/**
 * `npm run demo` demonstrates this package on the real Pulumi engine and checks every result. The demo runs examples/quickstart
 * with `endpoint-monitoring dev`, which starts an emulator and a backend.
 */
import fs from "node:fs";
import { createRequire } from "node:module";
import os from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";

import { DemoFailure, steps } from "./demo/steps.mjs";
import { ensureEngine } from "./ensure.mjs";
import { EngineError } from "./errors.mjs";
import { isOlder } from "./find.mjs";

const require = createRequire(import.meta.url);
const checkout = fileURLToPath(new URL("../..", import.meta.url));
const oldestNode = "22.19.0";
const signals = ["SIGINT", "SIGTERM", "SIGHUP"];

/** Prefixes of environment variables that could connect the demo to another service or backend. */
const foreign = /^(PULUMI|ENDPOINT_MONITORING)_/;
/** Files that a user's own run of the example creates: stack settings and packages. */
const personal = /^(Pulumi\..+\.yaml|node_modules)$/;

const say = (line) => void process.stdout.write(`${line}\n`);
const output = (text) =>
  text
    .trimEnd()
    .split("\n")
    .forEach((line) => say(`    ${line}`.trimEnd()));

function copyExample(folder) {
  const example = path.join(checkout, "examples/quickstart");
  fs.cpSync(example, folder, { recursive: true, filter: (file) => !personal.test(path.basename(file)) });
  const { version } = require("../../package.json");
  const sdk = require.resolve("@pulumi/pulumi/package.json");
  const sdkVersion = require(sdk).version;
  const dependencies = { "@pulumi/pulumi": sdkVersion, "pulumi-endpoint-monitoring": version };
  fs.writeFileSync(path.join(folder, "package.json"), JSON.stringify({ name: "quickstart", private: true, dependencies }));
  fs.mkdirSync(path.join(folder, "node_modules/@pulumi"), { recursive: true });
  fs.symlinkSync(path.dirname(sdk), path.join(folder, "node_modules/@pulumi/pulumi"));
  fs.symlinkSync(checkout, path.join(folder, "node_modules/pulumi-endpoint-monitoring"));
}

/** Opens a session of `endpoint-monitoring dev` and returns functions for the steps of the demo. */
async function openSession(folder, engine, interrupts) {
  const { Project } = require("../../dist/engine/project.js");
  const { stackOf } = require("../../dist/engine/stacks.js");
  const { DevSession } = require("../../dist/cli/commands/dev/session.js");
  const { SessionConfiguration } = require("../../dist/cli/commands/dev/configuration.js");
  const inherited = Object.entries(process.env).filter(([name]) => !foreign.test(name));
  const settings = { PATH: [engine.dir, process.env.PATH].join(path.delimiter), PULUMI_HOME: path.join(folder, "../home") };
  const env = { ...Object.fromEntries(inherited), ...settings };
  const streams = { stdout: process.stdout, stderr: process.stderr, stdin: process.stdin };
  const io = { ...streams, env, cwd: folder, onInterrupt: () => () => undefined };
  const configuration = new SessionConfiguration("quickstart");
  configuration.set("quickstart:probePassword", "correct-horse-battery");
  const invoke = require("../../dist/cli/run.js").main;
  const session = await DevSession.start(Project.open(io), "dev", undefined, configuration, invoke);
  interrupts.add(() => session.interrupt());
  const ended = (line, code, expectedCode, text) => {
    if (code === expectedCode && interrupts.signal === undefined) return text;
    throw new DemoFailure(`\`${line}\` should exit with code ${expectedCode}, but exited with ${code}:\n${text}`);
  };
  let checks = 0;
  return {
    session,
    checks: () => checks,
    context: {
      folder,
      say,
      output,
      /** Runs one of this package's commands. @returns the command's output */
      async run(line, expectedCode = 0) {
        say(`$ endpoint-monitoring ${line}`);
        const { code, text } = await session.run(...line.split(" "));
        output(text);
        if (expectedCode !== 0) say(`    (exit code ${code})`);
        return ended(line, code, expectedCode, text);
      },
      /** Runs the engine and shows its summary. @returns the engine's output */
      async pulumi(line) {
        say(`$ pulumi ${line}`);
        const stack = await stackOf(Project.open(session.io()), undefined);
        const { code, stdout, stderr } = await stack.run(line.split(" "));
        const at = stdout.search(/^Resources:/m);
        if (at >= 0) output(stdout.slice(at));
        return ended(`pulumi ${line}`, code, 0, stdout + stderr);
      },
      /** Sends a request to the emulator, as the UI does when a user changes a record. */
      async send(method, target, body) {
        if (method !== "GET") say(`In the UI: ${method} ${target} ${JSON.stringify(body)}`);
        const headers = { authorization: "Bearer emulator-token", "content-type": "application/json" };
        const url = session.emulator.url + target;
        const response = await fetch(url, { method, headers, ...(body && { body: JSON.stringify(body) }) });
        if (!response.ok) throw new DemoFailure(`${method} ${target}: ${response.status} ${await response.text()}`);
        return response.json();
      },
      /** Counts the write requests during `work`, by operation. */
      async writesOf(work) {
        const before = session.emulator.requests();
        await work();
        const counts = Object.entries(session.emulator.requests()).map(([name, count]) => [name, count - (before[name] ?? 0)]);
        return Object.fromEntries(counts.filter(([name, count]) => count > 0 && /\.(create|update|delete)$/.test(name)));
      },
      /** @throws DemoFailure if the JSON values differ */
      check(fact, expected, actual) {
        const [wanted, received] = [JSON.stringify(expected), JSON.stringify(actual)];
        if (wanted !== received) throw new DemoFailure(`${fact}: expected ${wanted}, but got ${received}`);
        checks += 1;
        say(`  ok ${fact}`);
      },
    },
  };
}

async function demo(engine, interrupts) {
  const start = Date.now();
  const above = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), "endpoint-monitoring-demo-")));
  const folder = path.join(above, "quickstart");
  process.env.TMPDIR = above;
  let opened;
  try {
    copyExample(folder);
    opened = await openSession(folder, engine, interrupts);
    const { context, session, checks } = opened;
    say(`Pulumi engine ${engine.version}. The emulator of the service: ${session.emulator.url}`);
    for (const [at, { title, run }] of steps.entries()) {
      say(`\n== ${at + 1}/${steps.length} ${title}`);
      await run(context);
    }
    say(`\nDone: ${steps.length} steps, ${checks()} checks, ${Math.round((Date.now() - start) / 1000)} s.`);
    say(
      "\nNext, in this folder:\n\n  npx endpoint-monitoring dev\n\nIt runs the same program, and reviews each change that you save.",
    );
  } finally {
    await opened?.session.end();
    fs.rmSync(above, { recursive: true, force: true, maxRetries: 5 });
  }
}

async function main() {
  if (process.argv.length > 2) {
    console.error(
      "npm run demo takes no options. It needs no account, and leaves nothing behind but Pulumi's engine in ~/.pulumi.",
    );
    process.exitCode = 2;
    return;
  }
  const interrupts = new Set();
  const stop = (signal) => {
    if (interrupts.signal === undefined) console.error("\nInterrupted. Stopping the demo's processes");
    interrupts.signal ??= signal;
    for (const interrupt of interrupts) interrupt();
  };
  try {
    if (isOlder(process.versions.node, oldestNode)) {
      throw new DemoFailure(`Node ${process.versions.node} is too old. \`npm run demo\` brings its own.`);
    }
    // The session handles interruptions.
    const engine = await ensureEngine();
    for (const signal of signals) process.on(signal, stop);
    // A program such as `head` may close the pipe early.
    process.stdout.on("error", () => stop("SIGTERM"));
    await demo(engine, interrupts);
  } catch (error) {
    if (interrupts.signal === undefined && !(error instanceof DemoFailure) && !(error instanceof EngineError)) throw error;
    if (interrupts.signal === undefined) console.error(`\nThe demo failed. ${error.message}`);
    process.exitCode = 1;
  } finally {
    for (const signal of signals) process.removeListener(signal, stop);
  }
  if (interrupts.signal !== undefined) process.kill(process.pid, interrupts.signal);
}

await main();
