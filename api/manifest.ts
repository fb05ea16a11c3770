import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";

/** The fields of this package's package.json. */
export interface PackageManifest {
  name: string;
  version: string;
  engines: { node: string };
  peerDependencies: Record<string, string>;
}

/** Reads the package.json of this package, wherever it is installed or built. */
export function ownManifest(): PackageManifest {
  return JSON.parse(readFileSync(join(ownFolder(), "package.json"), "utf8")) as PackageManifest;
}

/** Returns the folder of this package, wherever it is installed or built. */
export function ownFolder(): string {
  for (let folder = __dirname; ; folder = dirname(folder)) {
    // The nearest package.json above this file belongs to this package.
    if (existsSync(join(folder, "package.json"))) return folder;
    if (dirname(folder) === folder) throw new Error(`There is no package.json above ${__dirname}.`);
  }
}

let cachedUserAgent: string | undefined;

/**
 * Returns the User-Agent header for logs of the service and of proxies:
 * `pulumi-endpoint-monitoring/0.1.0 (node 24.1.0; linux)`.
 */
export function userAgent(): string {
  if (cachedUserAgent === undefined) {
    const { name, version } = ownManifest();
    cachedUserAgent = `${name}/${version} (node ${process.versions.node}; ${process.platform})`;
  }
  return cachedUserAgent;
}
