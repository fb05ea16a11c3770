import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";

/** What the manifest of this package says about itself. */
export interface Manifest {
  name: string;
  version: string;
  engines: { node: string };
  peerDependencies: Record<string, string>;
}

/** The manifest of this package, wherever it is installed or built. */
export function ownManifest(): Manifest {
  for (let folder = __dirname; ; folder = dirname(folder)) {
    const file = join(folder, "package.json");
    // Ours stands above every file of the package.
    if (existsSync(file)) return JSON.parse(readFileSync(file, "utf8")) as Manifest;
    if (dirname(folder) === folder) throw new Error(`There is no package.json above ${__dirname}`);
  }
}
