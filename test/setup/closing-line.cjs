const { readFileSync, writeFileSync, writeSync } = require("node:fs");

/** File with the counts of earlier commands, which this command adds to its own (`.ci/run`). */
const tally = process.env.TEST_TALLY;

/** Ends the output with one plain line that any tool can read, after the output of other reporters. */
module.exports = class ClosingLine {
  onRunComplete(_contexts, results) {
    const counts = {
      passed: results.numPassedTests,
      failed: results.numFailedTests + results.numRuntimeErrorTestSuites,
      skipped: results.numPendingTests,
    };
    if (tally) {
      const earlier = JSON.parse(readFileSync(tally, "utf8") || "{}");
      for (const key of Object.keys(counts)) counts[key] += earlier[key] ?? 0;
      writeFileSync(tally, JSON.stringify(counts));
    }
    const skipped = counts.skipped > 0 ? `, ${counts.skipped} skipped` : "";
    process.on("exit", () => writeSync(1, `\n${counts.passed} passed, ${counts.failed} failed${skipped}\n`));
  }
};
