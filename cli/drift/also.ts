import { existsSync, readFileSync, statSync } from "node:fs";
import { resolve } from "node:path";
import { UsageError } from "../command";
import { type ManagedResource, managedIn } from "../engine/state";
import type { Output } from "../output";
import { Project } from "../engine/project";
import { isProjectFolder } from "../engine/project-file";

/** What other stacks manage than those that are looked at. */
export interface Elsewhere {
  held: ManagedResource[];
  /** Names of the stacks that could not be read: what they manage is not known. */
  unread: string[];
}

/**
 * What is managed elsewhere: by what `--also` names, and by the other stacks of the project.
 *
 * @param own names of the stacks that are looked at; nothing where the other stacks of the project do not matter
 * @throws UsageError for what `--also` names and can't be read
 */
export async function managedElsewhere(
  project: Project,
  own: ReadonlySet<string> | undefined,
  also: readonly string[],
  out: Output,
): Promise<Elsewhere> {
  const say = (text: string): void => out.progress(text);
  const held: ManagedResource[] = [];
  for (const name of also) held.push(...(await heldElsewhere(project, name, say)));
  const unread: string[] = [];
  if (own) {
    const unreadable = (error: UsageError, stack: string): void => {
      unread.push(stack);
      out.warn(error.message);
    };
    held.push(...(await project.managedByOthers(own, unreadable, (name) => say(`Reading stack ${name}`))));
  }
  // A stack of the project may be named by --also, too.
  return { held: [...new Map(held.map((one) => [`${one.urn} ${one.id}`, one])).values()], unread };
}

/**
 * What is managed elsewhere, by what `--also` names: a file with an exported state, the folder of a Pulumi project, which stands
 * for all its stacks, or the full name of a stack in the same backend.
 *
 * @throws UsageError for one that can't be read: what it manages would be called unmanaged
 */
async function heldElsewhere(project: Project, name: string, progress: (text: string) => void): Promise<ManagedResource[]> {
  const path = resolve(project.io.cwd, name);
  if (existsSync(path) && statSync(path).isFile()) return heldInFile(name, path);
  if (isProjectFolder(path)) {
    const other = Project.open(project.io, path);
    const held: ManagedResource[] = [];
    for (const stack of await other.stackNames()) {
      progress(`Reading stack ${stack} of project ${other.name}`);
      held.push(...(await other.foreign(stack)));
    }
    return held;
  }
  progress(`Reading stack ${name}`);
  return project.foreign(name);
}

function heldInFile(name: string, path: string): ManagedResource[] {
  const mistake = (reason: string): UsageError =>
    new UsageError(
      `--also ${name} is not the state of a stack (${reason}). \`pulumi stack export --file FILE\` writes one`,
      "work",
    );
  let state: unknown;
  try {
    state = JSON.parse(readFileSync(path, "utf8"));
  } catch (error) {
    throw mistake(error instanceof SyntaxError ? "it is no JSON" : "it can't be read");
  }
  if (!(typeof state === "object" && state !== null && "deployment" in state)) throw mistake("it has no deployment");
  return managedIn(name, state);
}
