import { existsSync, readFileSync } from "node:fs";
import { dirname, join, relative, sep } from "node:path";
import type { Pair, Scalar, YAMLMap, YAMLSeq } from "yaml";
import { isObject, stringOf } from "../provider/values";
import { packageName } from "../sdk/token";
import { UsageError } from "./command";
import { projectFileIn } from "./engine/project-file";
import { lineEndOf } from "./source/style";

/** Where the installed package has its plugin, from a folder that has it installed. */
const installed = "node_modules/pulumi-endpoint-monitoring/plugin";

/** The entry for the plugin, as reports name it. */
export const pluginEntry = `plugins.providers.${packageName}`;

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
  return ["plugins:", "  providers:", ...itemLines("    ", path), ""].join(eol);
}

/** What a project file has for the plugin: nothing where it does not name it. `path` is absent where it names no path. */
export interface NamedPlugin {
  readonly line: number;
  readonly path?: string;
}

/** The entry for the plugin in a project file. @throws what `yaml` throws for a text that is none */
export function namedPlugin(text: string): NamedPlugin | undefined {
  const { item } = find(text);
  if (item === undefined) return undefined;
  const path = stringOf(item.get("path"));
  return { line: lineOf(text, startOf(item)), ...(path !== undefined && { path }) };
}

/** A project file with the entry for the plugin; all other text stays as it is. */
export function withPlugin(text: string, path: string): ProjectEdit {
  if (isJson(text)) return json(text, (providers) => [{ name: packageName, path }, ...providers.filter((one) => !isOurs(one))]);
  const { root, plugins, providers, item } = find(text);
  const eol = lineEndOf(text);
  if (item) return { text };
  if (root?.flow === true) return { line: 1, reason: "holds its keys in braces" };
  if (!plugins) return { text: atEnd(text, pluginLines(path, eol), eol) };
  const line = lineOf(text, startOf(plugins.key));
  const block = (indent: string): string[] => [`${indent}providers:`, ...itemLines(`${indent}  `, path)];
  if (isEmpty(plugins)) return afterKey(text, plugins, block("  "), eol);
  const { isMap, isSeq } = yaml();
  if (!isMap<Scalar>(plugins.value) || plugins.value.flow === true) return { line, reason: "has its plugins in braces" };
  const [first] = plugins.value.items;
  const indent = first && indentAt(text, startOf(first.key));
  if (!first || indent === undefined) return { line, reason: "has its plugins in a form that is not edited" };
  if (!providers) return insertedBefore(text, startOf(first.key), block(indent), eol);
  if (isEmpty(providers)) return afterKey(text, providers, itemLines(`${indent}  `, path), eol);
  const items = isSeq(providers.value) && providers.value.flow !== true ? providers.value.items : [];
  // An item begins behind its dash.
  const dash = isMap(items[0]) ? text.lastIndexOf("-", startOf(items[0]) - 1) : undefined;
  const dashed = dash === undefined ? undefined : indentAt(text, dash);
  if (dash === undefined || dashed === undefined)
    return { line: lineOf(text, startOf(providers.key)), reason: "has its providers in a form that is not edited" };
  return insertedBefore(text, dash, itemLines(dashed, path), eol);
}

/** A project file without the entry for the plugin; all other text stays as it is. */
export function withoutPlugin(text: string): ProjectEdit {
  if (isJson(text)) return json(text, (providers) => providers.filter((one) => !isOurs(one)));
  const { root, plugins, providers, item } = find(text);
  const { isMap, isSeq } = yaml();
  if (!item || !isMap(plugins?.value) || !isSeq(providers?.value)) return { text };
  const line = lineOf(text, startOf(item));
  if ([root, plugins.value, providers.value, item].some((one) => one?.flow === true)) {
    return { line, reason: "has its plugins in braces" };
  }
  const isAlone = providers.value.items.length === 1;
  const key = isAlone ? (plugins.value.items.length === 1 ? plugins.key : providers.key) : undefined;
  const from = text.lastIndexOf("\n", key ? startOf(key) : startOf(item)) + 1;
  // Comments of its own between the lines stay a person's to judge.
  if (text.slice(from, startOf(item)).includes("#")) return { line, reason: "has comments beside it" };
  const next = text.indexOf("\n", item.items.at(-1)?.value?.range?.[1] ?? startOf(item));
  if (next >= 0) return { text: text.slice(0, from) + text.slice(next + 1) };
  return { text: text.slice(0, from).replace(/\r?\n$/, "") };
}

