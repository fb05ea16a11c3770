#!/usr/bin/env node
import type { Io } from "../engine/io";
import { isOlder } from "../api/versions";

/** Oldest Node that runs this, as package.json has it: reading that takes time. Held by a test. */
const oldestNode = "22.19.0";

/** This process as commands see it. */
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
    process.stderr.write(`endpoint-monitoring: needs Node ${oldestNode} or newer, and this is ${process.versions.node}.\n`);
    process.exitCode = 1;
    return;
  }
  // Not before: on an older Node loading it is what fails, and without a word of help.
  const { main } = require("./run") as typeof import("./run");
  process.exitCode = await main(process.argv.slice(2), io);
  // Requests of an interrupted command are not waited for. Its output is.
  if (process.exitCode === 130) process.stdout.write("", () => process.exit());
}

void run();
