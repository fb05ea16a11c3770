const { existsSync, readFileSync } = require("node:fs");
const { join, relative, sep } = require("node:path");
const { default: Sequencer } = require("@jest/test-sequencer");

const root = join(__dirname, "../..");
const file = join(__dirname, "durations.json");

/** Durations of slow suites in seconds. `npm run test:durations` writes them. */
const durations = existsSync(file) ? JSON.parse(readFileSync(file, "utf8")) : {};

const secondsOf = ({ path }) => durations[relative(root, path).split(sep).join("/")] ?? 0;

function slowestFirst(tests) {
  const byPath = tests.toSorted((a, b) => (a.path < b.path ? -1 : 1));
  return byPath.toSorted((a, b) => secondsOf(b) - secondsOf(a));
}

/** Runs slow suites first, so that no worker finishes late with one, and balances shards. */
module.exports = class SlowFirst extends Sequencer {
  sort(tests) {
    return slowestFirst(tests);
  }

  /** Each suite joins the shard with the least load. */
  shard(tests, { shardIndex, shardCount }) {
    const shards = Array.from({ length: shardCount }, () => ({ seconds: 0, tests: [] }));
    for (const test of slowestFirst(tests)) {
      const least = shards.reduce((a, b) => (b.seconds < a.seconds ? b : a));
      // An unlisted suite takes little time.
      least.seconds += secondsOf(test) || 1;
      least.tests.push(test);
    }
    return shards[shardIndex - 1].tests;
  }
};
