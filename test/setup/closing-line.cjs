const { writeSync } = require("node:fs");

/** Ends the output with one plain line that any tool can read, after the output of other reporters. */
module.exports = class ClosingLine {
  onRunComplete(_contexts, results) {
    const failed = results.numFailedTests + results.numRuntimeErrorTestSuites;
    const skipped = results.numPendingTests > 0 ? `, ${results.numPendingTests} skipped` : "";
    process.on("exit", () => writeSync(1, `\n${results.numPassedTests} passed, ${failed} failed${skipped}\n`));
  }
};
