import { stackOf } from "../../../engine/stacks";
import { ApiError, EndpointMonitoringError, UnauthorizedError } from "../../../api";
import { Lifecycle } from "../../../provider/lifecycle";
import type { Session } from "../../../provider/session";
import { titleOf } from "../../../provider/identity";
import { previewStack } from "../../../engine/preview";
import { Project } from "../../../engine/project";
import { projectFolder } from "../../../engine/project-file";
import { leastEngine } from "../../../engine/run";
import { openSession, type ProjectStack } from "../../../engine/stack";
import type { ManagedResource } from "../../../engine/state";
import type { Io } from "../../../engine/io";
import { importedKinds, type ImportedKind } from "../../../provider/imported-kinds";
import type { Output } from "../../report/output";
import { isOlder } from "../../../api/versions";
import type { ImportValues } from "./options";
import { type Created, type ListedRecord, type PlannedItem } from "./plan";
import type { RecordNameOf } from "../../../program/record-to-declare";
import type { ExistingProgram } from "../../../program/existing-program";
import { UsageError } from "../../../common/errors";

export interface ImportTarget {
  readonly session: Session;
  /** Stack that receives the import, or undefined outside of a project, where the command only writes files. */
  readonly stack: ProjectStack | undefined;
  readonly managed: readonly ManagedResource[];
  readonly others: readonly ManagedResource[];
  /** Stack configuration values in the project's namespace. */
  readonly configured: Readonly<Record<string, string>>;
}

/**
 * Opens the stack. Outside of a project, the settings come from the environment.
 * @throws UsageError, ConfigurationError
 */
export async function targetOf(values: ImportValues, out: Output, io: Io): Promise<ImportTarget> {
  if (projectFolder(io.cwd) === undefined && values.stack === undefined && !values.run) {
    if (!values["dry-run"]) {
      out.warn(
        "This folder does not belong to a Pulumi project, so it is not known which records a stack already manages. To use the files, create a project " +
          "in a separate folder (pulumi new typescript), and run this command there or move the files there",
      );
    }
    return { session: openSession(io), stack: undefined, managed: [], others: [], configured: {} };
  }
  const project = Project.open(io);
  const { name, noTypeScript } = project;
  // The next update would delete imported resources that the program does not declare.
  if (noTypeScript !== undefined) {
    const problem = `Project ${name} cannot run the TypeScript that this command writes: ${noTypeScript}`;
    throw new UsageError(
      `${problem}. Run this command in a TypeScript project, which \`pulumi new typescript\` creates`,
      "work",
    );
  }
  const stack = await stackOf(project, values.stack);
  out.progress(`Reading stack ${stack.name}`);
  // The function runs the engine several times in parallel to save time, because each run waits for the backend.
  const [session, managed, configured, others] = await Promise.all([
    stack.session(),
    stack.managed(),
    stack.configuration(),
    // The command does not import records of other stacks.
    project.managedByOthers(new Set([stack.name]), ({ message }) => out.warn(`${message}, so its records are not known`)),
    refuseOldEngine(project),
  ]);
  return { session, stack, managed, others, configured };
}

/** Rejects older engines. An older engine reads each imported record, but dynamic resources do not support the read. @throws UsageError */
async function refuseOldEngine(project: Project): Promise<void> {
  const [version, least] = [await project.engineVersion(), leastEngine()];
  // An engine that does not report a version number counts as new.
  if (version === undefined || !isOlder(version, least)) return;
  throw new UsageError(
    `Pulumi ${version} cannot import the resources of this package. Install Pulumi ${least} or newer`,
    "work",
  );
}

/**
 * Lists all records of some resource types, with one list request for each type and account group.
 *
 * @param onUnread function that is called for each list that an account group refuses, with the reason
 * @throws API client errors, unless only some account groups refuse the requests
 */
export async function listAll(
  session: Session,
  kinds: readonly ImportedKind[],
  accountGroupIds: readonly (string | undefined)[],
  out: Output,
  onUnread: (reason: string) => void,
): Promise<ListedRecord[]> {
  const listed = new Map<string, ListedRecord>();
  const refusals: ApiError[] = [];
  for (const of of kinds) {
    const lifecycle = new Lifecycle(of.kind, session);
    for (const id of accountGroupIds) {
      const where = accountGroupIds.length > 1 ? ` of account group ${id ?? "of the token"}` : "";
      out.progress(`Listing ${of.kind.noun}s${where}`);
      const records = await lifecycle.list(id).catch((error: unknown) => {
        if (!(error instanceof ApiError) || error instanceof UnauthorizedError) throw error;
        refusals.push(error);
        onUnread(`the ${of.kind.noun}s${where} could not be read: ${error.message}`);
      });
      for (const record of records ?? []) {
        const title = titleOf(of.kind, record.state);
        // While an agent moves to another account group, the lists of both account groups may contain the agent.
        listed.set(`${of.name} ${record.id}`, { of, id: record.id, title: title === "" ? undefined : title, record });
      }
    }
  }
  const [first] = refusals;
  if (first && refusals.length === kinds.length * accountGroupIds.length) throw first;
  return [...listed.values()];
}

/**
 * Returns the resources that the next update would create. If the stack already manages all declared resources, the function does not
 * preview the program.
 *
 * @throws UsageError if the program cannot be previewed
 * @throws InterruptedError
 */
export async function createdBy(
  stack: ProjectStack,
  program: ExistingProgram,
  managed: readonly ManagedResource[],
  out: Output,
): Promise<Created> {
  const isManaged = new Set(managed.map(({ kind, name }) => `${kind.name} ${name}`));
  const declarations = program.place.source?.declarations ?? [];
  if (declarations.every(({ className, name }) => isManaged.has(`${className} ${name}`))) return new Map();
  out.progress("Previewing the program, which already has declarations");
  const { steps } = await previewStack(stack, "The program cannot be previewed, so its declarations are not known");
  return new Map(steps.flatMap(({ op, urn, newState }) => (op === "create" && newState ? [[urn, newState]] : [])));
}

/**
 * Finds the names of records that planned records refer to. If the service refuses a list, the import continues, because only code comments
 * contain the names.
 */
export async function namesOfReferred(
  session: Session,
  items: readonly PlannedItem[],
  listed: readonly ListedRecord[],
  accountGroupIds: readonly (string | undefined)[],
  out: Output,
): Promise<RecordNameOf> {
  const names = new Map(listed.map(({ of, id, title }) => [`${of.name} ${id}`, title]));
  const lists = new Set(listed.map(({ of }) => of));
  const referred = new Set(
    items.flatMap(({ of, expressed }) =>
      Object.entries(of.kind.refersTo).flatMap(([property, name]) =>
        expressed?.declared[property] === undefined ? [] : [name],
      ),
    ),
  );
  const lacking = importedKinds.filter((target) => referred.has(target.name) && !lists.has(target));
  try {
    for (const { of, id, title } of await listAll(session, lacking, accountGroupIds, out, () => undefined))
      names.set(`${of.name} ${id}`, title);
  } catch (error) {
    if (!(error instanceof EndpointMonitoringError)) throw error;
  }
  return (kindName, id) => names.get(`${kindName} ${id}`);
}
