import { existsSync, readFileSync } from "node:fs";
import { dirname, join, relative, sep } from "node:path";
import { isObject } from "../provider/values";
import { packageName } from "../sdk/token";
import { lineEndOf } from "../program/style";
import { projectFileIn } from "../engine/project-file";
import { UsageError } from "../common/errors";

/** Folder of the plugin, in a folder that has the package installed. */
const installed = "node_modules/pulumi-endpoint-monitoring/plugin";

/** The entry for the plugin, as reports name it. */
export const pluginEntry = `plugins.providers.${packageName}`;

/** The path by which `Pulumi.yaml` names the plugin of an installed package, relative to the folder of that file. */
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

/** Adds the entry for the plugin to a project's file. @returns undefined if the file has it. @throws UsageError if it cannot be edited */
export function pluginEdit({ folder, programFolder }: { folder: string; programFolder: string }): ProjectFileEdit | undefined {
  const full = projectFileIn(folder);
  if (full === undefined) return undefined;
  const before = readFileSync(full, "utf8");
  const path = pluginPath(folder, programFolder);
  const text = withPlugin(before, path);
  if (text === undefined) {
    throw new UsageError(
      `${full} has plugins already, or is no YAML in blocks. Write these lines by hand:\n\n${pluginLines(path)}`,
      "work",
    );
  }
  return text === before ? undefined : { full, before, text };
}

/** The lines that `Pulumi.yaml` needs for the native plugin. */
export function pluginLines(path: string, eol = "\n"): string {
  return ["plugins:", "  providers:", `    - name: ${packageName}`, `      path: ${path}`, ""].join(eol);
}

/** Whether a project file names the plugin. @throws what `yaml` throws if the text is no YAML */
export function namesPlugin(text: string): boolean {
  const { plugins } = (yaml().parse(text) ?? {}) as { plugins?: unknown };
  const providers = isObject(plugins) ? plugins["providers"] : undefined;
  return Array.isArray(providers) && providers.some((provider) => isObject(provider) && provider["name"] === packageName);
}

/** Whether the Pulumi.yaml of a folder names the plugin. */
export function projectNamesPlugin(folder: string): boolean {
  const file = projectFileIn(folder);
  return file !== undefined && namesPlugin(readFileSync(file, "utf8"));
}

/**
 * Adds the entry for the plugin to the end of a project file, which stays as it is otherwise.
 *
 * @returns undefined if the file has plugins already, or is no YAML in blocks
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

/** Loaded when needed: most commands do without it. */
function yaml(): typeof import("yaml") {
  return require("yaml") as typeof import("yaml");
}

/** Adds lines at the end of the document, before its end mark. */
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
