/** What came is not what should have come, or the demo cannot go on: told in a line, without a stack. */
export class DemoFailure extends Error {
  name = "DemoFailure";
}

const text = (value) => (typeof value === "string" ? value : JSON.stringify(inOrder(value)));

/** Members sorted at every depth, so that what is the same reads the same. */
function inOrder(value) {
  if (Array.isArray(value)) return value.map(inOrder);
  if (typeof value !== "object" || value === null) return value;
  const members = Object.entries(value).toSorted(([a], [b]) => a.localeCompare(b));
  return Object.fromEntries(members.map(([name, member]) => [name, inOrder(member)]));
}

/** @returns Whether two JSON values say the same. */
export const same = (one, other) => text(one) === text(other);

/**
 * Makes the function by which each step says what it proved.
 * @param {import("./report.mjs").Report} report
 */
export function checker(report) {
  /**
   * @param {string} what What is proved, as a statement.
   * @param {unknown} expected A JSON value.
   * @param {unknown} actual What came.
   * @throws {DemoFailure} where they differ
   */
  return (what, expected, actual) => {
    if (!same(expected, actual)) {
      throw new DemoFailure(
        `this should hold, but does not: ${what}.\n  expected ${text(expected)}\n  but got  ${text(actual)}`,
      );
    }
    report.proved(what);
  };
}
