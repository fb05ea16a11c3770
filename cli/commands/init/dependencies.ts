import { existsSync, readFileSync, realpathSync } from "node:fs";
import { join, relative, sep } from "node:path";
import { ownFolder, ownManifest } from "../../../api/manifest";
import { isObject, objectOf } from "../../../provider/values";
import { lineEndOf } from "../../../program/style";
import { parseJson } from "../../../common/files";
import { compareText } from "../../../common/text";
import { UsageError } from "../../../common/errors";

/**
 * Returns the entry for this package in a package.json: its version, or its folder if the command runs in a clone of the repository. A
 * clone may have changes that no published version has.
 */
function ownDependency(from: string, version: string): string {
  const folder = realpathSync(ownFolder());
  if (folder.split(sep).includes("node_modules")) return `^${version}`;
  return `file:${relative(realpathSync(from), folder).replaceAll("\\", "/")}`;
}

type Versions = Readonly<Record<string, string>>;

/** Types of the oldest Node that the package runs on, and the newest compiler that Pulumi takes. */
const compilerVersions: Versions = { "@types/node": "^22.19.0", typescript: "^6.0.0" };

/** Sections in which a dependency may be listed already. */
const sections = ["dependencies", "devDependencies", "peerDependencies", "optionalDependencies"];

/** The text of a package.json with the dependencies that a program needs. */
export interface Dependencies {
  readonly text: string;
  /** Names of the dependencies that it lacked, and `type: module` if that was set. */
  readonly added: readonly string[];
  readonly isModule: boolean;
}

/**
 * Adds the dependencies that the package.json of a folder lacks. All other members stay, as do versions and the style of the file.
 *
 * @param typescript whether the program is compiled
 * @param asModule whether a package without a `type` becomes one of ECMAScript modules, whose programs may await at the top
 * @throws UsageError if the file is no JSON, or if the folder has pnpm's package.yaml instead
 */
export function withDependencies(folder: string, typescript: boolean, asModule: boolean): Dependencies {
  const own = ownManifest();
  const needed: Versions = {
    [own.name]: ownDependency(folder, own.version),
    "@pulumi/pulumi": own.peerDependencies["@pulumi/pulumi"] ?? "*",
  };
  const wanted: Record<string, Versions> = { dependencies: needed, ...(typescript && { devDependencies: compilerVersions }) };
  const file = join(folder, "package.json");
  const yaml = join(folder, "package.yaml");
  if (!existsSync(file) && existsSync(yaml)) {
    throw new UsageError(`${yaml} cannot be extended. Make it a package.json, then run this command again`, "work");
  }
  const before = existsSync(file) ? readFileSync(file, "utf8").replace(/^\ufeff/, "") : '{ "private": true }\n';
  const data = parseJson(before);
  if (!isObject(data)) throw new UsageError(`${file} cannot be read (it holds no JSON object)`, "work");
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
    const all = [...Object.entries(objectOf(data[section])), ...missing];
    // Package managers write them in this order.
    data[section] = Object.fromEntries(all.toSorted(([a], [b]) => compareText(a, b)));
  }
  const indent = /^[ \t]+(?=")/m.exec(before)?.[0] ?? 2;
  const text = JSON.stringify(data, null, indent).replaceAll("\n", lineEndOf(before)) + before.slice(before.trimEnd().length);
  return { text, added, isModule: data["type"] === "module" };
}
