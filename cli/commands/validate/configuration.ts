import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { homeOf } from "../../../provider/private-folder";
import { isObject, objectOf, stringOf } from "../../../provider/values";
import type { Project } from "../../../engine/project";
import { chooseStack, noneSelected, projectFileIn, readStackFile, stacksWithFile } from "../../../engine/project-file";
import { shortName } from "../../../engine/stack";
import { type Io, reportStacks } from "../../../engine/io";
import { UsageError } from "../../../common/errors";

/** A stack's configuration as its file has it, by full keys. */
export interface StackConfiguration {
  readonly stack: string;
  readonly values: Readonly<Record<string, string>>;
  readonly secrets: readonly string[];
}

/** The value that a program gets for a secret, which is not decrypted: text, a number and JSON at once. */
const standIn = "0";

/** Name of the stack for a project that has none yet. */
const noStack = "validate";

/**
 * Reads a stack's configuration from its file, without the engine. It takes the same stack as the other commands.
 *
 * @param stackName its name; otherwise the selected stack, else the only one that has a file
 * @throws UsageError that names the stacks with a file, if the stack is unknown or cannot be chosen
 */
export function readConfiguration(
  { folder, name: project, io }: Pick<Project, "folder" | "name" | "io">,
  stackName: string | undefined,
): StackConfiguration {
  const names = stacksWithFile(folder);
  const selected = selectedStack(folder, project, io.env);
  // A selected stack without settings of its own has no file.
  const choice = chooseStack(
    selected === undefined ? names : [...names, selected],
    selected,
    stackName && shortName(stackName),
  );
  if (choice === undefined) {
    if (stackName === undefined && names.length === 0) return { stack: noStack, values: {}, secrets: [] };
    if (stackName === undefined) throw new UsageError(noneSelected(project, names), "work");
    const there = names.length === 0 ? "No stack has one" : `There are ${names.toSorted().join(", ")}`;
    const name = shortName(stackName);
    throw new UsageError(`Project ${project} has no settings of a stack ${name} (Pulumi.${name}.yaml). ${there}`, "work");
  }
  const stack = choice.name;
  reportStacks(io, [stack], choice.why);
  const { config } = readStackFile(folder, stack, io.env);
  const entries = Object.entries(objectOf(config)).map(
    ([name, value]) => [name.includes(":") ? name : `${project}:${name}`, value] as const,
  );
  return {
    stack,
    values: Object.fromEntries(entries.map(([key, value]) => [key, isSecret(value) ? standIn : textOf(value)])),
    secrets: entries.flatMap(([key, value]) => (isSecret(value) ? [key] : [])),
  };
}

/** Returns the stack that is selected for a project on this machine, from the engine's file. */
function selectedStack(folder: string, project: string, env: Io["env"]): string | undefined {
  const chosen = env["PULUMI_STACK"];
  if (chosen) return shortName(chosen);
  const projectFile = projectFileIn(folder);
  const home = pulumiHome(env);
  if (projectFile === undefined || home === undefined) return undefined;
  const key = createHash("sha1").update(projectFile).digest("hex");
  const { stack, stacks } = jsonIn(join(home, "workspaces", `${project}-${key}-workspace.json`));
  const backend = env["PULUMI_BACKEND_URL"] || stringOf(jsonIn(join(home, "credentials.json"))["current"]) || "";
  const byBackend = objectOf(stacks);
  const [first, ...others] = Object.values(byBackend);
  // Old engines write one name, newer ones one for each backend.
  const noted = stack ?? byBackend[backend] ?? (others.length === 0 ? first : undefined);
  const name = stringOf(noted);
  return name && shortName(name);
}

/** Returns the engine's folder of selected stacks; undefined for a user without a home folder. */
function pulumiHome(env: Io["env"]): string | undefined {
  try {
    return env["PULUMI_HOME"] || join(homeOf(env), ".pulumi");
  } catch {
    return undefined;
  }
}

/** Reads the object in a file. Returns an empty one if there is none. */
function jsonIn(file: string): Record<string, unknown> {
  try {
    const parsed: unknown = JSON.parse(readFileSync(file, "utf8"));
    return objectOf(parsed);
  } catch {
    return {};
  }
}

function isSecret(value: unknown): boolean {
  return isObject(value) && "secure" in value;
}

/** Returns a value as text. Objects and lists are JSON, as the engine hands them on. */
function textOf(value: unknown): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}
