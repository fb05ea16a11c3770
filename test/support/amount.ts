/** Whether `npm run test:long` runs the tests. */
export const isLong = process.env["TEST_LONG"] === "1";

/**
 * Returns the number of tries of a random test: a few with a fixed seed by default, and many in `npm run test:long`, which
 * releases run.
 */
export function amount(few: number, many: number): number {
  return isLong ? many : few;
}

/** Returns the seed of a random test: its own, or TEST_SEED, to repeat or extend a run. Failures print it. */
export function seed(defaultSeed: number): number {
  const configured = process.env["TEST_SEED"];
  return configured === undefined ? defaultSeed : Number(configured);
}

/** Returns a generator of numbers from 0 to 1 for a seed (mulberry32). */
export function random(from: number): () => number {
  let state = from >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}
