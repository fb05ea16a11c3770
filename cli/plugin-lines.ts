import { existsSync, readFileSync } from "node:fs";
import { dirname, join, relative, sep } from "node:path";
import type { Pair, Scalar, YAMLMap } from "yaml";
import { isObject, stringOf } from "../provider/values";
import { packageName } from "../sdk/token";
import { UsageError } from "./command";
import { projectFileIn } from "./engine/project-file";
import { lineEndOf } from "./source/style";

/** Where the installed package has its plugin, from a folder that has it installed. */
const installed = "node_modules/pulumi-endpoint-monitoring/plugin";

/** The entry for the plugin, as reports name it. */
export const pluginEntry = `packages.${packageName}`;

/** What became of the text of a project file: the new one, or why it cannot be edited, with the line that is in the way. */
export type ProjectEdit = { readonly text: string } | { readonly line: number; readonly reason: string };

/** How `Pulumi.yaml` names the plugin of an installed package: as a path from the folder of that file. */
export function pluginPath(projectFolder: string, packageFolder: string): string {
  for (let folder = packageFolder; ; folder = dirname(folder)) {
    if (existsSync(join(folder, installed))) return relativePath(projectFolder, join(folder, installed));
    if (dirname(folder) === folder) return relativePath(projectFolder, join(packageFolder, installed));
  }
}

/** A file of a project that is no source, as it is to be. */
export interface ProjectFileEdit {
  readonly full: string;
  readonly before: string;
  readonly text: string;
}

/** The file of a project with the entry for the plugin; nothing where it has it. @throws UsageError where it cannot be edited */
export function pluginEdit({ folder, programFolder }: { folder: string; programFolder: string }): ProjectFileEdit | undefined {
  const full = projectFileIn(folder);
  if (full === undefined) return undefined;
  const before = readFileSync(full, "utf8");
  const path = pluginPath(folder, programFolder);
  const edit = withPlugin(before, path);
  if ("text" in edit) return edit.text === before ? undefined : { full, before, text: edit.text };
  throw new UsageError(`${full}:${edit.line} ${edit.reason}. Add these lines by hand:\n\n${pluginLines(path)}`, "work");
}

/** The lines that `Pulumi.yaml` needs for the native plugin. */
export function pluginLines(path: string, eol = "\n"): string {
  return `packages:${eol}  ${packageName}: ${path}${eol}`;
}

/** What a project file has for the plugin: nothing where it does not name it. `path` is absent where it names no path. */
export interface NamedPlugin {
  readonly line: number;
  readonly path?: string;
}

/** The entry for the plugin in a project file. @throws what `yaml` throws for a text that is none */
export function namedPlugin(text: string): NamedPlugin | undefined {
  const { pair } = find(text);
  if (pair === undefined) return undefined;
  const path = stringOf(pair.value?.value);
  return { line: lineOf(text, pair.key.range?.[0] ?? 0), ...(path !== undefined && { path }) };
}

