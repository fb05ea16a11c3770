/** The version that a text names first, such as `3.259.0`; nothing where it names none. */
export function versionIn(text: string): string | undefined {
  return /\d+\.\d+\.\d+\S*/.exec(text)?.[0];
}

/** The least version that a range such as `>=22.19.0` or `^3.254.0` takes. */
export function leastOf(range: string): string {
  return /\d+(\.\d+)*/.exec(range)?.[0] ?? "0";
}

/** Whether a version is older than another, by its numbers: those of `3.254.0-alpha.1` are those of the release. */
export function isOlder(version: string, than: string): boolean {
  const [own, other] = [leastOf(version), leastOf(than)].map((text) => text.split(".").map(Number));
  // Texts compared as numbers would load the rules of a language, which takes 30 ms of each start.
  const differences = [0, 1, 2].map((part) => (own?.[part] ?? 0) - (other?.[part] ?? 0));
  return (differences.find((difference) => difference !== 0) ?? 0) < 0;
}
