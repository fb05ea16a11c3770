import { existsSync, readFileSync } from "node:fs";
import { dirname, join, relative, sep } from "node:path";
import { isObject } from "../provider/values";
import { packageName } from "../sdk/token";
import { lineEndOf } from "../program/style";
import { projectFileIn } from "../engine/project-file";
import { UsageError } from "../common/errors";

const installed = "node_modules/pulumi-endpoint-monitoring/plugin";

/** Name of the plugin entry in reports. */
export const pluginEntry = `plugins.providers.${packageName}`;

/** Returns the plugin path for `Pulumi.yaml`, relative to the folder of that file. */
export function pluginPath(projectFolder: string, packageFolder: string): string {
  for (let folder = packageFolder; ; folder = dirname(folder)) {
    if (existsSync(join(folder, installed))) return relativePath(projectFolder, join(folder, installed));
    if (dirname(folder) === folder) return relativePath(projectFolder, join(packageFolder, installed));
  }
}

export interface ProjectFileEdit {
  readonly full: string;
  readonly before: string;
  readonly text: string;
}

/**
 * Adds the plugin entry to a project file.
 * @returns undefined if the file already has the entry
 * @throws UsageError if the file cannot be edited
 */
export function pluginEdit({ folder, programFolder }: { folder: string; programFolder: string }): ProjectFileEdit | undefined {
  const full = projectFileIn(folder);
  if (full === undefined) return undefined;
  const before = readFileSync(full, "utf8");
  const path = pluginPath(folder, programFolder);
  const text = withPlugin(before, path);
  if (text === undefined) {
    throw new UsageError(
      `${full} already lists plugins, or does not use YAML block style. Add the following lines to the project file yourself:\n\n${pluginLines(path)}`,
      "work",
    );
  }
  return text === before ? undefined : { full, before, text };
}

export function pluginLines(path: string, eol = "\n"): string {
  return ["plugins:", "  providers:", `    - name: ${packageName}`, `      path: ${path}`, ""].join(eol);
}

/**
 * Whether a project file (`Pulumi.yaml`) names the plugin.
 * @throws errors of `yaml` if the text is invalid
 */
export function namesPlugin(text: string): boolean {
  const { plugins } = (yaml().parse(text) ?? {}) as { plugins?: unknown };
  const providers = isObject(plugins) ? plugins["providers"] : undefined;
  return Array.isArray(providers) && providers.some((provider) => isObject(provider) && provider["name"] === packageName);
}

export function projectNamesPlugin(folder: string): boolean {
  const file = projectFileIn(folder);
  return file !== undefined && namesPlugin(readFileSync(file, "utf8"));
}

/**
 * Adds the plugin entry to the end of a project file.
 *
 * @returns undefined if the file already has plugins, or does not use block style
 */
export function withPlugin(text: string, path: string): string | undefined {
  if (namesPlugin(text)) return text;
  const { isMap, parseDocument } = yaml();
  const document = parseDocument(text);
  const isInBlocks = isMap(document.contents) && document.contents.flow !== true;
  if (!isInBlocks || document.has("plugins")) return undefined;
  const eol = lineEndOf(text);
  return atEnd(text, pluginLines(path, eol), eol);
}

/** Loads the package `yaml` on demand, because most commands do not need it. */
function yaml(): typeof import("yaml") {
  return require("yaml") as typeof import("yaml");
}

/** Adds lines to the end of the YAML document, before its end marker (`...`). */
function atEnd(text: string, lines: string, eol: string): string {
  const open = text === "" || text.endsWith("\n") ? "" : eol;
  const end = /(^|\n)(\.\.\.[ \t]*\r?\n?\s*)$/.exec(text)?.[2]?.length ?? 0;
  const document = text.slice(0, text.length - end);
  return `${document}${open}${open === "" ? lines : lines.slice(0, -eol.length)}${text.slice(document.length)}`;
}

function relativePath(from: string, to: string): string {
  const path = relative(from, to).split(sep).join("/");
  return path.startsWith(".") ? path : `./${path}`;
}
