import { existsSync, readFileSync, statSync } from "node:fs";
import { resolve } from "node:path";
import { Project } from "../../../engine/project";
import { projectFileIn } from "../../../engine/project-file";
import { managedIn, type ManagedResource, isState } from "../../../engine/state";
import { parseJson } from "../../../common/files";
import type { Output } from "../../report/output";
import { UsageError } from "../../../common/errors";

export interface OtherManagers {
  managed: ManagedResource[];
  unread: string[];
}

/**
 * Reads the resources of the stacks that `--managed-by` names, and of the project's other stacks.
 *
 * @param comparedStacks names of the compared stacks, or undefined to skip the project's other stacks
 * @throws UsageError if a stack that `--managed-by` names cannot be read, because its records would seem unmanaged
 */
export async function readOtherManagers(
  project: Project,
  comparedStacks: ReadonlySet<string> | undefined,
  managedBy: readonly string[],
  out: Output,
): Promise<OtherManagers> {
  const managed: ManagedResource[] = [];
  const unread: string[] = [];
  for (const name of managedBy) {
    for (const resource of await resourcesManagedBy(name, project, out)) managed.push(resource);
  }
  if (comparedStacks) {
    const onUnreadable = ({ message }: UsageError, stack: string): void => {
      unread.push(stack);
      out.warn(message);
    };
    const onRead = (name: string): void => out.progress(`Reading stack ${name}`);
    for (const resource of await project.managedByOthers(comparedStacks, onUnreadable, onRead)) managed.push(resource);
  }
  // `--managed-by` may name a stack of this project, so `managed` can contain a resource twice.
  return {
    managed: [
      ...new Map(managed.map((managedResource) => [`${managedResource.urn} ${managedResource.id}`, managedResource])).values(),
    ],
    unread,
  };
}

/** Reads the resources in a state file, in the stacks of a project folder, or in a stack with a full name. */
async function resourcesManagedBy(name: string, project: Project, out: Output): Promise<ManagedResource[]> {
  const path = resolve(project.io.cwd, name);
  if (existsSync(path) && statSync(path).isFile()) return managedInFile(name, path);
  if (projectFileIn(path) === undefined) {
    out.progress(`Reading stack ${name}`);
    return project.foreign(name);
  }
  const otherProject = Project.open(project.io, path);
  const managed: ManagedResource[] = [];
  for (const stack of await otherProject.stackNames()) {
    out.progress(`Reading stack ${stack} of project ${otherProject.name}`);
    for (const resource of await otherProject.foreign(stack)) managed.push(resource);
  }
  return managed;
}

function managedInFile(name: string, path: string): ManagedResource[] {
  const mistake = (reason: string): UsageError =>
    new UsageError(
      `Cannot use the file ${name} for --managed-by: ${reason}. Create the file with \`pulumi stack export --file FILE\``,
      "work",
    );
  let text: string;
  try {
    text = readFileSync(path, "utf8");
  } catch {
    throw mistake("it cannot be read");
  }
  const state = parseJson(text);
  if (state === undefined) throw mistake("it is not JSON");
  if (!isState(state)) throw mistake("it has no deployment");
  return managedIn(name, state);
}
