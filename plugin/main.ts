import { isOlder } from "../api/versions";

/**
 * Lowest supported version of Node. A test compares the number with package.json, because reading package.json at the start
 * would take time.
 */
const oldestNode = "22.19.0";

if (isOlder(process.versions.node, oldestNode)) {
  process.stderr.write(
    `The endpoint-monitoring plugin requires Node.js ${oldestNode} or newer, but this is ${process.versions.node}.\n`,
  );
  process.exitCode = 1;
} else {
  // With an older Node, loading the plugin fails with a misleading error.
  const { run } = require("./run") as typeof import("./run");
  void run();
}
