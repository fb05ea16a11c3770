/** Ends the output with one plain line that any tool can read. */
module.exports = class ClosingLine {
  onRunComplete(_contexts, results) {
    const failed = results.numFailedTests + results.numRuntimeErrorTestSuites;
    const skipped = results.numPendingTests > 0 ? `, ${results.numPendingTests} skipped` : "";
    console.log(`\n${results.numPassedTests} passed, ${failed} failed${skipped}`);
  }
};
