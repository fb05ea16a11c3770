import { existsSync, readFileSync, statSync } from "node:fs";
import { resolve } from "node:path";
import { UsageError } from "../command";
import { type Held, heldIn } from "../held";
import { Project } from "../project";
import { isProjectFolder } from "../project-file";

/**
 * What is managed elsewhere, by what `--also` names: a file with an exported state, the folder of a Pulumi project, which stands
 * for all its stacks, or the full name of a stack in the same backend.
 *
 * @throws UsageError for one that can't be read: what it manages would be called unmanaged
 */
export async function heldElsewhere(project: Project, name: string, progress: (text: string) => void): Promise<Held[]> {
  const path = resolve(project.io.cwd, name);
  if (existsSync(path) && statSync(path).isFile()) return heldInFile(name, path);
  if (isProjectFolder(path)) {
    const other = Project.open(project.io, path);
    const held: Held[] = [];
    for (const stack of await other.stackNames()) {
      progress(`Reading stack ${stack} of project ${other.name}`);
      held.push(...(await other.foreign(stack)));
    }
    return held;
  }
  progress(`Reading stack ${name}`);
  return project.foreign(name);
}

function heldInFile(name: string, path: string): Held[] {
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
  return heldIn(name, state);
}
