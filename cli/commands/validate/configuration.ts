import { isObject, objectOf } from "../../../provider/values";
import type { Project } from "../../../engine/project";
import { chooseStack, noneSelected, readStackFile, stacksWithFile } from "../../../engine/project-file";
import { selectionOf } from "../../../engine/selection";
import { shortName } from "../../../engine/stack";
import { reportStacks } from "../../../engine/io";
import { UsageError } from "../../../common/errors";

/** A stack's configuration, as read from the stack settings file. Each key includes its namespace, as in `endpoint-monitoring:token`. */
export interface StackConfiguration {
  readonly stack: string;
  readonly values: Readonly<Record<string, string>>;
  readonly secrets: readonly string[];
}

/** Placeholder for encrypted secrets. The character `0` is valid as a string, as a number and as JSON. */
const standIn = "0";

/** Placeholder for the stack name in a project without stacks. */
const noStack = "validate";

/**
 * Reads a stack's configuration from its file, without the engine. The function selects the stack by the rules that apply to all commands.
 *
 * @param stackName name of the stack, by default the selected stack or the only stack with a file
 * @throws UsageError if the stack is unknown, or if several stacks are possible
 */
export function readConfiguration(
  projectOfStack: Pick<Project, "folder" | "name" | "backend" | "io">,
  stackName: string | undefined,
): StackConfiguration {
  const { folder, name: project, io } = projectOfStack;
  const names = stacksWithFile(folder);
  const selection = selectionOf(projectOfStack);
  const selected = selection && shortName(selection.name);
  // If a selected stack has no settings, its settings file does not exist.
  const choice = chooseStack(
    selected === undefined ? names : [...names, selected],
    selected,
    stackName && shortName(stackName),
  );
  if (choice === undefined) {
    if (stackName === undefined && names.length === 0) return { stack: noStack, values: {}, secrets: [] };
    if (stackName === undefined) throw new UsageError(noneSelected(project, names), "work");
    const there = names.length === 0 ? "No stack has settings" : `Stacks with settings: ${names.toSorted().join(", ")}`;
    const name = shortName(stackName);
    throw new UsageError(`Project ${project} has no settings for stack ${name} (Pulumi.${name}.yaml). ${there}`, "work");
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

function isSecret(value: unknown): boolean {
  return isObject(value) && "secure" in value;
}

/** Returns a value as a string. Like the engine, the function converts objects and lists to JSON. */
function textOf(value: unknown): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}
