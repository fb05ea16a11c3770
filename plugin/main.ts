import { isOlder } from "../api/versions";

/** Oldest Node that runs this, as package.json has it: reading that takes time. Held by a test. */
const oldestNode = "22.19.0";

if (isOlder(process.versions.node, oldestNode)) {
  process.stderr.write(
    `The endpoint-monitoring plugin needs Node ${oldestNode} or newer, and this is ${process.versions.node}.\n`,
  );
  process.exitCode = 1;
} else {
  // Not before: on an older Node loading it is what fails, and without a word of help.
  const { run } = require("./run") as typeof import("./run");
  void run();
}