/** A project file with the entry for the plugin; all other text stays as it is. */
export function withPlugin(text: string, path: string): ProjectEdit {
  if (isJson(text)) return json(text, (packages) => ({ ...packages, [packageName]: path }));
  const { root, packages, pair, hasPackages, at } = find(text);
  const eol = lineEndOf(text);
  if (pair) return { text };
  if (root?.flow === true) return { line: 1, reason: "holds its keys in braces" };
  if (!hasPackages) {
    const open = text === "" || text.endsWith("\n") ? "" : eol;
    const lines = pluginLines(path, eol);
    // What stands after the end of the document is no part of it.
    const end = /(^|\n)(\.\.\.[ \t]*\r?\n?\s*)$/.exec(text)?.[2]?.length ?? 0;
    const before = text.slice(0, text.length - end);
    return { text: `${before}${open}${open === "" ? lines : lines.slice(0, -eol.length)}${text.slice(before.length)}` };
  }
  const line = lineOf(text, at);
  if (packages === undefined) {
    const rest = /^packages[ \t]*:[ \t]*(#[^\n]*)?(?=\r?\n|$)/.exec(text.slice(at));
    if (!rest) return { line, reason: "has something else than packages there" };
    const end = at + rest[0].length;
    return { text: `${text.slice(0, end)}${eol}  ${packageName}: ${path}${text.slice(end)}` };
  }
  const first = packages.items[0]?.key.range?.[0];
  if (packages.flow === true || first === undefined) return { line, reason: "has its packages in braces" };
  const start = text.lastIndexOf("\n", first) + 1;
  const indent = text.slice(start, first);
  if (indent.trim() !== "") return { line, reason: "has its packages in a form that is not edited" };
  return { text: `${text.slice(0, start)}${indent}${packageName}: ${path}${eol}${text.slice(start)}` };
}

/** A project file without the entry for the plugin; all other text stays as it is. */
export function withoutPlugin(text: string): ProjectEdit {
  if (isJson(text)) {
    return json(text, ({ [packageName]: _plugin, ...others }) => (Object.keys(others).length > 0 ? others : undefined));
  }
  const { root, packages, pair, at } = find(text);
  if (!pair || !packages) return { text };
  const line = lineOf(text, pair.key.range?.[0] ?? 0);
  if (root?.flow === true || packages.flow === true || pair.value?.range === undefined) {
    return { line, reason: "has its packages in braces" };
  }
  const isAlone = packages.items.length === 1;
  const from = text.lastIndexOf("\n", isAlone ? at : (pair.key.range?.[0] ?? 0)) + 1;
  const inside = text.slice(from, pair.key.range?.[0] ?? 0);
  // Comments of its own between the two lines stay a person's to judge.
  if (isAlone && inside.includes("#")) return { line, reason: "has comments beside it" };
  const next = text.indexOf("\n", pair.value.range?.[1] ?? 0);
  if (next >= 0) return { text: text.slice(0, from) + text.slice(next + 1) };
  return { text: text.slice(0, from).replace(/\r?\n$/, "") };
}

type Entry = Pair<Scalar, Scalar | null>;

interface Found {
  readonly root: YAMLMap | undefined;
  /** Whether there is such a key, whatever it holds. */
  readonly hasPackages: boolean;
  /** Where the key begins. */
  readonly at: number;
  readonly packages: YAMLMap<Scalar, Scalar | null> | undefined;
  readonly pair: Entry | undefined;
}

function find(text: string): Found {
  // Loaded when needed: most commands do without it.
  const { isMap, parseDocument } = require("yaml") as typeof import("yaml");
  const document = parseDocument(text);
  const [error] = document.errors;
  if (error) throw error;
  const root = isMap(document.contents) ? (document.contents as YAMLMap<Scalar>) : undefined;
  const own = root?.items.find(({ key }) => key.value === "packages");
  const packages = isMap(own?.value) ? (own.value as YAMLMap<Scalar, Scalar | null>) : undefined;
  const pair = packages?.items.find(({ key }) => key.value === packageName);
  return { root, hasPackages: own !== undefined, at: own?.key.range?.[0] ?? 0, packages, pair };
}

function isJson(text: string): boolean {
  return (
    /^\uFEFF?\s*\{/.test(text) &&
    (() => {
      try {
        return isObject(JSON.parse(text));
      } catch {
        return false;
      }
    })()
  );
}

/** `Pulumi.json`, in its own indentation. */
function json(text: string, change: (packages: Record<string, unknown>) => Record<string, unknown> | undefined): ProjectEdit {
  const data = JSON.parse(text) as Record<string, unknown>;
  const before = isObject(data["packages"]) ? data["packages"] : {};
  const packages = change(before);
  if (JSON.stringify(packages ?? {}) === JSON.stringify(before)) return { text };
  const { packages: _packages, ...others } = data;
  const changed = packages === undefined ? others : { ...data, packages };
  const indent = /^[ \t]+(?=")/m.exec(text)?.[0] ?? 2;
  const end = /\s*$/.exec(text)?.[0] ?? "";
  return { text: JSON.stringify(changed, null, indent).replaceAll("\n", lineEndOf(text)) + end };
}

function lineOf(text: string, offset: number): number {
  return text.slice(0, offset).split("\n").length;
}

function relativePath(from: string, to: string): string {
  const path = relative(from, to).split(sep).join("/");
  return path.startsWith(".") ? path : `./${path}`;
}
