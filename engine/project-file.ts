import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, extname, join, resolve } from "node:path";
import { objectOf, stringOf } from "../provider/values";
import { messageOf } from "../common/text";
import { UsageError } from "../common/errors";

/** Names of a project file, in the order of the search. */
export const projectFileNames = ["Pulumi.yaml", "Pulumi.yml", "Pulumi.json"];

export interface ProjectFile {
  name: string;
  main: string | undefined;
  runtime: { name: string; options: Record<string, unknown> };
  /** Folder of the stack files, relative to the project's folder. Default: the project's folder. */
  stackConfigDir: string | undefined;
}

/** Returns the folder of the project that a folder belongs to: the nearest one with a project file. */
export function projectFolder(from: string): string | undefined {
  for (let folder = resolve(from); ; folder = dirname(folder)) {
    if (projectFileIn(folder) !== undefined) return folder;
    if (dirname(folder) === folder) return undefined;
  }
}

/** Returns the full path of the project file in a folder; undefined without one. */
export function projectFileIn(folder: string): string | undefined {
  return projectFileNames.map((name) => join(folder, name)).find((file) => existsSync(file));
}

/** Reads a project file. @throws UsageError if it cannot be read, or names no project */
export function readProjectFile(folder: string): ProjectFile {
  const file = projectFileIn(folder) ?? join(folder, "Pulumi.yaml");
  const content = objectOf(contentOf(file));
  const name = stringOf(content["name"]);
  if (name === undefined) throw unreadable(file, "it names no project");
  return {
    name,
    main: stringOf(content["main"]),
    runtime: runtimeOf(content["runtime"]),
    // The engine still accepts the older name `config`, if it is text.
    stackConfigDir: stringOf(content["stackConfigDir"]) ?? stringOf(content["config"]),
  };
}

/**
 * Reads a stack file, with encrypted secrets; an empty object without one.
 *
 * @param env may name another file, as it does for the engine
 * @throws UsageError if it cannot be parsed
 */
export function readStackFile(folder: string, stack: string, env: NodeJS.ProcessEnv = {}): Record<string, unknown> {
  const names = env["PULUMI_OPTION_CONFIG_FILE"] ? [env["PULUMI_OPTION_CONFIG_FILE"]] : stackFileNames(folder, stack);
  const file = names.map((name) => resolve(folder, name)).find((path) => existsSync(path));
  return file === undefined ? {} : objectOf(contentOf(file));
}

/** Returns the names of a stack file, relative to the project's folder, in the order of the search. */
export function stackFileNames(folder: string, stack: string): string[] {
  const { stackConfigDir = "." } = readProjectFile(folder);
  const endings = new Set([extname(projectFileIn(folder) ?? ""), ".yaml", ".yml", ".json"]);
  return [...endings].map((ending) => join(stackConfigDir, `Pulumi.${stack}${ending}`));
}

export function stacksWithFile(folder: string): string[] {
  const settings = join(folder, readProjectFile(folder).stackConfigDir ?? ".");
  const files = existsSync(settings) ? readdirSync(settings) : [];
  return [...new Set(files.flatMap((file) => /^Pulumi\.(.+)\.(?:ya?ml|json)$/.exec(file)?.[1] ?? []))];
}

/** The stack that a command works on, with the rule that chose it. */
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
export function chooseStack(names: readonly string[], selected?: string, wanted?: string): StackChoice | undefined {
  // `dev` is the stack that a backend lists as `organization/project/dev`.
  const named = names.find((name) => name === wanted || name.endsWith(`/${wanted}`));
  if (wanted !== undefined) return named === undefined ? undefined : { name: named, why: "as named" };
  if (selected !== undefined) return { name: selected, why: "the selected one" };
  const [only, ...others] = names;
  return only === undefined || others.length > 0 ? undefined : { name: only, why: "the only one" };
}

export function noneSelected(project: string, names: readonly string[]): string {
  return `No stack of project ${project} is selected: use --stack NAME. There are ${names.toSorted().join(", ")}`;
}

/** Parses a project file or a stack file. @throws an error of the parser */
export function parseProjectFile(file: string, text: string): unknown {
  // Loaded when needed: outside of a project, commands do not use it.
  return file.endsWith(".json") ? JSON.parse(text) : (require("yaml") as typeof import("yaml")).parse(text);
}

/** Splits a text into words as the engine's host splits `nodeargs`: at blanks outside of quotes and without a backslash. */
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
  const { name = runtime, options } = objectOf(runtime);
  return { name: stringOf(name) ?? "nodejs", options: objectOf(options) };
}
