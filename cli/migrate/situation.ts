import { EndpointMonitoringError, type RealUserTestProfile, type TagRecord } from "../../api";
import { type Holdings, readHoldings } from "../../provider/reach/holdings";
import type { Session } from "../../provider/session";
import { stringOf } from "../../provider/values";
import { UsageError } from "../command";
import { Instances } from "../edit/instances";
import { ProgramSource } from "../edit/program";
import { compiledBy, isJavaScript } from "../edit/tsconfig";
import { Project } from "../engine/project";
import type { ProjectStack } from "../engine/stack";
import type { ManagedResource } from "../engine/state";
import { fronts, tokenOf } from "../front";
import type { Io } from "../io";
import type { Output } from "../report/output";
import { labelsOf } from "./agents";
import { labelClass, type LabelDeclaration, LabelProgram, tagClass } from "./program";

/** The program and the stack. */
export interface Local {
  readonly project: Project;
  readonly stack: ProjectStack;
  readonly program: LabelProgram;
  readonly managed: readonly ManagedResource[];
  /** Resources of the other stacks, which run the same program. */
  readonly others: readonly ManagedResource[];
  /** Labels of the stack, each with its declaration if the program shows it. */
  readonly labels: ReadonlyMap<ManagedResource, LabelDeclaration | undefined>;
}

/** The program, the stack and the service, from which each run finds out which step is next. */
export interface Situation extends Local {
  readonly holdings: Holdings;
  readonly tags: readonly TagRecord[];
  readonly realUserTests: readonly RealUserTestProfile[];
  readonly references: Session["references"];
}

/** Reads the program and the states of the stacks. @throws UsageError */
export async function readLocal(name: string | undefined, out: Output, io: Io): Promise<Local> {
  const project = Project.open(io);
  const { noTypeScript, folder, programFile, tsconfig } = project;
  if (noTypeScript !== undefined)
    throw new UsageError(`The program of project ${project.name} cannot be edited: ${noTypeScript}`, "work");
  const stack = await project.stack(name);
  out.progress(`Reading stack ${stack.name}`);
  const managed = await stack.managed();
  const others = await project.managedByOthers(new Set([stack.name]), ({ message }) => out.warn(message));
  out.progress("Reading the program");
  const javascript = isJavaScript(programFile) && (await compiledBy(programFile, folder, tsconfig)) === undefined;
  const program = new LabelProgram(new Instances(await ProgramSource.read(folder, { javascript })));
  const declared = managed.flatMap((one): [ManagedResource, LabelDeclaration | undefined][] => {
    if (one.kind.name !== labelClass) return [];
    const declaration = program.instancesOf(one)[0]?.declaration;
    return [[one, program.labels.find((label) => label.declaration === declaration)]];
  });
  return { project, stack, program, managed, others, labels: new Map(declared) };
}

/** Reads labels, tags, tests and agents of the account groups of the labels. @throws UsageError, the client's errors */
export async function readService(local: Local, out: Output): Promise<Situation> {
  const session = await local.stack.session();
  const { client, references } = session;
  const own = new Set([...local.labels.keys()].flatMap(({ outputs }) => stringOf(outputs["accountGroupId"]) ?? []));
  const accountGroups = own.size > 0 ? [...own] : [(await session.accountGroupId()) ?? ""];
  out.progress("Reading labels, tags, tests and agents of the service");
  const holdings = await readHoldings(session, accountGroups);
  const [missing] = holdings.missing;
  if (missing !== undefined) throw new UsageError(missing, "work");
  const realUserTests = await listed(
    accountGroups,
    async (aid) => (await client.realUserTests.list({ query: { aid } })).realUserTests,
    (message) => out.warn(`Whether real user tests use a label is not known: ${message}`),
  );
  const tags = await listed(
    accountGroups,
    async (aid) => (await client.tags.list({ query: { aid } })).tags,
    (message) => {
      throw new UsageError(`The tags could not be read: ${message}`, "work");
    },
  );
  return { ...local, holdings, tags, realUserTests, references };
}

async function listed<T>(
  accountGroups: readonly string[],
  list: (aid: string) => Promise<readonly T[]>,
  onFailure: (message: string) => void,
): Promise<T[]> {
  try {
    return (await Promise.all(accountGroups.map(list))).flat();
  } catch (error) {
    if (!(error instanceof EndpointMonitoringError)) throw error;
    onFailure(error.message);
    return [];
  }
}

/** Tests that select by labels. */
export function testsIn(managed: readonly ManagedResource[]): ManagedResource[] {
  return managed.filter(({ kind, inputs }) => kind.reach?.means === "test" && labelsOf(inputs).length > 0);
}

/** The URN of the tag that a label becomes: the same name, below the same parent. So no file has to remember a step. */
export function tagUrnOf({ urn }: Pick<ManagedResource, "urn">): string {
  const front = fronts.find((one) => urn.includes(`${tokenOf(one, labelClass)}::`)) ?? "dynamic";
  return urn.replace(`${tokenOf(front, labelClass)}::`, () => `${tokenOf(front, tagClass)}::`);
}

/** The tag of a label, if the stack manages it. */
export function tagOfLabel({ managed }: Local, label: ManagedResource): ManagedResource | undefined {
  const urn = tagUrnOf(label);
  return managed.find((one) => one.urn === urn);
}
