import { join } from "node:path";
import { UsageError } from "../command";
import { Project } from "../engine/project";
import { isProjectFolder } from "../engine/project-file";
import { ProjectStack } from "../engine/stack";
import { GitRepository } from "../git";
import type { Output } from "../report/output";
import { counted } from "../report/text";
import { acceptedOf, gone, leftAs, notReplaced, writeProgram } from "./accept";
import { AcceptedBranch } from "./branch";
import { type DriftOutcome, emptyOutcome } from "./report";
import type { Look, Reconciled } from "./stacks";

/** Resources that the message of a commit names. */
const maxNamed = 50;

/** Name of the branch of what is looked at: projects and stacks of one repository get one each. */
export function defaultBranch(project: string, stack: string | undefined): string {
  const parts = [project, ...(stack === undefined ? [] : [stack.slice(stack.lastIndexOf("/") + 1)])];
  // What no branch may hold. A name of a project or a stack has little else that is special.
  const clean = parts.map((part) => part.replace(/[^\w.-]+|\.{2,}|^\.|\.$|\.lock$/g, "-"));
  return `endpoint-monitoring/drift-${clean.join("-")}`;
}

/**
 * Commits what the service holds on a branch, in the program of the commit that is checked out: neither the user's files nor any state
 * are touched.
 */
export async function proposeAll(project: Project, looks: readonly Look[], name: string, out: Output): Promise<Reconciled> {
  const outcome = { ...emptyOutcome(), files: [] as string[], left: gone(looks) };
  const done = { looks: [...looks], interrupted: false };
  try {
    const repository = await GitRepository.of(project.io, project.folder);
    const branch = await AcceptedBranch.open(repository, name);
    if (!looks.some(({ drift }) => drift.changed.length > 0)) return { ...done, outcome, branch: await branch.unchanged() };
    out.progress(`Checking out ${repository.head.slice(0, 7)} in a folder of its own`);
    const folder = await repository.checkOut();
    const copy = copyOf(project, repository, folder);
    const there = looks.map((look): Look => ({ ...look, stack: new ProjectStack(copy, look.stack.name) }));
    const { edits, accepted, left } = await writeProgram(copy, there, out, notReplaced);
    const files = edits.map(({ path }) => path);
    const tree = await repository.treeOf(folder, files);
    const resources = acceptedOf(looks, accepted);
    const committed = await branch.accept(folder, tree, messageOf(looks, resources));
    if (committed.changed) out.doneSoFar = `Branch ${name} has a new commit; its report was not made.`;
    return { ...done, outcome: { ...outcome, files, resources, left: [...leftAs(left), ...outcome.left] }, branch: committed };
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    return { ...done, outcome: { ...outcome, failures: [error.message] } };
  }
}

/** The project in a checkout. @throws UsageError where it was never committed */
function copyOf(project: Project, { prefix, head }: GitRepository, folder: string): Project {
  const place = join(folder, prefix);
  if (isProjectFolder(place)) return Project.open(project.io, place);
  throw new UsageError(
    `Commit ${head.slice(0, 7)} has no Pulumi.yaml of project ${project.name}: commit the project first`,
    "work",
  );
}

function messageOf(looks: readonly Look[], resources: DriftOutcome["resources"]): string {
  const stacks = [...new Set(resources.map(({ stack }) => stack))];
  const named = resources.slice(0, maxNamed).map(({ kind, name, stack, properties }) => {
    const of = looks.length > 1 ? ` of stack ${stack}` : "";
    return `- ${kind} ${name}${of}: ${properties.join(", ")}`;
  });
  const more = resources.length - named.length;
  return [
    `Accept drift of ${stacks.length === 1 ? `stack ${stacks[0] ?? ""}` : counted(stacks.length, "stack")}`,
    "",
    "The program declares what the service holds:",
    "",
    ...named,
    ...(more > 0 ? [`- ${counted(more, "resource")} more`] : []),
  ].join("\n");
}
