#!/usr/bin/env node
import type { Io } from "../engine/io";
import { isOlder } from "../api/versions";

/**
 * Oldest supported Node.js version. A test compares this constant with package.json. To save time, the command does not read package.json.
 */
const oldestNode = "22.19.0";

const io: Io = {
  stdout: process.stdout,
  stderr: process.stderr,
  get stdin() {
    return process.stdin;
  },
  env: process.env,
  cwd: process.cwd(),
  onInterrupt(listener) {
    process.on("SIGINT", listener).on("SIGTERM", listener);
    return () => void process.off("SIGINT", listener).off("SIGTERM", listener);
  },
};

async function run(): Promise<void> {
  if (isOlder(process.versions.node, oldestNode)) {
    process.stderr.write(
      `endpoint-monitoring: requires Node.js ${oldestNode} or newer, but this is ${process.versions.node}.\n`,
    );
    process.exitCode = 1;
    return;
  }
  // On an older Node.js version, this module fails to load with an unclear error.
  const { main } = require("./run") as typeof import("./run");
  process.exitCode = await main(process.argv.slice(2), io);
  // An interrupted command does not wait for its requests, only for its output.
  if (process.exitCode === 130) process.stdout.write("", () => process.exit());
}

void run();
