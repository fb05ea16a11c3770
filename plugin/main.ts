import { isOlder } from "../api/versions";

/**
 * Lowest supported version of Node. The version is repeated here, because reading package.json would delay the start. A test
 * compares the version with package.json.
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
