import { UsageError } from "../common/errors";
import { reportStacks } from "./io";
import type { ListedStack, Project } from "./project";
import { chooseStack, noneSelected } from "./project-file";
import { probableStack } from "./selection";
import { ProjectStack } from "./stack";

/**
 * Chooses a stack, and shows the user which stack was chosen.
 *
 * @throws UsageError with the names of the existing stacks
 */
export async function stackOf(project: Project, name: string | undefined): Promise<ProjectStack> {
  const { stack, why } = find(project, await project.listed(), name);
  reportStacks(project.io, [stack.name], why);
  return stack;
}

/**
 * Chooses a stack, and reads the stack's state and configuration. To save time, the function first tries to read the named or selected
 * stack. If the stack cannot be read, the function asks the engine for a list of all stacks.
 *
 * @throws UsageError with the names of the existing stacks
 */
export async function openedStack(project: Project, name: string | undefined): Promise<ProjectStack> {
  const choice = probableStack(project, name);
  const stack = choice && new ProjectStack(project, choice.name);
  if (!choice || !stack || !(await stack.opens(choice.why === "the selected one"))) return stackOf(project, name);
  reportStacks(project.io, [stack.name], choice.why);
  return stack;
}

/**
 * Chooses several stacks, and shows the user which stacks were chosen.
 *
 * @param all whether to choose every stack of the project
 */
export async function stacksOf(project: Project, names: readonly string[] = [], all = false): Promise<ProjectStack[]> {
  if (names.length === 0 && !all) return [await stackOf(project, undefined)];
  const listed = await project.listed();
  const wanted = all ? listed.map(({ name }) => name).toSorted() : names;
  const stacks = wanted.map((name) => find(project, listed, name).stack);
  if (stacks.length === 0) throw new UsageError(noStackText(project.name), "work");
  reportStacks(
    project.io,
    stacks.map((stack) => stack.name),
    all ? "every stack of the project" : "as named",
  );
  return stacks;
}

function find(
  project: Project,
  listed: readonly ListedStack[],
  name: string | undefined,
): { stack: ProjectStack; why: string } {
  const names = listed.map((stack) => stack.name);
  const choice = chooseStack(names, listed.find(({ current }) => current === true)?.name, name);
  if (choice) return { stack: new ProjectStack(project, choice.name), why: choice.why };
  if (names.length === 0) throw new UsageError(noStackText(project.name, name), "work");
  if (name === undefined) throw new UsageError(noneSelected(project.name, names), "work");
  throw new UsageError(`Project ${project.name} has no stack ${name}. Existing stacks: ${names.toSorted().join(", ")}`, "work");
}

function noStackText(project: string, name?: string): string {
  const missing = name === undefined ? "has no stack yet" : `has no stack ${name}, and no other stack`;
  return `Project ${project} ${missing}: run \`pulumi stack init\``;
}
