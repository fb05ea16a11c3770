/* Steps the clock that `Date` reads by TEST_CLOCK_STEP milliseconds once the file TEST_CLOCK_FILE exists. */
const { existsSync } = require("node:fs");

const { TEST_CLOCK_FILE: file, TEST_CLOCK_STEP: step } = process.env;
const now = Date.now;
let isStepped = false;
if (file !== undefined) {
  Date.now = () => {
    isStepped ||= existsSync(file);
    return now() + (isStepped ? Number(step) : 0);
  };
  const RealDate = Date;
  globalThis.Date = class extends RealDate {
    constructor(...args) {
      if (args.length === 0) super(RealDate.now());
      else super(...args);
    }
  };
}
