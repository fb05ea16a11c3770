import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, extname, join, resolve } from "node:path";
import { objectOf, stringOf } from "../provider/values";
import { messageOf } from "../common/text";
import { UsageError } from "../common/errors";

export const projectFileNames = ["Pulumi.yaml", "Pulumi.yml", "Pulumi.json"];

export interface ProjectFile {
  name: string;
  main: string | undefined;
  /** URL of the backend, which takes precedence over the user's login. */
  backend: string | undefined;
  runtime: { name: string; options: Record<string, unknown> };
  /**
   * Folder of the stack files, relative to the project's folder.
   *
   * @defaultValue the project's folder
   */
  stackConfigDir: string | undefined;
}

export function projectFolder(from: string): string | undefined {
  for (let folder = resolve(from); ; folder = dirname(folder)) {
    if (projectFileIn(folder) !== undefined) return folder;
    if (dirname(folder) === folder) return undefined;
  }
}

export function projectFileIn(folder: string): string | undefined {
  return projectFileNames.map((name) => join(folder, name)).find((file) => existsSync(file));
}

/** @throws UsageError if the file cannot be read, or has no project name */
export function readProjectFile(folder: string): ProjectFile {
  const file = projectFileIn(folder) ?? join(folder, "Pulumi.yaml");
  const content = objectOf(contentOf(file));
  const name = stringOf(content["name"]);
  if (name === undefined) throw unreadable(file, "it has no project name");
  return {
    name,
    main: stringOf(content["main"]),
    backend: stringOf(objectOf(content["backend"])["url"]),
    runtime: runtimeOf(content["runtime"]),
    // The engine still accepts `config`, the older name of `stackConfigDir`, if the value of `config` is a string.
    stackConfigDir: stringOf(content["stackConfigDir"]) ?? stringOf(content["config"]),
  };
}

/**
 * Returns the content of a stack file, with encrypted secrets, or an empty object if the stack has no file.
 *
 * @param env environment variables; `PULUMI_OPTION_CONFIG_FILE` may contain the path of another stack file
 * @throws UsageError if the file cannot be parsed
 */
export function readStackFile(folder: string, stack: string, env: NodeJS.ProcessEnv = {}): Record<string, unknown> {
  const names = env["PULUMI_OPTION_CONFIG_FILE"] ? [env["PULUMI_OPTION_CONFIG_FILE"]] : stackFileNames(folder, stack);
  const file = names.map((name) => resolve(folder, name)).find((path) => existsSync(path));
  return file === undefined ? {} : objectOf(contentOf(file));
}

/**
 * Returns the possible names of a stack file, relative to the project's folder. If several stack files exist, the first name in
 * the result takes precedence.
 */
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

/** The stack that a command works on, and the reason why this stack was chosen. */
export interface StackChoice {
  readonly name: string;
  readonly why: "as named" | "the selected one" | "the only one";
}

/**
 * Chooses the stack for a command: the named stack, the selected stack, or the only stack. All commands use `chooseStack`, so they choose
 * the same stack.
 *
 * @returns undefined if the named stack does not exist, or if a project with several stacks has no selected stack
 */
export function chooseStack(names: readonly string[], selected?: string, wanted?: string): StackChoice | undefined {
  // Names are also compared by their last part, because a backend may list the stack `dev` as `organization/project/dev`.
  const named = names.find((name) => name === wanted || name.endsWith(`/${wanted}`));
  if (wanted !== undefined) return named === undefined ? undefined : { name: named, why: "as named" };
  if (selected !== undefined) return { name: selected, why: "the selected one" };
  const [only] = names;
  return only === undefined || names.length > 1 ? undefined : { name: only, why: "the only one" };
}

export function noneSelected(project: string, names: readonly string[]): string {
  return `No stack of project ${project} is selected: use --stack NAME. Existing stacks: ${names.toSorted().join(", ")}`;
}

/**
 * Parses a project file or a stack file.
 *
 * @throws the error of the JSON or YAML parser
 */
export function parseProjectFile(file: string, text: string): unknown {
  // The package `yaml` is loaded on demand, because commands outside a project do not need it.
  return file.endsWith(".json") ? JSON.parse(text) : (require("yaml") as typeof import("yaml")).parse(text);
}

/** Splits a string into words, as Pulumi splits the option `nodeargs`. Spaces within quotes or after a backslash do not separate words. */
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
