import { isOlder } from "../api/versions";

/**
 * Lowest supported version of Node. This file repeats the version from package.json, because reading package.json would delay
 * the start. A test checks that `oldestNode` equals the version in package.json.
 */
const oldestNode = "22.19.0";

if (isOlder(process.versions.node, oldestNode)) {
  process.stderr.write(
    `The endpoint-monitoring plugin requires Node.js ${oldestNode} or newer, but this is ${process.versions.node}.\n`,
  );
  process.exitCode = 1;
} else {
  // The plugin is loaded only here, because an older Node would fail with a misleading error.
  const { run } = require("./run") as typeof import("./run");
  void run();
}
