import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, extname, join, resolve } from "node:path";
import { isObject, objectOf, stringOf } from "../../provider/values";
import { UsageError } from "../command";
import { messageOf } from "../report/text";

/** Names that a project's file has, in the order in which they are looked for. */
export const projectFileNames = ["Pulumi.yaml", "Pulumi.yml", "Pulumi.json"];

/** The file of a project, as far as it is needed. */
export interface ProjectFile {
  name: string;
  main: string | undefined;
  runtime: { name: string; options: Record<string, unknown> };
  /** Folder of the settings of its stacks, from its own; its own where absent. */
  stackConfigDir: string | undefined;
}

/** Folder of the project that a folder belongs to: the nearest one with a Pulumi.yaml. */
export function projectFolder(from: string): string | undefined {
  for (let folder = resolve(from); ; folder = dirname(folder)) {
    if (isProjectFolder(folder)) return folder;
    if (dirname(folder) === folder) return undefined;
  }
}

export function isProjectFolder(folder: string): boolean {
  return projectFileIn(folder) !== undefined;
}

/** Full path of the project file in a folder; nothing where it has none. */
export function projectFileIn(folder: string): string | undefined {
  return projectFileNames.map((name) => join(folder, name)).find((file) => existsSync(file));
}

/** Reads the file of a project. @throws UsageError where it is none */
export function readProjectFile(folder: string): ProjectFile {
  const file = projectFileIn(folder) ?? join(folder, "Pulumi.yaml");
  const content = contentOf(file);
  const name = isObject(content) ? stringOf(content["name"]) : undefined;
  if (!isObject(content) || name === undefined) throw unreadable(file, "it names no project");
  return {
    name,
    main: stringOf(content["main"]),
    runtime: runtimeOf(content["runtime"]),
    // The engine still takes the first name of this, where it is text.
    stackConfigDir: stringOf(content["stackConfigDir"]) ?? stringOf(content["config"]),
  };
}

/** Reads the settings of a stack as its file has them, secrets encrypted. @throws UsageError where there is a file, and it is none */
export function readStackFile(folder: string, stack: string): Record<string, unknown> {
  const file = stackFileNames(folder, stack)
    .map((name) => join(folder, name))
    .find((one) => existsSync(one));
  const content = file === undefined ? {} : contentOf(file);
  return objectOf(content);
}

/** Names that the settings of a stack may have, from the project's folder, in the order in which they are looked for. */
export function stackFileNames(folder: string, stack: string): string[] {
  const { stackConfigDir = "." } = readProjectFile(folder);
  const endings = new Set([extname(projectFileIn(folder) ?? ""), ".yaml", ".yml", ".json"]);
  return [...endings].map((ending) => join(stackConfigDir, `Pulumi.${stack}${ending}`));
}

/** Names of the stacks of a project that have a settings file. */
export function stacksWithFile(folder: string): string[] {
  const settings = join(folder, readProjectFile(folder).stackConfigDir ?? ".");
  const files = existsSync(settings) ? readdirSync(settings) : [];
  return [...new Set(files.flatMap((file) => /^Pulumi\.(.+)\.(?:ya?ml|json)$/.exec(file)?.[1] ?? []))];
}

/** A stack that a command works on, and how it was chosen. */
export interface StackChoice {
  readonly name: string;
  readonly why: "as named" | "the selected one" | "the only one";
}

/**
 * Chooses the stack that a command works on: the one that a person names, else the selected one, else the only one. All commands share
 * this rule.
 *
 * @returns undefined if there is no stack of that name, or if none of several is selected
 */
export function chooseStack(names: readonly string[], selected?: string, given?: string): StackChoice | undefined {
  // `dev` is the stack that a backend lists as `organization/project/dev`.
  const named = names.find((name) => name === given || name.endsWith(`/${given}`));
  if (given !== undefined) return named === undefined ? undefined : { name: named, why: "as named" };
  if (selected !== undefined) return { name: selected, why: "the selected one" };
  const [only, ...others] = names;
  return only === undefined || others.length > 0 ? undefined : { name: only, why: "the only one" };
}

/** The message if no stack of several is selected. */
export function noneSelected(project: string, names: readonly string[]): string {
  return `No stack of project ${project} is selected: use --stack NAME. There are ${names.toSorted().join(", ")}`;
}

/** Parses a project file or a stack file. @throws an error of the parser */
export function parseProjectFile(file: string, text: string): unknown {
  // Loaded when needed: commands do without it outside of a project.
  return file.endsWith(".json") ? JSON.parse(text) : (require("yaml") as typeof import("yaml")).parse(text);
}

/** Words of a text as the engine's host splits `nodeargs`: blanks separate, quotes and backslashes keep together. */
export function shellWords(text: string): string[] {
  const words = text.match(/(?:\\.|"(?:\\.|[^"\\])*"|'[^']*'|[^\s"'\\])+/gs) ?? [];
  return words.map((word) =>
    word.replace(/\\(.)|"((?:\\.|[^"\\])*)"|'([^']*)'/gs, (_, escaped?: string, double?: string, single?: string) => {
      return escaped ?? single ?? double?.replace(/\\(["\\$`])/g, "$1") ?? "";
    }),
  );
}

function contentOf(file: string): unknown {
  try {
    return parseProjectFile(file, readFileSync(file, "utf8"));
  } catch (error) {
    const [reason = ""] = messageOf(error).split("\n");
    throw unreadable(file, reason.replace(/:$/, ""));
  }
}

function unreadable(file: string, reason: string): UsageError {
  return new UsageError(`${file} cannot be read (${reason})`, "work");
}

function runtimeOf(runtime: unknown): ProjectFile["runtime"] {
  if (!isObject(runtime)) return { name: stringOf(runtime) ?? "nodejs", options: {} };
  const { name, options } = runtime;
  return { name: stringOf(name) ?? "nodejs", options: objectOf(options) };
}
