import type { Session } from "../../provider/session";
import { UsageError } from "../command";
import type { ManagedResource } from "../engine/state";
import type { Io } from "../io";
import type { Output } from "../output";
import { Project } from "../engine/project";
import { projectFolder } from "../engine/project-file";
import type { ImportOptions } from "./options";
import { importsFromFile } from "./steps";
import { type ProjectStack, openSession } from "../engine/stack";

/** What is imported into. */
export interface Target {
  readonly session: Session;
  /** Absent outside a project: then files are all that there is to write. */
  readonly stack: ProjectStack | undefined;
  readonly held: readonly ManagedResource[];
  /** What the other stacks of the project hold. */
  readonly others: readonly ManagedResource[];
  /** Values of the project's own configuration of the stack, by key. */
  readonly configured: Readonly<Record<string, string>>;
  /** Whether the program adopts the records, instead of an import by the engine. */
  readonly adopts: boolean;
}

/** Opens the stack that was asked for; outside a project the settings of the environment. @throws UsageError, ConfigurationError */
export async function targetOf(asked: ImportOptions, out: Output, io: Io): Promise<Target> {
  if (projectFolder(io.cwd) === undefined && asked.stack === undefined && !asked.run) return outside(asked, out, io);
  const project = Project.open(io);
  tellThatNothingRuns(project, asked, out);
  const stack = await project.stack(asked.stack);
  out.progress(`Reading stack ${stack.name}`);
  // Each is a run of the engine that waits for the backend: together they take as long as one.
  const [session, held, configured, others, adopts] = await Promise.all([
    stack.session(),
    stack.managed(),
    stack.configuration(),
    // What is managed by another stack is not this one's to import.
    project.managedByOthers(new Set([stack.name]), ({ message }) => out.warn(`${message}, so what it manages is not known`)),
    asked.adopt || mustAdopt(project, out),
  ]);
  return { session, stack, held, others, configured, adopts };
}

function outside(asked: ImportOptions, out: Output, io: Io): Target {
  const session = openSession(io);
  if (!asked.dryRun) {
    out.warn(
      "This folder belongs to no Pulumi project, so nothing is known of what is managed already. To use the files, make a project " +
        "in a folder of its own (pulumi new typescript), run this command there, or move the files there",
    );
  }
  return { session, stack: undefined, held: [], others: [], configured: {}, adopts: asked.adopt };
}

/**
 * What is imported and not declared by the program would be deleted by the next update.
 *
 * @throws UsageError where the project cannot run what would be written
 */
function tellThatNothingRuns({ name, noTypeScript }: Project, { dryRun }: ImportOptions, out: Output): void {
  if (noTypeScript === undefined) return;
  const said = `Project ${name} cannot run the TypeScript that is written here: ${noTypeScript}`;
  if (!dryRun) throw new UsageError(`${said}. Run this in a project that can (pulumi new typescript)`, "work");
  out.warn(said);
}

async function mustAdopt(project: Project, out: Output): Promise<boolean> {
  const engineVersion = await project.engineVersion();
  if (importsFromFile(engineVersion)) return false;
  out.warn(
    `Pulumi ${engineVersion} reads each resource when it imports, which these do not take: 3.254 or newer does without. ` +
      "So the program says adopt: true, there is no import file, and the next update takes the records over",
  );
  return true;
}
