import { ownManifest } from "../api/manifest";

export { ownManifest };

/** The least version that a range such as `>=22.19.0` or `^3.254.0` takes. */
export function leastOf(range: string): string {
  return /\d+(\.\d+)*/.exec(range)?.[0] ?? "0";
}

/** The first engine that imports from a file, inputs and outputs and all, and reads nothing: the one that this package asks for. */
export function leastEngine(): string {
  return leastOf(ownManifest().peerDependencies["@pulumi/pulumi"] ?? "");
}

/** Whether a version is older than another, by its numbers: that of `3.254.0-alpha.1` are those of the release. */
export function isOlder(version: string, than: string): boolean {
  const [a, b] = [version, than].map((text) => (/\d+(\.\d+)*/.exec(text)?.[0] ?? "0").split(".").map(Number));
  for (let at = 0; at < 3; at += 1) {
    const difference = (a?.[at] ?? 0) - (b?.[at] ?? 0);
    if (difference !== 0) return difference < 0;
  }
  return false;
}
