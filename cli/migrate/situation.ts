import { EndpointMonitoringError, type RealUserTestProfile, type TagRecord } from "../../api";
import { type Holdings, readHoldings, type ServiceRecord } from "../../provider/reach/holdings";
import type { Session } from "../../provider/session";
import { stringOf } from "../../provider/values";
import { UsageError } from "../command";
import { Project } from "../engine/project";
import type { ProjectStack } from "../engine/stack";
import type { ManagedResource } from "../engine/state";
import type { Io } from "../io";
import type { Output } from "../report/output";
import type { Declaration } from "../edit/declarations";
import { Instances } from "../edit/instances";
import { locate } from "../edit/locate";
import { ProgramSource } from "../edit/program";
import { compiledBy, isJavaScript } from "../edit/tsconfig";
import { labelClass, type LabelDeclaration, labelDeclarations, tagUrnOf } from "./pairs";

/** Where a migration of labels stands, as program, stack and service show it. Nothing else remembers it. */
export interface Situation {
  readonly project: Project;
  readonly stack: ProjectStack;
  readonly instances: Instances;
  readonly declarations: readonly LabelDeclaration[];
  readonly managed: readonly ManagedResource[];
  /** What the project's other stacks manage, which run the same program. */
  readonly others: readonly ManagedResource[];
  readonly holdings: Holdings;
  /** Every tag of the account groups, of whatever objects. */
  readonly tags: readonly TagRecord[];
  /** Real user tests, which may select by labels, too; none where they cannot be read. */
  readonly realUserTests: readonly RealUserTestProfile[];
  readonly references: Session["references"];
}

/** The program and the stack, before the service is asked. */
export type Local = Omit<Situation, "holdings" | "tags" | "realUserTests" | "references">;

/** Reads the program and what the stacks manage. @throws UsageError where there is none */
export async function lookLocally(name: string | undefined, out: Output, io: Io): Promise<Local> {
  const project = Project.open(io);
  if (project.noTypeScript !== undefined) {
    throw new UsageError(`The program of project ${project.name} cannot be edited: ${project.noTypeScript}`, "work");
  }
  const stack = await project.stack(name);
  out.progress(`Reading stack ${stack.name}`);
  const managed = await stack.managed();
  const others = await project.managedByOthers(new Set([stack.name]), ({ message }) => out.warn(message));
  out.progress("Reading the program");
  const instances = new Instances(await programOf(project));
  return { project, stack, instances, declarations: labelDeclarations(instances), managed, others };
}

/** Reads labels, tags, tests and agents of the account groups in which the stack's labels are. @throws UsageError, the client's errors */
export async function lookAtService(local: Local, out: Output): Promise<Situation> {
  const session = await local.stack.session();
  const own = labelsIn(local.managed).flatMap(({ outputs }) => stringOf(outputs["accountGroupId"]) ?? []);
  const accountGroups = own.length > 0 ? [...new Set(own)] : [(await session.accountGroupId()) ?? ""];
  out.progress("Reading labels, tags, tests and agents of the service");
  const holdings = await readHoldings(session, accountGroups);
  const [missing] = holdings.missing;
  if (missing !== undefined) throw new UsageError(missing, "work");
  const realUserTests = await realUserTestsOf(session, accountGroups, out);
  const { references } = session;
  return { ...local, holdings, tags: await tagsOf(session, accountGroups), realUserTests, references };
}

async function realUserTestsOf(
  { client }: Session,
  accountGroups: readonly string[],
  out: Output,
): Promise<RealUserTestProfile[]> {
  try {
    const lists = await Promise.all(accountGroups.map((aid) => client.realUserTests.list({ query: { aid } })));
    return lists.flatMap(({ realUserTests }) => realUserTests);
  } catch (error) {
    if (!(error instanceof EndpointMonitoringError)) throw error;
    out.warn(`Whether real user tests use a label is not known: ${error.message}`);
    return [];
  }
}

async function tagsOf({ client }: Session, accountGroups: readonly string[]): Promise<TagRecord[]> {
  try {
    const lists = await Promise.all(accountGroups.map((aid) => client.tags.list({ query: { aid } })));
    return lists.flatMap(({ tags }) => tags);
  } catch (error) {
    if (!(error instanceof EndpointMonitoringError)) throw error;
    throw new UsageError(`The tags could not be read: ${error.message}`, "work");
  }
}

async function programOf({ folder, programFile, tsconfig }: Project): Promise<ProgramSource> {
  const compiled = await compiledBy(programFile, folder, tsconfig);
  return ProgramSource.read(folder, { javascript: isJavaScript(programFile) && compiled === undefined });
}

export function labelsIn(managed: readonly ManagedResource[]): ManagedResource[] {
  return managed.filter(({ kind }) => kind.name === labelClass);
}

/** What declares a resource; nothing where the program does not show it. */
export function declarationOf({ instances }: Local, resource: ManagedResource): Declaration | undefined {
  const found = locate(instances, resource);
  if (!("why" in found)) return found[0]?.declaration;
  // One of a name that is worked out: the place that the last update saw.
  const seen = resource.position && instances.source.at(resource.position);
  return seen?.className === resource.kind.name ? seen : undefined;
}

/** The labels of the stack that a declaration stands for. */
export function labelsOfDeclaration(local: Local, { declaration }: LabelDeclaration): ManagedResource[] {
  return labelsIn(local.managed).filter((label) => declarationOf(local, label) === declaration);
}

/** The tag that a label became, where the stack manages it. */
export function tagOfLabel({ managed }: Pick<Local, "managed">, label: ManagedResource): ManagedResource | undefined {
  const urn = tagUrnOf(label);
  return managed.find((one) => one.urn === urn);
}

/** Tests that the service holds and that select by a label. */
export function testsUsing({ holdings }: Situation, label: string): ServiceRecord[] {
  return holdings.records.filter(({ kind, state }) => {
    const labels = state["endpointAgentLabels"];
    return kind.reach?.means === "test" && Array.isArray(labels) && labels.includes(label);
  });
}
