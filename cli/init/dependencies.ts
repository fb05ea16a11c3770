import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { ownManifest } from "../../api/manifest";
import { isObject, objectOf } from "../../provider/values";
import { UsageError } from "../command";
import { parseJson, reasonOf } from "../files";
import { compareText } from "../report/text";

/** A package.json with the dependencies that a program needs. */
export interface Dependencies {
  /** Name of its file. */
  readonly file: string;
  readonly text: string;
  /** Names of the dependencies that it lacked, and `type: module` if that was set. */
  readonly added: readonly string[];
  /** Whether the files of the package are ECMAScript modules. */
  readonly isModule: boolean;
}

type Versions = Readonly<Record<string, string>>;

/** Types of the oldest Node that the package runs on, and the newest compiler that Pulumi takes. */
const compilerVersions: Versions = { "@types/node": "^22.19.0", typescript: "^6.0.0" };

/** Sections in which a dependency may be listed already. */
const sections = ["dependencies", "devDependencies", "peerDependencies", "optionalDependencies"];

/**
 * Returns the package.json of a folder with the dependencies that are missing: everything else stays, as do versions.
 *
 * @param typescript whether the program is compiled
 * @param asModule whether a package that does not say becomes one of ECMAScript modules, whose programs may await at the top
 * @throws UsageError where it is no JSON
 */
export function withDependencies(folder: string, typescript: boolean, asModule: boolean): Dependencies {
  const own = ownManifest();
  const needed: Versions = { [own.name]: `^${own.version}`, "@pulumi/pulumi": own.peerDependencies["@pulumi/pulumi"] ?? "*" };
  const wanted: Record<string, Versions> = { dependencies: needed, ...(typescript && { devDependencies: compilerVersions }) };
  const { file, data, format } = read(folder);
  const listed = new Set(sections.flatMap((section) => Object.keys(objectOf(data[section]))));
  const added: string[] = [];
  if (asModule && data["type"] === undefined) {
    data["type"] = "module";
    added.push("type: module");
  }
  for (const [section, versions] of Object.entries(wanted)) {
    const missing = Object.entries(versions).filter(([name]) => !listed.has(name));
    if (missing.length === 0) continue;
    added.push(...missing.map(([name]) => name));
    const all = [...Object.entries(objectOf(data[section])), ...missing];
    // The order in which package managers write them.
    data[section] = Object.fromEntries(all.toSorted(([a], [b]) => compareText(a, b)));
  }
  return { file, text: format(data, added), added, isModule: data["type"] === "module" };
}

interface Source {
  /** Name of the file. */
  readonly file: string;
  readonly data: Record<string, unknown>;
  /** Writes data in the style of the file. */
  readonly format: (data: object, added: readonly string[]) => string;
}

function read(folder: string): Source {
  const file = join(folder, "package.json");
  const other = join(folder, "package.yaml");
  if (!existsSync(file) && existsSync(other)) return readYaml(other);
  if (!existsSync(file))
    return { file: "package.json", data: { private: true }, format: (data) => `${JSON.stringify(data, null, 2)}\n` };
  const text = textOf(file);
  const data = parseJson(text);
  if (!isObject(data)) throw new UsageError(`${file} cannot be read (it holds no JSON object)`, "work");
  const indent = /^[ \t]+(?=")/m.exec(text)?.[0] ?? 2;
  const lineEnd = text.includes("\r\n") ? "\r\n" : "\n";
  const end = /\s*$/.exec(text)?.[0] ?? "";
  return {
    file: "package.json",
    data,
    format: (changed) => JSON.stringify(changed, null, indent).replaceAll("\n", lineEnd) + end,
  };
}

/** pnpm's other manifest. It is read, but not changed: comments and anchors of others are in it. */
function readYaml(file: string): Source {
  const data = yamlOf(file);
  const format = (_: object, added: readonly string[]): string => {
    if (added.length === 0) return "";
    throw new UsageError(`${file} lacks ${added.join(", ")}. Run pnpm add ${added.join(" ")}, then this command again`, "work");
  };
  return { file: "package.yaml", data: objectOf(data), format };
}

function yamlOf(file: string): unknown {
  const text = textOf(file);
  try {
    return (require("yaml") as typeof import("yaml")).parse(text);
  } catch {
    throw new UsageError(`${file} cannot be read (it holds no YAML)`, "work");
  }
}

function textOf(file: string): string {
  try {
    return readFileSync(file, "utf8").replace(/^\ufeff/, "");
  } catch (error) {
    throw new UsageError(`${file} cannot be read (${reasonOf(error)})`, "work");
  }
}
