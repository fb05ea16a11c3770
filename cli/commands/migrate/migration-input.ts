import { stackOf } from "../../../engine/stacks";
import { ApiError, EndpointMonitoringError, type RealUserTestProfile, type TagRecord, UnauthorizedError } from "../../../api";
import { type Properties, stringOf } from "../../../provider/values";
import { Instances } from "../../../program/instances";
import { ProgramSource } from "../../../program/program-source";
import { compiledBy, isJavaScript } from "../../../program/tsconfig";
import { Project } from "../../../engine/project";
import type { ProjectStack } from "../../../engine/stack";
import { type HeldState, type ManagedResource, managedAmong, nameOfUrn } from "../../../engine/state";
import { fronts, tokenOf } from "../../../program/front";
import type { Io } from "../../../engine/io";
import type { Output } from "../../report/output";
import { labelClass, type LabelDeclaration, LabelProgram, labelsProperty, tagClass } from "../../../program/label-program";
import { UsageError } from "../../../common/errors";

export interface StackLabel {
  readonly resource: ManagedResource;
  readonly declared: LabelDeclaration | undefined;
  /**
   * URN of the tag that replaces the label. The label and the tag have the same resource name and parent, so the state shows the progress
   * of the migration.
   */
  readonly tagUrn: string;
  readonly tag: ManagedResource | undefined;
  /** A tag that may be the same record in the service as the label. */
  readonly shared: TagRecord | undefined;
}

/** Data from the program, the stack and the service that determines the next migration step. */
export interface MigrationInput {
  readonly stack: ProjectStack;
  readonly heldState: HeldState;
  readonly program: LabelProgram;
  readonly labels: readonly StackLabel[];
  readonly tests: readonly ManagedResource[];
  readonly tags: readonly TagRecord[];
  readonly realUserTests: readonly RealUserTestProfile[];
  /**
   * Maps the URNs of labels and tags to the reasons why the tags could not be read. The migration skips labels with tags that could not be
   * read.
   */
  readonly unread: ReadonlyMap<string, string>;
}

/** Reads the program, the stack and the service. @throws UsageError, ConfigurationError */
export async function readMigrationInput(name: string | undefined, out: Output, io: Io): Promise<MigrationInput> {
  const project = Project.open(io);
  const { noTypeScript, folder, programFile, tsconfig } = project;
  if (noTypeScript !== undefined)
    throw new UsageError(`The program of project ${project.name} cannot be edited: ${noTypeScript}`, "work");
  if (isJavaScript(programFile) && (await compiledBy(programFile, folder, tsconfig)) === undefined) {
    throw new UsageError(
      `\`migrate labels\` edits only TypeScript, but the program's entry file is ${programFile}. Rename the program files to .ts, or edit the files as ` +
        "docs/migrate-labels.md describes",
      "work",
    );
  }
  const stack = await stackOf(project, name);
  out.progress(`Reading stack ${stack.name} and the program`);
  const heldState = await stack.heldState();
  const managed = managedAmong(stack.name, heldState.resources);
  const program = new LabelProgram(new Instances(await ProgramSource.read(folder)));
  const stackLabels = managed.filter(({ kind }) => kind.name === labelClass);
  const { tags, realUserTests, refusals } = await readService(stack, stackLabels, out);
  const labels = stackLabels.map((resource): StackLabel => {
    const declaration = program.instancesOf(resource)[0]?.declaration;
    const declared = program.labels.find((label) => label.declaration === declaration);
    const tagUrn = tagUrnOf(resource.urn);
    const shared = tags.find(({ legacyId }) => String(legacyId) === resource.id);
    return { resource, declared, tagUrn, tag: managed.find(({ urn }) => urn === tagUrn), shared };
  });
  const tests = managed.filter(({ kind, inputs }) => kind.reach?.means === "test" && labelsOf(inputs).length > 0);
  const unread = stackLabels.flatMap(({ urn, outputs }): [string, string][] => {
    const accountGroupId = stringOf(outputs["accountGroupId"]) ?? "";
    const refusal = refusals.get(accountGroupId);
    if (refusal === undefined) return [];
    const reason = `is in account group ${accountGroupId}; its tags could not be read: ${refusal.message}`;
    return [urn, tagUrnOf(urn)].map((resourceUrn) => [resourceUrn, reason]);
  });
  return { stack, heldState, program, labels, tests, tags, realUserTests, unread: new Map(unread) };
}

/**
 * Reads tags and real user tests in the account groups of labels.
 *
 * @throws API client errors, unless only some account groups refuse the requests
 */
async function readService(stack: ProjectStack, labels: readonly ManagedResource[], out: Output) {
  const refusals = new Map<string, ApiError>();
  if (labels.length === 0) return { tags: [], realUserTests: [], refusals };
  const { client } = await stack.session();
  const accountGroups = new Set(labels.flatMap(({ outputs }) => stringOf(outputs["accountGroupId"]) ?? []));
  out.progress("Reading tags and real user tests of the service");
  const tags: TagRecord[] = [];
  const realUserTests: RealUserTestProfile[] = [];
  for (const aid of accountGroups) {
    const list = await client.tags.list({ query: { aid } }).catch((error: unknown) => {
      if (!(error instanceof ApiError) || error instanceof UnauthorizedError) throw error;
      refusals.set(aid, error);
    });
    if (list === undefined) continue;
    // A tag record without `aid` belongs to the requested account group.
    for (const tag of list.tags) tags.push({ ...tag, aid: tag.aid ?? aid });
    try {
      for (const test of (await client.realUserTests.list({ query: { aid } })).realUserTests) realUserTests.push(test);
    } catch (error) {
      if (!(error instanceof EndpointMonitoringError)) throw error;
      out.warn(`Real user tests could not be read, so their labels are not known: ${error.message}`);
    }
  }
  const [first] = refusals.values();
  if (first && refusals.size === accountGroups.size) throw first;
  return { tags, realUserTests, refusals };
}

export function labelsOf({ agentSelectorType, endpointAgentLabels }: Properties): string[] {
  return agentSelectorType === "agent-labels" && Array.isArray(endpointAgentLabels) ? endpointAgentLabels.map(String) : [];
}

export function tagUrnOf(urn: string): string {
  const tokens = fronts.map((front) => [tokenOf(front, labelClass), tokenOf(front, tagClass)]);
  return tokens.reduce((changed, [label, tag]) => changed.replace(`${label}::`, () => `${tag}::`), urn);
}

/** Describes a use of a label's id that prevents its replacement by a tag's id, such as a stack output. */
export function otherUseOf({ heldState }: MigrationInput, { id, urn }: ManagedResource): string | undefined {
  const user = heldState.resources.find(({ propertyDependencies = {} }) => {
    return Object.entries(propertyDependencies).some(([property, of]) => property !== labelsProperty && of?.includes(urn));
  });
  if (user) return `is also used by ${nameOfUrn(user.urn)}`;
  const stack = heldState.resources.find(({ type }) => type === "pulumi:pulumi:Stack");
  // A stack output that exports a whole resource does not count as a use, because programs often export unused resources.
  const holds = (value: unknown): boolean =>
    value === id || (typeof value === "object" && value !== null && !("urn" in value) && Object.values(value).some(holds));
  const [output] = Object.entries(stack?.outputs ?? {}).find(([, value]) => holds(value)) ?? [];
  return output === undefined ? undefined : `is also in the stack's output ${output}`;
}
