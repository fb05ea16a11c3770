import { isOlder, leastOf, versionIn } from "../../api/versions";

describe("comparison of versions", () => {
  it.each([
    ["3.254.0", "3.259.0", true],
    ["3.259.0", "3.254.0", false],
    ["3.254.0", "3.254.0", false],
    // Numeric, not alphabetic order.
    ["3.99.0", "3.254.0", true],
    ["22.9.0", "22.19.0", true],
    ["9.0.0", "22.19.0", true],
    ["3.254.0-alpha.1", "3.254.0", false],
    ["22.19", "22.19.0", false],
    ["22", "22.0.5", true],
    ["22.0.5", "22", false],
    ["22.19.1", "22.19", false],
  ])("isOlder() compares version %s with version %s: %s", (version, than, expected) => {
    expect(isOlder(version, than)).toBe(expected);
  });

  it("leastOf() returns the lowest version of a range", () => {
    expect([leastOf(">=22.19.0"), leastOf("^3.254.0 || ^4"), leastOf("*")]).toEqual(["22.19.0", "3.254.0", "0"]);
    expect([versionIn("pulumi v3.259.0\n"), versionIn("v4.0.0-beta.2 of"), versionIn("none")]).toEqual([
      "3.259.0",
      "4.0.0-beta.2",
      undefined,
    ]);
  });
});
