import { existsSync, readFileSync, realpathSync } from "node:fs";
import { join, relative, sep } from "node:path";
import { ownFolder, ownManifest } from "../../../api/manifest";
import { isObject, objectOf } from "../../../provider/values";
import { lineEndOf } from "../../../program/style";
import { parseJson } from "../../../common/files";
import { compareText } from "../../../common/text";
import { UsageError } from "../../../common/errors";

/**
 * Returns the version of this package for a package.json. In a clone of the repository, returns the path of the folder instead. A clone of
 * the repository may contain unpublished changes.
 */
function ownDependency(from: string, version: string): string {
  const folder = realpathSync(ownFolder());
  if (folder.split(sep).includes("node_modules")) return `^${version}`;
  return `file:${relative(realpathSync(from), folder).replaceAll("\\", "/")}`;
}

type Versions = Readonly<Record<string, string>>;

/** Development dependencies: types for the oldest supported Node.js version, and the newest compiler that Pulumi supports. */
const compilerVersions: Versions = { "@types/node": "^22.19.0", typescript: "^6.0.0" };

const sections = ["dependencies", "devDependencies", "peerDependencies", "optionalDependencies"];

export interface Dependencies {
  readonly text: string;
  /** Additions to the package.json: names of dependencies, and possibly `type: module`. */
  readonly added: readonly string[];
  readonly isModule: boolean;
}

/**
 * Adds missing dependencies to the package.json of a folder. All other members, existing versions and the file's style stay unchanged.
 *
 * @param typescript whether a compiler compiles the program before it runs
 * @param asModule whether to add `type: module`, which allows `await` at the top level of the program
 * @throws UsageError if the file is not JSON, or if the folder has pnpm's package.yaml instead
 */
export function withDependencies(folder: string, typescript: boolean, asModule: boolean): Dependencies {
  const manifest = ownManifest();
  const needed: Versions = {
    [manifest.name]: ownDependency(folder, manifest.version),
    "@pulumi/pulumi": manifest.peerDependencies["@pulumi/pulumi"] ?? "*",
  };
  const wanted: Record<string, Versions> = { dependencies: needed, ...(typescript && { devDependencies: compilerVersions }) };
  const file = join(folder, "package.json");
  const yaml = join(folder, "package.yaml");
  if (!existsSync(file) && existsSync(yaml)) {
    throw new UsageError(`${yaml} is not supported. Convert package.yaml to package.json, then run \`init\` again`, "work");
  }
  const before = existsSync(file) ? readFileSync(file, "utf8").replace(/^\ufeff/, "") : '{ "private": true }\n';
  const data = parseJson(before);
  if (!isObject(data)) throw new UsageError(`${file} cannot be read, because it does not contain a JSON object`, "work");
  const listed = new Set(sections.flatMap((section) => Object.keys(objectOf(data[section]))));
  const added: string[] = [];
  if (asModule && data["type"] === undefined) {
    data["type"] = "module";
    added.push("type: module");
  }
  for (const [section, versions] of Object.entries(wanted)) {
    const missing = Object.entries(versions).filter(([name]) => !listed.has(name));
    if (missing.length === 0) continue;
    for (const [name] of missing) added.push(name);
    const entries = [...Object.entries(objectOf(data[section])), ...missing];
    // Package managers sort dependencies by name.
    data[section] = Object.fromEntries(entries.toSorted(([a], [b]) => compareText(a, b)));
  }
  const indent = /^[ \t]+(?=")/m.exec(before)?.[0] ?? 2;
  const text = JSON.stringify(data, null, indent).replaceAll("\n", lineEndOf(before)) + before.slice(before.trimEnd().length);
  return { text, added, isModule: data["type"] === "module" };
}
