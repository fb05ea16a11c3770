#!/usr/bin/env node
/** Oldest Node that runs this, as package.json says. Held by a test. */
const oldestNode = "22.19.0";

/** Whether a version comes before another. */
function isBefore(version: string, other: string): boolean {
  return version.localeCompare(other, "en", { numeric: true }) < 0;
}

async function run(): Promise<void> {
  if (isBefore(process.versions.node, oldestNode)) {
    process.stderr.write(`endpoint-monitoring: needs Node ${oldestNode} or newer, and this is ${process.versions.node}.\n`);
    process.exitCode = 1;
    return;
  }
  // Not before: on an older Node loading it is what fails, and without a word of help.
  const { main } = await import("./run.js");
  process.exitCode = await main(process.argv.slice(2));
  // What an interrupted command had under way is not waited for; what it said is.
  if (process.exitCode === 130) process.stdout.write("", () => process.exit());
}

void run();
