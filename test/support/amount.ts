/**
 * How often a random test tries: a few times by default, as fixed by its seed, and many times in `npm run test:long`, which releases
 * run. CONTRIBUTING has a table of both.
 */
export function amount(few: number, many: number): number {
  return process.env["TEST_LONG"] === "1" ? many : few;
}

/** The seed of a random test: its own, or the one of TEST_SEED, to repeat or to widen what was tried. It is printed in a failure. */
export function seed(own: number): number {
  const given = process.env["TEST_SEED"];
  return given === undefined ? own : Number(given);
}
