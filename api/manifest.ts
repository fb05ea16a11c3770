import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";

export interface PackageManifest {
  name: string;
  version: string;
  engines: { node: string };
  peerDependencies: Record<string, string>;
}

export function ownManifest(): PackageManifest {
  return JSON.parse(readFileSync(join(ownFolder(), "package.json"), "utf8")) as PackageManifest;
}

export function ownFolder(): string {
  for (let folder = __dirname; ; folder = dirname(folder)) {
    // The nearest package.json above this file belongs to this package, both in the repository and in an installed package.
    if (existsSync(join(folder, "package.json"))) return folder;
    if (dirname(folder) === folder) throw new Error(`No parent folder of ${__dirname} contains a package.json.`);
  }
}

let cachedUserAgent: string | undefined;

/**
 * Returns the User-Agent header, which identifies this package in the service's logs: `pulumi-endpoint-monitoring/0.1.0 (node
 * 24.1.0; linux)`.
 */
export function userAgent(): string {
  if (cachedUserAgent === undefined) {
    const { name, version } = ownManifest();
    cachedUserAgent = `${name}/${version} (node ${process.versions.node}; ${process.platform})`;
  }
  return cachedUserAgent;
}
