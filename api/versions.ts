/** Returns the first version number in a string, such as `3.259.0`. Returns undefined if the string contains no version number. */
export function versionIn(text: string): string | undefined {
  return /\d+\.\d+\.\d+\S*/.exec(text)?.[0];
}

/** Returns the lowest version that a range such as `>=22.19.0` or `^3.254.0` allows. */
export function leastOf(range: string): string {
  return /\d+(\.\d+)*/.exec(range)?.[0] ?? "0";
}

/**
 * Whether a version is older than another version. The comparison uses only the numbers of a version, so `3.254.0-alpha.1`
 * equals `3.254.0`.
 */
export function isOlder(version: string, than: string): boolean {
  const [own, other] = [leastOf(version), leastOf(than)].map((text) => text.split(".").map(Number));
  // A comparison with `Intl` would load language data, which takes 30 ms at each start.
  const differences = [0, 1, 2].map((part) => (own?.[part] ?? 0) - (other?.[part] ?? 0));
  return (differences.find((difference) => difference !== 0) ?? 0) < 0;
}