type Entry = Pair<Scalar, YAMLMap<Scalar> | YAMLSeq | Scalar | null>;

interface Found {
  readonly root: YAMLMap | undefined;
  /** `plugins`, whatever it holds. */
  readonly plugins: Entry | undefined;
  /** `plugins.providers`, whatever it holds. */
  readonly providers: Entry | undefined;
  /** The provider that is this package's plugin. */
  readonly item: YAMLMap<Scalar, Scalar | null> | undefined;
}

/** Loaded when needed: most commands do without it. */
function yaml(): typeof import("yaml") {
  return require("yaml") as typeof import("yaml");
}

function find(text: string): Found {
  const { isMap, isSeq, parseDocument } = yaml();
  const document = parseDocument(text);
  const [error] = document.errors;
  if (error) throw error;
  const entry = (map: unknown, name: string): Entry | undefined =>
    isMap(map) ? ((map as YAMLMap<Scalar>).items.find(({ key }) => key.value === name) as Entry | undefined) : undefined;
  const root = isMap(document.contents) ? (document.contents as YAMLMap<Scalar>) : undefined;
  const plugins = entry(root, "plugins");
  const providers = entry(plugins?.value, "providers");
  const items = isSeq(providers?.value) ? providers.value.items : [];
  const item = items.find((one) => isMap(one) && one.get("name") === packageName);
  return { root, plugins, providers, item: item as Found["item"] };
}

/** The lines of the entry in a list. */
function itemLines(indent: string, path: string): string[] {
  return [`${indent}- name: ${packageName}`, `${indent}  path: ${path}`];
}

/** Adds lines at the end of the document: text behind its end mark is no part of it. */
function atEnd(text: string, lines: string, eol: string): string {
  const open = text === "" || text.endsWith("\n") ? "" : eol;
  const end = /(^|\n)(\.\.\.[ \t]*\r?\n?\s*)$/.exec(text)?.[2]?.length ?? 0;
  const document = text.slice(0, text.length - end);
  return `${document}${open}${open === "" ? lines : lines.slice(0, -eol.length)}${text.slice(document.length)}`;
}

/** Adds lines below a key that has no value, and behind its comment. */
function afterKey(text: string, { key }: Entry, lines: readonly string[], eol: string): ProjectEdit {
  const end = text.indexOf("\n", startOf(key));
  const at = end < 0 ? text.length : end - (text[end - 1] === "\r" ? 1 : 0);
  return { text: `${text.slice(0, at)}${eol}${lines.join(eol)}${text.slice(at)}` };
}

/** Adds lines above the one that has an offset. */
function insertedBefore(text: string, offset: number, lines: readonly string[], eol: string): ProjectEdit {
  const start = text.lastIndexOf("\n", offset - 1) + 1;
  return { text: `${text.slice(0, start)}${lines.join(eol)}${eol}${text.slice(start)}` };
}

/** Whether a key has no value. */
function isEmpty({ value }: Entry): boolean {
  return value === null || (!yaml().isCollection(value) && value.value === null && value.source === "");
}

/** The white space before an offset; undefined if anything else is in its line. */
function indentAt(text: string, offset: number): string | undefined {
  const indent = text.slice(text.lastIndexOf("\n", offset - 1) + 1, offset);
  return indent.trim() === "" ? indent : undefined;
}

function startOf({ range }: Pick<Scalar, "range">): number {
  return range?.[0] ?? 0;
}

function isOurs(provider: unknown): boolean {
  return isObject(provider) && provider["name"] === packageName;
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

/** `Pulumi.json`, in its own indentation. A list or object that becomes empty is left out. */
function json(text: string, change: (providers: readonly unknown[]) => readonly unknown[]): ProjectEdit {
  const data = JSON.parse(text) as Record<string, unknown>;
  const { plugins, ...others } = data;
  const { providers: listed, ...kinds } = isObject(plugins) ? plugins : {};
  const held = Array.isArray(listed) ? listed : [];
  const providers = change(held);
  if (JSON.stringify(providers) === JSON.stringify(held)) return { text };
  const all = providers.length > 0 ? { ...kinds, providers } : kinds;
  const changed = Object.keys(all).length > 0 ? { ...data, plugins: all } : others;
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
